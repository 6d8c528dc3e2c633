/* schott2023 beside a sea: the base level of rivers, deltas, a coast that waves cut back, and the map of the water.
 * labels: physics */
#include "scene.h"

#define CELL_M 50.0

/* Rivers alone, beside a sea at 10 m. */
static scene coast(int width, int height) {
    scene scene = scene_of("schott2023", width, height, CELL_M);
    scene.def.boundary = WADI_OPEN;
    scene.def.allow_out_of_range = true;
    set(&scene, "dt", 200);
    set(&scene, "U", 0);
    set(&scene, "K", 4e-6);
    set(&scene, "P", 1);
    set(&scene, "P0", 1);
    set(&scene, "G", 0);
    set(&scene, "D", 0);
    set(&scene, "S_c", 100);
    choose(&scene, "sea", "on");
    set(&scene, "sea_level", 10);
    choose(&scene, "outlets", "low");
    set(&scene, "front", 0.1);
    set(&scene, "waves", 0);
    set(&scene, "wave_base", 4);
    return scene;
}

/* Hills that sink below the sea to the right; below it the ground falls by a twenty-fifth. */
static scene sloping_coast(void) {
    scene made = coast(60, 48);
    make_hills(&made, 30, 3);
    float *height = made.field[0];
    for (int i = 0; i < 60 * 48; i++) {
        const float land = (float)(40 - i % 60), noise = height[i];
        height[i] = land > 0 ? 10 + 3 * land + noise : 10 + (land - 1) * 0.04f * (float)CELL_M;
    }
    return made;
}

static float lowest_beside(const wadi_def *def, const float *height, int x, int y) {
    float low = INFINITY;
    for (int i = 0; i < 9; i++) {
        const int nx = x + i % 3 - 1, ny = y + i / 3 - 1;
        const bool there = nx >= 0 && ny >= 0 && nx < def->width && ny < def->height && i != 4;
        if (there)
            low = fminf(low, height[ny * def->width + nx] + 0.1f * (float)(CELL_M * hypot(i % 3 - 1, i / 3 - 1)));
    }
    return low;
}

/* Rivers cut down to the level of the sea, and no lower. What they bring comes to rest in it: up to its level, with a
 * front that is not steeper than asked. */
