/* Pictures: what they show, at any size, with any values. labels: threads */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wadi/render.h"

typedef struct rgb {
    int r, g, b;
} rgb;

static float *map_create(int width, int height, float value) {
    float *map = malloc((size_t)width * (size_t)height * sizeof *map);
    assert_non_null(map);
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) map[i] = value;
    return map;
}

/* Hills without any symmetry. */
static float *hills_create(int width, int height) {
    float *map = map_create(width, height, 0.0f);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            map[y * width + x] = (float)(20.0 * sin(0.31 * x + 0.1 * y) + 15.0 * cos(0.23 * y - 0.05 * x) + 0.4 * x);
    return map;
}

static wadi_view bare_view(int width, int height, const float *heights) {
    wadi_view view = wadi_default_view(width, height, 10.0, 10.0, heights);
    view.decorate = false;
    view.scale = 1.0;
    view.threads = 1;
    return view;
}

static wadi_picture *draw(const wadi_view *view) {
    wadi_picture *picture = NULL;
    const wadi_status status = wadi_render_map(view, &picture);
    if (status != WADI_OK) fail_msg("%s", wadi_error_message());
    assert_non_null(picture);
    return picture;
}

static rgb at(const wadi_picture *picture, int x, int y) {
    const uint8_t *p = picture->rgb + ((size_t)y * (size_t)picture->width + (size_t)x) * 3;
    return (rgb){p[0], p[1], p[2]};
}

static bool same_picture(const wadi_picture *a, const wadi_picture *b) {
    return a->width == b->width && a->height == b->height &&
           memcmp(a->rgb, b->rgb, (size_t)a->width * (size_t)a->height * 3) == 0;
}

static int difference(rgb a, rgb b) { return abs(a.r - b.r) + abs(a.g - b.g) + abs(a.b - b.b); }

static bool bluish(rgb c) { return c.b > c.r + 40 && c.b > c.g; }

static void flat_map_is_uniform(void **state) {
    (void)state;
    float *heights = map_create(40, 30, 123.0f);
    wadi_view view = bare_view(40, 30, heights);
    wadi_picture *picture = draw(&view);
    assert_int_equal(picture->width, 40);
    assert_int_equal(picture->height, 30);
    const rgb first = at(picture, 0, 0);
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++) assert_int_equal(difference(first, at(picture, x, y)), 0);
    wadi_picture_destroy(picture);
    free(heights);
}

/* An even slope has no border: the outermost pixels are lit as those inside are (the grey rises with the height). */
static void the_border_has_no_shading(void **state) {
    (void)state;
    float *heights = map_create(40, 40, 0.0f);
    for (int i = 0; i < 1600; i++) heights[i] = (float)(i % 40);
    wadi_view view = bare_view(40, 40, heights);
    view.tint = false;
    view.exaggeration = 5.0;
    for (int scale = 1; scale <= 4; scale += 3) {
        view.scale = scale;
        wadi_picture *picture = draw(&view);
        const int last = picture->width - 1;
        assert_true(difference(at(picture, 0, 20), at(picture, scale * 2, 20)) <= 18);
        assert_true(difference(at(picture, last, 20), at(picture, last - scale * 2, 20)) <= 18);
        wadi_picture_destroy(picture);
    }
    free(heights);
}

/* The lights are the same on both sides of the diagonal, so the transposed map gives the transposed picture. */
static void transposed_map_gives_transposed_picture(void **state) {
    (void)state;
    enum { N = 60 };
    float *heights = hills_create(N, N), *turned = map_create(N, N, 0.0f);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) turned[x * N + y] = heights[y * N + x];
    wadi_view view = bare_view(N, N, heights);
    wadi_picture *a = draw(&view);
    view.heights = turned;
    wadi_picture *b = draw(&view);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) assert_true(difference(at(a, x, y), at(b, y, x)) <= 3);
    wadi_picture_destroy(a);
    wadi_picture_destroy(b);
    free(turned);
    free(heights);
}

