/* game_loop.c: a landscape that erodes while a game runs. Each frame has a budget of time for steps. A brush paints.
 * The tile around the camera is read for the mesh. The water is looked at where it lies. Needs libwadi alone.
 *
 *     cc game_loop.c $(pkg-config --cflags --libs wadi) -o game_loop && ./game_loop
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wadi/wadi.h>

enum { SIZE = 256, CELLS = SIZE * SIZE, TILE = 64, FRAMES = 30 };

static void check(wadi_status status) {
    if (status == WADI_OK) return;
    fprintf(stderr, "%s\n", wadi_error_message());
    exit(EXIT_FAILURE);
}

/* A game has a better clock. */
static double now_s(void) { return (double)clock() / CLOCKS_PER_SEC; }

static wadi_sim *make_world(void) {
    static float heights[CELLS];
    wadi_terrain terrain = wadi_default_terrain("noise", SIZE, SIZE);
    terrain.seed = 7;
    check(wadi_terrain_generate(&terrain, heights));
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), SIZE, SIZE, 1.0, 1.0);
    def.threads = 1; /* the game has its own */
    wadi_sim *sim;
    check(wadi_sim_create(&def, &sim));
    check(wadi_sim_set(sim, "height", heights, CELLS));
    return sim;
}

/* The budget is over. */
static bool in_budget(void *end_s, int64_t done, int64_t steps) {
    (void)done;
    (void)steps;
    return now_s() < *(double *)end_s;
}

/* The player pours water where the brush is. */
static void paint(wadi_sim *sim, double x, double y) {
    const wadi_dab dab = {.brush = WADI_BRUSH_WATER, .x = x, .y = y, .radius_m = 6, .strength = 0.05, .falloff = 1};
    check(wadi_sim_paint(sim, &dab, 1));
}

/* The deepest water, straight from the engine's memory; a copy where the engine has none to lend. */
static float deepest_water(const wadi_sim *sim) {
    static float copy[CELLS];
    const float *water;
    size_t stride;
    float deepest = 0;
    if (wadi_sim_borrow(sim, "water", &water, &stride) != WADI_OK) {
        check(wadi_sim_get(sim, "water", copy, CELLS));
        water = copy;
        stride = SIZE;
    }
    for (size_t y = 0; y < SIZE; y++)
        for (size_t x = 0; x < SIZE; x++)
            if (water[y * stride + x] > deepest) deepest = water[y * stride + x];
    return deepest;
}

int main(void) {
    static float tile[TILE * TILE];
    const wadi_rect around_camera = {96, 96, TILE, TILE};
    wadi_sim *sim = make_world();
    for (int frame = 0; frame < FRAMES; frame++) {
        double end_s = now_s() + 0.008; /* of the 16 ms of a frame */
        paint(sim, 128 + frame, 128);
        check(wadi_sim_step_with(sim, 100, in_budget, &end_s));
        check(wadi_sim_get_rect(sim, "height", &around_camera, tile, TILE));
        /* here the game would draw the tile */
    }
    printf("%d frames, %lld steps, height %.2f m at the camera, water up to %.3f m deep\n", FRAMES,
           (long long)wadi_sim_steps(sim), (double)tile[TILE / 2 * TILE + TILE / 2], (double)deepest_water(sim));
    wadi_sim_destroy(sim);
    return EXIT_SUCCESS;
}
