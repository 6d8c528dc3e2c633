/* Landscapes: pixels show the right place at any distance, on any terrain. Without OpenGL a test skips, unless
 * WADI_NEED_OPENGL is set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "screen.h"
#include "wadi/landscape.h"

enum { SIZE = 200 };

static float *map_of(int width, int height, double (*value)(int x, int y)) {
    float *map = malloc((size_t)width * (size_t)height * sizeof *map);
    assert_non_null(map);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) map[y * width + x] = (float)value(x, y);
    return map;
}

static double flat(int x, int y) { return (void)x, (void)y, 5; }
static double one(int x, int y) { return (void)x, (void)y, 1; }
static double rough(int x, int y) {
    return 6 * sin(0.31 * x + 0.1 * y) + 5 * cos(0.23 * y - 0.05 * x) + 3 * ((x * 7 + y * 13) % 5);
}
static double bowl(int x, int y) { return 0.002 * ((x - 100) * (x - 100) + (y - 100) * (y - 100)); }
static double pond(int x, int y) { return bowl(x, y) < 5 ? 5 - bowl(x, y) : 0; } /* its level is 5 */
static double bowl_up_to_5(int x, int y) { return bowl(x, y) + pond(x, y); }
static double left_half(int x, int y) { return (void)y, x < 100; }
static double with_a_hole(int x, int y) { return x >= 80 && x < 120 && y >= 80 && y < 120 ? (double)NAN : 5; }

#define OK(call) \
    do { \
        if ((call) != WADI_OK) fail_msg("%s", wadi_error_message()); \
    } while (0)

static wadi_landscape *landscape_of(int width, int height, double (*value)(int x, int y)) {
    wadi_landscape *l;
    float *map = map_of(width, height, value);
    OK(wadi_landscape_create(width, height, 1, 1, &l));
    OK(wadi_landscape_set(l, WADI_LAYER_HEIGHT, 0, 0, width, height, map));
    free(map);
    return l;
}

static void set_layer(wadi_landscape *l, wadi_layer layer, double (*value)(int x, int y)) {
    float *map = map_of(SIZE, SIZE, value);
    OK(wadi_landscape_set(l, layer, 0, 0, SIZE, SIZE, map));
    free(map);
}

/* The map view: a pixel is a cell. */
static wadi_camera from_above(int size) {
    return (wadi_camera){.x = 0.5 * size, .y = 0.5 * size, .elevation = 90, .distance = size, .view = 0};
}

static wadi_picture *draw(wadi_landscape *l, const wadi_camera *camera, const wadi_look *look) {
    wadi_picture *picture;
    OK(wadi_landscape_draw(l, camera, look, SIZE, SIZE));
    OK(wadi_offscreen_read(screen, &picture));
    return picture;
}

static const uint8_t *at(const wadi_picture *picture, int x, int y) {
    return picture->rgb + 3 * (y * picture->width + x);
}

static const double qualities[] = {1, 0.5, 0.25}; /* each has shaders of its own */

static wadi_look overlaid(const char *name) {
    wadi_look look = wadi_default_look();
    look.overlay_name = name;
    return look;
}

static int green_pixels(wadi_landscape *l, const wadi_look *look) {
    const wadi_camera above = from_above(SIZE);
    wadi_picture *picture = draw(l, &above, look);
    int green = 0;
    for (int i = 0; i < SIZE * SIZE; i++) green += picture->rgb[3 * i + 1] > picture->rgb[3 * i];
    wadi_picture_destroy(picture);
    return green;
}

/* Grass on flat ground is green. Dry ground is redder than green, flat or steep. */
static void dry_ground_has_no_green(void **state) {
    (void)state;
    wadi_landscape *plain = landscape_of(SIZE, SIZE, flat), *hills = landscape_of(SIZE, SIZE, rough);
    wadi_look look = wadi_default_look();
    look.shadows = false;
    for (size_t q = 0; q < sizeof qualities / sizeof *qualities; q++) {
        look.quality = qualities[q];
        look.ground = WADI_GROUND_GREEN;
        assert_true(green_pixels(plain, &look) > SIZE * SIZE / 2);
        look.ground = WADI_GROUND_DRY;
        assert_true(green_pixels(plain, &look) < SIZE * SIZE / 50);
        assert_true(green_pixels(hills, &look) < SIZE * SIZE / 50);
    }
    wadi_landscape_destroy(plain);
    wadi_landscape_destroy(hills);
}

static void picking_finds_the_drawn_cell(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, rough);
    const wadi_look look = wadi_default_look();
    const wadi_camera above = from_above(SIZE);
    double x, y;
    for (int i = 5; i < SIZE - 5; i += 31) {
        assert_true(wadi_landscape_pick(l, &above, &look, SIZE, SIZE, i + 0.5, SIZE - i - 0.5, &x, &y));
        assert_true(fabs(x - i - 0.5) < 0.01 && fabs(y - (SIZE - i - 0.5)) < 0.01);
    }
    /* the camera sees its target from any side */
    for (int azimuth = 0; azimuth < 360; azimuth += 45) {
        wadi_camera camera = wadi_landscape_camera(l);
        camera.x = 70.5, camera.y = 120.5, camera.z = rough(70, 120), camera.azimuth = azimuth, camera.elevation = 87;
        assert_true(wadi_landscape_pick(l, &camera, &look, SIZE, SIZE, 0.5 * SIZE, 0.5 * SIZE, &x, &y));
        assert_true(hypot(x - 70.5, y - 120.5) < 2);
        camera.elevation = 5;
        assert_false(wadi_landscape_pick(l, &camera, &look, SIZE, SIZE, 0.5 * SIZE, 0, &x, &y)); /* the sky */
    }
    wadi_landscape_destroy(l);
}

/* East is right, south is down: picking returns the place that was drawn. */
static void maps_are_drawn_at_their_cells(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, flat);
    set_layer(l, WADI_LAYER_OVERLAY, left_half);
    wadi_look look = overlaid("velocity");
    look.shadows = false;
    for (int turn = 0; turn < 12; turn++) {
        wadi_camera camera = from_above(SIZE);
        camera.azimuth = 90 * (turn % 4);
        look.quality = qualities[turn / 4];
        wadi_picture *picture = draw(l, &camera, &look);
        int wrong = 0;
        for (int i = 10; i < SIZE - 10; i += 9)
            for (int j = 10; j < SIZE - 10; j += 9) {
                double x, y;
                assert_true(wadi_landscape_pick(l, &camera, &look, SIZE, SIZE, i + 0.5, j + 0.5, &x, &y));
                const uint8_t *p = at(picture, i, j);
                const bool yellow = p[0] > 150 && p[1] > 120 && p[2] < p[1] - 30; /* the colour of most */
                if (fabs(x - 100) > 1) wrong += yellow != (x < 100);
            }
        assert_int_equal(wrong, 0);
        wadi_picture_destroy(picture);
    }
    wadi_landscape_destroy(l);
}

