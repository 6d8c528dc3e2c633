/* What is done in one walk down the rows: nothing is read before it is written, or after it is overwritten; rows that
 * still live are not lost; rows beside a band are as many as its own come to need. Checked by walking. */
#include "scene.h"

#include "engine/schedule/schedule.h"

enum { LOWEST = -200, ROWS = 400, NEVER = -1 };

/* What each row of a field holds: the number of the element that wrote it last. One array for what is in place, one a
 * level for scratch, of which `depth` rows live. */
typedef struct held {
    int writer[ROWS], row[ROWS];
} held;

typedef struct walked {
    const wadi_model *model;
    const wadi_schedule *schedule;
    held *fields; /* by field and level */
} walked;

static int slot(const walked *walked, int field, int y) {
    const bool ring = walked->model->fields[field].kind == WADI_SCRATCH;
    return ring ? y & (walked->schedule->depth[field] - 1) : y - LOWEST;
}

static held *held_by(const walked *walked, int field, int level) {
    const bool ring = walked->model->fields[field].kind == WADI_SCRATCH;
    return &walked->fields[field * (WADI_MAX_LEVELS + 1) + (ring ? level : 0)];
}

/* The element that wrote what the one at `index` reads, were they done one after the other over all rows. */
static int last_writer(const walked *walked, int index, int field) {
    const bool ring = walked->model->fields[field].kind == WADI_SCRATCH;
    const wadi_element *elements = walked->schedule->elements;
    for (int i = index - 1; i >= 0; i--)
        if (wadi_stage_writes(elements[i].stage, field) && (!ring || elements[i].level == elements[index].level))
            return i;
    return NEVER;
}

/* Rows 0 .. 9 are the band. A row that nobody who is in the walk wrote in time is `NEVER`. */
static void do_row(const walked *walked, int index, int y) {
    const wadi_element *element = &walked->schedule->elements[index];
    const wadi_stage *stage = element->stage;
    for (int r = 0; r < stage->reads; r++) {
        const int field = stage->read[r].field, radius = stage->read[r].radius;
        const held *held = held_by(walked, field, element->level);
        for (int row = y - radius; row <= y + radius; row++) {
            const int at = slot(walked, field, row), expected = last_writer(walked, index, field);
            const bool ring = walked->model->fields[field].kind == WADI_SCRATCH;
            if (held->writer[at] != expected || (ring && held->row[at] != row))
                fail_msg("%s: %s of sub-step %d reads %s at row %d from %d instead of %d", walked->model->id,
                         stage->name, element->level, walked->model->fields[field].name, row, held->writer[at],
                         expected);
            if (!ring)
                assert_true(row >= -walked->schedule->halo[walked->schedule->levels] &&
                            row < 10 + walked->schedule->halo[walked->schedule->levels]);
        }
    }
    for (int w = 0; w < stage->writes; w++) {
        held *held = held_by(walked, stage->write[w], element->level);
        held->writer[slot(walked, stage->write[w], y)] = index;
        held->row[slot(walked, stage->write[w], y)] = y;
    }
}

static void walk_down(const wadi_sim *sim, int levels) {
    wadi_schedule schedule;
    assert_true(wadi_schedule_make(&schedule, sim, levels, true));
    walked walked = {sim->model, &schedule, malloc(WADI_MAX_FIELDS * (WADI_MAX_LEVELS + 1) * sizeof(held))};
    for (int i = 0; i < WADI_MAX_FIELDS * (WADI_MAX_LEVELS + 1); i++)
        for (int y = 0; y < ROWS; y++) walked.fields[i].writer[y] = walked.fields[i].row[y] = NEVER;
    const int count = levels * schedule.per_level, halo = schedule.halo[levels];
    for (int t = -halo; t < 10 + halo + schedule.elements[count - 1].lag; t++)
        for (int i = 0; i < count; i++) {
            const wadi_element *element = &schedule.elements[i];
            const int y = t - element->lag;
            if (y >= -element->reach && y < 10 + element->reach) do_row(&walked, i, y);
        }
    free(walked.fields);
    wadi_schedule_free(&schedule);
}

static void each_walk_is_what_one_stage_after_the_other_is(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int form = 0; form < forms(wadi_model_at((size_t)m)); form++) {
            scene scene = scene_of(model_id(m), 20, 20, 1);
            choose_form(&scene, form);
            make_hills(&scene, 20, 7);
            wadi_sim *sim = start(&scene);
            for (int levels = 1; levels <= WADI_MAX_LEVELS; levels++) walk_down(sim, levels);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
}

/* A change travels three rows through flow, erosion and transport, but what transport moves is not read by the next
 * sub-step's first stages. */
static void rows_beside_a_band(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 20, 20, 1);
    make_hills(&scene, 20, 7);
    wadi_sim *sim = start(&scene);
    wadi_schedule schedule;
    assert_true(wadi_schedule_make(&schedule, sim, 4, true));
    for (int levels = 1; levels <= 4; levels++) assert_int_equal(schedule.halo[levels], 1 + 2 * levels);
    wadi_schedule_free(&schedule);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_walk_is_what_one_stage_after_the_other_is),
        cmocka_unit_test(rows_beside_a_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
