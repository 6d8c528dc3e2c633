/* Simulations that take the state from each other: bit for bit, on any engine, without loss of mass. labels: threads */
#include "scene.h"

static scene scene_for(const char *model, wadi_boundary boundary, wadi_engine engine) {
    scene made = scene_of(model, 40, 28, 1);
    made.def.boundary = boundary;
    made.def.engine = engine;
    made.def.threads = engine == WADI_ENGINE_CPU ? 2 : 1;
    made.def.drops = (wadi_drops){1.5, 2, 0.1};
    make_hills(&made, 25, 7);
    scene_field(&made, "height")[5 * 40 + 9] = scene_field(&made, "height")[39] = NAN;
    return made;
}

static void assert_same(const wadi_sim *a, const wadi_sim *b, const char *name) {
    const size_t count = cells_of(wadi_sim_def(a));
    float *one = field_of(a, name), *two = field_of(b, name);
    for (size_t i = 0; i < count; i++)
        if (bits_of(one[i]) != bits_of(two[i]))
            fail_msg("%s: cell %zu: %g and %g", name, i, (double)one[i], (double)two[i]);
    free(one);
    free(two);
}

static bool passes(const scene *scene) { return scene->def.model->sediment_passes; }
static bool is_alike(const scene *a, const scene *b) {
    return passes(a) == passes(b) && (!passes(a) || a->def.model == b->def.model);
}

/* A simulation whose state another one takes, does nothing with and gives back, continues unchanged. (Not between
 * suspended sediment and sediment on its way through: what is suspended settles.) */
static void taking_loses_nothing(void **state) {
    (void)state;
    static const char *const fields[] = {"height", "change", "water", "sediment", "flow", "erosion"};
    for (int i = 0; i < 6 * MODELS; i++) {
        const wadi_engine engine = scene_engines[i / 3 % 2];
        scene one = scene_for(model_id(i / 6), (wadi_boundary)(i % 3), engine);
        scene two = scene_for(model_id((i / 6 + 1 + i % (MODELS - 1)) % MODELS), (wadi_boundary)((i + 1) % 3), engine);
        if (!is_alike(&one, &two)) {
            scene_free(&one);
            scene_free(&two);
            continue;
        }
        wadi_sim *whole = run(&one, 60), *parts = start(&one), *idle = start(&two);
        for (int turn = 0; turn < 6; turn++) {
            OK(wadi_sim_step(parts, 10));
            OK(wadi_sim_take(idle, parts));
            OK(wadi_sim_take(parts, idle));
        }
        for (int f = 0; f < COUNT(fields); f++) assert_same(whole, parts, fields[f]);
        if (wadi_model_has_hardness(one.def.model)) assert_same(whole, parts, "hardness");
        for (int f = 0; f < 4; f++) assert_same(whole, idle, fields[f]);
        wadi_sim_destroy(whole);
        wadi_sim_destroy(parts);
        wadi_sim_destroy(idle);
        scene_free(&one);
        scene_free(&two);
    }
}

/* The hardness is taken if both models have it. Parameters, mask and time are not. */
static void takes_hardness_and_start(void **state) {
    (void)state;
    scene one = scene_for("jako2011", WADI_OPEN, WADI_ENGINE_CPU), two = one;
    wadi_sim *from = run(&one, 50), *to = NULL;
    set(&two, "Kc", 0.2);
    OK(wadi_sim_create(&two.def, &to)); /* has no height yet: it takes the initial terrain too */
    OK(wadi_sim_take(to, from));
    assert_same(from, to, "hardness");
    assert_same(from, to, "height");
    assert_same(from, to, "change");
    assert_int_equal(wadi_sim_steps(to), 0);
    assert_true(mass_of(to).moved <= 0);
    OK(wadi_sim_step(to, 20));
    const wadi_mass mass = mass_of(to);
    assert_true(mass.moved > 0 && fabs(mass.solid.residual) <= 1e-6 * mass.moved);
    wadi_sim_destroy(from);
    wadi_sim_destroy(to);
    scene_free(&one);
}