/* Patches of different detail meet without cracks. The ground is as bright as possible, and the sky is not. */
static void there_are_no_cracks(void **state) {
    (void)state;
    enum { LARGE = 900 };
    wadi_landscape *l = landscape_of(LARGE, LARGE, rough);
    float *map = map_of(LARGE, LARGE, one);
    OK(wadi_landscape_set(l, WADI_LAYER_OVERLAY, 0, 0, LARGE, LARGE, map));
    free(map);
    wadi_look look = overlaid("deposition"); /* ochre: red far above blue */
    look.shadows = false, look.sides = false, look.sun_elevation = 60;
    for (int i = 0; i < 18; i++) {
        wadi_camera camera = wadi_landscape_camera(l);
        camera.x = camera.y = 450, camera.z = 0;
        camera.azimuth = 60 * i, camera.elevation = 50, camera.distance = 250 + 60 * (i / 3), camera.view = 30;
        look.quality = qualities[i % 3];
        wadi_picture *picture = draw(l, &camera, &look);
        int sky = 0;
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++) sky += at(picture, x, y)[0] < at(picture, x, y)[2] + 5;
        assert_int_equal(sky, 0);
        wadi_picture_destroy(picture);
    }
    wadi_landscape_destroy(l);
}

/* Where ground and sky meet, a pixel is half of each. Low quality does without. */
static void edges_are_smooth(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, flat);
    set_layer(l, WADI_LAYER_OVERLAY, one);
    wadi_look look = overlaid("deposition"); /* ochre: little blue */
    look.sides = false;
    wadi_camera camera = from_above(SIZE);
    camera.azimuth = 20, camera.distance = 300;
    for (int i = 0; i < 3; i++) {
        look.quality = qualities[i];
        wadi_picture *picture = draw(l, &camera, &look);
        const int ground = at(picture, 100, 100)[2], sky = at(picture, 1, 1)[2];
        assert_true(sky > ground + 60);
        int between = 0;
        for (int k = 0; k < SIZE * SIZE; k++) {
            const double share = (picture->rgb[3 * k + 2] - ground) / (double)(sky - ground);
            between += share > 0.35 && share < 0.65;
        }
        assert_true(i == 0 ? between > 60 : between < 60);
        wadi_picture_destroy(picture);
    }
    wadi_landscape_destroy(l);
}

/* thinner than any water that is drawn */
static double film(int x, int y) { return 1e-5 * ((x + y) % 3); }

static void water_is_drawn_where_it_is_deep_enough(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, bowl);
    const wadi_camera camera = from_above(SIZE);
    wadi_look look = wadi_default_look();
    wadi_picture *dry = draw(l, &camera, &look);
    set_layer(l, WADI_LAYER_WATER, film);
    wadi_picture *damp = draw(l, &camera, &look);
    for (int x = 2; x < SIZE - 2; x++) assert_memory_equal(at(dry, x, 100), at(damp, x, 100), 3);
    set_layer(l, WADI_LAYER_WATER, pond);
    wadi_picture *wet = draw(l, &camera, &look);
    for (int x = 2; x < SIZE - 2; x += 3) {
        const bool same = memcmp(at(dry, x, 100), at(wet, x, 100), 3) == 0;
        if (fabs(abs(x - 100) - 50.0) > 3) assert_int_equal(same, abs(x - 100) > 50);
    }
    const uint8_t *middle = at(wet, 100, 100);
    assert_true(middle[2] > middle[0] + 20); /* blue */
    look.water_threshold_m = 6;
    wadi_picture *hidden = draw(l, &camera, &look);
    for (int x = 60; x < 140; x += 5) assert_true(at(hidden, x, 100)[2] < at(wet, x, 100)[2]);
    wadi_picture_destroy(dry);
    wadi_picture_destroy(damp);
    wadi_picture_destroy(wet);
    wadi_picture_destroy(hidden);
    wadi_landscape_destroy(l);
}

static double rained(int x, int y) { return fmax(pond(x, y), x % 2 ? 0.05 : 0.09); }
static double silted(int x, int y) { return left_half(x, y) > 0 ? 0.5 : 0; }

/* What rain leaves everywhere is a film, as in a flat picture, however thick: it neither shines nor darkens the ground.
 */
static void a_film_leaves_the_ground_as_it_is(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, bowl);
    const wadi_camera camera = from_above(SIZE);
    const wadi_look look = wadi_default_look();
    wadi_picture *dry = draw(l, &camera, &look);
    set_layer(l, WADI_LAYER_WATER, rained);
    wadi_picture *wet = draw(l, &camera, &look);
    for (int x = 2; x < SIZE - 2; x += 3)
        if (abs(x - 100) > 53) assert_memory_equal(at(dry, x, 100), at(wet, x, 100), 3);
    assert_true(at(wet, 100, 100)[2] > at(wet, 100, 100)[0] + 20);
    wadi_picture_destroy(dry);
    wadi_picture_destroy(wet);
    wadi_landscape_destroy(l);
}

static double spurs(int x, int y) { return y > 180 ? -2 : 25 + 12 * sin(0.5 * x) + 12 * sin(0.37 * y + 0.2 * x); }
static double sea_beside(int x, int y) { return (void)x, y > 180 ? 2 : 0; }
static double rain_beside(int x, int y) { return y > 180 ? 2 : 0.0045 + 0.001 * ((x * 7 + y * 13) % 5) / 4; }

/* Nor does it show through steep ground that is far away, where the mesh of the water is coarse. */
static void a_film_does_not_show_on_cliffs(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, spurs);
    wadi_look look = wadi_default_look();
    look.water_threshold_m = 0.01;
    for (int azimuth = -40; azimuth < 50; azimuth += 40) {
        wadi_camera camera = wadi_landscape_camera(l);
        camera.azimuth = azimuth;
        set_layer(l, WADI_LAYER_WATER, sea_beside);
        wadi_picture *dry = draw(l, &camera, &look);
        set_layer(l, WADI_LAYER_WATER, rain_beside);
        wadi_picture *wet = draw(l, &camera, &look);
        int others = 0;
        for (int i = 0; i < SIZE * SIZE / 2; i++) others += abs(dry->rgb[3 * i + 2] - wet->rgb[3 * i + 2]) > 8;
        if (others > 100) fail_msg("from %d degrees %d pixels differ", azimuth, others);
        wadi_picture_destroy(dry);
        wadi_picture_destroy(wet);
    }
    wadi_landscape_destroy(l);
}

