#include "options.h"

#include "run/message.h"
#include "run/option.h"
#include "run/text.h"

#include "wadi/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option *find_long(const command *command, const char *name, size_t length) {
    for (const option *o = command->options; o->name; o++)
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    return NULL;
}

static const option *find_letter(const command *command, char letter) {
    for (const option *o = command->options; o->name; o++)
        if (o->letter == letter) return o;
    return NULL;
}

static wadi_status unknown_option(const command *command, const char *word) {
    const char *names[MOST_OPTIONS];
    size_t count = 0;
    for (const option *o = command->options; o->name && count < MOST_OPTIONS; o++) names[count++] = o->name;
    char *name = must_have(run_text_copy(word + strspn(word, "-")));
    name[strcspn(name, "=")] = '\0';
    const char *nearest = wadi_nearest_name(name, names, count);
    free(name);
    int length = (int)strcspn(word, "=");
    if (nearest)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%.*s: 'wadi %s' has no such option; did you mean --%s?", length, word,
                         command->name, nearest);
    return wadi_fail(WADI_ERROR_ARGUMENT, "%.*s: 'wadi %s' has no such option; 'wadi help %s' lists them", length, word,
                     command->name, command->name);
}

typedef struct parser {
    const command *command;
    int argc, at; /* argv[at] is being read */
    char **argv;
    void *values;
    arguments *arguments;
} parser;

/* `inline_value`: the value in the same word, after '=' or the letter; NULL: there is none. */
static wadi_status take_option(parser *parser, const option *option, const char *inline_value) {
    const char *value = inline_value;
    if (option->type == OPTION_FLAG) {
        if (value) return wadi_fail(WADI_ERROR_ARGUMENT, "--%s takes no value; leave '%s' out", option->name, value);
    } else if (!value) {
        const char *next = parser->at + 1 < parser->argc ? parser->argv[parser->at + 1] : NULL;
        if (!next || (strncmp(next, "--", 2) == 0 && next[2]))
            return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: its value is missing; write --%s %s", option->name,
                             option->name, option->value);
        value = next;
        parser->at++;
    }
    option_set_add(&parser->arguments->given, option - parser->command->options);
    return run_option_store(option, value ? value : "", parser->values);
}

static wadi_status take_word(parser *parser, bool options_ended) {
    const char *word = parser->argv[parser->at];
    const option *option = NULL;
    const char *value = NULL;
    if (options_ended || word[0] != '-' || !word[1]) {
        arguments *arguments = parser->arguments;
        if (arguments->count >= parser->command->arguments_to)
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s: one argument too many for 'wadi %s %s'", word,
                             parser->command->name, parser->command->usage);
        arguments->items[arguments->count++] = word;
        return WADI_OK;
    }
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = find_long(parser->command, word + 2, length);
        value = word[2 + length] ? word + 3 + length : NULL;
    } else {
        option = find_letter(parser->command, word[1]);
        value = word[2] ? word + 2 : NULL;
    }
    return option ? take_option(parser, option, value) : unknown_option(parser->command, word);
}

bool options_parse(const command *command, int argc, char **argv, void *values, arguments *arguments,
                   wadi_status *status) {
    parser parser = {command, argc, 1, argv, values, arguments};
    bool ended = false;
    *arguments = (struct arguments){0};
    for (*status = WADI_OK; parser.at < argc; parser.at++) {
        const char *word = argv[parser.at];
        const help_kind help = ended ? HELP_NONE : help_asked(word);
        if (help != HELP_NONE) {
            help_print(command, help);
            return false;
        }
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
            continue;
        }
        *status = take_word(&parser, ended);
        if (*status) return false;
    }
    if (arguments->count < command->arguments_from)
        *status = wadi_fail(WADI_ERROR_ARGUMENT, "%s is missing: wadi %s %s", command->arguments, command->name,
                            command->usage);
    return *status == WADI_OK;
}
