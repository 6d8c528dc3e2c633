/* generated.h: the generated terrain of a recipe: one kind, or layers. */
#ifndef WADI_RUN_GENERATED_H
#define WADI_RUN_GENERATED_H

#include "generator.h"
#include "layers.h"
#include "recipe_options.h"

typedef struct generated {
    const char *kind; /* NULL: nothing is generated; "layers": those below */
    generate_options options;
    layer *layers;
    text_list texts; /* "key=value" as given, kind or layers first */
} generated;

/* Reads the value of `generate`, a map. `generated` has the default options before. Free it in any case; its kind and
 * its layers' texts belong to the reader. */
wadi_status run_generated_read(const recipe_reader *reader, const yaml_node *map, generated *generated);
wadi_status run_generated_note_size(generated *generated);           /* among the texts */
wadi_status run_generated_seed(generated *generated, uint64_t seed); /* another seed at the top */
void run_generated_free(generated *generated);
wadi_status run_generated_check(const generated *generated); /* the options go together, and there is memory */
/* Makes the terrain. `file` is the recipe, for messages. The caller destroys *raster. */
wadi_status run_generated_make(const char *file, const generated *generated, wadi_raster **raster);

#endif