static double gentle(int x, int y) { return (void)y, 0.27 * x; } /* 15 degrees */
static double steep(int x, int y) { return (void)y, 1.2 * x; }   /* 50 degrees */

/* A river of one cell's width, down a plane, askew. */
static double downhill(int x, int y) { return 10 - 0.02 * x - 0.01 * y; }
static int river_row(int x) { return 20 + (int)(0.7 * x); }
static double brook(int x, int y) { return y == river_row(x) ? 0.001 : 1e-6; } /* under 0.002 m: no surface */
static double deep_brook(int x, int y) { return y == river_row(x) ? 0.1 : 1e-6; }
static double rain(int x, int y) { return (void)x, (void)y, 0.0005; }

static int blue_in_column(const wadi_picture *picture, int x) {
    int blue = 0;
    for (int y = 0; y < SIZE; y++) blue += at(picture, x, y)[2] > at(picture, x, y)[1];
    return blue;
}

/* In each column it crosses, on green ground; on dry ground it is a wash, without blue. A film of rain is none. The
 * lowest quality has no such rivers. */
static void narrow_rivers_are_unbroken_lines(void **state) {
    (void)state;
    double (*const waters[])(int x, int y) = {brook, deep_brook, rain};
    wadi_landscape *l = landscape_of(SIZE, SIZE, downhill);
    const wadi_camera above = from_above(SIZE);
    wadi_look look = wadi_default_look();
    look.shadows = false;
    for (size_t q = 0; q < 2; q++)
        for (int i = 0; i < 6; i++) {
            set_layer(l, WADI_LAYER_WATER, waters[i / 2]);
            look.quality = qualities[q];
            look.ground = i % 2 ? WADI_GROUND_DRY : WADI_GROUND_GREEN;
            const bool shows = waters[i / 2] != rain && look.ground == WADI_GROUND_GREEN;
            wadi_picture *picture = draw(l, &above, &look);
            for (int x = 5; x < SIZE - 5; x++) {
                const int blue = blue_in_column(picture, x);
                if (shows ? blue < 1 || blue > 4 : blue > 0)
                    fail_msg("quality %g, water %d: %d blue pixels in column %d", look.quality, i, blue, x);
            }
            wadi_picture_destroy(picture);
        }
    wadi_landscape_destroy(l);
}

/* With a threshold of 0.05 m the brook is not drawn, and the deep one is. With a map over the ground it keeps its
 * surface. */
static void rivers_heed_the_threshold_and_the_overlay(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, downhill);
    const wadi_camera above = from_above(SIZE);
    wadi_look look = wadi_default_look(), map = overlaid("velocity");
    look.shadows = map.shadows = false;
    look.water_threshold_m = 0.05;
    wadi_picture *dry = draw(l, &above, &look);
    set_layer(l, WADI_LAYER_OVERLAY, one);
    wadi_picture *dry_map = draw(l, &above, &map);
    set_layer(l, WADI_LAYER_WATER, brook);
    wadi_picture *shallow = draw(l, &above, &look);
    set_layer(l, WADI_LAYER_WATER, deep_brook);
    wadi_picture *deep = draw(l, &above, &look), *deep_map = draw(l, &above, &map);
    for (int x = 5; x < SIZE - 5; x++) {
        const int y = river_row(x);
        assert_memory_equal(at(dry, x, y), at(shallow, x, y), 3);
        assert_memory_not_equal(at(dry, x, y), at(deep, x, y), 3);
        assert_memory_not_equal(at(dry_map, x, y), at(deep_map, x, y), 3);
    }
    wadi_picture_destroy(dry);
    wadi_picture_destroy(dry_map);
    wadi_picture_destroy(shallow);
    wadi_picture_destroy(deep);
    wadi_picture_destroy(deep_map);
    wadi_landscape_destroy(l);
}

static double trench(int x, int y) { return (void)y, x == 100 ? -10 : 0; }
static double lake_over_trench(int x, int y) { return 1 - trench(x, y); }

/* A river that a lake has flooded is darker than the lake, not a pale line. */
static void a_trench_in_a_lake_is_no_river(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, trench);
    const wadi_camera above = from_above(SIZE);
    set_layer(l, WADI_LAYER_WATER, lake_over_trench);
    for (size_t q = 0; q < sizeof qualities / sizeof *qualities; q++) {
        wadi_look look = wadi_default_look();
        look.shadows = false;
        look.quality = qualities[q];
        look.water_threshold_m = 0.1; /* else all the water is a film */
        wadi_picture *picture = draw(l, &above, &look);
        for (int y = 10; y < SIZE - 10; y++) assert_true(at(picture, 100, y)[0] <= at(picture, 50, y)[0] + 8);
        wadi_picture_destroy(picture);
    }
    wadi_landscape_destroy(l);
}

static double bay(int x, int y) { return (void)y, x < 100 ? -2 : 0.15 * (x - 99); }
static double deep_bay(int x, int y) { return x < 100 ? -40 : bay(x, y); }
static double sea_of_bay(int x, int y) { return fmax(-bay(x, y), 0); }
static double sea_of_deep_bay(int x, int y) { return fmax(-deep_bay(x, y), 0); }

/* Woods, grass, rock and snow go by the height above the sea, however deep it is. */
static void a_deep_sea_leaves_the_land_as_it_is(void **state) {
    (void)state;
    wadi_landscape *seas[] = {landscape_of(SIZE, SIZE, bay), landscape_of(SIZE, SIZE, deep_bay)};
    wadi_picture *pictures[2];
    const wadi_camera above = from_above(SIZE);
    wadi_look look = wadi_default_look();
    look.shadows = false;
    set_layer(seas[0], WADI_LAYER_WATER, sea_of_bay);
    set_layer(seas[1], WADI_LAYER_WATER, sea_of_deep_bay);
    for (int i = 0; i < 2; i++) pictures[i] = draw(seas[i], &above, &look);
    for (int y = 5; y < SIZE - 5; y++)
        for (int x = 105; x < SIZE - 5; x++)
            for (int c = 0; c < 3; c++) assert_in_range(at(pictures[0], x, y)[c] - at(pictures[1], x, y)[c] + 2, 0, 4);
    for (int i = 0; i < 2; i++) {
        wadi_picture_destroy(pictures[i]);
        wadi_landscape_destroy(seas[i]);
    }
}

static double plateau(int x, int y) { return (void)y, x < 64 ? 30 : 0.1 * (x - 64); }
static double tarn(int x, int y) { return (void)y, x < 64 ? 1 : 0; }

