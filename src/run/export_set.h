/* export_set.h: the files that one program takes: heights and masks in tiles, weights, meshes, and texts that say what
 * to type where, or open as a scene. */
#ifndef WADI_RUN_EXPORT_SET_H
#define WADI_RUN_EXPORT_SET_H

#include "export_target.h"
#include "ground_layers.h"
#include "text_file.h"
#include "textures.h"

typedef struct export_options {
    const export_target *target;
    export_grid grid;
    const char *folder; /* exists */
    const char *masks;  /* NULL: the target's, as far as the terrain has them */
    const char *layers; /* rules of the ground's layers; NULL: the usual ones */
    wadi_sample sample; /* of masks: UINT8, UINT16 */
    const range_list *ranges;
    bool no_water, no_colours;
    double water_threshold_m; /* 0: chosen */
} export_options;

typedef struct export_set {
    const export_options *options;
    textures textures;           /* on the target's grid */
    wadi_raster *height;         /* owned; without gaps */
    int from_width, from_height; /* what it was resampled or cropped from */
    size_t filled;               /* cells without data, which got the lowest height */
    value_range range;           /* of the heights */
    size_t clamped;              /* samples outside that range, in files of integers */
    ground_layers layers;        /* count 0: no weights */
    size_t files;
    int every; /* cells from corner to corner of the first mesh; 0: there is no mesh */
    bool coloured;
    long_text masks, weights; /* lines for the texts */
} export_set;

/* Brings the height and the run's maps of `from` onto the target's grid, and reads the layers. It writes nothing. Free
 * the set in any case. */
wadi_status run_export_open(const export_options *options, textures *from, export_set *set);
wadi_status run_export_write(export_set *set); /* all but the texts: run_export_texts */
void run_export_free(export_set *set);

#endif
