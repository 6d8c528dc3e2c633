/* Comparison with float64: the physics compiled with double for float gives the same terrain, to 1% of the change by
 * erosion. Also: the operands are in the range that GPUs divide quickly. labels: physics */
#include "scene.h"

#include "core/inside.h"
#include "double_cell.h"

#define DECLARE(id) extern const double_model double_##id, watched_##id;
#define WADI_MODEL(id) DECLARE(id)
#include "models/models.def"
#undef WADI_MODEL

static const struct {
    const char *id;
    const double_model *model, *watched;
} models[] = {
#define WADI_MODEL(id) {#id, &double_##id, &watched_##id},
#include "models/models.def"
#undef WADI_MODEL
};

static size_t index_of(const double_at *at, int x, int y) { return (size_t)y * (size_t)at->width + (size_t)x; }

double double_read(const double_at *at, int field, int dx, int dy) {
    int x = at->x + dx, y = at->y + dy;
    if (at->wrap) {
        x = (x + at->width) % at->width;
        y = (y + at->height) % at->height;
    }
    if (x < 0 || x >= at->width || y < 0 || y >= at->height) return (double)at->model->fields[field].outside;
    return at->field[field][index_of(at, x, y)];
}

void double_write(const double_at *at, int field, double value) { at->next[field][index_of(at, at->x, at->y)] = value; }

/* --- a run in float64 --- */

typedef struct run64 {
    const wadi_sim *sim; /* gives the stages, constants and sub-steps */
    const double_model *model;
    double *field[WADI_MAX_FIELDS], *next[WADI_MAX_FIELDS];
    void *constants;
    int64_t substeps_done;
} run64;

static run64 start64(const wadi_sim *sim, const double_model *model) {
    run64 run = {.sim = sim, .model = model, .constants = malloc(model->constants_bytes)};
    assert_non_null(run.constants);
    model->convert(sim->domain->constants, run.constants);
    const size_t cells = cells_of(&sim->domain->def);
    for (int m = 0; m < sim->domain->model->map_count; m++) assert_null(sim->domain->block.map[m]);
    for (int f = 0; f < sim->domain->model->field_count; f++) {
        run.field[f] = calloc(cells, sizeof(double));
        run.next[f] = calloc(cells, sizeof(double));
        assert_non_null(run.field[f]);
        assert_non_null(run.next[f]);
        for (size_t i = 0; sim->domain->block.field[f] != NULL && i < cells; i++)
            run.field[f][i] = (double)wadi_block_row(&sim->domain->block, sim->domain->block.field[f],
                                                     (int)i / sim->domain->def.width)[(int)i % sim->domain->def.width];
    }
    return run;
}

static void free64(run64 *run) {
    for (int f = 0; f < WADI_MAX_FIELDS; f++) {
        free(run->field[f]);
        free(run->next[f]);
    }
    free(run->constants);
}

static void run_stage64(run64 *run, int number) {
    const wadi_def *def = &run->sim->domain->def;
    const wadi_stage *stage = &run->sim->domain->model->stages[number];
    double_at at = {.model = run->sim->domain->model,
                    .constants = run->constants,
                    .field = run->field,
                    .next = run->next,
                    .width = def->width,
                    .height = def->height,
                    .wrap = def->boundary == WADI_WRAP};
    for (at.y = 0; at.y < at.height; at.y++)
        for (at.x = 0; at.x < at.width; at.x++) run->model->cells[number](&at);
    for (int w = 0; w < stage->writes; w++)
        memcpy(run->field[stage->write[w]], run->next[stage->write[w]], cells_of(def) * sizeof(double));
}

static void step64(run64 *run, int64_t steps) {
    for (int64_t i = 0; i < steps * run->sim->domain->substeps; i++, run->substeps_done++)
        for (int s = 0; s < run->sim->domain->model->stage_count; s++)
            if (wadi_stage_due(run->sim->domain, &run->sim->domain->model->stages[s], run->substeps_done))
                run_stage64(run, s);
}

/* --- the comparison --- */

