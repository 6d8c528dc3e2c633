/* Recipes from bytes that anybody may have written: read, never run. */
#include "run/recipe.h"
#include "run/yaml.h"

#include <stdlib.h>

/* libfyaml 0.7 loses a buffer on some texts that it refuses; leaks of our own are told still. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfyaml.so"; }

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    const run_options given = run_options_default;
    char *text = calloc(count + 1, 1); /* this and a 0: reading beyond it is found */
    for (size_t i = 0; i < count; i++) text[i] = (char)bytes[i];
    recipe recipe;
    const wadi_status status = run_recipe_parse("folder/fuzz.yaml", text, count, &given, (option_set){0}, &recipe);
    if (status == WADI_OK && (recipe.stage_count == 0 || recipe.stage_count > MOST_STAGES)) abort();
    for (size_t i = 0; status == WADI_OK && i < recipe.stage_count; i++) {
        const recipe_stage *stage = &recipe.stages[i];
        if (stage->first > i || stage->last < i || stage->last >= recipe.stage_count || stage->rounds < 1) abort();
        if (stage->options.settings.count > 0 && stage->places.settings == NULL) abort();
    }
    run_recipe_free(&recipe);
    free(text);
    return 0;
}