/* A lake on a plateau is no sea, even at the rim: the land below it stays as it is. */
static void a_lake_above_the_land_is_no_sea(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, plateau);
    const wadi_camera above = from_above(SIZE);
    wadi_look look = wadi_default_look();
    look.shadows = false;
    wadi_picture *dry = draw(l, &above, &look);
    set_layer(l, WADI_LAYER_WATER, tarn);
    wadi_picture *wet = draw(l, &above, &look);
    for (int x = 70; x < SIZE - 5; x++) assert_memory_equal(at(dry, x, 100), at(wet, x, 100), 3);
    wadi_picture_destroy(dry);
    wadi_picture_destroy(wet);
    wadi_landscape_destroy(l);
}

/* Water and ice may come before the ground, and may cover all of it. */
static void what_lies_on_the_ground_is_drawn_alone(void **state) {
    (void)state;
    const wadi_layer layers[] = {WADI_LAYER_WATER, WADI_LAYER_ICE};
    for (int i = 0; i < 2; i++) {
        wadi_landscape *l;
        const wadi_camera above = from_above(SIZE);
        wadi_look look = wadi_default_look();
        OK(wadi_landscape_create(SIZE, SIZE, 1, 1, &l));
        set_layer(l, layers[i], one);
        wadi_picture_destroy(draw(l, &above, &look));
        OK(wadi_landscape_settle(l, &look));
        set_layer(l, WADI_LAYER_HEIGHT, flat);
        wadi_picture_destroy(draw(l, &above, &look));
        wadi_landscape_destroy(l);
    }
}

/* Cells without data stay holes under ice, and ice without data is none. */
static void ice_leaves_holes(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, with_a_hole);
    wadi_look look = wadi_default_look();
    look.shadows = false;
    set_layer(l, WADI_LAYER_ICE, with_a_hole);
    const wadi_camera above = from_above(SIZE);
    wadi_picture *picture = draw(l, &above, &look);
    assert_true(at(picture, 20, 20)[2] > 150);
    wadi_landscape *bare = landscape_of(SIZE, SIZE, with_a_hole);
    wadi_picture *hole = draw(bare, &above, &look);
    assert_memory_equal(at(picture, 100, 100), at(hole, 100, 100), 3);
    wadi_picture_destroy(picture);
    wadi_picture_destroy(hole);
    wadi_landscape_destroy(l);
    wadi_landscape_destroy(bare);
}

/* A bowl of ice, with a level surface: the picture is that of level ground, but white. */
static void ice_lies_on_the_ground(void **state) {
    (void)state;
    wadi_landscape *icy = landscape_of(SIZE, SIZE, bowl), *level = landscape_of(SIZE, SIZE, bowl_up_to_5);
    wadi_look look = wadi_default_look();
    look.height_low = 0, look.height_high = 45;
    set_layer(icy, WADI_LAYER_ICE, pond);
    const wadi_camera above = from_above(SIZE);
    wadi_picture *ice = draw(icy, &above, &look), *ground = draw(level, &above, &look);
    const uint8_t *white = at(ice, 100, 100), *green = at(ground, 100, 100);
    assert_true(white[2] > 180 && white[2] >= white[0] && green[2] < 140);
    for (int x = 2; x < 12; x++)
        assert_true(abs(at(ice, x, 100)[0] - at(ground, x, 100)[0]) <= 2); /* far from the ice */
    double x, y, other_x, other_y;
    wadi_camera oblique = wadi_landscape_camera(level);
    assert_true(wadi_landscape_pick(icy, &oblique, &look, SIZE, SIZE, 100, 100, &x, &y));
    assert_true(wadi_landscape_pick(level, &oblique, &look, SIZE, SIZE, 100, 100, &other_x, &other_y));
    assert_true(fabs(x - other_x) < 0.1 && fabs(y - other_y) < 0.1);
    wadi_picture_destroy(ice);
    OK(wadi_landscape_clear(icy, WADI_LAYER_ICE));
    wadi_landscape *never = landscape_of(SIZE, SIZE, bowl);
    wadi_picture *cleared = draw(icy, &above, &look), *bare = draw(never, &above, &look);
    assert_memory_equal(cleared->rgb, bare->rgb, (size_t)SIZE * SIZE * 3);
    assert_int_equal(wadi_landscape_clear(icy, WADI_LAYER_HEIGHT), WADI_ERROR_ARGUMENT);
    wadi_picture_destroy(cleared);
    wadi_picture_destroy(bare);
    wadi_picture_destroy(ground);
    wadi_landscape_destroy(icy);
    wadi_landscape_destroy(level);
    wadi_landscape_destroy(never);
}

static double shelf(int x, int y) { return (void)y, x < 100 ? -2 : 2 + 0.01 * x; }
static double sea_of_shelf(int x, int y) { return fmax(-shelf(x, y), 0); }

/* Between the last cell of the sea and the first of the land the depth goes through that of a brook. */
static void no_brook_lies_along_a_shore(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, shelf);
    wadi_camera near = from_above(SIZE);
    near.distance /= 4; /* 4 pixels a cell */
    wadi_look look = wadi_default_look();
    look.shadows = false;
    set_layer(l, WADI_LAYER_WATER, sea_of_shelf);
    wadi_picture *picture = draw(l, &near, &look);
    for (int y = 5; y < SIZE - 5; y++) {
        assert_true(at(picture, 90, y)[2] > at(picture, 90, y)[1]);
        for (int x = 101; x < SIZE; x++) assert_true(at(picture, x, y)[2] < at(picture, x, y)[1]);
    }
    wadi_picture_destroy(picture);
    wadi_landscape_destroy(l);
}

/* Rock lies where the ground is steep, not where it is drawn so. */
static void exaggeration_bares_no_rock(void **state) {
    (void)state;
    wadi_landscape *slope = landscape_of(SIZE, SIZE, gentle), *wall = landscape_of(SIZE, SIZE, steep);
    wadi_look look = wadi_default_look();
    look.unlit = true;
    for (size_t q = 0; q < sizeof qualities / sizeof *qualities; q++) {
        look.quality = qualities[q];
        look.exaggeration = 1;
        const int as_it_is = green_pixels(slope, &look), on_rock = green_pixels(wall, &look);
        look.exaggeration = 4;
        const int exaggerated = green_pixels(slope, &look);
        if (as_it_is < SIZE * SIZE / 5 || abs(exaggerated - as_it_is) > SIZE * SIZE / 50 || on_rock > as_it_is / 4)
            fail_msg("green: %d, exaggerated %d, on a wall %d", as_it_is, exaggerated, on_rock);
    }
    wadi_landscape_destroy(slope);
    wadi_landscape_destroy(wall);
}

