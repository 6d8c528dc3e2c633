/* textures.h: the maps of one terrain by their names, from which textures are made: the height, what the run wrote, and
 * what follows from the height. Each is read or derived when it is first asked for, and kept. */
#ifndef WADI_RUN_TEXTURES_H
#define WADI_RUN_TEXTURES_H

#include "value_range.h"

#include "wadi/derive.h"
#include "wadi/io.h"
#include "wadi/render.h"

enum { MOST_TEXTURES = 64, TEXTURE_CHANNELS = 4 };

/* What is known of the run besides its maps. */
typedef struct texture_facts {
    wadi_ground ground;
    bool rises;  /* the change is not erosion alone */
    bool on_ice; /* heights are those of the top of the ice */
    bool no_ice; /* the ground shows no ice */
    bool has_sea;
    double sea_m;
} texture_facts;
wadi_status run_texture_facts_read(const char *folder, texture_facts *facts); /* folder NULL: a file */

typedef struct textures {
    const char *folder;          /* of the run; NULL: a file, or all of the run's maps are here already */
    const wadi_raster *height;   /* owned by the caller, or the top of the ice */
    wadi_raster *top;            /* of the ice, owned; NULL: the heights are those of the ground */
    wadi_derive_def def;         /* of what is derived */
    wadi_derivation *derivation; /* owned; NULL: not begun */
    const range_list *ranges;
    texture_facts facts;
    struct {
        const wadi_map_facts *facts;
        wadi_raster *raster; /* owned; NULL: released */
        value_range range;   /* settled */
        bool ranged;
    } maps[MOST_TEXTURES];
    size_t count;
} textures;

/* The settings of `def` but its heights, which are those of the raster. */
textures run_textures_of(const char *folder, const wadi_raster *height, wadi_derive_def def, const range_list *ranges);
void run_textures_close(textures *textures);

/* From here on the heights are those of the top of the ice, if there is any. */
wadi_status run_textures_add_ice(textures *textures);

/* The facts of a map that a texture can show; NULL: there is none of this name. */
const wadi_map_facts *run_texture_facts(const char *name);
bool run_textures_has(const textures *textures, const char *name);
/* NULL for the height's own map: it is the caller's. */
wadi_status run_textures_map(textures *textures, const char *name, const wadi_raster **map);
void run_textures_release(textures *textures, const char *name); /* frees the map; its range stays */
wadi_status run_textures_derivation(textures *textures, wadi_derivation **derivation); /* it stays the textures' own */
/* From here on this raster, which becomes the textures' own, is that map. */
wadi_status run_textures_take(textures *textures, const char *name, wadi_raster *map);
/* Its range, with percentiles of its own values. */
wadi_status run_textures_range(textures *textures, const char *name, value_range *range);
/* The values from 0 to 1 of "slope", of "-slope", which is 1 minus that, or of "0" and "1" themselves. NaN is 0. The
 * caller frees *shares. */
wadi_status run_textures_shares(textures *textures, const char *name, float **shares);

/* Pictures that are made of maps in channels: the two kinds of normals, and the flow's direction. */
typedef struct texture_picture {
    const char *name, *channels, *meaning; /* channels: "normal_x,-normal_y,normal_z" */
} texture_picture;
const texture_picture *run_texture_picture_at(size_t index); /* NULL beyond the last */
/* The shares of each channel of such a list, at most so many. The caller frees each, after an error too. */
wadi_status run_textures_planes(textures *textures, const char *channels, float **planes, int most);
/* Writes such a list of channels as PNG. `what` begins the message of an error. */
wadi_status run_textures_pack(textures *textures, const char *what, const char *channels, const char *path,
                              wadi_sample sample);
wadi_status run_texture_check_channels(const char *what, const char *channels); /* their names and number */

#endif
