/* A basin that rain fills and evaporation empties: each step is compared with float64, for every model. labels: physics
 */
#include "scene.h"

/* Hills, dry at first. Where every cell evaporates alike they are under water, so that no cell falls dry. */
static scene basin(const char *model, int form, int variant) {
    scene made = scene_of(model, 20, 16, 1);
    made.def.boundary = variant & 4 ? WADI_WRAP : WADI_CLOSED;
    made.def.engine = scene_engines[variant >> 1 & 1];
    choose_form(&made, form);
    set_even_rain(&made);
    choose_if(&made, "evaporation", variant & 1 ? "surface" : "depth");
    make_hills(&made, 5, 4);
    float *water = scene_field(&made, "water");
    for (size_t i = 0; variant & 1 && i < cells_of(&made.def); i++) water[i] = 6 - made.field[0][i];
    return made;
}

static void check_basin(scene *scene, int64_t steps, const char *what) {
    const size_t cells = cells_of(&scene->def);
    float low = INFINITY;
    for (size_t i = 0; i < cells; i++) low = fminf(low, scene->field[0][i]);
    const double relief = (double)largest_of(scene->field[0], cells) - (double)low;
    double expected = sum_of(scene_field(scene, "water"), cells) / (double)cells;
    const double before = expected;
    for (int64_t i = 0; i < steps; i++) expected = kind_of(scene)->next_depth(&scene->def, relief, expected);
    wadi_sim *sim = run(scene, steps);
    float *water = field_of(sim, "water");
    const double found = sum_of(water, cells) / (double)cells;
    const wadi_mass mass = mass_of(sim);
    const double counted = before + (mass.rained + mass.exchanged - mass.evaporated - mass.infiltrated) / (double)cells;
    /* two roundings a step, all in one direction if there is much water */
    const double rounding = before > 0 ? 0x1p-23 : 0x1p-26;
    const double tolerance = 2e-5 + rounding * (double)steps;
    assert_true(mass.rained > 0 && mass.evaporated > 0 && fabs(expected - before) > 1e-3 * expected);
    /* bed turns into water, or water into the ground */
    const bool other = mass.exchanged > 0 || mass.exchanged < 0 || mass.infiltrated > 0;
    if ((!other && fabs(found / expected - 1) > tolerance) || fabs(counted / found - 1) > tolerance)
        fail_msg("%s: %.7f m of water, %.7f counted, %.7f expected", what, found, counted, expected);
    free(water);
    wadi_sim_destroy(sim);
}

static void basin_fills_as_in_float64(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int i = 0; i < 8 * forms(wadi_model_at((size_t)m)); i++) {
            scene scene = basin(model_id(m), i / 8, i % 8);
            char what[80];
            snprintf(what, sizeof what, "%s, %s, %d", model_id(m), form_of(&scene, i / 8)->name, i % 8);
            if (takes_water(&scene) && !kind_of(&scene)->routed) check_basin(&scene, i & 2 ? 400 : 100, what);
            scene_free(&scene);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(basin_fills_as_in_float64)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