/* Also where all is tan. */
static void deposits_show_on_each_ground(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, flat);
    const wadi_camera camera = from_above(SIZE);
    wadi_look look = wadi_default_look();
    for (int ground = WADI_GROUND_GREEN; ground <= WADI_GROUND_DRY; ground++) {
        long laid = 0, bare = 0;
        look.ground = (wadi_ground)ground;
        set_layer(l, WADI_LAYER_CHANGE, silted);
        wadi_picture *picture = draw(l, &camera, &look);
        for (int x = 10; x < 90; x++)
            for (int c = 0; c < 3; c++) laid += at(picture, x, 100)[c], bare += at(picture, SIZE - x, 100)[c];
        if (laid < bare + 80 * 60) fail_msg("on ground %d: %ld, %ld", ground, laid / 80, bare / 80);
        wadi_picture_destroy(picture);
    }
    wadi_landscape_destroy(l);
}

static void no_data_is_not_drawn(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, with_a_hole);
    wadi_look look = wadi_default_look();
    look.sides = false;
    const wadi_camera camera = from_above(SIZE), beside = {.x = 400, .y = 100, .elevation = 90, .distance = 10};
    wadi_picture *sky = draw(l, &beside, &look), *picture = draw(l, &camera, &look);
    for (int i = 0; i < SIZE; i += 7)
        if (abs(i - 80) > 2 && abs(i - 120) > 2) {
            const uint8_t *p = at(picture, i, 100), *s = at(sky, i, 100);
            const bool is_sky = abs(p[0] - s[0]) + abs(p[1] - s[1]) + abs(p[2] - s[2]) <= 6;
            assert_int_equal(is_sky, i > 80 && i < 120);
        }
    wadi_picture_destroy(sky);
    wadi_picture_destroy(picture);
    wadi_landscape_destroy(l);
}

/* A layer that is set in parts gives the picture of a layer set as a whole. */
static void parts_of_a_picture_equal_the_whole(void **state) {
    (void)state;
    wadi_landscape *whole = landscape_of(SIZE, SIZE, rough), *parts = landscape_of(SIZE, SIZE, flat);
    float *map = map_of(SIZE, SIZE, rough), tile[40 * 40];
    for (int y = 0; y < SIZE; y += 40)
        for (int x = 0; x < SIZE; x += 40) {
            for (int row = 0; row < 40; row++) memcpy(&tile[40 * row], &map[(y + row) * SIZE + x], 40 * sizeof *tile);
            OK(wadi_landscape_set(parts, WADI_LAYER_HEIGHT, x, y, 40, 40, tile));
        }
    OK(wadi_landscape_set(whole, WADI_LAYER_HEIGHT, 0, 0, SIZE, SIZE, map));
    const wadi_look look = wadi_default_look();
    const wadi_camera camera = wadi_landscape_camera(whole);
    wadi_picture *a = draw(whole, &camera, &look), *b = draw(parts, &camera, &look);
    assert_memory_equal(a->rgb, b->rgb, (size_t)SIZE * SIZE * 3);
    wadi_picture_destroy(a);
    wadi_picture_destroy(b);
    wadi_landscape_destroy(whole);
    wadi_landscape_destroy(parts);
    free(map);
}

enum { WIDE = 599, HIGH = 437, TILES = 3 * 2 }; /* sizes whose halves are not exact */

static double ranges(int x, int y) { return 9 * sin(0.05 * x) + 7 * cos(0.04 * y) + rough(x, y) / 10; }
static double puddles(int x, int y) { return fmax(sin(0.11 * x) * cos(0.07 * y), 0); }

static wadi_picture *settle(wadi_landscape *l, const wadi_look *look) {
    const wadi_camera camera = wadi_landscape_camera(l);
    wadi_picture *picture = draw(l, &camera, look);
    for (int i = 0; !wadi_landscape_settled(l, look); i++) {
        assert_true(i < 10000);
        wadi_picture_destroy(picture);
        picture = draw(l, &camera, look);
    }
    return picture;
}

/* An updated layer gives the picture of a new one, once all derived data have followed. */
static void an_updated_layer_is_drawn_like_a_new_one(void **state) {
    (void)state;
    wadi_look look = overlaid("change");
    wadi_landscape *changed = landscape_of(WIDE, HIGH, ranges), *set;
    OK(wadi_landscape_create(WIDE, HIGH, 1, 1, &set));
    float *map = map_of(WIDE, HIGH, ranges);
    assert_int_equal(wadi_landscape_update(changed, WADI_LAYER_HEIGHT, map), 0);
    wadi_picture_destroy(settle(changed, &look));
    for (int i = 0; i < 20 * WIDE; i++) map[i + 300 * WIDE] += 12; /* a wall across the map */
    for (int x = 250; x < 270; x++) map[100 * WIDE + x] = NAN;
    assert_int_equal(wadi_landscape_update(changed, WADI_LAYER_HEIGHT, map), 5);
    assert_int_equal(wadi_landscape_update(changed, WADI_LAYER_HEIGHT, map), 0);
    OK(wadi_landscape_set(set, WADI_LAYER_HEIGHT, 0, 0, WIDE, HIGH, map));
    free(map);
    double (*const values[])(int x, int y) = {puddles, puddles, ranges, ranges, puddles};
    for (int layer = WADI_LAYER_WATER; layer < WADI_LAYERS; layer++) {
        map = map_of(WIDE, HIGH, values[layer - WADI_LAYER_WATER]);
        assert_int_equal(wadi_landscape_update(changed, (wadi_layer)layer, map), TILES);
        map[5] = NAN;
        assert_int_equal(wadi_landscape_update(changed, (wadi_layer)layer, map), 1);
        OK(wadi_landscape_set(set, (wadi_layer)layer, 0, 0, WIDE, HIGH, map));
        free(map);
    }
    wadi_picture *a = settle(changed, &look), *b = settle(set, &look);
    int differing = 0;
    for (int i = 0; i < SIZE * SIZE * 3; i++) differing += abs(a->rgb[i] - b->rgb[i]) > 6;
    assert_true(differing < 20); /* the scales come from fewer cells */
    wadi_picture_destroy(a);
    wadi_picture_destroy(b);
    wadi_landscape_destroy(changed);
    wadi_landscape_destroy(set);
}

