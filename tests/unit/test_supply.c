/* Sources: the water that they bring is the rate times their duration, for any step length. */
#include "scene.h"

#include "wadi/device.h"

/* The CPU's engines, and OpenCL if there is a device. */
static int engines_here(wadi_engine engines[3]) {
    engines[0] = WADI_ENGINE_REFERENCE, engines[1] = WADI_ENGINE_CPU, engines[2] = WADI_ENGINE_OPENCL;
    return wadi_devices(WADI_ENGINE_OPENCL, NULL, 0, NULL) > 0 ? 3 : 2;
}

static scene basin(wadi_engine engine, double dt_s) {
    scene made = scene_of("jako2011", 24, 20, 1);
    made.def.engine = engine;
    make_hills(&made, 3, 4);
    set_rain(&made, 0);
    set(&made, "dt", dt_s);
    return made;
}

static double rained(const wadi_sim *sim) { return mass_of(sim).rained; }

static void a_part_of_a_step_counts(void **state) {
    (void)state;
    static const struct {
        double start_s, end_s, dt_s, m3;
        int steps;
    } cases[] = {{0.51, 0.54, 0.05, 0.06, 20},                               /* within a step */
                 {0.49, 0.51, 0.05, 0.04, 20},                               /* across the border of two steps */
                 {0.12, 0.87, 0.05, 1.5, 20},    {-1, 0.33, 0.05, 0.66, 20}, /* from before the first step */
                 {0.9, INFINITY, 0.05, 0.2, 20}, {0.1, 0.3, 0.05, 0.4, 20},  /* whole steps, whose borders round */
                 {0.5, 0.5, 0.05, 0, 20},        {0.6, 0.4, 0.05, 0, 20}};
    wadi_engine engines[3];
    const int count = engines_here(engines);
    for (int c = 0; c < COUNT(cases); c++) {
        wadi_sim *sims[3];
        for (int e = 0; e < count; e++) {
            scene scene = basin(engines[e], cases[c].dt_s);
            scene.source[scene.sources++] = (wadi_source){9, 9, 2, 2, cases[c].start_s, cases[c].end_s};
            sims[e] = run(&scene, cases[c].steps);
            if (!(fabs(rained(sims[e]) - cases[c].m3) <= 1e-6 * cases[c].m3))
                fail_msg("%g to %g s: %.9g m3, not %g", cases[c].start_s, cases[c].end_s, rained(sims[e]), cases[c].m3);
            assert_same_fields(sims[0], sims[e], "engines");
            scene_free(&scene);
        }
        for (int e = 0; e < count; e++) wadi_sim_destroy(sims[e]);
    }
}

/* A time on the border of a step fills whole steps, though sums of dt are not exact. */
static void whole_steps_have_whole_depths(void **state) {
    (void)state;
    scene scene = basin(WADI_ENGINE_CPU, 0.05), always = basin(WADI_ENGINE_CPU, 0.05);
    scene.source[scene.sources++] = (wadi_source){9, 9, 2, 2, 0.15, 0.35};
    always.source[always.sources++] = (wadi_source){9, 9, 2, 2, 0, INFINITY};
    wadi_sim *sim = start(&scene), *whole = start(&always);
    wadi_source *sources = always.source;
    for (int step = 0; step < 10; step++) {
        OK(wadi_sim_set_sources(whole, sources, step >= 3 && step < 7 ? 1 : 0));
        OK(wadi_sim_step(whole, 1));
        OK(wadi_sim_step(sim, 1));
    }
    assert_same_state(sim, whole, "0.15 to 0.35 s");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(whole);
    scene_free(&scene);
    scene_free(&always);
}

static void the_step_size_may_change_during_a_run(void **state) {
    (void)state;
    scene scene = basin(WADI_ENGINE_CPU, 0.05);
    scene.source[scene.sources++] = (wadi_source){9, 9, 2, 2, 0.33, 0.77};
    wadi_sim *sim = run(&scene, 8); /* to 0.4 s */
    OK(wadi_sim_set_parameter(sim, "dt", 0.03));
    OK(wadi_sim_step(sim, 5)); /* to 0.55 s */
    OK(wadi_sim_set_parameter(sim, "dt", 0.04));
    OK(wadi_sim_step(sim, 10));
    assert_true(fabs(wadi_sim_time(sim) - 0.95) < 1e-12);
    assert_true(fabs(rained(sim) - 0.88) < 1e-6);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_part_of_a_step_counts),
                                       cmocka_unit_test(whole_steps_have_whole_depths),
                                       cmocka_unit_test(the_step_size_may_change_during_a_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
