/* derive_textures.h: what `wadi derive` makes for texturing: pictures of several channels, and ranges. */
#ifndef WADI_CLI_DERIVE_TEXTURES_H
#define WADI_CLI_DERIVE_TEXTURES_H

#include "run/ground_layers.h"
#include "run/option.h"

typedef struct texture_options {
    text_list range, pack; /* --range, --pack */
    const char *pictures, *layers;
    int bits; /* an index of texture_bits */
} texture_options;
extern const char *const texture_bits[]; /* "", "8", "16", "32" */

#define COLOUR_PICTURE "colour"
#define LAYERS_PICTURE "layers"

/* "colour, normal_opengl, ...", for help. */
const char *texture_picture_names(char text[OPTION_HELP]);
wadi_status texture_check(const texture_options *given); /* names alone */
bool texture_any(const texture_options *given);          /* any picture */

/* The names of files in the folder, "normal_opengl.png", one after the other; false beyond the last. */
bool texture_file_at(const texture_options *given, size_t index, char name[80]);
/* Writes them, and reports each. */
wadi_status texture_write(const texture_options *given, textures *textures, const char *folder);

/* How a map is written: by its range and bits, if either was given; else as it is. *raster: a copy, or NULL. */
wadi_status texture_map(const texture_options *given, textures *textures, const char *map, wadi_raster **raster,
                        wadi_write_options *how);
wadi_status texture_check_format(const texture_options *given, wadi_format format);
#define RANGES_FILE "ranges.txt"
/* The ranges of the maps so far, which --range @FILE reads. */
wadi_status texture_write_ranges(const textures *textures, const char *folder);

#endif
