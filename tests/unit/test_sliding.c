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
        if (variant & 1 && variant < 4) choose(&scene, "pipes", "8");
        if (variant & 1 && variant < 4) choose(&scene, "pipe_area", "depth");
        if (variant >= 2) fill_random(scene_field(&scene, "mask"), &scene.def, 0, 1, 19);
        set_if(&scene, "S_c", 0.3);
        set_if(&scene, "K", 1e-5);
        wadi_sim *sim = run(&scene, 30);
        float *fields[6];
        static const char *const names[] = {"slid", "change", "slide_wear", "talus", "water_wear", "silt"};
        for (int f = 0; f < 6; f++) fields[f] = field_of(sim, names[f]);
        double slid = 0, water = 0;
        for (size_t i = 0; i < cells_of(&scene.def); i++) {
            assert_true(fields[3][i] - fields[2][i] == fields[0][i]);
            assert_true(fields[5][i] - fields[4][i] == fields[1][i] - fields[0][i]);
            for (int f = 2; f < 6; f++) assert_true(fields[f][i] >= 0);
            slid += (double)fields[2][i], water += (double)fields[4][i] + (double)fields[5][i];
            if (variant >= 4) assert_true(fields[3][i] == 0); /* rivers take on what slides */
        }
        assert_true(slid > 0.1 && water > 0.01);
        choose(&scene, "track_sliding", "off");
        wadi_sim *without = run(&scene, 30);
        assert_false(wadi_sim_has(without, "talus"));
        float *change = field_of(without, "change");
        assert_memory_equal(change, fields[1], cells_of(&scene.def) * sizeof *change);
        free(change);
        for (int f = 0; f < 6; f++) free(fields[f]);
        wadi_sim_destroy(without);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Where nothing can slide there are no such maps. */
static void without_sliding_there_are_no_such_maps(void **state) {
    (void)state;
    scene scene = steep("jako2011", 0);
    choose(&scene, "thermal", "off");
    wadi_sim *sim = run(&scene, 2);
    assert_false(wadi_sim_has(sim, "slid") || wadi_sim_has(sim, "talus") || wadi_sim_has(sim, "silt"));
    assert_true(wadi_sim_has(sim, "erosion"));
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_water_all_change_is_sliding),
                                       cmocka_unit_test(the_parts_make_the_change),
                                       cmocka_unit_test(without_sliding_there_are_no_such_maps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
