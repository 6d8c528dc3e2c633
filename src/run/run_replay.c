/* run_replay.c: whether a run that is done again from its run.json gets the inputs that it had then. */
#include "run_replay.h"

#include "message.h"
#include "recipe.h"
#include "run_state.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const run_input *find_stored(const recipe *recipe, const char *prefix, const run_input *input) {
    char *name = cli_text("%s%s", prefix, input->name);
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

static int say_changed(const recipe *recipe, const run_input *stored, const run_input *input, bool strict) {
    const bool made = strcmp(input->path, "generated") == 0;
    char *text = cli_text("%s: %s is not what %s was made from: sha256 %.8s..., then %.8s...",
                          made ? "generate" : input->path, input->name, recipe->file, input->sha256, stored->sha256);
    int code = CLI_OK;
    if (strict)
        code = cli_fail(CLI_USAGE, "%s; --strict-inputs refuses that", text);
    else
        cli_warn("%s; the result will be another", text);
    free(text);
    return code;
}

static int check_inputs(const recipe *recipe, const char *prefix, const run_inputs *inputs, bool strict) {
    int code = CLI_OK;
    for (size_t i = 0; i < inputs->count && code == CLI_OK; i++) {
        const run_input *input = &inputs->items[i], *stored = find_stored(recipe, prefix, input);
        if (!stored || is_replaced(stored, input) || strcmp(stored->sha256, input->sha256) == 0) continue;
        code = say_changed(recipe, stored, input, strict);
    }
    return code;
}

int run_check_replay(const recipe *recipe, const run *run, bool strict) {
    if (strict && recipe->stored.count == 0)
        return cli_fail(CLI_USAGE,
                        "--strict-inputs: goes with --recipe of a run.json, which knows what the inputs were");
    int code = check_inputs(recipe, "", &run->plan.inputs, strict);
    for (size_t i = 0; i < run->stage_count && code == CLI_OK; i++) {
        char *prefix = run_is_plain(run) ? cli_copy("") : cli_text("%zu/", i + 1);
        code = check_inputs(recipe, prefix, &run->stages[i].inputs, strict);
        free(prefix);
    }
    return code;
}
