/* Painting: the effect of each brush and its place. It is the same on any engine, in the balance and in checkpoints. */
#include "scene.h"

#include "core/inside.h"
#include "wadi/paint.h"

static wadi_dab dab_of(wadi_brush brush, double x, double y, double strength) {
    return (wadi_dab){
        .brush = brush, .x = x, .y = y, .radius_m = 5, .strength = strength, .falloff = 0.5, .level_m = 7};
}

static scene wet_scene(const char *model, uint32_t seed) {
    scene made = scene_of(model, 40, 30, 1);
    make_hills(&made, 10, seed);
    fill_random(scene_field(&made, "water"), &made.def, 0, 0.2f, seed + 1);
    return made;
}

static float *painted(wadi_sim *sim, wadi_dab dab, const char *field, float **before) {
    *before = field_of(sim, field);
    OK(wadi_sim_paint(sim, &dab, 1));
    return field_of(sim, field);
}

/* Distance in m of a cell's centre from (20.5, 15.5); cells are square. */
static double distance_of(const scene *scene, int i) {
    return hypot(i % scene->def.width - 20, i / scene->def.width - 15) * scene->def.lx;
}

static void brushes_add_and_take(void **state) {
    (void)state;
    static const struct {
        wadi_brush brush;
        const char *field;
        double strength, low, high;
    } cases[] = {{WADI_BRUSH_RAISE, "height", 3, 3, 3},          {WADI_BRUSH_LOWER, "height", 3, -3, -3},
                 {WADI_BRUSH_WATER, "water", 1, 1, 1},           {WADI_BRUSH_DRAIN, "water", 9, -9, 0},
                 {WADI_BRUSH_HARDEN, "hardness", 0.2, 0.2, 0.2}, {WADI_BRUSH_SOFTEN, "hardness", 0.2, -0.2, -0.2},
                 {WADI_BRUSH_PROTECT, "mask", 0.4, -0.4, -0.4}};
    for (int steps = 0; steps < 2; steps++)
        for (int c = 0; c < COUNT(cases); c++) {
            scene scene = wet_scene("jako2011", 3);
            scene.def.lx = scene.def.ly = 1;
            draw_hardness(&scene, 0.3f, 0.7f, 5);
            wadi_sim *sim = run(&scene, steps * 5);
            float *before,
                *after = painted(sim, dab_of(cases[c].brush, 20.5, 15.5, cases[c].strength), cases[c].field, &before);
            for (int i = 0; i < 40 * 30; i++) {
                const double by = (double)after[i] - (double)before[i], far = distance_of(&scene, i);
                if (far > 5) assert_true(by >= 0 && by <= 0);
                if (far <= 2.5) assert_true(by >= cases[c].low - 1e-5 && by <= cases[c].high + 1e-5);
                if (far > 2.6 && far < 4.9)
                    assert_true(fabs(by) <= fmax(fabs(cases[c].low), fabs(cases[c].high)) + 1e-5);
                assert_true(strcmp(cases[c].field, "height") == 0 || after[i] >= 0);
            }
            float *eroded = field_of(sim, "erosion"), *laid = field_of(sim, "deposition");
            /* without the brush's change */
            for (int i = 0; i < 40 * 30; i++) assert_true(eroded[i] < 0.5f && laid[i] < 0.5f);
            free(before);
            free(after);
            free(eroded);
            free(laid);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
}

static void flatten_and_smooth(void **state) {
    (void)state;
    scene scene = wet_scene("mei2007", 4);
    wadi_sim *sim = run(&scene, 5);
    wadi_dab dab = dab_of(WADI_BRUSH_FLATTEN, 20.5, 15.5, 1);
    float *before, *after = painted(sim, dab, "height", &before);
    for (int i = 0; i < 40 * 30; i++)
        if (distance_of(&scene, i) <= 2.5) assert_true(fabs((double)after[i] - 7) < 2e-6);
    free(before);
    free(after);
    dab.brush = WADI_BRUSH_SMOOTH;
    dab.x = 10, dab.y = 10;
    double rough[2] = {0, 0};
    after = painted(sim, dab, "height", &before);
    for (int y = 8; y < 12; y++)
        for (int x = 8; x < 12; x++) {
            const int i = y * 40 + x;
            rough[0] += fabs((double)before[i] -
                             0.25 * (double)(before[i - 1] + before[i + 1] + before[i - 40] + before[i + 40]));
            rough[1] +=
                fabs((double)after[i] - 0.25 * (double)(after[i - 1] + after[i + 1] + after[i - 40] + after[i + 40]));
        }
    assert_true(rough[1] < 0.6 * rough[0]);
    free(before);
    free(after);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* --- engines --- */

static const wadi_dab many[] = {
    {WADI_BRUSH_RAISE, 10.2, 8.7, 6, 2, 0.7, 0}, {WADI_BRUSH_WATER, 12, 9, 4, 0.7, 1, 0},
    {WADI_BRUSH_LOWER, -1, 20, 8, 1.3, 0.2, 0},  {WADI_BRUSH_SMOOTH, 20, 20, 9, 0.8, 0.5, 0},
    {WADI_BRUSH_FLATTEN, 33, 12, 5, 0.6, 1, 4},  {WADI_BRUSH_PROTECT, 25, 15, 7, 0.9, 0.3, 0},
    {WADI_BRUSH_EXPOSE, 27, 15, 3, 0.5, 0.3, 0}, {WADI_BRUSH_DRAIN, 30, 25, 6, 0.1, 0, 0},
    {WADI_BRUSH_RAIN, 15, 15, 8, 0.01, 0.5, 0},  {WADI_BRUSH_DRY, 17, 15, 4, 0.1, 0.5, 0},
};

static const wadi_dab rising[] = {
    {WADI_BRUSH_UPLIFT, 14, 9, 9, 2, 0.7, 0},
    {WADI_BRUSH_QUIET, 20, 12, 4, 0.7, 1, 0},
    {WADI_BRUSH_ERODIBLE, 25, 18, 8, 3, 0.4, 0},
    {WADI_BRUSH_RESISTANT, 10, 18, 8, 3, 0.4, 0},
};

/* One that crosses itself, and leaves the grid. */
static const double star[][2] = {{20, -4}, {26.5, 27}, {2.25, 9}, {37, 8.5}, {12, 26}};

static void areas_of(wadi_brush brush, double strength, wadi_dab corners[COUNT(star)]) {
    for (int i = 0; i < COUNT(star); i++) corners[i] = (wadi_dab){brush, star[i][0], star[i][1], 7, strength, 0.6, 3};
}

static void paint_areas(wadi_sim *sim) {
    static const struct {
        wadi_brush brush;
        double strength;
    } areas[] = {{WADI_BRUSH_RAISE, 2},   {WADI_BRUSH_SMOOTH, 0.6}, {WADI_BRUSH_WATER, 0.3},
                 {WADI_BRUSH_PROTECT, 1}, {WADI_BRUSH_RAIN, 0.01},  {WADI_BRUSH_EXPOSE, 0.5}};
    for (int i = 0; i < COUNT(areas); i++) {
        wadi_dab corners[COUNT(star)];
        areas_of(areas[i].brush, areas[i].strength, corners);
        OK(wadi_sim_paint_area(sim, corners, COUNT(star)));
    }
}

static bool has_uplift(const scene *scene) { return wadi_parameter_of(scene->def.model, WADI_PARAMETER_UPLIFT) >= 0; }

static wadi_sim *run_painted(const scene *scene, bool again) {
    wadi_sim *sim = run(scene, 4);
    OK(wadi_sim_paint(sim, many, COUNT(many)));
    if (has_uplift(scene)) OK(wadi_sim_paint(sim, rising, COUNT(rising)));
    paint_areas(sim);
    OK(wadi_sim_step(sim, 6));
    if (again) {
        tape tape = {0};
        void *note = NULL;
        size_t note_bytes = 0;
        wadi_sim *other;
        OK(wadi_sim_save(sim, NULL, 0, record, &tape));
        OK(wadi_sim_restore(play, &tape, &scene->def, &other, &note, &note_bytes));
        free(note);
        free(tape.bytes);
        wadi_sim_destroy(sim);
        sim = other;
    }
    OK(wadi_sim_paint(sim, many, 3));
    OK(wadi_sim_step(sim, 5));
    const wadi_drops drops = {1.5, 2 * scene->def.lx, 0.01};
    OK(wadi_sim_set_drops(sim, &drops));
    OK(wadi_sim_step(sim, 4));
    return sim;
}

static void engines_agree(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int boundary = 0; boundary < 3; boundary++) {
            uint32_t seed = 77;
            scene scene = wet_scene(wadi_model_id(wadi_model_at((size_t)m)), 9);
            scene.def.boundary = (wadi_boundary)boundary;
            drop_cells(&scene, 3, &seed);
            scene.def.engine = WADI_ENGINE_REFERENCE;
            wadi_sim *expected = run_painted(&scene, false);
            scene.def.engine = WADI_ENGINE_CPU;
            for (int i = 0; i < 3; i++) {
                scene.def.threads = 1 + i;
                wadi_sim *sim = run_painted(&scene, i == 2);
                assert_same_state(sim, expected, "painted");
                const wadi_mass mass = mass_of(sim);
                const wadi_balance *solid = &mass.solid, *water = &mass.water;
                assert_true(fabs(solid->residual) <= 1e-6 * (mass.moved + solid->in + 1));
                assert_true(fabs(water->residual) <= 1e-5 * (water->in + water->before + 1));
                assert_true(solid->in + solid->out > 0 && fabs(solid->after - solid->before - solid->in + solid->out) <=
                                                              1e-5 * (solid->in + solid->out + mass.moved));
                wadi_sim_destroy(sim);
            }
            wadi_sim_destroy(expected);
            scene_free(&scene);
        }
}

/* Painted rain shows in the water of a cell. A single value replaces it; drops come and go. */
static void rain_is_painted(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        scene scene = scene_of(model_id(m), 40, 30, 1);
        make_hills(&scene, 10, 5);
        scene.def.lx = scene.def.ly = 1;
        double low, high;
        wadi_def_bounds(&scene.def, wadi_model_parameter_index(scene.def.model, "rain"), &low, &high);
        OK(wadi_def_set(&scene.def, "rain", 0));
        wadi_sim *sim = run(&scene, 2);
        wadi_dab dab = dab_of(WADI_BRUSH_RAIN, 20.5, 15.5, 0.01);
        dab.falloff = 0;
        OK(wadi_sim_paint(sim, &dab, 1));
        float *rain = field_of(sim, "rain");
        for (int i = 0; i < 40 * 30; i++) {
            const float expected = distance_of(&scene, i) <= 5 ? 0.01f : 0;
            assert_true(rain[i] >= expected && rain[i] <= expected);
        }
        free(rain);
        dab.strength = 1e5;
        OK(wadi_sim_paint(sim, &dab, 1));
        rain = field_of(sim, "rain");
        assert_true((double)rain[15 * 40 + 20] <= high && (double)rain[15 * 40 + 20] >= 0.999999 * high);
        free(rain);
        OK(wadi_sim_set_parameter(sim, "rain", 0.001));
        rain = field_of(sim, "rain");
        for (int i = 0; i < 40 * 30; i++) assert_true(rain[i] >= 0.001f && rain[i] <= 0.001f);
        free(rain);
        const double before = mass_of(sim).rained;
        OK(wadi_sim_set_parameter(sim, "rain", 0));
        const wadi_drops drops = {3, 2, 0.5}, bad = {-1, 2, 0.5};
        OK(wadi_sim_set_drops(sim, &drops));
        REFUSED(wadi_sim_set_drops(sim, &bad), WADI_ERROR_ARGUMENT, "drops");
        OK(wadi_sim_step(sim, 3));
        const bool takes_water = strcmp(model_id(m), "olsen2004") != 0; /* its thermal form has no rain */
        if (takes_water) assert_true(mass_of(sim).rained > before);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Uplift adds; erodibility is multiplied. Both stay within the parameter's range, and the ground follows. */
static void uplift_and_erodibility_are_painted(void **state) {
    (void)state;
    scene scene = wet_scene("schott2023", 5);
    set(&scene, "U", 0);
    wadi_sim *sim = start(&scene);
    const double K = scene_value(&scene.def, "K");
    const wadi_dab dabs[] = {dab_of(WADI_BRUSH_UPLIFT, 20.5, 15.5, 0.3), dab_of(WADI_BRUSH_QUIET, 20.5, 15.5, 0.1),
                             dab_of(WADI_BRUSH_QUIET, 5, 5, 1), dab_of(WADI_BRUSH_ERODIBLE, 20.5, 15.5, 5),
                             dab_of(WADI_BRUSH_RESISTANT, 20.5, 15.5, 1)};
    OK(wadi_sim_paint(sim, dabs, COUNT(dabs)));
    float *uplift = field_of(sim, "uplift"), *erodibility = field_of(sim, "erodibility");
    for (int i = 0; i < 40 * 30; i++) {
        const double far = distance_of(&scene, i) / scene.def.lx;
        if (far < 2) assert_true(fabs((double)uplift[i] - 0.2) < 1e-6);
        if (far < 2) assert_true(fabs((double)erodibility[i] / (3 * K) - 1) < 1e-6);
        if (far > 6) assert_true(uplift[i] <= 0 && fabs((double)erodibility[i] / K - 1) < 1e-6);
    }
    free(uplift);
    free(erodibility);
    OK(wadi_sim_step(sim, 20));
    const double risen = mass_of(sim).advected;
    assert_true(risen > 0);
    double low, high;
    wadi_def_bounds(&scene.def, wadi_model_parameter_index(scene.def.model, "U"), &low, &high);
    const wadi_dab more = dab_of(WADI_BRUSH_UPLIFT, 20.5, 15.5, 1e5);
    OK(wadi_sim_paint(sim, &more, 1));
    uplift = field_of(sim, "uplift");
    assert_true((double)uplift[15 * 40 + 20] <= high && (double)uplift[15 * 40 + 20] >= 0.999999 * high);
    free(uplift);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* the values, shifted by (dx, dy) with wrap */
static void shift(const wadi_def *def, const float *values, float *shifted, int dx, int dy) {
    for (int y = 0; y < def->height; y++)
        for (int x = 0; x < def->width; x++)
            shifted[(y + dy) % def->height * def->width + (x + dx) % def->width] = values[y * def->width + x];
}

static void dabs_wrap_around_a_periodic_border(void **state) {
    (void)state;
    static const char *const names[] = {"height", "water", "hardness", "mask", "rain", "uplift", "erodibility"};
    enum { DX = 23, DY = 17 };
    for (int b = 0; b < WADI_BRUSHES; b++)
        for (int wide = 0; wide < 2; wide++) {
            scene scene = wet_scene(b < WADI_BRUSH_UPLIFT ? "jako2011" : "schott2023", 6);
            scene.def.boundary = WADI_WRAP;
            set_rain(&scene, 0.001);
            draw_hardness(&scene, 0.3f, 0.7f, 5);
            struct scene other = scene;
            for (int f = 0; f < scene.fields; f++) {
                other.field[f] = malloc(cells_of(&scene.def) * sizeof(float));
                shift(&scene.def, scene.field[f], other.field[f], DX, DY);
            }
            wadi_sim *sim = start(&scene), *moved = start(&other);
            /* across two borders at once, and from outside the grid */
            wadi_dab dab = {(wadi_brush)b, 0.25, -1.5, wide ? 30 : 5, 0.3, 0.6, 4};
            OK(wadi_sim_paint(sim, &dab, 1));
            dab.x += DX, dab.y += DY;
            OK(wadi_sim_paint(moved, &dab, 1));
            bool changed = false;
            for (int f = 0; f < COUNT(names); f++) {
                if (!wadi_sim_has(sim, names[f])) continue;
                float *one = field_of(sim, names[f]), *two = field_of(moved, names[f]);
                float *shifted = malloc(cells_of(&scene.def) * sizeof *shifted);
                shift(&scene.def, one, shifted, DX, DY);
                if (memcmp(shifted, two, cells_of(&scene.def) * sizeof *two) != 0)
                    fail_msg("%s: %s has a seam", wadi_brush_name(dab.brush), names[f]);
                for (int g = 0; g < scene.fields; g++)
                    changed |=
                        strcmp(scene.name[g], names[f]) == 0 && one[40 * 29 + 39] != scene.field[g][40 * 29 + 39];
                changed |= f >= 3 && one[40 * 29 + 39] != one[40 * 14 + 19];
                free(one);
                free(two);
                free(shifted);
            }
            if (!changed && !wide && b != WADI_BRUSH_EXPOSE)
                fail_msg("%s: nothing beyond the border", wadi_brush_name(dab.brush));
            wadi_sim_destroy(sim);
            wadi_sim_destroy(moved);
            scene_free(&scene);
            scene_free(&other);
        }
}

/* Turns of the outline around a place, by the angles of its corners; and the distance in m to the outline. */
static double turns_around(double x, double y) {
    double turned = 0;
    for (int i = 0; i < COUNT(star); i++) {
        const double *a = star[i], *b = star[(i + 1) % COUNT(star)];
        turned += remainder(atan2(b[1] - y, b[0] - x) - atan2(a[1] - y, a[0] - x), 2 * 3.14159265358979324);
    }
    return fabs(turned) / (2 * 3.14159265358979324);
}

static double distance_to_star(const wadi_def *def, double x, double y) {
    double least = INFINITY;
    for (int i = 0; i < COUNT(star); i++) /* a thousand places of each edge */
        for (int k = 0; k <= 1000; k++) {
            const double *a = star[i], *b = star[(i + 1) % COUNT(star)], t = k / 1000.0;
            least =
                fmin(least, hypot((a[0] + t * (b[0] - a[0]) - x) * def->lx, (a[1] + t * (b[1] - a[1]) - y) * def->ly));
        }
    return least;
}

static void an_area_is_what_its_outline_goes_round(void **state) {
    (void)state;
    for (int soft = 0; soft < 2; soft++) {
        scene scene = wet_scene("mei2007", 3);
        scene.def.lx = 1, scene.def.ly = 1.5;
        wadi_sim *sim = start(&scene);
        wadi_dab corners[COUNT(star)];
        areas_of(WADI_BRUSH_RAISE, 1, corners);
        for (int i = 0; i < COUNT(star); i++) corners[i].falloff = soft ? 0.3 : 0;
        float *before = field_of(sim, "height");
        OK(wadi_sim_paint_area(sim, corners, COUNT(star)));
        float *after = field_of(sim, "height");
        int inside = 0, between = 0;
        for (int i = 0; i < 40 * 30; i++) {
            const double x = i % 40 + 0.5, y = i / 40 + 0.5, by = (double)after[i] - (double)before[i];
            const double far = distance_to_star(&scene.def, x, y), t = soft ? fmin(far / (0.3 * 7), 1) : 1;
            const double expected = turns_around(x, y) > 0.5 ? t * t * (3 - 2 * t) : 0;
            if (far > 0.01 && fabs(by - expected) > 0.002) fail_msg("cell %d: %g for %g", i, by, expected);
            inside += expected >= 1, between += expected > 0 && expected < 1;
        }
        assert_true(inside > (soft ? 20 : 200) && (soft ? between > 50 : between == 0));
        free(before);
        free(after);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* A tile paints its part of the whole, by dabs and areas of the same places. */
static void tiles_paint_the_same(void **state) {
    (void)state;
    enum { X = 13, Y = 6, WIDTH = 17, HEIGHT = 15 };
    scene scene = wet_scene("mei2007", 3), part = scene_of("mei2007", WIDTH, HEIGHT, 1);
    part.def.lx = scene.def.lx, part.def.ly = scene.def.ly;
    make_hills(&part, 10, 3);
    part.def.tile = (wadi_tile){X, Y, 40, 30, 0, 10};
    wadi_sim *whole = start(&scene), *tile = start(&part);
    wadi_dab corners[COUNT(star)];
    const wadi_dab dab = dab_of(WADI_BRUSH_PROTECT, 15.3, 9.1, 0.7);
    areas_of(WADI_BRUSH_PROTECT, 0.6, corners);
    wadi_sim *both[] = {whole, tile};
    for (int i = 0; i < 2; i++) {
        OK(wadi_sim_paint(both[i], &dab, 1));
        OK(wadi_sim_paint_area(both[i], corners, COUNT(star)));
    }
    float *all = field_of(whole, "mask"), *some = field_of(tile, "mask");
    for (int y = 0; y < HEIGHT; y++)
        assert_memory_equal(some + y * WIDTH, all + (y + Y) * 40 + X, WIDTH * sizeof *some);
    free(all);
    free(some);
    wadi_sim_destroy(whole);
    wadi_sim_destroy(tile);
    scene_free(&scene);
    scene_free(&part);
}

enum { BAYS = 300 };

/* A coast with bays of any size, which crosses itself here and there. */
static void coast(wadi_dab corners[BAYS]) {
    for (int i = 0; i < BAYS; i++) {
        const double turn = 6.283185307179586 * i / BAYS, far = 30 + 14 * sin(17 * turn) + 5 * sin(71 * turn + 1);
        const double x = 50 + 1.2 * far * cos(turn), y = 40 + far * sin(turn);
        corners[i] = (wadi_dab){WADI_BRUSH_PROTECT, x, y, 12, 1, 1, 0};
    }
}

static double distance_to_coast(const wadi_dab corners[BAYS], double x, double y) {
    double least = INFINITY;
    for (int i = 0; i < BAYS; i++) {
        const wadi_dab *a = &corners[i], *b = &corners[(i + 1) % BAYS];
        const double ex = b->x - a->x, ey = b->y - a->y;
        const double t = fmin(fmax(((x - a->x) * ex + (y - a->y) * ey) / (ex * ex + ey * ey), 0), 1);
        least = fmin(least, hypot(a->x + t * ex - x, a->y + t * ey - y));
    }
    return least;
}

static float *mask_of_coast(wadi_tile tile, int width, int height, int threads) {
    wadi_dab corners[BAYS];
    scene scene = scene_of("mei2007", width, height, 1);
    scene.def.lx = scene.def.ly = 1, scene.def.tile = tile, scene.def.threads = threads;
    make_hills(&scene, 10, 3);
    wadi_sim *sim = start(&scene);
    coast(corners);
    OK(wadi_sim_paint_area(sim, corners, BAYS));
    float *mask = field_of(sim, "mask");
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return mask;
}

/* The nearest edge counts, whatever block of cells, thread or tile looks for it. */
static void areas_know_their_nearest_edge(void **state) {
    (void)state;
    enum { X = 23, Y = 17, WIDTH = 51, HEIGHT = 45 };
    float *whole = mask_of_coast((wadi_tile){0}, 100, 80, 1), *threads = mask_of_coast((wadi_tile){0}, 100, 80, 3);
    float *tile = mask_of_coast((wadi_tile){X, Y, 100, 80, 0, 10}, WIDTH, HEIGHT, 2);
    wadi_dab corners[BAYS];
    coast(corners);
    int soft = 0;
    for (int i = 0; i < 100 * 80; i++) {
        const double t = fmin(distance_to_coast(corners, i % 100 + 0.5, i / 100 + 0.5) / 12, 1);
        const double by = 1 - (double)whole[i], w = t * t * (3 - 2 * t);
        if (by > 0 && fabs(by - w) > 1e-5) fail_msg("cell %d: %g for %g", i, by, w);
        soft += by > 0 && w < 1;
    }
    assert_true(soft > 1000);
    assert_memory_equal(whole, threads, 100 * 80 * sizeof *whole);
    for (int y = 0; y < HEIGHT; y++)
        assert_memory_equal(tile + y * WIDTH, whole + (y + Y) * 100 + X, WIDTH * sizeof *tile);
    free(whole);
    free(threads);
    free(tile);
}

static void bad_areas_are_refused(void **state) {
    (void)state;
    scene scene = wet_scene("mei2007", 2);
    wadi_sim *sim = start(&scene);
    wadi_dab corners[COUNT(star)];
    areas_of(WADI_BRUSH_RAISE, 1, corners);
    REFUSED(wadi_sim_paint_area(sim, corners, 2), WADI_ERROR_ARGUMENT, "three corners");
    REFUSED(wadi_sim_check_area(sim, corners, WADI_MOST_CORNERS + 1), WADI_ERROR_ARGUMENT, "at most 4096 corners");
    corners[2].x = NAN;
    REFUSED(wadi_sim_paint_area(sim, corners, COUNT(star)), WADI_ERROR_ARGUMENT, "dab 3");
    areas_of(WADI_BRUSH_HARDEN, 1, corners);
    REFUSED(wadi_sim_check_area(sim, corners, COUNT(star)), WADI_ERROR_ARGUMENT, "no hardness");
    areas_of(WADI_BRUSH_RAISE, 1, corners);
    for (int i = 0; i < COUNT(star); i++) corners[i].x += 100; /* beyond the grid: nothing to paint */
    float *before = field_of(sim, "height");
    OK(wadi_sim_paint_area(sim, corners, COUNT(star)));
    float *after = field_of(sim, "height");
    assert_memory_equal(before, after, 40 * 30 * sizeof *after);
    free(before);
    free(after);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

static void bad_dabs_are_refused(void **state) {
    (void)state;
    scene scene = wet_scene("mei2007", 2);
    wadi_sim *sim = run(&scene, 3), *same = run(&scene, 3);
    const wadi_dab good = dab_of(WADI_BRUSH_RAISE, 5, 5, 1);
    wadi_dab bad[11];
    for (int i = 0; i < COUNT(bad); i++) bad[i] = good;
    bad[0].brush = WADI_BRUSHES, bad[1].x = NAN, bad[2].radius_m = 0, bad[3].radius_m = INFINITY, bad[4].falloff = 1.1;
    bad[5].strength = -1, bad[6].brush = WADI_BRUSH_SMOOTH, bad[6].strength = 1.5, bad[7].brush = WADI_BRUSH_HARDEN;
    bad[8].brush = WADI_BRUSH_FLATTEN, bad[8].level_m = NAN;
    bad[9].brush = WADI_BRUSH_UPLIFT, bad[10].brush = WADI_BRUSH_RESISTANT; /* this model has neither */
    for (int i = 0; i < COUNT(bad); i++) {
        const wadi_dab two[] = {good, bad[i]};
        REFUSED(wadi_sim_paint(sim, two, 2), WADI_ERROR_ARGUMENT, "dab 2");
    }
    OK(wadi_sim_step(sim, 3));
    OK(wadi_sim_step(same, 3));
    assert_same_state(sim, same, "after refusals");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(same);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brushes_add_and_take),
        cmocka_unit_test(flatten_and_smooth),
        cmocka_unit_test(engines_agree),
        cmocka_unit_test(rain_is_painted),
        cmocka_unit_test(uplift_and_erodibility_are_painted),
        cmocka_unit_test(dabs_wrap_around_a_periodic_border),
        cmocka_unit_test(an_area_is_what_its_outline_goes_round),
        cmocka_unit_test(areas_know_their_nearest_edge),
        cmocka_unit_test(tiles_paint_the_same),
        cmocka_unit_test(bad_areas_are_refused),
        cmocka_unit_test(bad_dabs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