static void updates_continue_where_they_stopped(void **state) {
    (void)state;
    bool all;
    wadi_landscape *l = landscape_of(WIDE, HIGH, flat);
    float *map = map_of(WIDE, HIGH, ranges);
    for (int sent = 0; sent < TILES; sent += 2) {
        assert_int_equal(wadi_landscape_update_some(l, WADI_LAYER_HEIGHT, map, 2, &all), 2);
        assert_int_equal(all, sent + 2 == TILES);
    }
    assert_int_equal(wadi_landscape_update_some(l, WADI_LAYER_HEIGHT, map, 2, &all), 0);
    assert_true(all);
    map[WIDE * HIGH - 1] += 1;
    assert_int_equal(wadi_landscape_update(l, WADI_LAYER_HEIGHT, map), 1);
    assert_int_equal(wadi_landscape_update(l, WADI_LAYERS, map), -1);
    free(map);
    wadi_landscape_destroy(l);
}

/* The sun in the west: east of a wall it is darker than without shadows, and west of it not. */
static double wall(int x, int y) { return (void)y, x == 100 || x == 101 ? 30 : 0; }
static void walls_throw_shadows(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, wall);
    const wadi_camera camera = from_above(SIZE);
    wadi_look look = wadi_default_look();
    look.sun_azimuth = 270, look.sun_elevation = 45;
    wadi_picture *shaded = draw(l, &camera, &look);
    look.shadows = false;
    wadi_picture *plain = draw(l, &camera, &look);
    assert_true(at(shaded, 110, 100)[1] < 0.75 * at(plain, 110, 100)[1]);
    assert_true(at(shaded, 160, 100)[1] > 0.85 * at(plain, 160, 100)[1]);
    assert_true(at(shaded, 60, 100)[1] > 0.85 * at(plain, 60, 100)[1]);
    wadi_picture_destroy(shaded);
    wadi_picture_destroy(plain);
    wadi_landscape_destroy(l);
}

/* Of the green of all pixels: the sum, and how many differ in two pictures by more than a little. */
static double all_green(const wadi_picture *p) {
    double sum = 0;
    for (int i = 0; i < SIZE * SIZE; i++) sum += p->rgb[3 * i + 1];
    return sum;
}
static int different_greens(const wadi_picture *a, const wadi_picture *b) {
    int count = 0;
    for (int i = 0; i < SIZE * SIZE; i++) count += abs(a->rgb[3 * i + 1] - b->rgb[3 * i + 1]) > 5;
    return count;
}

/* A plane of rock in the sun. From near the bumps show, which leave it as bright on the whole. On the map over the
 * ground, and in the colours of a texture, they do not show. */
static void bumps_are_in_the_light_alone(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, steep);
    const wadi_camera near = {.x = 100, .y = 100, .z = 100, .elevation = 90, .distance = 20, .view = 0};
    set_layer(l, WADI_LAYER_OVERLAY, steep);
    for (int i = 0; i < 3; i++) {
        wadi_look look = wadi_default_look();
        look.shadows = false, look.sun_elevation = 60, look.ground = i == 1 ? WADI_GROUND_DRY : WADI_GROUND_GREEN;
        if (i == 2) look.quality = 0.5;
        for (int form = 0; form < 3; form++) {
            look.overlay_name = form == 1 ? "flow" : NULL;
            look.unlit = form == 2;
            look.detail = false;
            wadi_picture *plain = draw(l, &near, &look);
            look.detail = true;
            wadi_picture *bumpy = draw(l, &near, &look);
            const int different = different_greens(plain, bumpy);
            if (form == 0) {
                assert_true(different > SIZE * SIZE / 30);
                assert_true(fabs(all_green(bumpy) / all_green(plain) - 1) < 0.02);
            } else {
                assert_int_equal(different, 0);
            }
            wadi_picture_destroy(plain);
            wadi_picture_destroy(bumpy);
        }
    }
    wadi_landscape_destroy(l);
}

static bool differ(const wadi_picture *a, const wadi_picture *b, int x, int y) {
    return memcmp(at(a, x, y), at(b, x, y), 3) != 0;
}

/* A bowl with a pond, from above and from the side. */
static wadi_landscape *pond_and_cameras(wadi_camera cameras[2]) {
    wadi_landscape *l = landscape_of(SIZE, SIZE, bowl);
    set_layer(l, WADI_LAYER_WATER, pond);
    cameras[0] = from_above(SIZE);
    cameras[1] = (wadi_camera){.x = 100, .y = 100, .azimuth = 30, .elevation = 50, .distance = 190, .view = 50};
    return l;
}

/* A change of the look changes those pixels whose cells have one of two values of `far`, and no others. */
static void changes_lie_at(wadi_landscape *l, const wadi_camera *camera, const wadi_look *look,
                           double (*far)(double x, double y), double value, double other) {
    wadi_look plain = wadi_default_look();
    plain.quality = look->quality;
    wadi_picture *before = draw(l, camera, &plain), *after = draw(l, camera, look);
    int near = 0;
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++) {
            double x, y;
            if (!wadi_landscape_pick(l, camera, &plain, SIZE, SIZE, i + 0.5, j + 0.5, &x, &y)) continue;
            const double off = fmin(fabs(far(x, y) - value), fabs(far(x, y) - other));
            if (off < 0.4) near++;
            if (off < 0.4 || off > 5) assert_int_equal(differ(before, after, i, j), off < 0.4);
        }
    assert_true(near > 60);
    wadi_picture_destroy(before);
    wadi_picture_destroy(after);
}

/* On ground and water: the ring crosses the shore, 50 cells from the middle. */
static double from_ring(double x, double y) { return hypot(x - 120.5, y - 90.5); }
static void a_ring_lies_around_its_cell(void **state) {
    (void)state;
    wadi_camera cameras[2];
    wadi_landscape *l = pond_and_cameras(cameras);
    const wadi_look plain = wadi_default_look();
    wadi_look look = plain;
    look.ring_x = 120.5, look.ring_y = 90.5, look.ring_radius_m = 40;
    for (int i = 0; i < 6; i++) {
        look.quality = qualities[i / 2];
        look.ring_falloff = 0;
        changes_lie_at(l, &cameras[i % 2], &look, from_ring, 40, 40);
        look.ring_falloff = 0.5;
        changes_lie_at(l, &cameras[i % 2], &look, from_ring, 40, 20);
    }
    look.quality = 1;
    /* bright, between dark edges, a few pixels in all */
    wadi_picture *before = draw(l, &cameras[0], &plain), *after = draw(l, &cameras[0], &look);
    const uint8_t *line = at(after, 160, 90), *inside = at(after, 158, 90), *outside = at(after, 162, 90);
    assert_true(line[0] > 200 && line[1] > 200 && line[2] > 180);
    assert_true(inside[1] < at(before, 158, 90)[1] && outside[1] < at(before, 162, 90)[1]);
    wadi_picture_destroy(after);
    look.ring_radius_m = 0;
    after = draw(l, &cameras[0], &look);
    assert_memory_equal(before->rgb, after->rgb, (size_t)SIZE * SIZE * 3);
    wadi_picture_destroy(before);
    wadi_picture_destroy(after);
    wadi_landscape_destroy(l);
}

