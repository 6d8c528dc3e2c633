/* The sea: land below its level is flooded at the start, it rests, it holds the border, and the balance counts it.
 * labels: physics */
#include "scene.h"

#include <wadi/terrain.h>

#include "core/take.h"

/* Hills with an open border; about half of them are below the level of 6.25 m. */
static scene coast(const char *model, int variant) {
    scene made = scene_of(model, 41, 33, 1);
    made.def.boundary = WADI_OPEN;
    made.def.engine = scene_engines[variant & 1];
    apply(&made, kind_of(&made)->still);
    choose(&made, "pipes", variant & 2 ? "8" : "4");
    choose(&made, "pipe_area", variant & 2 ? "depth" : "constant");
    choose(&made, "sea", "on");
    set(&made, "sea_level", 6.25);
    make_hills(&made, 14, 7 + (uint32_t)variant);
    if (variant & 4) scene_field(&made, "height")[15 * 41 + 20] = NAN;
    return made;
}
#define EACH_COAST(m, variant) \
    for (int m = 0; m < pipe_models(); m++) \
        for (int variant = 0; variant < 8; variant++)

static void a_sea_at_rest_stays_at_rest(void **state) {
    (void)state;
    EACH_COAST(m, variant) {
        scene scene = coast(pipe_model(m), variant);
        set(&scene, "Ke", 0.05); /* the sea does not evaporate */
        wadi_sim *before = start(&scene), *after = run(&scene, 300);
        float *water = field_of(before, "water");
        int wet = 0, dry = 0;
        for (size_t i = 0; i < cells_of(&scene.def); i++) wet += water[i] > 0, dry += water[i] <= 0;
        if (wet < 100 || dry < 100) fail_msg("%d wet, %d dry", wet, dry);
        wadi_sim *fresh = start(&scene);
        OK(wadi_sim_set(fresh, "water", water, cells_of(&scene.def)));
        OK(wadi_sim_step(fresh, 300));
        const wadi_mass mass = mass_of(after);
        assert_true(mass.water.in <= 0 && mass.water.out <= 0 && mass.moved <= 0);
        const char *names[] = {"height", "water", "sediment", "flow", "fL", "fR", "fT", "fB"};
        for (int f = 0; f < COUNT(names); f++) {
            float *one = field_of(before, names[f]), *two = field_of(after, names[f]),
                  *three = field_of(fresh, names[f]);
            for (size_t i = 0; i < cells_of(&scene.def); i++)
                if (bits_of(one[i]) != bits_of(two[i]) || bits_of(one[i]) != bits_of(three[i]))
                    fail_msg("%s, %d: %s was %g, is %g", pipe_model(m), variant, names[f], (double)one[i],
                             (double)two[i]);
            free(one);
            free(two);
            free(three);
        }
        free(water);
        wadi_sim_destroy(before);
        wadi_sim_destroy(after);
        wadi_sim_destroy(fresh);
        scene_free(&scene);
    }
}

/* A plain at 10 m with hollows: A at the border, B that meets A at a corner, C that is closed, D around a hole in the
 * data. */
