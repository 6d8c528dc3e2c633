/* palette.c: the colour tables. Warm colours are material that moves: red is suspended, ochre is deposited, red-brown
 * is eroded. Blues are water. The stops are our own choice. Lightness rises or falls along each table. */
#include "palette.h"

#include "wadi/derive.h"

#include <stddef.h>
#include <string.h>

#define STOPS(array) array, (int)(sizeof(array) / sizeof *(array))

static const render_stop HEIGHT[] = {{0.0f, 0x8b9f7d},  {0.16f, 0xa5b285}, {0.34f, 0xc5c195}, {0.52f, 0xd3c096},
                                     {0.68f, 0xc2a688}, {0.82f, 0xb8aaa0}, {0.93f, 0xdcd9d6}, {1.0f, 0xfbfbfc}};
static const render_stop ROCK[] = {
    {0.0f, 0x868470}, {0.3f, 0xa3957b}, {0.6f, 0xa38e78}, {0.85f, 0x9a928c}, {1.0f, 0xcfcdcd}};
static const render_stop DRY_HEIGHT[] = {{0.0f, 0xd3b98f},  {0.16f, 0xdfc699}, {0.34f, 0xe2c08c}, {0.52f, 0xd5a672},
                                         {0.68f, 0xc58b5c}, {0.82f, 0xbd8560}, {0.93f, 0xd6b08c}, {1.0f, 0xeedcc3}};
static const render_stop DRY_ROCK[] = {{0.0f, 0xa77d5a}, {0.2f, 0x9a6546}, {0.4f, 0xb07d5b},
                                       {0.6f, 0x8d5a42}, {0.8f, 0xa8795c}, {1.0f, 0xc6a58a}};
static const render_stop GREY[] = {{0.0f, 0xb4b4b2}, {1.0f, 0xe2e2e0}};
static const render_stop WATER[] = {{0.0f, 0x8fc0cf}, {0.25f, 0x5b9dbd}, {0.6f, 0x2c6c9e}, {1.0f, 0x123f73}};
static const render_stop FLOW[] = {
    {0.0f, 0xc9e1ee}, {0.3f, 0x7fb8dc}, {0.6f, 0x3a82c0}, {0.85f, 0x174f94}, {1.0f, 0x0a2a63}};
static const render_stop SEDIMENT[] = {{0.0f, 0xcb8d74}, {0.4f, 0xc25c40}, {1.0f, 0xa03024}};
static const render_stop DEPOSITION[] = {{0.0f, 0xf3cf70}, {0.4f, 0xe8a22c}, {0.75f, 0xcf7512}, {1.0f, 0xa04c05}};
static const render_stop DRY_DEPOSITION[] = {{0.0f, 0xd9cfdd}, {0.4f, 0xa98bb8}, {0.75f, 0x765694}, {1.0f, 0x46286b}};
static const render_stop EROSION[] = {{0.0f, 0xf3d9c6}, {0.35f, 0xdf9576}, {0.7f, 0xb34741}, {1.0f, 0x6d1530}};
static const render_stop CHANGE[] = {{0.0f, 0x6d1530}, {0.2f, 0xb34741}, {0.4f, 0xe6b197}, {0.5f, 0xf2efe6},
                                     {0.6f, 0xa9cdb4}, {0.8f, 0x3f8f80}, {1.0f, 0x0c4a52}};
static const render_stop VELOCITY[] = {
    {0.0f, 0x2b1b5e}, {0.25f, 0x782487}, {0.5f, 0xc23f72}, {0.75f, 0xf08b4b}, {1.0f, 0xf8e27a}};
static const render_stop HARDNESS[] = {{0.0f, 0xf2e3b3}, {0.35f, 0xb9ab86}, {0.7f, 0x66717d}, {1.0f, 0x223a5e}};
static const render_stop GENERAL[] = {
    {0.0f, 0x43125c}, {0.25f, 0x3a548c}, {0.5f, 0x22908c}, {0.75f, 0x5fc763}, {1.0f, 0xf7e532}};
static const render_stop SHADE[] = {{0.0f, 0x1c1d20}, {0.5f, 0x85868a}, {1.0f, 0xfafaf8}};
/* Clockwise from north and back: light where the light comes from, the north-west. */
static const render_stop ASPECT[] = {{0.0f, 0xb7d0d6},   {0.125f, 0x8fae8c}, {0.25f, 0x8a8f4e},
                                     {0.375f, 0x8f5a3c}, {0.5f, 0x7a3b52},   {0.625f, 0x6a4f86},
                                     {0.75f, 0x7f8fc4},  {0.875f, 0xd9dff0}, {1.0f, 0xb7d0d6}};

