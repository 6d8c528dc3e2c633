/* run_replay.c: whether a run that is done again from its run.json gets the inputs that it had then. */
#include "run_replay.h"

#include "message.h"
#include "recipe.h"
#include "run_state.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const run_input *find_stored(const recipe *recipe, const char *prefix, const run_input *input) {
    char *name = text_format("%s%s", prefix, input->name);
    const run_input *found = NULL;
    for (size_t i = 0; i < recipe->stored.count && !found; i++)
        if (strcmp(recipe->stored.items[i].name, name) == 0) found = &recipe->stored.items[i];
    free(name);
    return found;
}

/* Another file in its place was asked for. */
static bool is_replaced(const run_input *stored, const run_input *input) {
    return strcmp(stored->path, input->path) != 0;
}

static wadi_status say_changed(const recipe *recipe, const run_input *stored, const run_input *input, bool strict) {
    const bool made = strcmp(input->path, "generated") == 0;
    char *text = text_format("%s: %s is not what %s was made from: sha256 %.8s..., then %.8s...",
                             made ? "generate" : input->path, input->name, recipe->file, input->sha256, stored->sha256);
    wadi_status status = WADI_OK;
    if (strict)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "%s; --strict-inputs refuses that", text);
    else
        message_warn("%s; the result will be another", text);
    free(text);
    return status;
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
        char *prefix = run_is_plain(run) ? text_copy("") : text_format("%zu/", i + 1);
        status = check_inputs(recipe, prefix, &run->stages[i].inputs, strict);
        free(prefix);
    }
    return status;
}
