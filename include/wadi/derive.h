/* derive.h: maps derived from a terrain: conditioned heights, flow directions, contributing areas, slope, aspect,
 * curvature, hillshade, wetness index and streams. docs/terrain-analysis.md has the formulas and their sources.
 *
 * Heights are float32, row-major, width * height, the first row in the north, in m. Cells that are not finite have no
 * data: they are NaN in each map, and water leaves the terrain next to them. The results have the same bits on every
 * machine and with any number of threads. */
#ifndef WADI_DERIVE_H
#define WADI_DERIVE_H

#include "wadi/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The maps, as one table (src/core/derived.def). `use` is BY_DEFAULT for those that `wadi derive` writes by default. */
WADI_API const wadi_map_facts *wadi_derived_facts_at(size_t index);         /* NULL beyond the last */
WADI_API const wadi_map_facts *wadi_derived_facts_of(const char *map_name); /* NULL: no such map, or a NULL name */

typedef struct wadi_derive_def {
    int width, height;    /* cells; the product below 2^32 */
    double lx, ly;        /* m, above 0 */
    const float *heights; /* owned by the caller; they outlive the derivation */
    bool breach;          /* drainage on the breached heights (wadi_breach); default false: on the filled ones */
    double exponent;   /* multiple flow directions: exponent of the slope, above 0 to 100; default 1.1 (Freeman 1991) */
    double channel_m2; /* contributing area from which on a cell is a channel; default 0: as wadi_drainage_density */
    double azimuth;    /* hillshade: degrees clockwise from north, where the light comes from; default 315 */
    double altitude;   /* hillshade: degrees of the light above the horizon, 0 to 90; default 45 */
    double exaggeration; /* hillshade: factor of the heights, above 0; default 1 */
} wadi_derive_def;
WADI_API wadi_derive_def wadi_default_derive(int width, int height, double lx, double ly, const float *heights);

/* Keeps the drainage between the calls. Not for two threads at once. */
typedef struct wadi_derivation wadi_derivation;
/* Argument error for a definition outside its ranges; memory error. *derivation is then NULL. */
WADI_API wadi_status wadi_derive_create(const wadi_derive_def *def, wadi_derivation **derivation);
/* Fills values (count: width * height) with the map of this name. Argument error for an unknown name or another count;
 * memory error. */
WADI_API wadi_status wadi_derive_map(wadi_derivation *derivation, const char *map_name, float *values, size_t count);

/* A reach of the stream network: from a source or a confluence down to the next confluence or outlet. */
enum { WADI_NO_STREAM = -1 };
typedef struct wadi_stream {
    size_t first, points; /* its cells in wadi_streams.cells, downstream; the last one is the confluence or outlet */
    int order;            /* Strahler 1957 */
    int64_t next;         /* index of the reach that it flows into; WADI_NO_STREAM at an outlet */
    double length_m;      /* between cell centres */
    double area_m2;       /* contributing area of its last cell above the confluence, or of the outlet */
} wadi_stream;
typedef struct wadi_streams {
    size_t count; /* reaches; each comes after the one that it flows into */
    wadi_stream *streams;
    uint32_t *cells; /* y * width + x */
    double threshold_m2;
} wadi_streams;
/* The D8 stream network. Memory error. *streams is then NULL. Else the caller destroys it. */
WADI_API wadi_status wadi_derive_streams(wadi_derivation *derivation, wadi_streams **streams);
WADI_API void wadi_streams_destroy(wadi_streams *streams); /* takes NULL */

WADI_API void wadi_derive_destroy(wadi_derivation *derivation); /* takes NULL */

#ifdef __cplusplus
}
#endif
#endif