static double from_line(double x, double y) { /* from 30, 60.5 to 170, 60.5 */
    return hypot(x < 30 ? x - 30 : x > 170 ? x - 170 : 0, y - 60.5);
}
static void a_line_lies_between_its_ends(void **state) {
    (void)state;
    wadi_camera cameras[2];
    wadi_landscape *l = pond_and_cameras(cameras);
    wadi_look look = wadi_default_look();
    look.line = true;
    look.line_x0 = 30, look.line_y0 = look.line_y1 = 60.5, look.line_x1 = 170;
    for (int i = 0; i < 2; i++) changes_lie_at(l, &cameras[i], &look, from_line, 0, 0);
    wadi_landscape_destroy(l);
}

static const double outline[][2] = {{40, 40.5}, {160.5, 60}, {90, 150}};
static double from_outline(double x, double y) {
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double *a = outline[i], *b = outline[(i + 1) % 3], ex = b[0] - a[0], ey = b[1] - a[1];
        const double t = fmin(fmax(((x - a[0]) * ex + (y - a[1]) * ey) / (ex * ex + ey * ey), 0), 1);
        least = fmin(least, hypot(x - a[0] - t * ex, y - a[1] - t * ey));
    }
    return least;
}

static void an_outline_is_closed(void **state) {
    (void)state;
    wadi_camera cameras[2];
    wadi_landscape *l = pond_and_cameras(cameras);
    wadi_look look = wadi_default_look();
    look.outline = outline, look.outline_corners = 3;
    for (int i = 0; i < 2; i++) changes_lie_at(l, &cameras[i], &look, from_outline, 0, 0);
    /* each of its edges can be seen */
    const wadi_look plain = wadi_default_look();
    wadi_picture *before = draw(l, &cameras[0], &plain), *after = draw(l, &cameras[0], &look);
    for (int i = 0; i < 3; i++) {
        const double *a = outline[i], *b = outline[(i + 1) % 3];
        const int x = (int)(0.5 * (a[0] + b[0])), y = (int)(0.5 * (a[1] + b[1]));
        assert_memory_not_equal(at(before, x, y), at(after, x, y), 3);
    }
    wadi_picture_destroy(before);
    wadi_picture_destroy(after);
    wadi_landscape_destroy(l);
}

/* Filled marks have their colour in the middle, circles do not. From far away they still cover some pixels. */
static void marks_are_visible_from_anywhere(void **state) {
    (void)state;
    wadi_camera cameras[2];
    wadi_landscape *l = pond_and_cameras(cameras);
    wadi_mark marks[70] = {{40.5, 100.5, 12, 0xff0000, true}, {100.5, 100.5, 12, 0xff0000, false}};
    const wadi_look plain = wadi_default_look();
    wadi_look look = plain;
    look.marks = marks, look.mark_count = 2;
    wadi_picture *before = draw(l, &cameras[0], &plain), *after = draw(l, &cameras[0], &look);
    assert_true(at(after, 40, 100)[0] > at(before, 40, 100)[0] + 40);
    assert_false(differ(before, after, 100, 100));
    for (int i = 0; i < 2; i++) assert_true(at(after, i == 0 ? 52 : 112, 100)[0] > 200);
    assert_false(differ(before, after, 58, 100));
    wadi_picture_destroy(before);
    wadi_picture_destroy(after);

    for (int i = 0; i < 70; i++) marks[i] = (wadi_mark){100, 100, 0, 0xff0000, true};
    look.mark_count = 70;
    cameras[1].distance = 4000;
    before = draw(l, &cameras[1], &plain), after = draw(l, &cameras[1], &look);
    int across = 0, up = 0;
    for (int i = 0; i < SIZE; i++) across += differ(before, after, i, 100), up += differ(before, after, 100, i);
    assert_true(across >= 6 && across <= 14);
    assert_true(up >= 5 && up <= 14);
    wadi_picture_destroy(before);
    wadi_picture_destroy(after);
    wadi_landscape_destroy(l);
}

/* The legend has the scale of the picture: a pixel has the hue that the legend gives. */
static double ramp(int x, int y) { return (void)y, x * 0.05; }
static double both_signs(int x, int y) { return (void)y, x - 100; }
static void the_legend_shows_the_scale(void **state) {
    (void)state;
    wadi_legend legend;
    wadi_landscape *l = landscape_of(SIZE, SIZE, flat);
    wadi_look look = wadi_default_look();
    assert_false(wadi_landscape_legend(l, &look, &legend));
    look = overlaid("velocity");
    assert_false(wadi_landscape_legend(l, &look, &legend)); /* there is no map */
    set_layer(l, WADI_LAYER_OVERLAY, ramp);
    assert_true(wadi_landscape_legend(l, &look, &legend));
    assert_string_equal(legend.title, "Velocity");
    assert_string_equal(legend.unit, "m/s");
    assert_true(legend.low == 0 && legend.high > 9.5 && legend.high < 10);
    assert_false(legend.logarithmic || legend.diverging || legend.empty);
    assert_true(legend.tick_count > 2 && legend.ticks[0] == 0 && legend.tick_positions[0] == 0);
    assert_true(fabs(legend.tick_positions[1] - legend.ticks[1] / legend.high) < 1e-9);
    assert_true(legend.rgb[0] != legend.rgb[WADI_LEGEND_STOPS - 1]);
    look = overlaid("flow");
    assert_true(wadi_landscape_legend(l, &look, &legend) && legend.logarithmic && legend.low > 0);
    look.overlay_low = 2, look.overlay_high = 3;
    assert_true(wadi_landscape_legend(l, &look, &legend) && legend.low == 2 && legend.high == 3);
    set_layer(l, WADI_LAYER_OVERLAY, both_signs);
    look = overlaid("change");
    assert_true(wadi_landscape_legend(l, &look, &legend) && legend.diverging && legend.low == -legend.high);
    wadi_landscape_destroy(l);
}

/* At the bottom left, and nowhere else. */
static void the_legend_is_drawn_in_its_corner(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, flat);
    const wadi_camera camera = from_above(SIZE);
    wadi_look look = overlaid("velocity");
    wadi_picture *plain = draw(l, &camera, &look), *bare = draw(l, &camera, &look);
    OK(wadi_landscape_decorate(l, &look, bare)); /* no map, no legend */
    assert_memory_equal(plain->rgb, bare->rgb, (size_t)SIZE * SIZE * 3);
    wadi_picture_destroy(plain);
    wadi_picture_destroy(bare);
    set_layer(l, WADI_LAYER_OVERLAY, ramp);
    plain = draw(l, &camera, &look);
    wadi_picture *picture = draw(l, &camera, &look);
    OK(wadi_landscape_decorate(l, &look, picture));
    assert_memory_equal(plain->rgb, picture->rgb, (size_t)SIZE * (SIZE - 100) * 3);
    const uint8_t *paper = at(picture, 18, SIZE - 18);
    assert_true(paper[0] > 240 && paper[1] > 240 && paper[2] > 235);
    wadi_picture_destroy(plain);
    wadi_picture_destroy(picture);
    wadi_landscape_destroy(l);
}

