/* run_replay.c: when a run is repeated from its run.json, compares its inputs with the recorded ones. */
#include "run_replay.h"

#include "message.h"
#include "recipe.h"
#include "run_state.h"

#include <stdio.h>
#include <string.h>

/* Of a stage it is stored as "2/rain"; `prefix`: "2/", or "". */
static const run_input *find_stored(const recipe *recipe, const char *prefix, const run_input *input) {
    const size_t length = strlen(prefix);
    for (size_t i = 0; i < recipe->stored.count; i++) {
        const char *name = recipe->stored.items[i].name;
        if (strncmp(name, prefix, length) == 0 && strcmp(name + length, input->name) == 0)
            return &recipe->stored.items[i];
    }
    return NULL;
}

/* Whether the user named another file for it. */
static bool is_replaced(const run_input *stored, const run_input *input) {
    return strcmp(stored->path, input->path) != 0;
}

static wadi_status say_changed(const recipe *recipe, const run_input *stored, const run_input *input, bool strict) {
    const bool made = strcmp(input->path, "generated") == 0;
    char text[8192 + 512]; /* two paths and words */
    snprintf(text, sizeof text, "%s: %s is not what %s was made from: sha256 %.8s..., then %.8s...",
             made ? "generate" : input->path, input->name, recipe->file, input->sha256, stored->sha256);
    if (strict) return wadi_fail(WADI_ERROR_ARGUMENT, "%s; --strict-inputs refuses that", text);
    run_message_warn("%s; the result will be another", text);
    return WADI_OK;
}

static wadi_status check_inputs(const recipe *recipe, const char *prefix, const run_inputs *inputs, bool strict) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < inputs->count && status == WADI_OK; i++) {
        const run_input *input = &inputs->items[i], *stored = find_stored(recipe, prefix, input);
        if (!stored || is_replaced(stored, input) || strcmp(stored->sha256, input->sha256) == 0) continue;
        status = say_changed(recipe, stored, input, strict);
    }
    return status;
}

wadi_status run_check_replay(const recipe *recipe, const run *run, bool strict) {
    if (strict && recipe->stored.count == 0)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--strict-inputs: goes with --recipe of a run.json, which knows what the inputs were");
    wadi_status status = check_inputs(recipe, "", &run->plan.inputs, strict);
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) {
        char prefix[24] = "";
        if (!run_is_plain(run)) snprintf(prefix, sizeof prefix, "%zu/", i + 1);
        status = check_inputs(recipe, prefix, &run->stages[i].inputs, strict);
    }
    return status;
}
