/* Solid and water are conserved, up to the terms of the balance: with every border, drops, sources, missing cells,
 * masks and the exchange of bed and water. Gentle erosion is not lost to rounding. labels: physics */
#include "scene.h"

static scene busy_scene(const char *model, int form, int variant) {
    scene made = scene_of(model, 26, 17, 1);
    made.def.boundary = (wadi_boundary)(variant % 3);
    made.def.engine = variant < 18 ? WADI_ENGINE_CPU : WADI_ENGINE_REFERENCE;
    make_hills(&made, 12, 51 + (uint32_t)variant);
    if (variant & 1) made.def.drops = (wadi_drops){1.5, 2, 0.4};
    if (variant & 2) add_source(&made, 9.5, 8.5, 2, 0.5);
    if (variant & 2) add_source(&made, 0.5, 0.5, 0, 0.1);
    if (variant & 4) scene_field(&made, "height")[8 * 26 + 4] = scene_field(&made, "height")[25] = NAN;
    if (variant & 8) fill_random(scene_field(&made, "mask"), &made.def, 0, 1, 8);
    if (variant & 8) fill_random(scene_field(&made, "water"), &made.def, 0, 1, 9);
    if (variant & 8) fill_random(scene_field(&made, "sediment"), &made.def, 0, 0.01f, 10);
    choose_form(&made, form);
    if (variant & 4) choose_if(&made, "evaporation", "surface");
    if (variant & 1) set_long_step(&made);
    return made;
}

/* The balance equals the sums of the fields, which are computed here. */
static void assert_sums(const wadi_sim *sim, const scene *scene, const wadi_mass *mass, const char *what) {
    const size_t count = cells_of(&scene->def);
    const double area = scene->def.lx * scene->def.ly;
    const wadi_model *model = scene->def.model; /* by its own name: a map of the water may have a sea beside it */
    float *water = field_of(sim, model->fields[wadi_field_of(model, WADI_FIELD_WATER)].name);
    float *sediment = field_of(sim, "sediment"), *change = field_of(sim, "change");
    const double d = sum_of(water, count) * area, s = sum_of(sediment, count) * area, db = sum_of(change, count) * area;
    double moved = 0, s0 = 0, d0 = 0;
    for (size_t i = 0; i < count; i++) moved += isnan(change[i]) ? 0 : fabs((double)change[i]) * area;
    for (int f = 0; f < scene->fields; f++)
        for (size_t i = 0; i < count; i++) {
            if (isnan(scene->field[0][i])) continue;
            if (strcmp(scene->name[f], "sediment") == 0) s0 += (double)scene->field[f][i] * area;
            if (strcmp(scene->name[f], "water") == 0) d0 += (double)scene->field[f][i] * area;
        }
    if (wadi_def_sea(&scene->def, NULL)) d0 = mass->water.before; /* setting the height placed water */
    const double solid = db + (s - s0) + mass->solid_over_border - mass->advected;
    const double liquid =
        (d - d0) - mass->rained - mass->exchanged + mass->evaporated + mass->infiltrated + mass->water_over_border;
    if (fabs(solid - mass->solid.residual) > 1e-9 * moved + 1e-12 ||
        fabs(liquid - mass->water.residual) > 1e-9 * (mass->rained + d0) || fabs(moved - mass->moved) > 1e-9 * moved ||
        fabs(d - mass->water.after) > 1e-9 * d)
        fail_msg("%s: the balance is not that of the fields: solid %g and %g, water %g and %g, moved %g and %g", what,
                 solid, mass->solid.residual, liquid, mass->water.residual, moved, mass->moved);
    free(water);
    free(sediment);
    free(change);
}

/* The residual of a balance relative to the amount that moved (transport counts) and that came in. */
typedef struct residuals {
    double solid, water;
} residuals;

/* whether bed may turn into water in this model */
static bool may_exchange(const wadi_model *model) {
    for (int s = 0; s < model->stage_count; s++)
        for (int i = 0; i < model->stages[s].sums; i++)
            if (model->stages[s].sum[i] == WADI_SUM_exchanged) return true;
    return false;
}