static bool same(const wadi_picture *a, const wadi_picture *b) {
    return memcmp(a->rgb, b->rgb, (size_t)a->width * (size_t)a->height * 3) == 0;
}

/* A settled look draws the same picture. After a change, unchanged parts keep their colours. */
static void settled_looks_keep_their_colours(void **state) {
    (void)state;
    wadi_landscape *l = landscape_of(SIZE, SIZE, bowl);
    const float deep = 50, high = 200, much = -90;
    set_layer(l, WADI_LAYER_WATER, pond);
    wadi_look look = wadi_default_look();
    look.shadows = false;
    const wadi_camera camera = from_above(SIZE);
    wadi_picture *open = draw(l, &camera, &look);
    OK(wadi_landscape_settle(l, &look));
    assert_true(look.deep_m > 0 && look.change_m > 0 && look.height_low < look.height_high);
    wadi_picture *settled = draw(l, &camera, &look);
    assert_true(same(open, settled));
    OK(wadi_landscape_set(l, WADI_LAYER_HEIGHT, 5, 5, 1, 1, &high));
    OK(wadi_landscape_set(l, WADI_LAYER_WATER, 195, 5, 1, 1, &deep));
    OK(wadi_landscape_set(l, WADI_LAYER_CHANGE, 5, 195, 1, 1, &much));
    wadi_picture *changed = draw(l, &camera, &look);
    for (int y = 20; y < SIZE - 20; y++)
        for (int x = 20; x < SIZE - 20; x++)
            for (int c = 0; c < 3; c++) assert_true(abs(at(open, x, y)[c] - at(changed, x, y)[c]) <= 1);
    wadi_picture_destroy(open);
    wadi_picture_destroy(settled);
    wadi_picture_destroy(changed);
    wadi_landscape_destroy(l);

    l = landscape_of(SIZE, SIZE, flat);
    look = wadi_default_look();
    OK(wadi_landscape_settle(l, &look));
    assert_true(look.deep_m == 0.45 && look.height_low == 5 && look.height_high == 6);
    wadi_landscape_destroy(l);
}

/* They have fewer mipmaps than there are scales of light. */
static void the_smallest_grids_are_drawn(void **state) {
    (void)state;
    static const int sizes[][2] = {{2, 2}, {3, 2}, {2, 3}, {16, 16}, {31, 31}, {33, 2}, {2, 70}};
    const wadi_look look = wadi_default_look();
    assert_true(look.shadows);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        wadi_landscape *l = landscape_of(sizes[i][0], sizes[i][1], rough);
        wadi_picture_destroy(settle(l, &look));
        wadi_landscape_destroy(l);
    }
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    wadi_landscape *l;
    wadi_offscreen *none;
    float v = 0;
    assert_int_equal(wadi_landscape_create(1, 5, 1, 1, &l), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_landscape_create(5, 5, 0, 1, &l), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_landscape_create(1 << 24, 2, 1, 1, &l), WADI_ERROR_UNSUPPORTED);
    assert_null(l);
    assert_int_equal(wadi_offscreen_open(0, 5, &none), WADI_ERROR_ARGUMENT);
    l = landscape_of(5, 5, flat);
    assert_int_equal(wadi_landscape_set(l, WADI_LAYER_HEIGHT, 5, 0, 1, 1, &v), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_landscape_set(l, WADI_LAYERS, 0, 0, 1, 1, &v), WADI_ERROR_ARGUMENT);
    const wadi_look look = wadi_default_look();
    wadi_camera camera = wadi_landscape_camera(l);
    camera.distance = NAN;
    assert_int_equal(wadi_landscape_draw(l, &camera, &look, 10, 10), WADI_ERROR_ARGUMENT);
    wadi_landscape_destroy(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picking_finds_the_drawn_cell),
        cmocka_unit_test(dry_ground_has_no_green),
        cmocka_unit_test(maps_are_drawn_at_their_cells),
        cmocka_unit_test(there_are_no_cracks),
        cmocka_unit_test(edges_are_smooth),
        cmocka_unit_test(water_is_drawn_where_it_is_deep_enough),
        cmocka_unit_test(a_film_leaves_the_ground_as_it_is),
        cmocka_unit_test(a_film_does_not_show_on_cliffs),
        cmocka_unit_test(narrow_rivers_are_unbroken_lines),
        cmocka_unit_test(a_deep_sea_leaves_the_land_as_it_is),
        cmocka_unit_test(rivers_heed_the_threshold_and_the_overlay),
        cmocka_unit_test(a_trench_in_a_lake_is_no_river),
        cmocka_unit_test(a_lake_above_the_land_is_no_sea),
        cmocka_unit_test(what_lies_on_the_ground_is_drawn_alone),
        cmocka_unit_test(ice_lies_on_the_ground),
        cmocka_unit_test(ice_leaves_holes),
        cmocka_unit_test(no_brook_lies_along_a_shore),
        cmocka_unit_test(exaggeration_bares_no_rock),
        cmocka_unit_test(deposits_show_on_each_ground),
        cmocka_unit_test(no_data_is_not_drawn),
        cmocka_unit_test(parts_of_a_picture_equal_the_whole),
        cmocka_unit_test(an_updated_layer_is_drawn_like_a_new_one),
        cmocka_unit_test(updates_continue_where_they_stopped),
        cmocka_unit_test(walls_throw_shadows),
        cmocka_unit_test(bumps_are_in_the_light_alone),
        cmocka_unit_test(a_ring_lies_around_its_cell),
        cmocka_unit_test(a_line_lies_between_its_ends),
        cmocka_unit_test(an_outline_is_closed),
        cmocka_unit_test(marks_are_visible_from_anywhere),
        cmocka_unit_test(the_legend_shows_the_scale),
        cmocka_unit_test(the_legend_is_drawn_in_its_corner),
        cmocka_unit_test(settled_looks_keep_their_colours),
        cmocka_unit_test(the_smallest_grids_are_drawn),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    int code;
    if (!open_screen(SIZE, &code)) return code;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wadi_offscreen_close(screen);
    return failed;
}
