/* options.h: a command's options as one table: parsing, --help and "did you mean" all come from it.
 *
 * An option's value is stored at an offset of the command's own struct, which holds the defaults before. */
#ifndef WADI_CLI_OPTIONS_H
#define WADI_CLI_OPTIONS_H

#include "cli.h"

#include <stddef.h>

typedef enum option_type {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char *, from argv */
    OPTION_TEXTS,  /* text_list: may be repeated */
    OPTION_COUNT,  /* int64_t */
    OPTION_SEED,   /* uint64_t */
    OPTION_NUMBER, /* double */
    OPTION_SIZE,   /* int[2]: "WxH" */
    OPTION_PAIR,   /* number_pair: "A" or "A,B" */
    OPTION_CHOICE, /* int: an index into choices */
} option_type;

typedef struct number_pair {
    double first, second; /* second = first where only one was given */
    int count;            /* 0: not given */
} number_pair;

typedef struct option {
    const char *name; /* without the dashes */
    char letter;      /* "-o"; 0: none */
    option_type type;
    size_t offset;
    const char *value; /* how --help calls the value; NULL for a flag */
    const char *help;
    double minimum, maximum;    /* of numbers; both 0: any */
    const char *const *choices; /* ended by NULL */
    bool with_resume;           /* `wadi run` alone: goes with --resume */
    bool not_in_window;         /* `wadi run` alone: `wadi view` does not take it */
    unsigned recipe;            /* `wadi run` alone: where in a recipe it may stand */
} option;

enum { RECIPE_TOP = 1, RECIPE_STAGE = 2, RECIPE_BOTH = 3 }; /* for all stages; for one; for all, or another for one */

/* A row: OPTION_ROW(run_options, COUNT, "steps", steps, "N", .maximum = 1e15, .help = "how many") */
#define OPTION_ROW(struct_, type_, name_, member_, value_, ...) \
    { .name = name_, .type = OPTION_##type_, .offset = offsetof(struct_, member_), .value = value_, __VA_ARGS__ }

typedef struct command {
    const char *name;
    const char *usage; /* what follows the name: "INPUT [-o DIR] [options]" */
    const char *summary;
    const option *options; /* ended by a NULL name; at most 64 */
    const char *arguments; /* the names of the plain arguments: "KIND", "A B" */
    size_t arguments_from, arguments_to;
    const char *notes; /* below the options in --help; NULL: none */
} command;

typedef struct arguments {
    const char *items[4]; /* what is not an option, from argv */
    size_t count;
    uint64_t given; /* bit i: options[i] was given */
} arguments;

/* true: go on. false: stop with *code (help was printed, or an error said). */
bool options_parse(const command *command, int argc, char **argv, void *values, arguments *arguments, int *code);
/* One option from its value's text, into the command's struct, which points to the text. Errors are said. */
int option_store(const option *option, const char *value, void *values);
void options_help(const command *command);

extern const char *const boundary_names[]; /* as wadi_boundary, ended by NULL */

/* The whole text as a finite number. */
bool parse_number(const char *text, double *number);
/* "; did you mean X?" or "" . `text` has room for 128 characters; it is returned. */
const char *did_you_mean(const char *wrong, const char *const *names, size_t count, char text[128]);

#endif