static residuals check_balance(const scene *scene, int64_t steps, bool holes, const char *what) {
    wadi_sim *sim = run(scene, steps);
    const wadi_mass mass = mass_of(sim);
    const bool wet = takes_water(scene), sea = wadi_def_sea(&scene->def, NULL);
    const double most = kind_of(scene)->routed ? 1e-5 : 1e-6;
    /* Waves cut again and again what creeps in from a fixed border. */
    const double passed = kind_of(scene)->routed && sea ? fabs(mass.solid_over_border) : 0;
    const residuals found = {fabs(mass.solid.residual) / (mass.moved + fabs(mass.advected) + passed),
                             wet ? fabs(mass.water.residual) / (mass.water.in + mass.water.before) : 0};
    if (!(mass.moved > 0 && found.solid <= most))
        fail_msg("%s: solid residual %g of %g", what, mass.solid.residual, mass.moved);
    if (!((!wet || mass.rained > 0) && found.water <= most))
        fail_msg("%s: water residual %g of what came", what, found.water);
    assert_sums(sim, scene, &mass, what);
    const bool traced = mass.advected > 0 || mass.advected < 0; /* includes what left */
    if (scene->def.boundary == WADI_OPEN && wet)
        assert_true((mass.water_over_border > 0 || kind_of(scene)->no_runoff || wadi_def_sea(&scene->def, NULL)) &&
                    (traced || mass.solid_over_border > 0));
    if (scene->def.boundary != WADI_OPEN && !holes)
        assert_true(mass.water_over_border <= 0 && mass.solid_over_border <= 0);
    if (!may_exchange(scene->def.model)) assert_true(mass.exchanged <= 0 && mass.exchanged >= 0);
    wadi_sim_destroy(sim);
    return found;
}

/* 400 or 1000 steps, and 100 with the reference engine, whose bits equal those of the CPU engine. */
static void every_model_conserves_mass(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        residuals worst = {0, 0};
        for (int i = 0; i < 24 * forms(wadi_model_at((size_t)m)); i += i < 24 ? 1 : 5) {
            scene scene = busy_scene(model_id(m), i / 24, i % 24);
            char what[80];
            snprintf(what, sizeof what, "%s, %s, variant %d", model_id(m), form_of(&scene, i / 24)->name, i % 24);
            const residuals found = check_balance(&scene,
                                                  i % 24 < 4    ? 1000
                                                  : i % 24 < 18 ? 400
                                                                : 100,
                                                  i % 24 & 4, what);
            worst.solid = fmax(worst.solid, found.solid);
            worst.water = fmax(worst.water, found.water);
            scene_free(&scene);
        }
        print_message("%s: largest residuals: solid %.1e of what moved, water %.1e of what came\n", model_id(m),
                      worst.solid, worst.water);
    }
}