static void compare(const run64 *reference, const wadi_sim *sim, const char *what) {
    const double *db = reference->field[wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE)];
    const size_t cells = cells_of(&sim->domain->def);
    float *change = field_of(sim, "change");
    double difference = 0, whole = 0;
    for (size_t i = 0; i < cells; i++) {
        difference += pow((double)change[i] - db[i], 2);
        whole += db[i] * db[i];
    }
    free(change);
    difference = sqrt(difference / (double)cells);
    whole = sqrt(whole / (double)cells);
    print_message("%s, step %3d: rms change %.4f m, float32 is off by %.2g m, %.4f%%\n", what, (int)wadi_sim_steps(sim),
                  whole, difference, 100 * difference / whole);
    assert_true(whole > 1e-4); /* otherwise nothing is compared */
    assert_true(difference <= 0.01 * whole);
}

static int last_stop(int m, wadi_boundary boundary) {
    const int said = scene_kind_of(wadi_model_find(models[m].id))->float64_steps[boundary];
    return said > 0 ? said : 300;
}

/* The model's default preset on hills at `base` metres; fewer cells for slow models. */
static void check_model(int m, wadi_boundary boundary, float base) {
    char what[80];
    const wadi_def usual = wadi_default_def(wadi_model_find(models[m].id), 64, 64, 1, 1);
    const int last = last_stop(m, boundary), stops[] = {last < 50 ? last : 50, last};
    const int side = work_of(&usual) * last > 1e6 ? 40 : 64;
    scene scene = scene_of(models[m].id, side, side, 1);
    OK(wadi_def_preset(&scene.def, &scene.def.model->presets[0]));
    set_even_rain(&scene); /* the simulation would change a map of showers as it runs */
    scene.def.boundary = boundary;
    fill(scene_field(&scene, "height"), &scene.def, base);
    make_hills(&scene, 20, 11);
    snprintf(what, sizeof what, "%s, %s, on %g m", models[m].id, scene_boundaries[boundary], (double)base);
    wadi_sim *sim = start(&scene);
    run64 reference = start64(sim, models[m].model);
    for (int i = 0; i < COUNT(stops) && stops[i] > wadi_sim_steps(sim); i++) {
        const int64_t steps = stops[i] - wadi_sim_steps(sim);
        step64(&reference, steps);
        OK(wadi_sim_step(sim, steps));
        compare(&reference, sim, what);
    }
    free64(&reference);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

static void float32_terrain_stays_close_to_float64(void **state) {
    (void)state;
    for (int m = 0; m < COUNT(models); m++)
        for (int i = 0; i < 2; i++) check_model(m, (wadi_boundary)((m + i) % 3), 0);
}

static void float32_terrain_at_2000_m_stays_close_to_float64(void **state) {
    (void)state;
    for (int m = 0; m < COUNT(models); m++) check_model(m, WADI_OPEN, 2000);
}

/* --- operands --- */

static int64_t divided, extreme;

/* See models/README.md. */
void double_watch(double dividend, double divisor) {
    const double a = fabs(dividend);
    divided++;
    extreme += (a > 0 && a < 0x1p-80) || a > 0x1p44 || divisor < 0x1p-60 || divisor > 0x1p44;
}

/* Water in one cell of 81 spreads over dry land, with tiny values at its fronts. A GPU would repeat a whole group of
 * cells for one extreme operand. */
static void fronts_bring_no_extreme_operands(void **state) {
    (void)state;
    for (int m = 0; m < COUNT(models); m++) {
        scene scene = scene_of(models[m].id, 81, 81, 1);
        OK(wadi_def_preset(&scene.def, &scene.def.model->presets[0]));
        apply(&scene, scene_kind_of(scene.def.model)->still);
        make_hills(&scene, 20, 11);
        float *water = scene_field(&scene, "water");
        for (int i = 0; i < 81 * 81; i++) water[i] = i % 9 == 4 && i / 81 % 9 == 4 ? 0.05f : 0;
        wadi_sim *sim = start(&scene);
        run64 run = start64(sim, models[m].watched);
        divided = extreme = 0;
        step64(&run, 300 / sim->domain->substeps);
        print_message("%s: %lld of %lld operands are extreme\n", models[m].id, (long long)extreme, (long long)divided);
        assert_true(divided > 1000000);
        assert_int_equal(extreme, 0);
        free64(&run);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float32_terrain_stays_close_to_float64),
        cmocka_unit_test(float32_terrain_at_2000_m_stays_close_to_float64),
        cmocka_unit_test(fronts_bring_no_extreme_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
