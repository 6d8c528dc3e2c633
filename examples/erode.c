/* erode.c: erodes a made-up terrain in memory, as a game or a tool would. Needs libwadi alone.
 *
 *     cc erode.c $(pkg-config --cflags --libs wadi) -o erode && ./erode
 */
#include <stdio.h>
#include <stdlib.h>
#include <wadi/wadi.h>

enum { WIDTH = 256, HEIGHT = 256, CELLS = WIDTH * HEIGHT };

static void check(wadi_status status) {
    if (status == WADI_OK) return;
    fprintf(stderr, "%s\n", wadi_error_message());
    exit(EXIT_FAILURE);
}

int main(void) {
    static float heights[CELLS];
    wadi_terrain terrain = wadi_default_terrain("diamond-square", WIDTH, HEIGHT);
    terrain.seed = 7;
    check(wadi_terrain_generate(&terrain, heights));
    const double before = wadi_erosion_score(heights, WIDTH, HEIGHT, false);

    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), WIDTH, HEIGHT, 1.0, 1.0);
    check(wadi_def_set(&def, "sediment-capacity", 2));
    wadi_sim *sim;
    check(wadi_sim_create(&def, &sim));
    check(wadi_sim_set(sim, "height", heights, CELLS));
    check(wadi_sim_step(sim, 200));
    check(wadi_sim_get(sim, "height", heights, CELLS));
    printf("%s: erosion score %.3f before, %.3f after %lld steps\n", wadi_sim_device(sim), before,
           wadi_erosion_score(heights, WIDTH, HEIGHT, false), (long long)wadi_sim_steps(sim));
    wadi_sim_destroy(sim);
    return EXIT_SUCCESS;
}