/* Light comes from the north-west: a roof's north-west side is the brighter one. */
static void light_comes_from_the_north_west(void **state) {
    (void)state;
    float *heights = map_create(41, 41, 0.0f);
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 41; x++) heights[y * 41 + x] = (float)(-abs(x + y - 40));
    wadi_view view = bare_view(41, 41, heights);
    view.tint = false;
    view.exaggeration = 6.0;
    wadi_picture *picture = draw(&view);
    assert_true(at(picture, 13, 13).g > at(picture, 27, 27).g + 40);
    wadi_picture_destroy(picture);
    free(heights);
}

static void no_data_is_plain_and_casts_no_edge(void **state) {
    (void)state;
    float *heights = map_create(60, 60, 50.0f), *whole = map_create(60, 60, 50.0f);
    for (int y = 20; y < 40; y++)
        for (int x = 20; x < 40; x++) heights[y * 60 + x] = NAN;
    heights[0] = INFINITY;
    wadi_view view = bare_view(60, 60, heights);
    wadi_picture *holed = draw(&view);
    view.heights = whole;
    wadi_picture *plain = draw(&view);
    assert_true(difference(at(holed, 30, 31), at(plain, 30, 31)) > 60);
    assert_true(difference(at(holed, 0, 0), at(plain, 0, 0)) > 60);
    assert_int_equal(difference(at(holed, 19, 30), at(plain, 19, 30)), 0);
    assert_int_equal(difference(at(holed, 30, 40), at(plain, 30, 40)), 0);
    wadi_picture_destroy(holed);
    wadi_picture_destroy(plain);
    free(whole);
    free(heights);
}

static void map_of_no_data_alone(void **state) {
    (void)state;
    float *heights = map_create(20, 20, NAN);
    wadi_view view = wadi_default_view(20, 20, 1.0, 1.0, heights);
    view.water = heights;
    view.overlay = heights;
    view.sediment = heights;
    view.deposition = heights;
    wadi_picture_destroy(draw(&view));
    free(heights);
}

static void lake_is_blue_and_thin_water_is_not_drawn(void **state) {
    (void)state;
    float *heights = hills_create(60, 60), *water = map_create(60, 60, 0.015f); /* threshold: 0.002 of 10 m */
    wadi_view view = bare_view(60, 60, heights);
    wadi_picture *dry = draw(&view);
    view.water = water;
    wadi_picture *thin = draw(&view);
    assert_true(same_picture(dry, thin));
    for (int y = 20; y < 40; y++)
        for (int x = 20; x < 40; x++)
            water[y * 60 + x] = 30.0f - heights[y * 60 + x] > 5.0f ? 30.0f - heights[y * 60 + x] : 5.0f;
    for (int scale = 1; scale <= 3; scale++) {
        view.scale = scale;
        wadi_picture *lake = draw(&view);
        assert_true(bluish(at(lake, 30 * scale, 30 * scale)));
        assert_false(bluish(at(lake, 5 * scale, 5 * scale)));
        wadi_picture_destroy(lake);
    }
    view.scale = 1.0;
    view.water_threshold_m = 1000.0;
    wadi_picture *none = draw(&view);
    assert_true(same_picture(dry, none));
    wadi_picture_destroy(none);
    wadi_picture_destroy(thin);
    wadi_picture_destroy(dry);
    free(water);
    free(heights);
}

/* Ice that fills a pit is white and level, thin ice is not drawn, and a film that begins without ice keeps its legend.
 */
