#include "options.h"

#include "wadi/model.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64 };

const char *const boundary_names[] = {"closed", "open", "wrap", NULL};

bool parse_number(const char *text, double *number) {
    char *end;
    if (isspace((unsigned char)*text)) return false;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && cli_finite(*number);
}

const char *did_you_mean(const char *wrong, const char *const *names, size_t count, char text[128]) {
    const char *nearest = wadi_nearest_name(wrong, names, count);
    snprintf(text, 128, nearest ? "; did you mean %s?" : "%s", nearest ? nearest : "");
    return text;
}

static size_t choices_count(const char *const *choices) {
    size_t count = 0;
    while (choices[count]) count++;
    return count;
}

/* "closed, open or wrap" */
static char *choices_text(const char *const *choices) {
    size_t count = choices_count(choices);
    char *text = cli_copy(choices[0]);
    for (size_t i = 1; i < count; i++) {
        char *longer = cli_text("%s%s%s", text, i + 1 == count ? " or " : ", ", choices[i]);
        free(text);
        text = longer;
    }
    return text;
}

/* How an option's bad value is said; returns CLI_USAGE. */
static int bad_value(const option *option, const char *value, const char *wanted) {
    return cli_fail(CLI_USAGE, "--%s %s: %s is wanted", option->name, value, wanted);
}

static int out_of_bounds(const option *option, double number) {
    if (option->minimum == 0 && option->maximum == 0) return CLI_OK;
    if (number >= option->minimum && number <= option->maximum) return CLI_OK;
    if (!cli_finite(option->maximum))
        return cli_fail(CLI_USAGE, "--%s %.10g: %.10g or more is wanted", option->name, number, option->minimum);
    return cli_fail(CLI_USAGE, "--%s %.10g: a value from %.10g to %.10g is wanted", option->name, number,
                    option->minimum, option->maximum);
}

static int store_count(const option *option, const char *value, int64_t *count) {
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end || errno) return bad_value(option, value, "a whole number");
    *count = number;
    return out_of_bounds(option, (double)number);
}

static int store_seed(const option *option, const char *value, uint64_t *seed) {
    char *end;
    errno = 0;
    *seed = strtoull(value, &end, 0);
    if (!isdigit((unsigned char)*value) || *end || errno) return bad_value(option, value, "a whole number from 0");
    return CLI_OK;
}

static int store_number(const option *option, const char *value, double *number) {
    if (!parse_number(value, number)) return bad_value(option, value, "a number");
    return out_of_bounds(option, *number);
}

static int store_size(const option *option, const char *value, int size[2]) {
    const char *text = value;
    for (int i = 0; i < 2; i++) {
        char *end;
        errno = 0;
        long number = strtol(text, &end, 10);
        bool separated = i == 0 ? *end == 'x' || *end == 'X' : *end == '\0';
        if (!isdigit((unsigned char)*text) || errno || !separated || number > 1 << 24)
            return bad_value(option, value, "a size like 1024x512");
        size[i] = (int)number;
        text = end + 1;
    }
    if (size[0] < 2 || size[1] < 2) return bad_value(option, value, "2x2 or more");
    return CLI_OK;
}

static int store_pair(const option *option, const char *value, number_pair *pair) {
    char *first = cli_copy(value);
    char *comma = strchr(first, ',');
    if (comma) *comma = '\0';
    bool good = parse_number(first, &pair->first);
    pair->second = pair->first;
    if (comma) good = good && parse_number(comma + 1, &pair->second);
    free(first);
    if (!good) return bad_value(option, value, option->value);
    pair->count = comma ? 2 : 1;
    int code = out_of_bounds(option, pair->first);
    return code ? code : out_of_bounds(option, pair->second);
}

static int store_choice(const option *option, const char *value, int *choice) {
    size_t count = choices_count(option->choices);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(option->choices[i], value) != 0) continue;
        *choice = (int)i;
        return CLI_OK;
    }
    char *wanted = choices_text(option->choices);
    char near[128];
    cli_fail(CLI_USAGE, "--%s %s: %s is wanted%s", option->name, value, wanted,
             did_you_mean(value, option->choices, count, near));
    free(wanted);
    return CLI_USAGE;
}

int option_store(const option *option, const char *value, void *values) {
    void *place = (char *)values + option->offset;
    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return CLI_OK;
    case OPTION_TEXT:
        if (!*value) return cli_fail(CLI_USAGE, "--%s: its value is empty", option->name);
        *(const char **)place = value;
        return CLI_OK;
    case OPTION_TEXTS:
        text_list_add(place, value);
        return CLI_OK;
    case OPTION_COUNT:
        return store_count(option, value, place);
    case OPTION_SEED:
        return store_seed(option, value, place);
    case OPTION_NUMBER:
        return store_number(option, value, place);
    case OPTION_SIZE:
        return store_size(option, value, place);
    case OPTION_PAIR:
        return store_pair(option, value, place);
    case OPTION_CHOICE:
        return store_choice(option, value, place);
    }
    return CLI_USAGE; /* never: each type has returned */
}

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

