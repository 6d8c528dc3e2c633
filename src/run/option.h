/* option.h: one row of a table of options, and conversion of its value from text. The value is stored at an offset in a
 * struct, which holds the default before. */
#ifndef WADI_RUN_OPTION_H
#define WADI_RUN_OPTION_H

#include "text.h"

#include "wadi/run.h"

#include <stddef.h>

typedef enum option_type {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char *, from argv */
    OPTION_TEXTS,  /* text_list: may be repeated */
    OPTION_COUNT,  /* int64_t */
    OPTION_SEED,   /* uint64_t */
    OPTION_BYTES,  /* uint64_t: "4G", "512M", "1.5G" */
    OPTION_NUMBER, /* double */
    OPTION_SIZE,   /* int[2]: "WxH" */
    OPTION_PAIR,   /* number_pair: "A" or "A,B" */
    OPTION_CHOICE, /* int: an index into choices */
} option_type;

typedef struct number_pair {
    double first, second; /* second = first if only one was given */
    int count;            /* 0: not given */
} number_pair;

enum { OPTION_HELP = WADI_RUN_OPTION_HELP };

typedef struct option {
    const char *name; /* without the dashes */
    char letter;      /* "-o"; 0: none */
    option_type type;
    size_t offset;
    const char *value; /* name of the value in --help; NULL for a flag */
    const char *help;
    void (*help_text)(char text[OPTION_HELP]); /* in place of help: writes it from a table */
    double minimum, maximum;                   /* of numbers; both 0: no limits */
    const char *const *choices;                /* ended by NULL */
    bool with_resume;                          /* `wadi run` only: allowed with --resume */
    bool command_alone; /* `wadi run` only: wadi_run_def has a member for it, or it is about output */
    bool not_in_window; /* `wadi run` only: not an option of `wadi view` */
    unsigned recipe;    /* `wadi run` only: where it is allowed in a recipe */
    const char *key;    /* `wadi run` only: its name there; NULL: the same */
} option;

/* Options of a table that were given, by their places in it. */
enum { MOST_OPTIONS = 128 };
typedef struct option_set {
    uint64_t bits[MOST_OPTIONS / 64];
} option_set;
static inline bool option_set_has(option_set set, ptrdiff_t option) { return set.bits[option / 64] >> option % 64 & 1; }
static inline void option_set_add(option_set *set, ptrdiff_t option) {
    set->bits[option / 64] |= UINT64_C(1) << option % 64;
}

/* for all stages; for one stage; for all, with exceptions by stage */
enum { RECIPE_TOP = 1, RECIPE_STAGE = 2, RECIPE_BOTH = 3 };

/* A row: OPTION_ROW(run_options, COUNT, "steps", steps, "N", .maximum = 1e15, .help = "how many") */
#define OPTION_ROW(struct_, type_, name_, member_, value_, ...) \
    { .name = name_, .type = OPTION_##type_, .offset = offsetof(struct_, member_), .value = value_, __VA_ARGS__ }

/* Converts an option's value and stores it in the command's struct. The struct may point into the text. */
wadi_status run_option_store(const option *option, const char *value, void *values);
enum { OPTION_CHOICES = 256 };
/* "closed, open or wrap", into `text`, which is returned. */
const char *run_option_choices_text(const char *const *choices, char text[OPTION_CHOICES]);

extern const char *const run_boundary_names[]; /* indexed by wadi_boundary, ended by NULL */
extern const char *const run_scale_names[];    /* indexed by wadi_scale, likewise */
extern const char *const run_ground_names[];   /* indexed by wadi_ground, likewise */
extern const char *const run_switch_names[];   /* "off", "on", likewise */
extern const char *const run_series_formats[]; /* endings, ended by NULL */
extern const char *const run_format_names[];   /* indexed by wadi_format, "input" first, likewise */

/* Parses the whole text as a finite number. */
bool run_parse_number(const char *text, double *number);
/* "; did you mean X?" or "". `text` has room for 128 characters; it is returned. */
const char *run_did_you_mean(const char *wrong, const char *const *names, size_t count, char text[128]);

#endif
