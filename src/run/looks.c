#include "looks.h"

#include "text.h"

#include "engine/gpu/codegen/source_text.h"

#include <stdio.h>
#include <string.h>

extern const wadi_text run_look_texts[]; /* "alpine.yaml", ...; ended by a NULL path */

enum { MOST_LOOKS = 64 };

const char *run_look_name(size_t index) {
    static _Thread_local char name[64];
    for (size_t i = 0; i <= index; i++)
        if (!run_look_texts[i].path) return NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(run_look_texts[index].path, "."), run_look_texts[index].path);
    return name;
}

const char *run_look_summary(size_t index, char text[LOOK_SUMMARY]) {
    const char *line = run_look_texts[index].text + strspn(run_look_texts[index].text, "# ");
    snprintf(text, LOOK_SUMMARY, "%.*s", (int)strcspn(line, "\n"), line);
    return text;
}

static wadi_status refuse_name(const char *name) {
    char copies[MOST_LOOKS][64], near[128];
    const char *names[MOST_LOOKS];
    size_t count = 0;
    for (const char *known; count < MOST_LOOKS && (known = run_look_name(count)); count++) {
        snprintf(copies[count], sizeof copies[count], "%s", known);
        names[count] = copies[count];
    }
    return wadi_fail(WADI_ERROR_ARGUMENT, "%.80s: there is no such landscape%s ('wadi demo --list' names them)", name,
                     run_did_you_mean(name, names, count, near));
}

/* The command line's seed is the terrain's. */
static wadi_status change_seed(const run_options *given, option_set set_by_user, recipe *recipe) {
    if (!option_set_has(set_by_user, run_option_index("seed"))) return WADI_OK;
    return run_generated_seed(&recipe->generated, given->seed);
}

wadi_status run_look_recipe(const char *name, const run_options *given, option_set set_by_user, recipe *recipe) {
    *recipe = (struct recipe){0};
    for (size_t i = 0; run_look_texts[i].path; i++) {
        const size_t length = strcspn(run_look_texts[i].path, ".");
        if (strlen(name) != length || strncmp(run_look_texts[i].path, name, length) != 0) continue;
        const wadi_status status =
            run_recipe_read_text(run_look_texts[i].path, run_look_texts[i].text, given, set_by_user, NULL, recipe);
        return status == WADI_OK ? change_seed(given, set_by_user, recipe) : status;
    }
    return refuse_name(name);
}