static void ice_is_white_and_lies_on_the_ground(void **state) {
    (void)state;
    enum { N = 60 };
    float *heights = map_create(N, N, 100.0f), *ice = map_create(N, N, 0.05f); /* of cells 10 m wide */
    for (int y = 20; y < 40; y++)
        for (int x = 20; x < 40; x++) heights[y * N + x] = 60.0f + (float)((x * 7 + y * 5) % 30);
    wadi_view view = bare_view(N, N, heights);
    view.exaggeration = 1.0;
    wadi_picture *bare = draw(&view);
    view.ice = ice;
    wadi_picture *thin = draw(&view);
    for (int i = 0; i < N * N; i++) ice[i] = 100.0f - heights[i];
    wadi_picture *filled = draw(&view);
    assert_true(difference(at(bare, 5, 5), at(thin, 5, 5)) <= 2);
    assert_true(difference(at(bare, 5, 5), at(filled, 5, 5)) <= 2);
    int least = 255, most = 0;
    for (int y = 25; y < 35; y++)
        for (int x = 25; x < 35; x++) {
            const rgb pixel = at(filled, x, y);
            assert_true(pixel.r > 150 && pixel.b >= pixel.r);
            least = pixel.b < least ? pixel.b : least;
            most = pixel.b > most ? pixel.b : most;
        }
    assert_true(most - least < 40 && difference(at(bare, 28, 30), at(bare, 30, 31)) > 40); /* rough ground below */
    const float high = 400.0f;                                                             /* ten times the relief */
    for (int i = 0; i < N * N; i++) ice[i] = high;
    wadi_picture *thick = draw(&view);
    assert_true(at(thick, 5, 5).r > 150 && difference(at(thick, 5, 5), at(filled, 30, 30)) < 60);
    ice[7] = heights[900] = NAN; /* holes */
    wadi_picture *holes = draw(&view);
    assert_true(difference(at(thick, 50, 50), at(holes, 50, 50)) <= 2);
    heights[900] = 100.0f;
    view = wadi_default_view(N, N, 10.0, 10.0, heights);
    memset(ice, 0, N * N * sizeof *ice);
    view.ice = ice;
    assert_int_equal(wadi_view_settle(&view), WADI_OK);
    assert_true(fabs(view.thick_m - 4.0) < 0.2); /* a tenth of the relief */
    wadi_picture *first = draw(&view);
    ice[30 * N + 30] = 30.0f;
    wadi_picture *later = draw(&view);
    assert_true(first->width == later->width && first->height == later->height);
    wadi_picture *const made[] = {bare, thin, filled, thick, holes, first, later};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) wadi_picture_destroy(made[i]);
    free(heights);
    free(ice);
}

/* A river that is shallower than the film of rain is drawn, if it stands out from the rest. Dust is not. */
static void a_shallow_river_is_drawn(void **state) {
    (void)state;
    float *heights = hills_create(60, 60), *water = map_create(60, 60, 1e-7f); /* threshold: 0.002 of 10 m */
    wadi_view view = bare_view(60, 60, heights);
    wadi_picture *dry = draw(&view);
    view.water = water;
    wadi_picture *dust = draw(&view);
    assert_true(same_picture(dry, dust));
    for (int x = 0; x < 60; x++) water[30 * 60 + x] = 0.01f;
    wadi_picture *river = draw(&view);
    for (int x = 2; x < 58; x++) {
        assert_true(difference(at(river, x, 30), at(dry, x, 30)) > 20);
        assert_int_equal(difference(at(river, x, 25), at(dry, x, 25)), 0);
    }
    for (int i = 0; i < 60 * 60; i++) water[i] = 1e-8f * (float)(i % 5);
    wadi_picture *specks = draw(&view);
    assert_true(same_picture(dry, specks));
    wadi_picture_destroy(specks);
    wadi_picture_destroy(river);
    wadi_picture_destroy(dust);
    wadi_picture_destroy(dry);
    free(water);
    free(heights);
}

/* The film of rain is not drawn, the lake in it is. A terrain under water is drawn as such. */
static void a_film_is_not_drawn(void **state) {
    (void)state;
    enum { N = 120, SHORE = 60 };
    float *heights = hills_create(N, N), *water = map_create(N, N, 0.1f);
    wadi_view view = bare_view(N, N, heights);
    wadi_picture *dry = draw(&view);
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < SHORE; x++) water[y * N + x] = 2.0f;
    view.water = water;
    double film = 0;
    assert_int_equal(wadi_view_film(&view, &film), WADI_OK);
    assert_true(fabs(film - 0.2) < 1e-6);
    wadi_picture *wet = draw(&view);
    assert_int_equal(difference(at(dry, 90, 100), at(wet, 90, 100)), 0);
    assert_true(difference(at(dry, 20, 10), at(wet, 20, 10)) > 20);
    wadi_picture_destroy(wet);
    /* a sea over most of it, with a shallow shore */
    for (int i = 0; i < N * N; i++) water[i] = i < N * N / 3 ? 0.1f : i < N * N / 2 ? 0.5f : 5.0f;
    assert_int_equal(wadi_view_film(&view, &film), WADI_OK);
    assert_true(fabs(film - 0.2) < 1e-6);
    wet = draw(&view);
    assert_int_equal(difference(at(dry, 90, 30), at(wet, 90, 30)), 0);
    assert_true(difference(at(dry, 90, 50), at(wet, 90, 50)) > 10);
    assert_true(difference(at(dry, 90, 100), at(wet, 90, 100)) > 20);
    wadi_picture_destroy(wet);
    for (int i = 0; i < N * N; i++) water[i] = i < N * N / 3 ? 0.1f : 0.5f;
    assert_int_equal(wadi_view_film(&view, &film), WADI_OK);
    assert_true(fabs(film - 0.72) < 1e-6); /* 0.0006 of 1200 m */
    for (int i = 0; i < N * N; i++) water[i] = 5.0f;
    assert_int_equal(wadi_view_film(&view, &film), WADI_OK);
    assert_true(fabs(film - 0.02) < 1e-6); /* no film: 0.002 of a cell */
    wadi_picture_destroy(dry);
    free(water);
    free(heights);
}

