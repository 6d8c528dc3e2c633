/* Infiltration: against Green and Ampt's equation as Mein and Larson solve it, in water of any depth, switched on and
 * off, and the same bits on all engines. labels: bits */
#include "scene.h"

#include "wadi/device.h"

/* The models with infiltration; the i-th of them, counted cyclically. */
static int soaking_models(void) {
    int count = 0;
    for (int m = 0; m < MODELS; m++) count += wadi_model_parameter_index(wadi_model_at((size_t)m), "infiltration") >= 0;
    return count;
}
static const char *soaking_model(int i) {
    int m = 0;
    for (int left = i % soaking_models();; m++)
        if (wadi_model_parameter_index(wadi_model_at((size_t)m), "infiltration") >= 0 && left-- == 0)
            return model_id(m);
}

/* A flat basin under rain that hardly anything leaves but into the ground. */
static scene basin(int variant, double rain, double Ksat, double step_s) {
    scene made = scene_of(soaking_model(variant), 8, 6, 100);
    made.def.allow_out_of_range = true;
    made.def.engine = scene_engines[variant / soaking_models() % 2];
    apply(&made, kind_of(&made)->still);
    set_rain(&made, rain);
    set(&made, "dt", step_s);
    set_if(&made, "A", 100); /* one sub-step; water below 1e-7 m dries up in each */
    set_if(&made, "thermal", 0);
    choose(&made, "infiltration", "green-ampt");
    set(&made, "Ksat", Ksat);
    set(&made, "psi", 0.3);
    set(&made, "dtheta", 0.25);
    return made;
}
#define SUCTION (0.3 * 0.25)

/* The solution of F - F0 - S*ln((S + F) / (S + F0)) = Ksat*t, by Newton's method. */
static double ponded(double F0, double Ksat, double t) {
    double F = F0 + Ksat * t + 0.1;
    for (int i = 0; i < 100; i++) {
        const double off = F - F0 - SUCTION * log((SUCTION + F) / (SUCTION + F0)) - Ksat * t;
        F -= off / (F / (SUCTION + F));
    }
    return F;
}

static double mean_of(const wadi_sim *sim, const char *name) {
    float *values = field_of(sim, name);
    const double mean = sum_of(values, cells_of(wadi_sim_def(sim))) / (double)cells_of(wadi_sim_def(sim));
    free(values);
    return mean;
}

static void assert_near(double found, double right, double relative, const char *what) {
    if (!(fabs(found - right) <= relative * fabs(right))) fail_msg("%s: %.9g, not %.9g", what, found, right);
}

