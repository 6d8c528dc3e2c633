/* The change by sliding, and its maps: slid, slide_wear, talus, water_wear, silt. labels: physics */
#include "scene.h"

static scene steep(const char *model, int variant) {
    scene made = scene_of(model, 24, 19, 10);
    made.def.ly = 12;
    made.def.boundary = (wadi_boundary)(variant % 3);
    made.def.engine = scene_engines[variant % 2];
    choose(&made, "track_sliding", "on");
    make_hills(&made, 120, 17);
    add_noise(scene_field(&made, "height"), &made.def, 8, 30, 18);
    return made;
}

static double difference(const float *a, const float *b, size_t cells) {
    double most = 0;
    for (size_t i = 0; i < cells; i++) most = fmax(most, fabs((double)a[i] - (double)b[i]));
    return most;
}

/* Without water all change is sliding, and nothing is lost. */
static void without_water_all_change_is_sliding(void **state) {
    (void)state;
    static const char *const methods[] = {"thermal", "thermal-optimised", "fast", "thermal-isotropic"};
    for (int variant = 0; variant < 10; variant++) {
        const bool jako = variant < 6;
        scene scene = steep(jako ? "jako2011" : "olsen2004", variant);
        if (jako) choose(&scene, "hydraulic", "off");
        if (jako) set(&scene, "Ki", 0.3);
        if (!jako) choose(&scene, "method", methods[variant - 6]);
        wadi_sim *sim = run(&scene, 20);
        float *slid = field_of(sim, "slid"), *change = field_of(sim, "change");
        double moved = 0;
        for (size_t i = 0; i < cells_of(&scene.def); i++) moved += fabs((double)slid[i]);
        assert_true(moved > 1);
        assert_true(difference(slid, change, cells_of(&scene.def)) < 1e-4);
        assert_true(fabs(sum_of(slid, cells_of(&scene.def))) < 1e-5 * moved);
        free(slid);
        free(change);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Tracking it changes no height. The four maps are the two signs of the two parts. */
static void the_parts_make_the_change(void **state) {
    (void)state;
    for (int variant = 0; variant < 6; variant++) {
        scene scene = steep(variant < 4 ? "jako2011" : "schott2023", variant);
        set_if(&scene, "Ki", 0.3);
        const bool rises = variant >= 4;
        if (variant & 1 && !rises) choose(&scene, "pipes", "8");
        if (variant & 1 && !rises) choose(&scene, "pipe_area", "depth");
        if (variant >= 2) fill_random(scene_field(&scene, "mask"), &scene.def, 0, 1, 19);
        set_if(&scene, "S_c", 0.3);
        set_if(&scene, "K", 1e-5);
        wadi_sim *sim = run(&scene, 30);
        float *fields[6];
        static const char *const names[] = {"slid", "change", "slide_wear", "talus", "water_wear", "silt"};
        const int count = rises ? 3 : 6; /* rivers take on what slides, and the change holds uplift */
        for (int f = 0; f < 6; f++) assert_int_equal(wadi_sim_has(sim, names[f]), f < count);
        for (int f = 0; f < count; f++) fields[f] = field_of(sim, names[f]);
        double slid = 0, water = 0;
        for (size_t i = 0; i < cells_of(&scene.def); i++) {
            slid += (double)fields[2][i];
            assert_true(fields[2][i] == (fields[0][i] < 0 ? -fields[0][i] : 0));
            if (rises) continue;
            assert_true(fields[3][i] - fields[2][i] == fields[0][i]);
            assert_true(fields[5][i] - fields[4][i] == fields[1][i] - fields[0][i]);
            for (int f = 2; f < 6; f++) assert_true(fields[f][i] >= 0);
            water += (double)fields[4][i] + (double)fields[5][i];
        }
        assert_true(slid > 0.1 && (rises || water > 0.01));
        choose(&scene, "track_sliding", "off");
        wadi_sim *without = run(&scene, 30);
        assert_false(wadi_sim_has(without, "talus"));
        float *change = field_of(without, "change");
        assert_memory_equal(change, fields[1], cells_of(&scene.def) * sizeof *change);
        free(change);
        for (int f = 0; f < count; f++) free(fields[f]);
        wadi_sim_destroy(without);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* What slid stays known while nothing slides, in both models. */
static void sliding_may_pause(void **state) {
    (void)state;
    for (int m = 0; m < 2; m++) {
        scene scene = steep(m == 0 ? "jako2011" : "olsen2004", m);
        if (m == 0) set(&scene, "Ki", 0.3);
        if (m == 1) choose(&scene, "method", "thermal");
        wadi_sim *sim = run(&scene, 20);
        float *before = field_of(sim, "slid");
        assert_int_equal(wadi_sim_set_parameter(sim, m == 0 ? "thermal" : "method", m == 0 ? 0 : 2 /* hydraulic */),
                         WADI_OK);
        assert_int_equal(wadi_sim_step(sim, 5), WADI_OK);
        float *after = field_of(sim, "slid"), *wear = field_of(sim, "water_wear");
        assert_memory_equal(before, after, cells_of(&scene.def) * sizeof *before);
        assert_true(sum_of(wear, cells_of(&scene.def)) > 0);
        free(before);
        free(after);
        free(wear);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* A change in the midst would count what slid before as water's. */
static void tracking_is_for_a_whole_run(void **state) {
    (void)state;
    scene scene = steep("jako2011", 0);
    wadi_sim *sim = start(&scene);
    assert_int_equal(wadi_sim_set_parameter(sim, "track_sliding", 0), WADI_OK);
    assert_false(wadi_sim_has(sim, "talus"));
    assert_int_equal(wadi_sim_set_parameter(sim, "track_sliding", 1), WADI_OK);
    assert_int_equal(wadi_sim_step(sim, 3), WADI_OK);
    assert_int_equal(wadi_sim_set_parameter(sim, "track_sliding", 0), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_sim_set_parameter(sim, "track_sliding", 1), WADI_OK);
    assert_true(wadi_sim_has(sim, "talus"));
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* olsen2004 has a parameter whose longer name is talus: it is not that map. */
static void a_parameter_is_not_a_map_of_its_name(void **state) {
    (void)state;
    scene scene = steep("olsen2004", 0);
    choose(&scene, "track_sliding", "off");
    wadi_sim *sim = start(&scene);
    float *values = calloc(cells_of(&scene.def), sizeof *values);
    assert_false(wadi_sim_has(sim, "talus"));
    assert_int_equal(wadi_sim_get(sim, "talus", values, cells_of(&scene.def)), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_sim_get(sim, "T", values, cells_of(&scene.def)), WADI_OK);
    free(values);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_water_all_change_is_sliding),
                                       cmocka_unit_test(the_parts_make_the_change), cmocka_unit_test(sliding_may_pause),
                                       cmocka_unit_test(tracking_is_for_a_whole_run),
                                       cmocka_unit_test(a_parameter_is_not_a_map_of_its_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