/* A settled view draws the same picture, and of changed terrain the parts that did not change as they were. */
static void settled_views_keep_their_colours(void **state) {
    (void)state;
    enum { N = 120 };
    float *heights = hills_create(N, N), *water = map_create(N, N, 0.0f);
    for (int i = 0; i < 2000; i++) water[i] = 2.0f;
    wadi_view view = bare_view(N, N, heights);
    view.water = water;
    wadi_picture *before = draw(&view);
    assert_int_equal(wadi_view_settle(&view), WADI_OK);
    assert_true(view.deep_m == 2.0 && view.height_low < view.height_middle && view.height_middle < view.height_high);
    wadi_picture *settled = draw(&view);
    assert_true(same_picture(before, settled));
    heights[(N - 1) * N] = 500.0f;
    water[2000] = 50.0f;
    wadi_picture *after = draw(&view);
    for (int x = 0; x < N; x++) assert_int_equal(difference(at(before, x, 5), at(after, x, 5)), 0);
    wadi_picture_destroy(after);

    /* a dry one has the legend of its water from the first */
    memset(water, 0, N * N * sizeof *water);
    view = wadi_default_view(N, N, 10.0, 10.0, heights);
    view.water = water;
    assert_int_equal(wadi_view_settle(&view), WADI_OK);
    assert_true(fabs(view.deep_m - 3.0) < 1e-9);
    wadi_picture *dry = draw(&view);
    water[60 * N + 60] = 1.0f;
    after = draw(&view);
    assert_true(dry->width == after->width && dry->height == after->height);
    const int last = dry->height - 1;
    for (int y = last - 40; y < last; y++) /* the legend's */
        for (int x = 0; x < dry->width; x++) assert_int_equal(difference(at(dry, x, y), at(after, x, y)), 0);
    wadi_picture_destroy(after);
    wadi_picture_destroy(dry);
    wadi_picture_destroy(settled);
    wadi_picture_destroy(before);
    free(water);
    free(heights);
}

/* A river one cell wide in a deep gorge stays one unbroken line, smaller, equal and enlarged. */
static void narrow_river_is_not_lost(void **state) {
    (void)state;
    enum { N = 200 };
    float *heights = map_create(N, N, 0.0f), *water = map_create(N, N, 0.0f);
    for (int i = 0; i < N * N; i++) heights[i] = 8.0f * (float)abs(i % N - N / 2);
    for (int y = 0; y < N; y++) water[y * N + N / 2] = 1.0f;
    wadi_view view = bare_view(N, N, heights);
    const double scales[] = {0.5, 1.0, 5.0};
    for (int s = 0; s < 3; s++) {
        view.scale = scales[s];
        view.water = NULL;
        wadi_picture *dry = draw(&view);
        view.water = water;
        wadi_picture *wet = draw(&view);
        const int x = (int)((N / 2 + 0.5) * scales[s]);
        for (int y = 0; y < wet->height; y++) assert_true(at(wet, x, y).r < at(dry, x, y).r - 15);
        wadi_picture_destroy(dry);
        wadi_picture_destroy(wet);
    }
    free(water);
    free(heights);
}