static int unknown_option(const command *command, const char *word) {
    const char *names[MOST_OPTIONS];
    size_t count = 0;
    for (const option *o = command->options; o->name && count < MOST_OPTIONS; o++) names[count++] = o->name;
    char *name = cli_copy(word + strspn(word, "-"));
    name[strcspn(name, "=")] = '\0';
    const char *nearest = wadi_nearest_name(name, names, count);
    free(name);
    int length = (int)strcspn(word, "=");
    if (nearest)
        return cli_fail(CLI_USAGE, "%.*s: 'wadi %s' has no such option; did you mean --%s?", length, word,
                        command->name, nearest);
    return cli_fail(CLI_USAGE, "%.*s: 'wadi %s' has no such option; 'wadi help %s' lists them", length, word,
                    command->name, command->name);
}

typedef struct parser {
    const command *command;
    int argc, at; /* argv[at] is being read */
    char **argv;
    void *values;
    arguments *arguments;
} parser;

/* `inline_value`: what stood in the same word, after '=' or the letter; NULL: none did. */
static int take_option(parser *parser, const option *option, const char *inline_value) {
    const char *value = inline_value;
    if (option->type == OPTION_FLAG) {
        if (value) return cli_fail(CLI_USAGE, "--%s takes no value; leave '%s' out", option->name, value);
    } else if (!value) {
        const char *next = parser->at + 1 < parser->argc ? parser->argv[parser->at + 1] : NULL;
        if (!next || (strncmp(next, "--", 2) == 0 && next[2]))
            return cli_fail(CLI_USAGE, "--%s: its value is missing; write --%s %s", option->name, option->name,
                            option->value);
        value = next;
        parser->at++;
    }
    parser->arguments->given |= UINT64_C(1) << (option - parser->command->options);
    return option_store(option, value ? value : "", parser->values);
}

static int take_word(parser *parser, bool options_ended) {
    const char *word = parser->argv[parser->at];
    const option *option = NULL;
    const char *value = NULL;
    if (options_ended || word[0] != '-' || !word[1]) {
        arguments *arguments = parser->arguments;
        if (arguments->count >= parser->command->arguments_to)
            return cli_fail(CLI_USAGE, "%s: one argument too many for 'wadi %s %s'", word, parser->command->name,
                            parser->command->usage);
        arguments->items[arguments->count++] = word;
        return CLI_OK;
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

static bool is_help(const char *word) { return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0; }

bool options_parse(const command *command, int argc, char **argv, void *values, arguments *arguments, int *code) {
    parser parser = {command, argc, 1, argv, values, arguments};
    bool ended = false;
    *arguments = (struct arguments){0};
    for (*code = CLI_OK; parser.at < argc; parser.at++) {
        const char *word = argv[parser.at];
        if (!ended && is_help(word)) {
            options_help(command);
            return false;
        }
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
            continue;
        }
        *code = take_word(&parser, ended);
        if (*code) return false;
    }
    if (arguments->count < command->arguments_from)
        *code = cli_fail(CLI_USAGE, "%s is missing: wadi %s %s", command->arguments, command->name, command->usage);
    return *code == CLI_OK;
}

/* Prints `text` in lines of at most 100 columns, the following ones indented. */
static void print_wrapped(const char *text, int indent) {
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > 100) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        while (*text == ' ') text++;
    }
    putchar('\n');
}

void options_help(const command *command) {
    enum { INDENT = 30 };
    printf("wadi %s %s\n\n", command->name, command->usage);
    print_wrapped(command->summary, 0);
    putchar('\n');
    for (const option *o = command->options; o->name; o++) {
        char *value = o->choices ? choices_text(o->choices) : cli_copy(o->help);
        char *head =
            cli_text("%s--%s%s%s", o->letter ? "-o, " : "", o->name, o->value ? " " : "", o->value ? o->value : "");
        if (o->letter) head[1] = o->letter;
        int used = printf("  %s", head);
        printf(used < INDENT ? "%*s" : "\n%*s", used < INDENT ? INDENT - used : INDENT, "");
        char *help = o->choices ? cli_text("%s: %s", value, o->help) : cli_copy(value);
        print_wrapped(help, INDENT);
        free(help);
        free(head);
        free(value);
    }
    if (command->notes) printf("\n%s", command->notes);
}
