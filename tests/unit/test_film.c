/* Perspective views of a run: a map of many cells is drawn by its means, so that memory does not grow with it. Without
 * OpenGL a test skips, unless WADI_NEED_OPENGL is set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/film.h"
#include "screen.h"
#include "wadi/levels.h"

#define OK(call) \
    do { \
        if ((call) != WADI_OK) fail_msg("%s", wadi_error_message()); \
    } while (0)

enum { WIDTH = 2 * LANDSCAPE_MOST_CELLS, HEIGHT = 600, SIDE = 200 };

static const landscape_args args = {.wanted = true, .picture = {SIDE, SIDE}, .azimuth = -1, .sun = {250, 36, 2}};

static void assert_grid(int side, int width, int height, int drawn_width, int drawn_height) {
    const landscape_args how = {.picture = {100, side}};
    run_landscape_grid(&how, &width, &height);
    if (width != drawn_width || height != drawn_height) fail_msg("%d x %d cells", width, height);
}

static void large_grids_alone_are_made_smaller(void **state) {
    (void)state;
    assert_grid(720, 4096, 4096, 4096, 4096);
    assert_grid(720, 2, 4097, 2, 4096);
    assert_grid(720, 1000000, 5, 4096, 2);
    assert_grid(720, 92682, 46341, 4096, 2048);
    assert_grid(3000, 6000, 5000, 6000, 5000);
    assert_grid(3000, 5000, 12000, 2500, 6000);
}

static wadi_raster raster_of(int width, int height, double cell_m) {
    wadi_raster raster = {.width = width, .height = height, .lx = cell_m, .ly = cell_m};
    raster.values = malloc((size_t)width * (size_t)height * sizeof *raster.values);
    assert_non_null(raster.values);
    return raster;
}

static wadi_picture *drawn(const wadi_raster *map) {
    landscape_film *film;
    wadi_picture *picture;
    OK(run_landscape_open(&args, map, &film));
    OK(run_landscape_set(film, WADI_LAYER_WATER, map->values)); /* deep everywhere but in the valleys */
    OK(run_landscape_draw(film, &picture));
    run_landscape_close(film);
    return picture;
}

/* Ice on an averaged grid is drawn, and is gone when it is cleared. */
static void its_ice_comes_and_goes(void **state) {
    (void)state;
    wadi_raster hills = raster_of(WIDTH, HEIGHT, 1);
    for (int i = 0; i < WIDTH * HEIGHT; i++) hills.values[i] = (float)(300 * sin(0.004 * (i % WIDTH)) + 300);
    float *ice = malloc(sizeof(float) * WIDTH * HEIGHT);
    assert_non_null(ice);
    for (int i = 0; i < WIDTH * HEIGHT; i++) ice[i] = 20;
    landscape_film *film;
    wadi_picture *pictures[3];
    OK(run_landscape_open(&args, &hills, &film));
    OK(run_landscape_draw(film, &pictures[0]));
    OK(run_landscape_set(film, WADI_LAYER_ICE, ice));
    OK(run_landscape_draw(film, &pictures[1]));
    OK(run_landscape_clear(film, WADI_LAYER_ICE));
    OK(run_landscape_draw(film, &pictures[2]));
    assert_memory_equal(pictures[0]->rgb, pictures[2]->rgb, (size_t)3 * SIDE * SIDE);
    double blue[2] = {0, 0};
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = 0; k < 2; k++) blue[k] += pictures[k]->rgb[3 * i + 2];
    if (!(blue[1] > 1.005 * blue[0])) fail_msg("%g without ice, %g with it", blue[0], blue[1]);
    for (int i = 0; i < 3; i++) wadi_picture_destroy(pictures[i]);
    run_landscape_close(film);
    free(ice);
    free(hills.values);
}

/* Higher than a tenth of the side, so that both are drawn with true heights. */
static void its_means_are_drawn(void **state) {
    (void)state;
    wadi_raster large = raster_of(WIDTH, HEIGHT, 1), small = raster_of(WIDTH / 2, HEIGHT / 2, 2);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            large.values[y * WIDTH + x] = (float)(1000 * sin(0.002 * x) * cos(0.01 * y) + (x + y) % 2 * 100);
    OK(wadi_average(large.values, WIDTH, HEIGHT, small.values, WIDTH / 2, HEIGHT / 2));
    wadi_picture *one = drawn(&large), *other = drawn(&small);
    assert_true(one->width == SIDE && one->height == SIDE);
    assert_memory_equal(one->rgb, other->rgb, (size_t)3 * SIDE * SIDE);
    for (int i = 0; i < WIDTH / 2; i++) small.values[i] += 500;
    wadi_picture *changed = drawn(&small);
    assert_memory_not_equal(one->rgb, changed->rgb, (size_t)3 * SIDE * SIDE);
    wadi_picture_destroy(one);
    wadi_picture_destroy(other);
    wadi_picture_destroy(changed);
    free(large.values);
    free(small.values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_grids_alone_are_made_smaller),
        cmocka_unit_test(its_means_are_drawn),
        cmocka_unit_test(its_ice_comes_and_goes),
    };
    int code;
    if (!open_screen(SIDE, &code)) return code;
    wadi_offscreen_close(screen);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