static void sediment_reddens_the_water(void **state) {
    (void)state;
    float *heights = map_create(30, 30, 0.0f), *water = map_create(30, 30, 2.0f), *sediment = map_create(30, 30, 0.0f);
    for (int i = 450; i < 900; i++) sediment[i] = 0.3f;
    wadi_view view = bare_view(30, 30, heights);
    view.water = water;
    view.sediment = sediment;
    wadi_picture *picture = draw(&view);
    const rgb clear = at(picture, 15, 5), muddy = at(picture, 15, 25);
    assert_true(bluish(clear));
    assert_true(muddy.r > clear.r + 40 && muddy.b < clear.b);
    wadi_picture_destroy(picture);
    free(sediment);
    free(water);
    free(heights);
}

static void mei_has_green_sediment_and_red_deposits(void **state) {
    (void)state;
    float *heights = map_create(30, 30, 0.0f), *water = map_create(30, 30, 0.0f), *mud = map_create(30, 30, 0.0f),
          *laid = map_create(30, 30, 0.0f);
    for (int i = 0; i < 450; i++) water[i] = 2.0f;
    for (int i = 0; i < 450; i++) mud[i] = i < 225 ? 0.3f : 0.0f;
    for (int i = 675; i < 900; i++) laid[i] = 0.3f;
    wadi_view view = bare_view(30, 30, heights);
    view.water = water;
    view.sediment = mud;
    view.deposition = laid;
    view.colours = WADI_COLOURS_MEI;
    wadi_picture *picture = draw(&view);
    const rgb muddy = at(picture, 15, 3), clear = at(picture, 15, 12), bare = at(picture, 15, 18),
              deposit = at(picture, 15, 28);
    assert_true(bluish(clear));
    assert_true(muddy.g > muddy.r + 25 && muddy.g > muddy.b + 25);
    assert_true(deposit.r > deposit.g + 60 && deposit.r > deposit.b + 60 && bare.r < bare.g + 20);
    wadi_picture_destroy(picture);
    free(laid);
    free(mud);
    free(water);
    free(heights);
}

/* From the lowest height to the highest, flat and steep. */
static void dry_ground_has_no_green(void **state) {
    (void)state;
    float *heights = map_create(30, 30, 0.0f);
    for (int i = 0; i < 900; i++) heights[i] = (float)(i / 30 + (i % 30 < 15 ? 0 : 3 * (i % 2)));
    wadi_view view = bare_view(30, 30, heights);
    for (int dry = 0; dry < 2; dry++) {
        view.ground = dry ? WADI_GROUND_DRY : WADI_GROUND_GREEN;
        wadi_picture *picture = draw(&view);
        int green = 0;
        for (int i = 0; i < picture->width * picture->height; i++)
            green += picture->rgb[3 * i + 1] > picture->rgb[3 * i];
        assert_int_equal(green > 0, !dry);
        wadi_picture_destroy(picture);
    }
    free(heights);
}

/* Sand is of the colour of ochre, so deposits have another one there. */
static void deposits_show_on_each_ground(void **state) {
    (void)state;
    enum { LITTLE = 40 };
    float *heights = map_create(40, 30, 100.0f), *laid = map_create(40, 30, 0.0f);
    for (int i = 0; i < 40 * 30; i++) {
        heights[i] += (float)(i / 40);                            /* the colours of many heights */
        laid[i] = i % 40 < 15 ? 0.0f : i % 40 < 25 ? 1.0f : 5.0f; /* none, little, much */
    }
    for (int ground = WADI_GROUND_GREEN; ground <= WADI_GROUND_DRY; ground++) {
        wadi_view view = bare_view(40, 30, heights);
        view.ground = (wadi_ground)ground;
        view.deposition = laid;
        wadi_picture *picture = draw(&view);
        for (int y = 2; y < 28; y++) {
            assert_true(difference(at(picture, 5, y), at(picture, 20, y)) > LITTLE);
            assert_true(difference(at(picture, 5, y), at(picture, 35, y)) > 120);
        }
        wadi_picture_destroy(picture);
    }
    free(heights);
    free(laid);
}

