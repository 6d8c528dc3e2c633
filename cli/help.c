#include "help.h"

#include "cli.h"

#include "run/option.h"
#include "run/text.h"

#include "wadi/status.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

help_kind help_asked(const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return HELP_TEXT;
    if (strcmp(word, "--help-man") == 0) return HELP_MAN;
    return strcmp(word, "--help-words") == 0 ? HELP_WORDS : HELP_NONE;
}

/* --- text --- */

static const char *help_of(const option *option, char written[OPTION_HELP]) {
    if (!option->help_text) return option->help;
    option->help_text(written);
    return written;
}

/* Prints `text` in lines of at most 100 columns; continuation lines are indented. */
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

static void print_text(const command *command) {
    enum { INDENT = 30 };
    printf("wadi %s %s\n\n", command->name, command->usage);
    print_wrapped(command->summary, 0);
    putchar('\n');
    for (const option *o = command->options; o->name; o++) {
        char choices[OPTION_CHOICES], written[OPTION_HELP];
        const char *told = help_of(o, written);
        char *head = must_have(run_text_format("%s--%s%s%s", o->letter ? "-o, " : "", o->name, o->value ? " " : "",
                                               o->value ? o->value : ""));
        if (o->letter) head[1] = o->letter;
        int used = printf("  %s", head);
        printf(used < INDENT ? "%*s" : "\n%*s", used < INDENT ? INDENT - used : INDENT, "");
        char *help =
            must_have(o->choices ? run_text_format("%s: %s", run_option_choices_text(o->choices, choices), told)
                                 : run_text_copy(told));
        print_wrapped(help, INDENT);
        free(help);
        free(head);
    }
    if (command->notes) printf("\n%s", command->notes);
    if (command->list) command->list();
}

/* --- roff --- */

/* Text that roff prints as it is. */
static void print_roff(const char *text) {
    bool begins = true; /* a line: a point or a quote there would be a request */
    for (; *text; begins = *text++ == '\n') {
        if (begins && (*text == '.' || *text == '\'')) printf("\\&");
        if (*text == '-')
            printf("\\-");
        else if (*text == '\\')
            printf("\\e");
        else
            putchar(*text);
    }
}

static void print_head(const char *name, const char *summary) {
    printf(".TH ");
    for (const char *c = name; *c; c++) putchar(toupper((unsigned char)*c));
    printf(" 1 \"\" \"Wadi %s\" \"User Commands\"\n.ad l\n.SH NAME\n", wadi_version());
    print_roff(name);
    printf(" \\- ");
    print_roff(summary);
    printf("\n.SH SYNOPSIS\n");
}

/* "Opens a window ...: a heightmap, ..." as "opens a window ...". Free it. */
static char *short_summary(const char *summary) {
    char *text = must_have(run_text_copy(summary));
    text[strcspn(text, ".:;")] = '\0';
    if (islower((unsigned char)text[1])) text[0] = (char)tolower((unsigned char)text[0]);
    return text;
}

static void print_option(const option *option) {
    char choices[OPTION_CHOICES], written[OPTION_HELP];
    printf(".TP\n.B ");
    if (option->letter) printf("\\-%c, ", option->letter);
    print_roff("--");
    print_roff(option->name);
    if (option->value) printf(" \\fI%s\\fR", option->value);
    putchar('\n');
    if (option->choices) {
        print_roff(run_option_choices_text(option->choices, choices));
        printf(": ");
    }
    print_roff(help_of(option, written));
    putchar('\n');
}

static void print_page(const command *command) {
    char *name = must_have(run_text_format("wadi-%s", command->name)), *summary = short_summary(command->summary);
    print_head(name, summary);
    printf(".B wadi %s\n", command->name);
    print_roff(command->usage);
    printf("\n.SH DESCRIPTION\n");
    print_roff(command->summary);
    printf("\n.SH OPTIONS\n");
    for (const option *o = command->options; o->name; o++) print_option(o);
    if (command->notes || command->list) printf(".SH NOTES\n.nf\n");
    if (command->notes) print_roff(command->notes);
    if (command->list) command->list();
    if (command->notes || command->list) printf(".fi\n");
    printf(".SH SEE ALSO\n.BR wadi (1)\n");
    free(summary);
    free(name);
}

static void print_overview(const help_entry *commands, size_t count) {
    print_head("wadi", "erodes terrain");
    printf(".B wadi\n.I COMMAND\n\\&...\n.SH DESCRIPTION\nWadi erodes heightmaps by published models of water and of "
           "slopes.\n"
           "The same input gives the same bits on every machine.\n.SH COMMANDS\n");
    for (size_t i = 0; i < count; i++) {
        printf(".TP\n.BR wadi\\-%s (1)\n", commands[i].name);
        print_roff(commands[i].summary);
        putchar('\n');
    }
    printf(".SH EXIT STATUS\n0: done. 1: failed while running. 2: wrong usage or bad input. 3: not enough memory.\n"
           ".SH EXAMPLES\n.nf\nwadi generate diamond\\-square \\-\\-size 512x512 \\-o hills.tif\n"
           "wadi run hills.tif \\-o eroded\nwadi render eroded \\-o eroded.png\n.fi\n");
}

/* --- lines for shells: word, what its value is called, its choices, one line about it; with tabs between --- */

static void print_words(const command *command) {
    for (const option *o = command->options; o->name; o++) {
        char written[OPTION_HELP];
        printf("--%s\t%s\t", o->name, o->value ? o->value : "");
        for (size_t i = 0; o->choices && o->choices[i]; i++) printf("%s%s", i > 0 ? " " : "", o->choices[i]);
        printf("\t%s\n", help_of(o, written));
    }
}

void help_print(const command *command, help_kind kind) {
    if (kind == HELP_MAN)
        print_page(command);
    else if (kind == HELP_WORDS)
        print_words(command);
    else
        print_text(command);
}

void help_overview(const help_entry *commands, size_t count, help_kind kind) {
    if (kind == HELP_MAN) {
        print_overview(commands, count);
        return;
    }
    for (size_t i = 0; i < count; i++) printf("%s\t\t\t%s\n", commands[i].name, commands[i].summary);
}