static void transport_loses_only_what_the_balance_reports(void **state) {
    (void)state;
    for (int i = 0; i < 12 * pipe_models(); i++) {
        scene scene = busy_scene(pipe_model(i), 0, i / pipe_models());
        const bool back = i / pipe_models() % 2;
        choose(&scene, "advection", back ? "semi-lagrangian" : "flux");
        wadi_sim *sim = run(&scene, 300);
        const wadi_mass mass = mass_of(sim);
        assert_true((mass.advected > 0 || mass.advected < 0) == back);
        if (fabs(mass.solid.residual) > 2e-6 * (mass.moved + fabs(mass.advected)))
            fail_msg("%d: residual %g, moved %g, advected %g", i, mass.solid.residual, mass.moved, mass.advected);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* A change by hand during a run counts as input or output. */
static void the_balance_counts_fields_set_during_a_run(void **state) {
    (void)state;
    scene scene = busy_scene("jako2011", 0, 0);
    wadi_sim *sim = run(&scene, 30);
    const wadi_mass before = mass_of(sim);
    float *water = field_of(sim, "water");
    fill(water, &scene.def, 1);
    OK(wadi_sim_set(sim, "water", water, cells_of(&scene.def)));
    fill(water, &scene.def, 0.001f);
    OK(wadi_sim_set(sim, "sediment", water, cells_of(&scene.def)));
    OK(wadi_sim_step(sim, 30));
    const wadi_mass after = mass_of(sim);
    assert_true(after.water.in > before.water.in + 100);
    assert_true(fabs(after.water.residual) < 1e-6 * after.water.in);
    assert_true(fabs(after.solid.residual) < 1e-6 * after.moved);
    /* a new terrain resets the balance */
    OK(wadi_sim_set(sim, "height", scene.field[0], cells_of(&scene.def)));
    wadi_mass anew = mass_of(sim);
    assert_true(anew.water.in <= 0 && anew.moved <= 0 && wadi_sim_steps(sim) == 0 && anew.water.after <= 0);
    OK(wadi_sim_step(sim, 30));
    wadi_sim *other = run(&scene, 30);
    assert_same_state(other, sim, "begun anew");
    wadi_sim_destroy(other);
    free(water);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Steady flow down a plane at 8000 m erodes about 1e-5 m a step. Heights in float32 are 0.0005 m apart there, and would
 * lose it. The same run at 0 m gives the expected result. */
static void gentle_erosion_at_8000_m_is_not_lost(void **state) {
    (void)state;
    for (int i = 0; i < 2 * pipe_models(); i++) {
        double dug[2];
        for (int high = 0; high < 2; high++) {
            scene scene = scene_of(pipe_model(i), 12, 40, 1);
            scene.def.engine = scene_engines[i / pipe_models()];
            scene.def.boundary = WADI_OPEN;
            choose_if(&scene, "thermal", "off");
            float *height = scene_field(&scene, "height"), *rain = scene_field(&scene, "rain");
            for (int c = 0; c < 12 * 40; c++) {
                height[c] = (float)(high * 8000) + (float)(39 - c / 12) * 0.125f; /* exact at both heights */
                rain[c] = 0.02f;
            }
            set(&scene, "Kc", 0.02);
            set(&scene, "Ks", by_second(&scene, "Ks") ? 0.4 : 0.004);
            set(&scene, "Kd", 0);
            wadi_sim *sim = run(&scene, 1000);
            float *erosion = field_of(sim, "erosion");
            dug[high] = sum_of(erosion, cells_of(&scene.def)) / (12 * 40);
            assert_true(largest_of(erosion, cells_of(&scene.def)) < 0.05f);
            free(erosion);
            const wadi_mass mass = mass_of(sim);
            assert_true(fabs(mass.solid.residual) <= 1e-6 * mass.moved);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
        print_message("%s: %.3e m a step at 0 m, %.3e m at 8000 m\n", pipe_model(i), dug[0] / 1000, dug[1] / 1000);
        assert_true(dug[0] > 1e-4 && dug[0] < 2e-2);
        assert_true(fabs(dug[1] / dug[0] - 1) < 0.02);
    }
}

/* 1e-5 m a step off a plateau at 8000 m is 1 cm after 1000 steps. This tests the transfer between bed and water alone.
 */
static void a_thousand_steps_of_1e_5_m_are_a_centimetre(void **state);

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_conserves_mass),
        cmocka_unit_test(transport_loses_only_what_the_balance_reports),
        cmocka_unit_test(the_balance_counts_fields_set_during_a_run),
        cmocka_unit_test(gentle_erosion_at_8000_m_is_not_lost),
        cmocka_unit_test(a_thousand_steps_of_1e_5_m_are_a_centimetre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "engine/cell.h"

#include "models/pipes_cell.h"

static void a_thousand_steps_of_1e_5_m_are_a_centimetre(void **state) {
    (void)state;
    const float b0 = 8000;
    cell_transfer t = {0, 0, 0};
    for (int i = 0; i < 1000; i++) t = transfer(t.db, t.s, 1e-5f);
    assert_true(fabsf(t.db + 0.01f) < 1e-6f);
    assert_true(fabsf(t.db + t.s) <= 0); /* the water gains what the bed loses */
    assert_true(fabsf((b0 + t.db) - 7999.99f) < 0.0003f);
    for (int i = 0; i < 2000; i++) { /* the water never gives more than it has */
        t = transfer(t.db, t.s, -1e-5f);
        assert_true(t.s >= 0);
    }
    assert_true(fabsf(t.db) < 2e-5f);
}