static void every_overlay_shows_and_zero_amounts_do_not(void **state) {
    (void)state;
    const char *names[] = {"flow", "water", "sediment", "deposition", "erosion", "change", "velocity", "my own", NULL};
    float *heights = map_create(30, 30, 0.0f), *overlay = map_create(30, 30, 0.0f);
    wadi_view view = bare_view(30, 30, heights);
    view.overlay = overlay;
    for (int n = 0; n < 9; n++) {
        view.overlay_name = names[n];
        for (int i = 0; i < 900; i++) overlay[i] = 0.0f;
        wadi_picture *nothing = draw(&view);
        for (int i = 450; i < 900; i++) overlay[i] = 7.0f;
        wadi_picture *shown = draw(&view);
        assert_true(difference(at(shown, 15, 25), at(shown, 15, 5)) > 30);
        if (n < 7) assert_int_equal(difference(at(shown, 15, 5), at(nothing, 15, 5)), 0);
        for (int i = 0; i < 450; i++) overlay[i] = -7.0f; /* both signs: diverging */
        wadi_picture *signs = draw(&view);
        assert_true(difference(at(signs, 15, 25), at(signs, 15, 5)) > 60);
        wadi_picture_destroy(signs);
        wadi_picture_destroy(shown);
        wadi_picture_destroy(nothing);
    }
    free(overlay);
    free(heights);
}

/* Sizes from the smallest up, thin ones, cells that are not square; with everything on and a long title. */
static void any_size_is_drawn(void **state) {
    (void)state;
    const struct {
        int width, height;
        double lx, ly, scale;
    } sizes[] = {{2, 2, 1, 1, 0},     {3, 1000, 1, 1, 0},    {1000, 3, 1, 1, 0},     {2, 5000, 30, 30, 0},
                 {65, 64, 1, 3, 0},   {64, 65, 92.5, 75, 0}, {300, 300, 1, 1, 0.01}, {2, 2, 1e-3, 1e5, 0},
                 {50, 40, 1, 1, 3.7}, {1500, 20, 2, 2, 0},   {2500, 2, 1, 1, 0}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        float *heights = hills_create(sizes[s].width, sizes[s].height);
        wadi_view view = wadi_default_view(sizes[s].width, sizes[s].height, sizes[s].lx, sizes[s].ly, heights);
        view.scale = sizes[s].scale;
        view.water = view.sediment = view.deposition = view.overlay = heights;
        view.overlay_name = "a name that is rather longer than the legend has room for";
        view.title = "A title that does not fit the margins of a small picture, with \xc3\xa4, \xe2\x82\xac, "
                     "\xf0\x9f\x8f\x94 and a cut \xe2\x82";
        wadi_picture *picture = draw(&view);
        assert_true(picture->width > 0 && picture->height > 0);
        assert_true(picture->width < 3000 && picture->height < 4000);
        wadi_picture_destroy(picture);
        free(heights);
    }
}

static void pixels_are_square_on_the_ground(void **state) {
    (void)state;
    float *heights = hills_create(100, 100);
    wadi_view view = wadi_default_view(100, 100, 1.0, 3.0, heights);
    view.decorate = false;
    wadi_picture *picture = draw(&view);
    assert_int_equal(picture->height, 3 * picture->width);
    wadi_picture_destroy(picture);
    free(heights);
}

static void same_bytes_with_any_number_of_threads(void **state) {
    (void)state;
    float *heights = hills_create(170, 130), *water = map_create(170, 130, 0.0f);
    for (int i = 0; i < 170 * 130; i++) water[i] = heights[i] < 0.0f ? -heights[i] : 0.0f;
    heights[777] = NAN;
    wadi_view view = wadi_default_view(170, 130, 2.0, 2.5, heights);
    view.water = view.ice = view.sediment = view.deposition = water;
    view.overlay = heights;
    view.title = "Threads";
    const double scales[] = {0.0, 0.4};
    for (int s = 0; s < 2; s++) {
        view.scale = scales[s];
        view.threads = 1;
        wadi_picture *one = draw(&view);
        for (int threads = 0; threads<8; threads += threads> 1 ? 5 : 2) {
            view.threads = threads;
            wadi_picture *many = draw(&view);
            assert_true(same_picture(one, many));
            wadi_picture_destroy(many);
        }
        wadi_picture_destroy(one);
    }
    free(water);
    free(heights);
}