#define MOST_MODELS 16

/* m3: it stays with its simulation. */
static double sediment_on_its_way(const wadi_sim *sim) {
    float *values = field_of(sim, "sediment");
    double sum = 0;
    for (size_t i = 0; i < cells_of(wadi_sim_def(sim)); i++) sum += isnan(values[i]) ? 0 : (double)values[i];
    free(values);
    return sum * wadi_sim_def(sim)->lx * wadi_sim_def(sim)->ly;
}

/* Taking turns: each simulation has its own flows, and together they close the balance of the run. */
static void balance_closes_over_turns(void **state) {
    (void)state;
    assert_true(MODELS <= MOST_MODELS);
    for (int boundary = 0; boundary < 3; boundary++) {
        scene scenes[MOST_MODELS];
        wadi_sim *sims[MOST_MODELS];
        for (int m = 0; m < MODELS; m++) {
            scenes[m] = scene_for(model_id(m), (wadi_boundary)boundary, WADI_ENGINE_CPU);
            sims[m] = start(&scenes[m]);
        }
        const wadi_mass first = mass_of(sims[0]);
        for (int turn = 0; turn < 10 * MODELS; turn++) {
            if (turn > 0) OK(wadi_sim_take(sims[turn % MODELS], sims[(turn - 1) % MODELS]));
            OK(wadi_sim_step(sims[turn % MODELS], 10));
        }
        const wadi_mass last = mass_of(sims[MODELS - 1]);
        double on_its_way = 0;
        for (int m = 0; m < MODELS - 1; m++) on_its_way += passes(&scenes[m]) ? sediment_on_its_way(sims[m]) : 0;
        double solid = last.solid.after + on_its_way - first.solid.before,
               water = last.water.after - first.water.before;
        double moved = 0, rained = 0;
        for (int m = 0; m < MODELS; m++) {
            const wadi_mass mass = mass_of(sims[m]);
            if (!(fabs(mass.solid.residual) <= 1e-6 * mass.moved &&
                  fabs(mass.water.residual) <= 1e-5 * mass.water.in + 1e-9))
                fail_msg("%s: residual %g of %g moved, water %g of %g", model_id(m), mass.solid.residual, mass.moved,
                         mass.water.residual, mass.water.in);
            solid -= mass.solid.in - mass.solid.out;
            water -= mass.water.in - mass.water.out;
            moved += mass.moved;
            rained += mass.water.in;
            wadi_sim_destroy(sims[m]);
            scene_free(&scenes[m]);
        }
        if (!(fabs(solid) <= 1e-6 * moved && fabs(water) <= 1e-5 * rained))
            fail_msg("boundary %d: solid %g of %g, water %g of %g", boundary, solid, moved, water, rained);
    }
}

static void grids_that_do_not_fit_are_refused(void **state) {
    (void)state;
    scene one = scene_of("mei2007", 12, 9, 1), other = scene_of("mei2007", 9, 12, 1);
    wadi_sim *sim = run(&one, 1), *wrong = start(&other), *hilly = NULL;
    REFUSED(wadi_sim_take(sim, wrong), WADI_ERROR_ARGUMENT, "12 x 9");
    REFUSED(wadi_sim_take(sim, sim), WADI_ERROR_ARGUMENT, "its own");
    make_hills(&one, 5, 3);
    hilly = start(&one);
    REFUSED(wadi_sim_take(sim, hilly), WADI_ERROR_ARGUMENT, "different terrains");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(wrong);
    wadi_sim_destroy(hilly);
    scene_free(&one);
    scene_free(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taking_loses_nothing),
        cmocka_unit_test(takes_hardness_and_start),
        cmocka_unit_test(balance_closes_over_turns),
        cmocka_unit_test(grids_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