static void joined_land_is_flooded(void **state) {
    (void)state;
    scene scene = scene_of("mei2007", 12, 9, 1);
    scene.def.boundary = WADI_OPEN;
    choose(&scene, "sea", "on");
    set(&scene, "sea_level", 4);
    float *height = scene_field(&scene, "height");
    fill(height, &scene.def, 10);
    const int a = 0 * 12 + 3, b = 1 * 12 + 4, c = 5 * 12 + 2, d = 5 * 12 + 8, hole = 5 * 12 + 9;
    height[a] = 1, height[b] = 2.5f, height[c] = 1, height[d] = 3, height[hole] = NAN;
    wadi_sim *sim = start(&scene);
    float *water = field_of(sim, "water");
    assert_true(fabs((double)water[a] - 3) <= 0 && fabs((double)water[b] - 1.5) <= 0);
    assert_true(water[c] <= 0 && fabs((double)water[d] - 1) <= 0);
    assert_true(fabs(sum_of(water, cells_of(&scene.def)) - 5.5) <= 0);
    OK(wadi_sim_set_parameter(sim, "sea_level", 2)); /* before the first step the sea goes where it would have been */
    free(water);
    water = field_of(sim, "water");
    assert_true(fabs((double)water[a] - 1) <= 0 && fabs(sum_of(water, cells_of(&scene.def)) - 1) <= 0);
    OK(wadi_sim_set_parameter(sim, "sea", 0));
    free(water);
    water = field_of(sim, "water");
    assert_true(sum_of(water, cells_of(&scene.def)) <= 0);
    free(water);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* By a stack of cells: what a cell below the level reaches from the border, or from a cell without data. */
static void flood_plainly(const float *heights, int width, int height, float level, bool *sea) {
    int *stack = malloc((size_t)(width * height) * 10 * sizeof *stack), count = 0;
    for (int y = -1; y <= height; y++)
        for (int x = -1; x <= width; x++) {
            const bool outside = x < 0 || y < 0 || x == width || y == height;
            for (int k = 0; (outside || isnan(heights[y * width + x])) && k < 4; k++) {
                const int u = x + (k - 1) % 2, v = y + (k - 2) % 2;
                if (u >= 0 && v >= 0 && u < width && v < height) stack[count++] = v * width + u;
            }
        }
    while (count > 0) {
        const int cell = stack[--count], x = cell % width, y = cell / width;
        if (sea[cell] || !(heights[cell] < level)) continue;
        sea[cell] = true;
        for (int k = 0; k < 9; k++) {
            const int u = x + k % 3 - 1, v = y + k / 3 - 1;
            if (u >= 0 && v >= 0 && u < width && v < height) stack[count++] = v * width + u;
        }
    }
    free(stack);
}

/* Mazes of chance, and channels that wind along x and along y. */
static void the_sea_finds_its_way(void **state) {
    (void)state;
    static const int sizes[][2] = {{61, 47}, {1, 30}, {30, 1}, {2, 2}, {96, 8}};
    int flooded = 0, dry = 0;
    for (int i = 0; i < 5 * 12; i++) {
        const int width = sizes[i % 5][0], height = sizes[i % 5][1], cells = width * height, kind = i / 5;
        float *heights = malloc((size_t)cells * sizeof *heights), *water = calloc((size_t)cells, sizeof *water);
        bool *sea = calloc((size_t)cells, 1);
        for (int c = 0; c < cells; c++) {
            const int x = c % width, y = c / width;
            const float chance = (float)((uint32_t)(c + 7919 * i + 1) * 2654435761u >> 8) / 16777216.0f;
            heights[c] = chance < (kind < 10 ? 0.3f + 0.03f * (float)kind : 0) ? -1.0f : 1.0f;
            if (kind < 10 && chance > 0.99f) heights[c] = NAN;
            const int along = kind == 10 ? x : y, across = kind == 10 ? y : x, end = (kind == 10 ? width : height) - 2;
            if (kind >= 10 && (across % 2 == 1 || along == (across % 4 == 0 ? end : 1))) heights[c] = -1;
            if (kind >= 10 && (x == 0 || y == 0 || x == width - 1 || y == height - 1) && c != (kind == 10 ? width : 1))
                heights[c] = 1;
        }
        flood_plainly(heights, width, height, 0, sea);
        OK(wadi_flood_sea(heights, width, height, 0, water));
        for (int c = 0; c < cells; c++) {
            if (sea[c] != (water[c] > 0)) fail_msg("map %d, cell %d", i, c);
            flooded += sea[c], dry += !sea[c] && heights[c] < 0;
        }
        free(heights), free(water), free(sea);
    }
    if (!(flooded > 5000 && dry > 1000)) fail_msg("%d flooded, %d dry", flooded, dry);
}

static void assert_closed(const wadi_sim *sim, const char *what) {
    const wadi_mass mass = mass_of(sim);
    const double turned = mass.water.in + mass.water.out;
    if (!(turned > 0) || !(fabs(mass.water.residual) < 1e-5 * turned))
        fail_msg("%s: %g m3 of water missing of %g", what, mass.water.residual, turned);
    if (!(fabs(mass.solid.residual) <= 1e-6 * mass.moved + 1e-9))
        fail_msg("%s: %g m3 of solid missing of %g", what, mass.solid.residual, mass.moved);
}

/* A level that rises during the run comes in over the border, and one that falls goes out. */
static void a_new_level_crosses_the_border(void **state) {
    (void)state;
    EACH_COAST(m, variant) {
        if (variant > 3) continue;
        scene scene = coast(pipe_model(m), variant);
        set(&scene, "Ks", 0); /* the floods would dig the scene away */
        wadi_sim *sim = start(&scene);
        OK(wadi_sim_step(sim, 1));
        for (int rise = 1; rise >= -1; rise -= 2) {
            const wadi_mass before = mass_of(sim);
            OK(wadi_sim_set_parameter(sim, "sea_level", 6.25 + rise));
            OK(wadi_sim_step(sim, 1000));
            const wadi_mass after = mass_of(sim);
            const double came = before.water_over_border - after.water_over_border;
            if (!(came * rise > 0) || !(fabs(after.water.after - before.water.after - came) < 1e-3 * fabs(came)))
                fail_msg("%s, %d, rise %d: %g m3 came, %g are there, moved %g", pipe_model(m), variant, rise, came,
                         after.water.after - before.water.after, after.moved);
            float *water = field_of(sim, "water"), *height = field_of(sim, "height");
            const double level = (double)water[0] + (double)height[0];
            if (water[0] > 0 && fabs(level - 6.25 - rise) > 1e-6) fail_msg("the corner stands at %g", level);
            free(water);
            free(height);
            assert_closed(sim, pipe_model(m));
        }
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* A river with sediment builds land into the sea, and the sea stays level. */
static void a_river_ends_in_the_sea(void **state) {
    (void)state;
    EACH_COAST(m, variant) {
        if (variant & 4) continue;
        scene scene = scene_of(pipe_model(m), 48, 32, 1);
        scene.def.boundary = WADI_OPEN;
        scene.def.engine = scene_engines[variant & 1];
        set(&scene, "rain", 0);
        set(&scene, "dt", 0.1);
        set(&scene, "Kc", 0.2);
        choose(&scene, "pipes", variant & 2 ? "8" : "4");
        choose(&scene, "pipe_area", "depth");
        choose(&scene, "sea", "on");
        float *height = scene_field(&scene, "height");
        for (int y = 0; y < 32; y++) /* a valley that goes down to the right, and under the sea from x = 28 on */
            for (int x = 0; x < 48; x++) height[y * 48 + x] = 0.25f * (float)(28 - x) + 0.1f * (float)abs(y - 16);
        add_source(&scene, 4.5, 16.5, 1.5, 1);
        wadi_sim *sim = run(&scene, variant & 1 ? 3000 : 300);
        float *now = field_of(sim, "height"), *water = field_of(sim, "water");
        double settled = 0;
        for (int y = 0; y < 32; y++)
            for (int x = 34; x < 48; x++) {
                settled += fmax(0, (double)now[y * 48 + x] - (double)height[y * 48 + x]);
                const double level = (double)now[y * 48 + x] + (double)water[y * 48 + x];
                if (fabs(level) > 0.5) fail_msg("%s, %d: the sea stands at %g", pipe_model(m), variant, level);
            }
        const wadi_mass mass = mass_of(sim);
        if ((variant & 1) && !(settled > 0.01 * mass.moved))
            fail_msg("%s, %d: %g of %g m3 settled in the sea", pipe_model(m), variant, settled, mass.moved);
        if ((variant & 1) && !(mass.water_over_border > 0)) fail_msg("%s, %d: nothing left", pipe_model(m), variant);
        assert_closed(sim, pipe_model(m));
        free(now);
        free(water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void the_sea_is_taken_over(void **state) {
    (void)state;
    scene from = scene_of("olsen2004", 41, 33, 1), to = coast("jako2011", 3);
    from.def.boundary = WADI_OPEN;
    make_hills(&from, 14, 3);
    wadi_sim *first = run(&from, 5), *second = start(&to);
    OK(wadi_sim_take(second, first));
    float *height = field_of(second, "height"), *water = field_of(second, "water");
    assert_true(height[0] < 6.25f);
    const double level = (double)height[0] + (double)water[0];
    assert_true(fabs(level - 6.25) < 1e-6);
    free(height);
    free(water);
    float *change = scene_field(&from, "sediment"); /* as a level of coarse to fine begins */
    fill(change, &from.def, -2);
    wadi_sim *third = start(&to);
    OK(wadi_sim_set_change(third, change));
    height = field_of(third, "height"), water = field_of(third, "water");
    for (size_t i = 0; i < cells_of(&to.def); i++)
        if (water[i] > 0 && fabs((double)height[i] + (double)water[i] - 6.25) > 1e-6)
            fail_msg("the sea stands at %g", (double)height[i] + (double)water[i]);
    assert_true(height[0] < 6.25f && water[0] > 0);
    free(height);
    free(water);
    wadi_sim_destroy(third);
    wadi_sim_destroy(first);
    wadi_sim_destroy(second);
    scene_free(&from);
    scene_free(&to);
}

static void it_needs_a_model_and_a_border(void **state) {
    (void)state;
    double level = 0;
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 8, 8, 1, 1);
    def.boundary = WADI_OPEN;
    assert_false(wadi_def_sea(&def, &level));
    OK(wadi_def_set_text(&def, "sea", "on"));
    OK(wadi_def_set(&def, "sea_level", 1.0 / 3));
    assert_true(wadi_def_sea(&def, &level) && fabs(level - 341.0 / 1024) <= 0);
    def.boundary = WADI_CLOSED;
    assert_false(wadi_def_sea(&def, NULL));
    assert_true(wadi_model_has_sea(def.model) && !wadi_model_has_sea(wadi_model_find("olsen2004")));
    assert_false(wadi_model_has_sea(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sea_at_rest_stays_at_rest),   cmocka_unit_test(the_sea_finds_its_way),
        cmocka_unit_test(joined_land_is_flooded),        cmocka_unit_test(a_new_level_crosses_the_border),
        cmocka_unit_test(a_river_ends_in_the_sea),       cmocka_unit_test(the_sea_is_taken_over),
        cmocka_unit_test(it_needs_a_model_and_a_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