static void extreme_values_are_drawn(void **state) {
    (void)state;
    const float wild[] = {1e30f,    -1e30f,    FLT_MAX, -FLT_MAX, FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MIN,
                          INFINITY, -INFINITY, NAN,     0.0f,     -0.0f,        1.0f};
    enum { KINDS = sizeof wild / sizeof *wild };
    for (int a = 0; a < KINDS; a++) {
        for (int b = 0; b < KINDS; b++) {
            float *map = map_create(12, 9, wild[a]), *hills = hills_create(12, 9);
            for (int i = 0; i < 12 * 9; i += 1 + b % 3) map[i] = wild[b];
            wadi_view view = wadi_default_view(12, 9, 1.0, 1.0, map);
            view.scale = a % 2 == 0 ? 3.0 : 0.5;
            view.threads = 1;
            view.water = view.ice = view.sediment = view.deposition = view.overlay = map;
            view.overlay_name = b % 2 == 0 ? "flow" : "hardness";
            view.exaggeration = b % 4 == 0 ? 1e12 : 0.0;
            wadi_picture_destroy(draw(&view));
            view.heights = hills;
            wadi_picture_destroy(draw(&view));
            free(hills);
            free(map);
        }
    }
}

static void refuse(const wadi_view *view) {
    wadi_picture *picture = (wadi_picture *)(uintptr_t)1;
    assert_int_equal(wadi_render_map(view, &picture), WADI_ERROR_ARGUMENT);
    assert_null(picture);
    assert_true(strlen(wadi_error_message()) > 10);
}

static void wrong_views_are_refused(void **state) {
    (void)state;
    float *heights = map_create(10, 10, 0.0f);
    const wadi_view good = wadi_default_view(10, 10, 1.0, 1.0, heights);
    refuse(NULL);
    wadi_view view = good;
    view.heights = NULL;
    refuse(&view);
    view = good;
    view.width = 1;
    refuse(&view);
    view = good;
    view.height = -5;
    refuse(&view);
    const double wrong[] = {0.0, -1.0, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        view = good;
        view.lx = wrong[i];
        refuse(&view);
        view = good;
        view.ly = wrong[i];
        refuse(&view);
    }
    for (int i = 1; i < 4; i++) {
        view = good;
        view.scale = wrong[i];
        refuse(&view);
        view = good;
        view.exaggeration = wrong[i];
        refuse(&view);
        view = good;
        view.water_threshold_m = wrong[i];
        refuse(&view);
    }
    view = good;
    view.scale = 1e6;
    refuse(&view);
    wadi_picture_destroy(NULL);
    free(heights);
}