/* 36 mm/h on loam. All rain goes into the ground until tp = Ksat*S / (r - Ksat) / r; Mein and Larson 1973. */
static void steady_rain_ponds_when_mein_and_larson_say(void **state) {
    (void)state;
    const double r = 1e-5, Ksat = 2e-6, Fp = Ksat * SUCTION / (r - Ksat), tp = Fp / r;
    for (int variant = 0; variant <= soaking_models(); variant++) {
        scene scene = basin(variant, r, Ksat, 2);
        wadi_sim *sim = start(&scene);
        /* the last step's rain still stands, where it falls at the end of a step */
        const double late = has(&scene, "A") ? 0 : 2 * r;
        OK(wadi_sim_step(sim, (int64_t)(0.98 * tp / 2)));
        assert_near(mean_of(sim, "water"), late, 1e-6, "nothing stands");
        assert_near(mean_of(sim, "infiltration"), r * wadi_sim_time(sim) - late, 1e-6, "before ponding");
        OK(wadi_sim_step(sim, (int64_t)(0.06 * tp / 2)));
        assert_true(mean_of(sim, "water") > late);
        for (int hour = 1; hour <= 3; hour++) {
            OK(wadi_sim_step(sim, 1800));
            const double right = ponded(Fp, Ksat, wadi_sim_time(sim) - tp), found = mean_of(sim, "infiltration");
            assert_near(found, right, 1e-3, "ponded");
            assert_near(mean_of(sim, "water"), r * wadi_sim_time(sim) - right, 1e-3, "water");
        }
        const wadi_mass mass = mass_of(sim);
        const double area = 48 * 100 * 100;
        assert_near(mass.infiltrated, area * mean_of(sim, "infiltration"), 1e-6, "the balance");
        assert_true(fabs(mass.water.residual) <= 1e-9 * mass.rained);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* From dry ground under a lake, where the first steps are the hardest. */
static void lake_soaks_in_as_green_and_ampt_say(void **state) {
    (void)state;
    for (int variant = 0; variant < soaking_models(); variant++) {
        scene scene = basin(variant, 0, 1e-6, 1);
        fill(scene_field(&scene, "water"), &scene.def, 1);
        wadi_sim *sim = start(&scene);
        for (int i = 0; i < 4; i++) {
            OK(wadi_sim_step(sim, 900));
            assert_near(mean_of(sim, "infiltration"), ponded(0, 1e-6, wadi_sim_time(sim)), 5e-3, "under a lake");
        }
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* A step takes up a thousandth of the water's last digit. */
static void deep_water_loses_what_the_ground_takes(void **state) {
    (void)state;
    scene scene = basin(0, 0, 1e-8, 0.02);
    choose(&scene, "infiltration", "constant");
    fill(scene_field(&scene, "water"), &scene.def, 2);
    wadi_sim *sim = run(&scene, 100000);
    assert_near(mean_of(sim, "infiltration"), 1e-8 * 2000, 0.01, "the ground");
    assert_near(2 - mean_of(sim, "water"), 1e-8 * 2000, 0.01, "the water");
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Hills under rain, infiltration with a map, switched on, off and on again. */
static wadi_sim *switched(scene *scene) {
    wadi_sim *sim = start(scene);
    OK(wadi_sim_step(sim, 20));
    OK(wadi_sim_set_parameter(sim, "infiltration", 2));
    OK(wadi_sim_step(sim, 30));
    OK(wadi_sim_set_parameter(sim, "infiltration", 0));
    assert_false(wadi_sim_has(sim, "infiltration"));
    OK(wadi_sim_step(sim, 10));
    OK(wadi_sim_set_parameter(sim, "infiltration", 1));
    OK(wadi_sim_step(sim, 25));
    return sim;
}

static void every_engine_and_cut_gives_the_same_bits(void **state) {
    (void)state;
    for (int variant = 0; variant < 2 * soaking_models(); variant++) {
        if (variant >= soaking_models() && !has_pipes(wadi_model_find(soaking_model(variant)))) continue;
        scene scene = scene_of(soaking_model(variant), 48, 70, 1);
        scene.def.boundary = (wadi_boundary)(variant % 3);
        choose_if(&scene, "pipes", variant < soaking_models() ? "8" : "4");
        make_hills(&scene, 20, 5 + (uint32_t)variant);
        fill_random(scene_field(&scene, "Ksat"), &scene.def, 0, 0.01f, 9);
        wadi_sim *one = switched(&scene);
        assert_true(mass_of(one).infiltrated > 0);
        scene.def.engine = WADI_ENGINE_REFERENCE;
        wadi_sim *plain = switched(&scene);
        assert_same_state(one, plain, "the reference");
        scene.def.engine = WADI_ENGINE_CPU;
        scene.def.parts = 2;
        wadi_sim *parts = switched(&scene);
        assert_same_state(one, parts, "two parts");
        scene.def.parts = 0;
        scene.def.threads = 2, scene.def.substeps_per_pass = 3, scene.def.tile_columns = 16;
        wadi_sim *tiles = switched(&scene);
        assert_same_state(one, tiles, "column tiles");
        wadi_device device;
        wadi_sim *on_gpu = NULL;
        if (variant < soaking_models() && wadi_devices(WADI_ENGINE_OPENCL, &device, 1, NULL) > 0) {
            scene.def.engine = WADI_ENGINE_OPENCL;
            on_gpu = switched(&scene);
            assert_same_fields(one, on_gpu, "OpenCL");
        }
        wadi_sim_destroy(one);
        wadi_sim_destroy(plain);
        wadi_sim_destroy(parts);
        wadi_sim_destroy(tiles);
        wadi_sim_destroy(on_gpu);
        scene_free(&scene);
    }
}

static void checkpoint_keeps_what_the_ground_took(void **state) {
    (void)state;
    scene scene = basin(0, 1e-5, 2e-6, 2);
    wadi_sim *sim = run(&scene, 900), *other = NULL;
    tape tape = {0};
    void *note = NULL;
    size_t bytes;
    OK(wadi_sim_save(sim, NULL, 0, record, &tape));
    OK(wadi_sim_restore(play, &tape, NULL, &other, &note, &bytes));
    OK(wadi_sim_step(sim, 50));
    OK(wadi_sim_step(other, 50));
    assert_same_state(sim, other, "taken up again");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(other);
    free(note);
    free(tape.bytes);
    scene_free(&scene);
}

/* Another simulation that has infiltration too goes on with the ground as it was left. */
static void next_model_takes_the_wet_ground(void **state) {
    (void)state;
    scene scene = basin(0, 1e-5, 2e-6, 2);
    wadi_sim *sim = run(&scene, 900), *next = start(&scene);
    OK(wadi_sim_take(next, sim));
    assert_near(mean_of(next, "infiltration"), mean_of(sim, "infiltration"), 0, "taken");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(next);
    scene_free(&scene);
}

/* Manning's n in place of cf and d_cf: cf*d_cf^(1/3) = g*n^2. A map of n, with 0 where cf and d_cf count. */
static void manning_n_replaces_the_friction_factor(void **state) {
    (void)state;
    for (int variant = 0; variant < 2 * pipe_models(); variant++) {
        scene by_cf = scene_of(pipe_model(variant), 32, 24, 1);
        choose(&by_cf, "pipes", variant % 4 < 2 ? "8" : "4");
        choose(&by_cf, "friction_law", "manning");
        set(&by_cf, "d_cf", 0.1);
        make_hills(&by_cf, 10, 3);
        scene by_n = by_cf;
        float *cf = scene_field(&by_cf, "cf");
        by_n.fields = 1;
        float *n = scene_field(&by_n, "n");
        for (size_t i = 0; i < cells_of(&by_n.def); i++) {
            n[i] = i % 3 ? 0.02f + 0.0001f * (float)(i % 100) : 0;
            cf[i] = i % 3 ? (float)(9.81 * (double)n[i] * (double)n[i] / cbrt(0.1)) : 0.1f;
        }
        set(&by_n, "cf", (double)0.1f);
        wadi_sim *a = run(&by_cf, 60), *b = run(&by_n, 60);
        float *one = field_of(a, "water"), *two = field_of(b, "water");
        for (size_t i = 0; i < cells_of(&by_n.def); i++) assert_near((double)one[i], (double)two[i], 1e-3, "depth");
        free(one);
        free(two);
        wadi_sim_destroy(a);
        wadi_sim_destroy(b);
        free(n);
        scene_free(&by_cf);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_rain_ponds_when_mein_and_larson_say),
        cmocka_unit_test(lake_soaks_in_as_green_and_ampt_say),
        cmocka_unit_test(deep_water_loses_what_the_ground_takes),
        cmocka_unit_test(every_engine_and_cut_gives_the_same_bits),
        cmocka_unit_test(checkpoint_keeps_what_the_ground_took),
        cmocka_unit_test(next_model_takes_the_wet_ground),
        cmocka_unit_test(manning_n_replaces_the_friction_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