static void rivers_end_in_deltas(void **state) {
    (void)state;
    scene scene = sloping_coast();
    wadi_sim *sim = run(&scene, 600);
    float *after = field_of(sim, "height"), *before = scene.field[0];
    int cut = 0, new_land = 0, grown = 0;
    double settled = 0;
    for (int i = 0; i < 60 * 48; i++) {
        if (before[i] >= 10) {
            assert_true(after[i] >= 10);
            cut += before[i] - after[i] > 5;
            continue;
        }
        const int x = i % 60, y = i / 60;
        if (after[i] < before[i] || after[i] > 11)
            fail_msg("(%d, %d): %g m became %g", x, y, (double)before[i], (double)after[i]);
        settled += ((double)after[i] - (double)before[i]) * CELL_M * CELL_M;
        new_land += after[i] >= 10;
        grown += after[i] > before[i];
        if (after[i] > before[i] && after[i] < 10)
            assert_true(after[i] <= lowest_beside(&scene.def, after, x, y) + 0.01f);
    }
    const wadi_mass mass = mass_of(sim);
    assert_true(cut > 400 && new_land > 40 && grown > new_land);
    assert_true(settled > 0.4 * 0.5 * mass.moved); /* the moved solid counts where it was cut, and where it lies */
    assert_true(fabs(mass.solid.residual) < 1e-5 * mass.moved);
    assert_true(fabs(mass.water.residual) < 1e-5 * mass.rained);
    assert_true(mass.evaporated > 0.5 * mass.rained); /* the sea has it */
    free(after);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* The ground below the sea does not rise, and nothing is cut there. */
static void the_sea_floor_stays(void **state) {
    (void)state;
    scene scene = coast(20, 20);
    for (int i = 0; i < 400; i++) scene.field[0][i] = (float)(i % 20);
    set(&scene, "U", 1);
    set(&scene, "K", 0);
    wadi_sim *sim = run(&scene, 50);
    float *change = field_of(sim, "change"), *water = field_of(sim, "water");
    for (int y = 1; y < 19; y++)
        for (int x = 1; x < 19; x++) {
            const float up = change[20 * y + x], deep = water[20 * y + x];
            assert_true(x < 10 ? up == 0 : fabsf(up - 10) < 1e-4f);
            assert_true(x < 10 ? fabsf(deep - (10 - (float)x)) < 1e-5f : deep < 0.1f);
        }
    assert_true(mass_of(sim).water.before == 0);
    float *borrowed;
    size_t stride;
    assert_true(wadi_sim_borrow(sim, "water", (const float **)&borrowed, &stride) == WADI_ERROR_UNSUPPORTED);
    OK(wadi_sim_set_parameter(sim, "sea", 0));
    free(water);
    water = field_of(sim, "water");
    for (int i = 0; i < 400; i++) assert_true(water[i] < 0.1f);
    free(change);
    free(water);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Cells of land by the side of a straight coast, through the middle; turned: along a diagonal. */
static double land_left(bool turned, int64_t steps, double mask, double shelter, double dt) {
    enum { SIDE = 80 };
    scene scene = coast(SIDE, SIDE);
    set(&scene, "K", 0);
    set(&scene, "waves", 0.05);
    set(&scene, "shelter", shelter);
    set(&scene, "dt", dt);
    if (mask < 1) fill(scene_field(&scene, "mask"), &scene.def, (float)mask);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = i % SIDE - 0.5 * SIDE, y = (double)(i / SIDE) - 0.5 * SIDE;
        const double inland = turned ? (y - x) * sqrt(0.5) : -x;
        scene.field[0][i] = inland > 0 ? 40 : -20;
    }
    wadi_sim *sim = run(&scene, steps);
    float *after = field_of(sim, "height");
    double land = 0;
    for (int i = 0; i < 20; i++) /* cells through the middle, across the coast */
        for (int j = -25; j < 25; j++) {
            const int x = turned ? SIDE / 2 + j + i - 10 : SIDE / 2 + j,
                      y = turned ? SIDE / 2 - j + i - 10 : SIDE / 2 + i - 10;
            land += after[y * SIDE + x] > 10;
        }
    assert_true(fabs(mass_of(sim).solid.residual) <= 1e-5 * mass_of(sim).moved);
    for (int i = 0; i < SIDE * SIDE; i++) assert_true(after[i] >= (scene.field[0][i] > 0 ? 10 - 4 : -20));
    free(after);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return land / 20 * CELL_M * (turned ? sqrt(2) : 1);
}

/* As fast along an axis and along a diagonal, to a cell; half as fast where the mask is a half. */
static void waves_cut_a_coast_back(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        const double still = land_left(turned, 0, 1, 0, 20), once = land_left(turned, 500, 1, 0, 20);
        const double twice = land_left(turned, 1000, 1, 0, 20), masked = land_left(turned, 1000, 0.5, 0, 20);
        if (fabs(still - once - 500) > 75 || fabs(still - twice - 1000) > 75 || fabs(still - masked - 500) > 75)
            fail_msg("%s: %g, %g, %g m", turned ? "diagonal" : "axis", still - once, still - twice, still - masked);
    }
}

/* A straight coast retreats as fast as without refraction, to a fifth, by a cell in 250 or 50 steps. The share of sea
 * around follows it with a delay, which the speed makes up for, but for a part where coasts are faster. */
static void refraction_leaves_a_straight_coast_as_it_is(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        const double still = land_left(turned, 0, 1, 600, 20), slow = still - land_left(turned, 5000, 1, 600, 4),
                     fast = still - land_left(turned, 1000, 1, 600, 20),
                     fastest = still - land_left(turned, 400, 1, 600, 50);
        print_message("%s: %g, %g, %g m of 1000\n", turned ? "diagonal" : "axis", slow, fast, fastest);
        assert_true(fabs(slow - 1000) < 200 && fabs(fast - 1000) < 200 && fastest > 400 && fastest < 1200);
    }
}

/* Cells of land that waves take while they cut so many cells from a straight coast, in steps of `dt` years. The island
 * or the bay is round, with a radius of 24 cells. */
