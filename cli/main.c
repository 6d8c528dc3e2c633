/* main.c: finds the command by the first word. */
#include "help.h"
#include "mpirun.h"
#include "options.h"
#include "report.h"

#include "run/option.h"

#include "platform/openmp.h"
#include "platform/platform.h"

#include <stdio.h>
#include <string.h>

typedef struct entry {
    const char *name;
    const char *summary;
    int (*main)(int argc, char **argv);
} entry;

#define COMMAND(name, summary) {#name, summary, wadi_cmd_##name},
static const entry commands[] = {
#include "commands.def"
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *file) {
    fprintf(file, "wadi %s: erodes terrain\n\nusage: wadi COMMAND ...\n\n", wadi_version());
    for (int i = 0; i < COMMANDS; i++) fprintf(file, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(file, "\n'wadi help COMMAND' lists the options of one.\n"
                  "A first try: wadi generate diamond-square --size 512x512 -o hills.tif && wadi run hills.tif\n");
}

/* For man and for shells. */
static int print_manual(help_kind kind) {
    help_entry all[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) all[i] = (help_entry){commands[i].name, commands[i].summary};
    help_overview(all, COMMANDS, kind);
    return EXIT_DONE;
}

static int unknown_command(const char *name) {
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) names[i] = commands[i].name;
    char near[128];
    return report_end(wadi_fail(WADI_ERROR_ARGUMENT, "%s: no such command%s ('wadi help' lists them)", name,
                                run_did_you_mean(name, names, COMMANDS, near)));
}

static int call(const char *name, int argc, char **argv) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0) return commands[i].main(argc, argv);
    return unknown_command(name);
}

static int help(int argc, char **argv) {
    if (argc < 2) {
        print_help(stdout);
        return EXIT_DONE;
    }
    char ask[] = "--help";
    char *arguments[] = {argv[1], ask, NULL};
    return call(argv[1], 2, arguments);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        printf("wadi %s\n", wadi_version());
        return EXIT_DONE;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc - 1, argv + 1);
    const help_kind kind = help_asked(word);
    return kind != HELP_NONE ? print_manual(kind) : call(word, argc - 1, argv + 1);
}

/* Limits OpenMP's threads to a container's CPU quota. */
static void limit_threads(void) {
    if (omp_get_max_threads() > platform_cores()) omp_set_num_threads(platform_cores());
}

int main(int argc, char **argv) {
    int code;
    report_begin();
    if (!mpirun_join(&code)) return code;
    platform_end_on_signals();
    limit_threads();
    code = dispatch(argc, argv);
    const bool unwritten = fflush(stdout) != 0 || ferror(stdout);
    /* Only the first error is written. After a comparison with differences none has been written yet. */
    const bool first = unwritten && !report_has_failed();
    return first ? report_end(wadi_fail(WADI_ERROR_IO, "standard output: writing failed")) : code;
}
