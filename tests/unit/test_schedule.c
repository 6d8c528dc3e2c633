/* A fused sweep reads nothing before it is written or after it is overwritten. Live rows are not lost. The halo is
 * what the partition's own rows need. The test checks this by running the sweep symbolically. */
#include "scene.h"

#include "core/inside.h"
#include "engine/schedule/schedule.h"

enum { LOWEST = -200, ROWS = 400, NEVER = -1 };

/* Each row of a field holds the number of the stage that last wrote it. Fields in place have one array; scratch fields
 * have one for each sub-step, with `depth` live rows. */
typedef struct held {
    int writer[ROWS], row[ROWS];
} held;

typedef struct swept {
    const wadi_model *model;
    const wadi_schedule *schedule;
    held *fields; /* by field and sub-step */
} swept;

static int slot(const swept *swept, int field, int y) {
    const bool ring = swept->model->fields[field].kind == WADI_SCRATCH;
    return ring ? y & (swept->schedule->depth[field] - 1) : y - LOWEST;
}

static held *held_by(const swept *swept, int field, int substep) {
    const bool ring = swept->model->fields[field].kind == WADI_SCRATCH;
    return &swept->fields[field * (WADI_MAX_SUBSTEPS + 1) + (ring ? substep : 0)];
}

/* The stage whose output the stage at `index` reads, if all rows were computed stage by stage. */
static int last_writer(const swept *swept, int index, int field) {
    const bool ring = swept->model->fields[field].kind == WADI_SCRATCH;
    const wadi_scheduled_stage *stages = swept->schedule->stages;
    for (int i = index - 1; i >= 0; i--)
        if (wadi_stage_writes(stages[i].stage, field) && (!ring || stages[i].substep == stages[index].substep))
            return i;
    return NEVER;
}

/* Rows 0 to 9 are the partition. A row that no stage of the pass wrote in time is `NEVER`. */
static void do_row(const swept *swept, int index, int y) {
    const wadi_scheduled_stage *scheduled = &swept->schedule->stages[index];
    const wadi_stage *stage = scheduled->stage;
    for (int r = 0; r < stage->reads; r++) {
        const wadi_read *read = &stage->read[r];
        const int field = read->field;
        const held *held = held_by(swept, field, scheduled->substep);
        for (int row = y - read->up; row <= y + read->down; row++) {
            const int at = slot(swept, field, row), expected = last_writer(swept, index, field);
            const bool ring = swept->model->fields[field].kind == WADI_SCRATCH;
            if (held->writer[at] != expected || (ring && held->row[at] != row))
                fail_msg("%s: %s of sub-step %d reads %s at row %d from %d instead of %d", swept->model->id,
                         stage->name, scheduled->substep, swept->model->fields[field].name, row, held->writer[at],
                         expected);
            if (!ring)
                assert_true(row >= -swept->schedule->halo[swept->schedule->substeps] &&
                            row < 10 + swept->schedule->halo[swept->schedule->substeps]);
        }
    }
    for (int w = 0; w < stage->writes; w++) {
        held *held = held_by(swept, stage->write[w], scheduled->substep);
        held->writer[slot(swept, stage->write[w], y)] = index;
        held->row[slot(swept, stage->write[w], y)] = y;
    }
}

static void walk_down(const wadi_sim *sim, int substeps) {
    wadi_schedule schedule;
    assert_true(wadi_schedule_make(&schedule, sim->domain, substeps, true));
    swept swept = {sim->domain->model, &schedule, malloc(WADI_MAX_FIELDS * (WADI_MAX_SUBSTEPS + 1) * sizeof(held))};
    for (int i = 0; i < WADI_MAX_FIELDS * (WADI_MAX_SUBSTEPS + 1); i++)
        for (int y = 0; y < ROWS; y++) swept.fields[i].writer[y] = swept.fields[i].row[y] = NEVER;
    const int count = substeps * schedule.stages_per_substep, halo = schedule.halo[substeps];
    for (int t = -halo; t < 10 + halo + schedule.stages[count - 1].lag; t++)
        for (int i = 0; i < count; i++) {
            const wadi_scheduled_stage *scheduled = &schedule.stages[i];
            const int y = t - scheduled->lag;
            if (y >= -scheduled->reach && y < 10 + scheduled->reach) do_row(&swept, i, y);
        }
    free(swept.fields);
    wadi_schedule_free(&schedule);
}

static void each_fused_sweep_equals_one_stage_after_another(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int form = 0; form < forms(wadi_model_at((size_t)m)); form++) {
            scene scene = scene_of(model_id(m), 20, 20, 1);
            choose_form(&scene, form);
            make_hills(&scene, 20, 7);
            wadi_sim *sim = start(&scene);
            for (int substeps = 1; substeps <= WADI_MAX_SUBSTEPS; substeps++) walk_down(sim, substeps);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
}

/* A change travels three rows through flow, erosion and transport. But the next sub-step's first stages do not read
 * what transport moves. */
static void halo_of_a_partition(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 20, 20, 1);
    make_hills(&scene, 20, 7);
    wadi_sim *sim = start(&scene);
    wadi_schedule schedule;
    assert_true(wadi_schedule_make(&schedule, sim->domain, 4, true));
    for (int substeps = 1; substeps <= 4; substeps++) assert_int_equal(schedule.halo[substeps], 1 + 2 * substeps);
    wadi_schedule_free(&schedule);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fused_sweep_equals_one_stage_after_another),
        cmocka_unit_test(halo_of_a_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