static uint32_t pixel(const wadi_picture *picture, int x, int y) {
    const uint8_t *rgb = picture->rgb + ((size_t)y * (size_t)picture->width + (size_t)x) * 3;
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

static int count_ink(const wadi_picture *picture, int from, int to) {
    int count = 0;
    for (int y = 0; y < picture->height; y++) {
        for (int x = from; x < to; x++) count += pixel(picture, x, y) == 0x2f6f9f;
    }
    return count;
}

static void plots_show_their_data(void **state) {
    (void)state;
    const double edges[] = {0, 1, 2, 3}, one_bar[] = {0, 4, 0}, two_bars[] = {0, 4, 4}, rise[] = {0, 1, 2};
    const wadi_plot plots[] = {{"Bars", "x", "y", 3, edges, one_bar, true, "a note"},
                               {NULL, NULL, NULL, 3, edges, two_bars, true, NULL},
                               {NULL, NULL, NULL, 3, edges, rise, false, NULL}};
    wadi_picture *picture = NULL;
    assert_int_equal(wadi_render_plots(plots, 3, "title", &picture), WADI_OK);
    const int width = picture->width / 3;
    const int one = count_ink(picture, 0, width), two = count_ink(picture, width, 2 * width);
    assert_true(one > 1000 && two > 1.9 * one && two < 2.1 * one);
    assert_true(count_ink(picture, 2 * width, 3 * width) > 300);
    wadi_picture_destroy(picture);
}

static void plots_that_cannot_be_are_refused(void **state) {
    (void)state;
    const double x[] = {0, 1}, bad[] = {0, NAN};
    wadi_plot plot = {NULL, NULL, NULL, 1, x, x, false, NULL};
    wadi_picture *picture = NULL;
    assert_int_equal(wadi_render_plots(&plot, 1, NULL, &picture), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_render_plots(&plot, 0, NULL, &picture), WADI_ERROR_ARGUMENT);
    plot.count = 2;
    assert_int_equal(wadi_render_plots(&plot, 9, NULL, &picture), WADI_ERROR_ARGUMENT);
    plot.y = bad;
    assert_int_equal(wadi_render_plots(&plot, 1, NULL, &picture), WADI_ERROR_ARGUMENT);
    assert_null(picture);
    plot.y = x; /* of equal numbers */
    const double same[] = {3, 3};
    plot.x = plot.y = same;
    assert_int_equal(wadi_render_plots(&plot, 1, NULL, &picture), WADI_OK);
    wadi_picture_destroy(picture);
}

static const uint8_t *pixel_at(const wadi_picture *picture, int x, int y) {
    return picture->rgb + ((size_t)y * (size_t)picture->width + (size_t)x) * 3;
}

static void a_sheet_holds_its_pictures_in_rows(void **state) {
    (void)state;
    uint8_t colours[5][80 * 10 * 3];
    wadi_picture pictures[5];
    const wadi_picture *list[5];
    const char *labels[] = {"seed 1", NULL, "seed 3", NULL, NULL};
    for (int i = 0; i < 5; i++) {
        memset(colours[i], 40 + i, sizeof colours[i]);
        pictures[i] = (wadi_picture){80, 10, colours[i]};
        list[i] = &pictures[i];
    }
    wadi_picture *sheet = NULL;
    assert_int_equal(wadi_render_sheet(list, labels, 5, &sheet), WADI_OK);
    const int columns = (sheet->width - 16) / 96, rows = (sheet->height - 16) / 56;
    assert_true(columns * rows >= 5 && columns * (rows - 1) < 5);
    for (int i = 0; i < 5; i++) {
        const int left = 16 + i % columns * 96, top = 16 + i / columns * 56;
        assert_int_equal(*pixel_at(sheet, left, top), 40 + i);
        assert_int_equal(*pixel_at(sheet, left + 79, top + 9), 40 + i);
        assert_int_equal(*pixel_at(sheet, left - 1, top), 0xfa);
        int ink = 0;
        for (int y = top + 10; y < top + 40; y++)
            for (int x = left; x < left + 96; x++) ink += *pixel_at(sheet, x, y) < 0x90;
        assert_int_equal(ink > 20, labels[i] != NULL);
    }
    wadi_picture_destroy(sheet);
    pictures[2].width = 10;
    assert_int_equal(wadi_render_sheet(list, labels, 5, &sheet), WADI_ERROR_ARGUMENT);
    assert_null(sheet);
    assert_int_equal(wadi_render_sheet(list, labels, 0, &sheet), WADI_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_holds_its_pictures_in_rows),
        cmocka_unit_test(flat_map_is_uniform),
        cmocka_unit_test(the_border_has_no_shading),
        cmocka_unit_test(transposed_map_gives_transposed_picture),
        cmocka_unit_test(light_comes_from_the_north_west),
        cmocka_unit_test(no_data_is_plain_and_casts_no_edge),
        cmocka_unit_test(map_of_no_data_alone),
        cmocka_unit_test(lake_is_blue_and_thin_water_is_not_drawn),
        cmocka_unit_test(ice_is_white_and_lies_on_the_ground),
        cmocka_unit_test(settled_views_keep_their_colours),
        cmocka_unit_test(a_shallow_river_is_drawn),
        cmocka_unit_test(a_film_is_not_drawn),
        cmocka_unit_test(narrow_river_is_not_lost),
        cmocka_unit_test(sediment_reddens_the_water),
        cmocka_unit_test(dry_ground_has_no_green),
        cmocka_unit_test(mei_has_green_sediment_and_red_deposits),
        cmocka_unit_test(deposits_show_on_each_ground),
        cmocka_unit_test(every_overlay_shows_and_zero_amounts_do_not),
        cmocka_unit_test(any_size_is_drawn),
        cmocka_unit_test(pixels_are_square_on_the_ground),
        cmocka_unit_test(same_bytes_with_any_number_of_threads),
        cmocka_unit_test(extreme_values_are_drawn),
        cmocka_unit_test(wrong_views_are_refused),
        cmocka_unit_test(plots_show_their_data),
        cmocka_unit_test(plots_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