/* Those of Mei et al. 2007: green is suspended, red is deposited. */
static const render_stop MEI_SEDIMENT[] = {{0.0f, 0x9cc98a}, {0.4f, 0x4fa84a}, {1.0f, 0x1f7a2a}};
static const render_stop MEI_DEPOSITION[] = {{0.0f, 0xf0c9b4}, {0.4f, 0xe0705a}, {0.75f, 0xc8352f}, {1.0f, 0x96161f}};

typedef struct ground_stops {
    const render_stop *stops;
    int count;
} ground_stops;
static const ground_stops HEIGHTS[] = {[WADI_GROUND_GREEN] = {STOPS(HEIGHT)}, [WADI_GROUND_DRY] = {STOPS(DRY_HEIGHT)}};
static const ground_stops ROCKS[] = {[WADI_GROUND_GREEN] = {STOPS(ROCK)}, [WADI_GROUND_DRY] = {STOPS(DRY_ROCK)}};
static const ground_stops GREYS = {STOPS(GREY)};

static const render_palette PALETTES[] = {
    {"flow", STOPS(FLOW), RENDER_SCALE_LOG, 0.55f},
    {"water", STOPS(WATER), RENDER_SCALE_AMOUNT, 0.3f},
    {"sediment", STOPS(SEDIMENT), RENDER_SCALE_AMOUNT, 0.85f},
    {"deposition", STOPS(DEPOSITION), RENDER_SCALE_AMOUNT, 0.35f},
    {"erosion", STOPS(EROSION), RENDER_SCALE_AMOUNT, 0.35f},
    {"velocity", STOPS(VELOCITY), RENDER_SCALE_AMOUNT, 0.25f},
    {"change", STOPS(CHANGE), RENDER_SCALE_AROUND_0, 0.35f},
    {"hardness", STOPS(HARDNESS), RENDER_SCALE_RANGE, 0.0f},
    {"height", STOPS(HEIGHT), RENDER_SCALE_RANGE, 0.0f},
    {"shade", STOPS(SHADE), RENDER_SCALE_RANGE, 0.0f},
    {"aspect", STOPS(ASPECT), RENDER_SCALE_RANGE, 0.0f},
    {"general", STOPS(GENERAL), RENDER_SCALE_RANGE, 0.0f},
};
enum { PALETTE_COUNT = sizeof PALETTES / sizeof *PALETTES };

static const render_palette UNKNOWN = {"general", STOPS(GENERAL), RENDER_SCALE_OPEN, 0.0f};

static const render_palette MEI[] = {{"sediment", STOPS(MEI_SEDIMENT), RENDER_SCALE_AMOUNT, 0.85f},
                                     {"deposition", STOPS(MEI_DEPOSITION), RENDER_SCALE_AMOUNT, 0.35f}};

/* Ochre would not show on sand. */
static const render_palette DRY_DEPOSITS = {"deposition", STOPS(DRY_DEPOSITION), RENDER_SCALE_AMOUNT, 0.35f};

const render_palette *render_palette_named(const char *name) {
    for (size_t i = 0; i < PALETTE_COUNT; i++)
        if (strcmp(name, PALETTES[i].name) == 0) return &PALETTES[i];
    return NULL;
}

const wadi_map_facts *render_map_facts(const char *map_name) {
    const wadi_map_facts *map = wadi_map_facts_of(map_name);
    return map != NULL ? map : wadi_derived_facts_of(map_name);
}

const render_palette *render_palette_of_map(const char *map_name) {
    const wadi_map_facts *map = render_map_facts(map_name);
    const render_palette *found = map != NULL ? render_palette_named(map->palette) : NULL;
    return found != NULL ? found : &UNKNOWN;
}

const render_palette *render_palette_in(wadi_colours colours, wadi_ground ground, const char *map_name) {
    const render_palette *standard = render_palette_of_map(map_name);
    const bool ochre = strcmp(standard->name, DRY_DEPOSITS.name) == 0 && colours == WADI_COLOURS_STANDARD;
    if (ochre && ground == WADI_GROUND_DRY) return &DRY_DEPOSITS;
    for (size_t i = 0; colours == WADI_COLOURS_MEI && i < sizeof MEI / sizeof *MEI; i++)
        if (strcmp(MEI[i].name, standard->name) == 0) return &MEI[i];
    return standard;
}

static void fill_ground(render_ramp *ramp, const wadi_view *view, const ground_stops *of) {
    const ground_stops *stops = view->tint ? &of[view->ground == WADI_GROUND_DRY] : &GREYS;
    render_ramp_fill(ramp, stops->stops, stops->count);
}

void render_height_ramp(render_ramp *ramp, const wadi_view *view) { fill_ground(ramp, view, HEIGHTS); }
void render_rock_ramp(render_ramp *ramp, const wadi_view *view) { fill_ground(ramp, view, ROCKS); }
void render_water_ramp(render_ramp *ramp) { render_ramp_fill(ramp, STOPS(WATER)); }
