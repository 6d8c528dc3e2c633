/* page.h: the calls that the page's scripts make. They pass numbers, texts, and places in the module's memory. A call
 * that gives a bool says by `false` that it failed: page_error() has the reason, one line for the user. A text that a
 * call gives lives until the next call that gives one. */
#ifndef WADI_WEB_PAGE_H
#define WADI_WEB_PAGE_H

#include <emscripten.h>
#include <stdbool.h>

#include "src/run/json.h"
#include "wadi/io.h"
#include "wadi/landscape.h"
#include "wadi/mesh.h"
#include "wadi/wadi.h"

#define PAGE_CALL EMSCRIPTEN_KEEPALIVE

/* JSON in one line: begin, write to it, end. NULL: no memory. */
json page_json_begin(void);
const char *page_json_end(void);

typedef struct page_terrain {
    int width, height;
    double lx, ly; /* m */
    float *start;  /* m, width * height; NaN: no data */
    char remarks[1024];
} page_terrain;
/* The terrain that the simulation was made from, and the next one, until a simulation of it could be made. */
extern page_terrain page_ground, page_next; /* start NULL: none */

/* The threads that compute steps of so many cells. The first call makes them, as many as the module may have. */
const wadi_crew *page_crew(size_t cells);

/* Heights and water of now, into arrays of the caller's. */
bool page_heights(float *heights, float *water);

#endif