static int taken(bool island, double shelter, double dt, double cells) {
    enum { SIDE = 81 };
    scene scene = coast(SIDE, SIDE);
    set(&scene, "K", 0);
    set(&scene, "waves", 0.05);
    set(&scene, "shelter", shelter);
    set(&scene, "dt", dt);
    int land = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const bool inside = hypot(i % SIDE - SIDE / 2, i / SIDE - SIDE / 2) < 24;
        scene.field[0][i] = inside == island ? 40 : -20;
        land += inside == island;
    }
    wadi_sim *sim = run(&scene, (int64_t)(cells * CELL_M / 0.05 / dt));
    float *after = field_of(sim, "height");
    for (int i = 0; i < SIDE * SIDE; i++) land -= after[i] > 10;
    assert_true(fabs(mass_of(sim).solid.residual) <= 1e-5 * mass_of(sim).moved);
    free(after);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return land;
}

/* Waves cut a bay of radius R by shelter / R less, and an island by as much more. */
static void waves_turn_to_headlands(void **state) {
    (void)state;
    const int bay = taken(false, 0, 4, 2.4), island = taken(true, 0, 4, 2.4);
    const int less = taken(false, 12 * CELL_M, 4, 2.4), more = taken(true, 12 * CELL_M, 4, 2.4);
    print_message("bay: %d cells, with shelter %d; island: %d, with shelter %d\n", bay, less, island, more);
    assert_true(bay > 250 && fabs(less - 0.5 * bay) < 0.15 * bay);
    assert_true(island > 250 && fabs(more - 1.5 * island) < 0.25 * island);
}

/* Waves spare a bay whose radius is below `shelter`, however fast they are. */
static void waves_spare_round_bays(void **state) {
    (void)state;
    static const double steps[] = {4, 20, 50};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const int bay = taken(false, 0, steps[i], 9.6), sheltered = taken(false, 30 * CELL_M, steps[i], 9.6);
        print_message("%g a: %d cells, with shelter %d\n", steps[i], bay, sheltered);
        assert_true(bay > 1000 && sheltered < bay / 5);
    }
}

/* The map of the water, set again, is no water of rivers; and the sea of another model is not handed over. */
static void the_sea_is_no_water_of_rivers(void **state) {
    (void)state;
    scene scene = sloping_coast(), plain = scene_of("mei2007", 60, 48, CELL_M), other = scene;
    wadi_sim *sim = run(&scene, 20);
    const double before = mass_of(sim).water.after;
    float *water = field_of(sim, "water"), *again;
    OK(wadi_sim_set(sim, "water", water, cells_of(&scene.def)));
    assert_true(mass_of(sim).water.after <= before);
    again = field_of(sim, "water");
    assert_memory_equal(water, again, cells_of(&scene.def) * sizeof *water);
    other.def = plain.def;
    other.def.boundary = WADI_OPEN;
    choose(&other, "sea", "on");
    set(&other, "sea_level", 10);
    wadi_sim *flooded = run(&other, 1);
    const double sea = mass_of(flooded).water.after;
    assert_true(sea > 1e7);
    OK(wadi_sim_take(sim, flooded));
    assert_true(mass_of(sim).water.after < 0.01 * sea);
    OK(wadi_sim_step(sim, 1));
    assert_true(fabs(mass_of(sim).water.residual) < 1e-5 * sea);
    OK(wadi_sim_take(flooded, sim));
    assert_true(fabs(mass_of(flooded).water.after - sea) < 0.02 * sea);
    free(water);
    free(again);
    wadi_sim_destroy(sim);
    wadi_sim_destroy(flooded);
    scene_free(&scene);
    scene_free(&plain);
}

/* Land at the border, above a deep sea, slides and creeps as above its level. */
static void the_rim_stands_above_the_sea(void **state) {
    (void)state;
    scene scene = coast(20, 20);
    for (int i = 0; i < 400; i++) scene.field[0][i] = i % 20 < 10 ? 40 : -500;
    choose(&scene, "outlets", "border");
    set(&scene, "K", 0);
    set(&scene, "S_c", 1);
    set(&scene, "D", 0.05);
    wadi_sim *sim = run(&scene, 50);
    float *after = field_of(sim, "height");
    for (int i = 0; i < 400; i++) assert_true(i % 20 < 10 ? after[i] > 10 : after[i] >= -500);
    free(after);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivers_end_in_deltas),          cmocka_unit_test(the_sea_floor_stays),
        cmocka_unit_test(the_sea_is_no_water_of_rivers), cmocka_unit_test(the_rim_stands_above_the_sea),
        cmocka_unit_test(waves_cut_a_coast_back),        cmocka_unit_test(refraction_leaves_a_straight_coast_as_it_is),
        cmocka_unit_test(waves_turn_to_headlands),       cmocka_unit_test(waves_spare_round_bays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
