/* march.c: from the stages' declared radii to a kernel that does them all in one walk down the rows. */
#include "engine/gpu/codegen/sweep_plan.h"

#include <stdio.h>
#include <string.h>

#include "engine/gpu/gpu.h"

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }
static int power_of_2(int least) {
    int power = 1;
    while (power < least) power *= 2;
    return power;
}

/* --- the plan --- */

static const wadi_stage *stage_at(const wadi_march_plan *plan, int e) { return plan->schedule.elements[e].stage; }
static int lag_at(const wadi_march_plan *plan, int e) { return plan->schedule.elements[e].lag; }

static bool sometimes(const wadi_stage *stage) { return stage->every > 1; }

static bool touches(const wadi_stage *stage, int field) {
    return wadi_stage_writes(stage, field) || wadi_stage_radius(stage, field) >= 0;
}

static wadi_march_role role_of(const wadi_march_plan *plan, const wadi_field *field, int f) {
    bool written = false, used = false, every_time = false;
    for (int e = 0; e < plan->schedule.per_level; e++) {
        const wadi_stage *stage = stage_at(plan, e);
        if (!touches(stage, f)) continue;
        used = true;
        written = written || wadi_stage_writes(stage, f);
        every_time = every_time || !sometimes(stage);
    }
    if (!used) return WADI_MARCH_UNUSED;
    if (!every_time && written && field->kind == WADI_STATE) return WADI_MARCH_SOMETIMES;
    return written ? WADI_MARCH_RING : WADI_MARCH_GIVEN;
}

/* Whether of a field that a stage makes and others read, those read one neighbour each, all to the same side. */
static bool goes_to_one(const wadi_march_plan *plan, const wadi_field *field, int f) {
    const wadi_read *first = NULL;
    for (int e = 0; e < plan->schedule.per_level; e++) {
        const wadi_read *read = wadi_stage_read(stage_at(plan, e), f);
        if (read == NULL) continue;
        if (!wadi_reads_one(read) || (first != NULL && read->dx != first->dx)) return false;
        first = read;
    }
    return first != NULL && field->kind == WADI_SCRATCH && plan->role[f] == WADI_MARCH_RING;
}

/* The rows of a field that are kept, from those of its uses. Given ones are read where they are, but those at the cell
 * itself at every time. */
static void find_rows(wadi_march_plan *plan, const wadi_field *field, int f) {
    const bool one = goes_to_one(plan, field, f);
    plan->from[f] = 1000, plan->to[f] = -1000, plan->last[f] = -1;
    for (int e = 0; e < plan->schedule.per_level; e++) {
        const wadi_stage *stage = stage_at(plan, e);
        const wadi_read *read = wadi_stage_read(stage, f);
        const int lag = lag_at(plan, e), radius = read != NULL ? read->radius : 0;
        if (!touches(stage, f) || (plan->role[f] == WADI_MARCH_GIVEN && (radius > 0 || sometimes(stage)))) continue;
        plan->from[f] = smaller(plan->from[f], one && read != NULL ? lag - read->dy : lag - radius);
        plan->to[f] = larger(plan->to[f], one && read != NULL ? lag - read->dy : lag + radius);
        plan->wide[f] = plan->wide[f] || (radius > 0 && !one);
        if (one && read != NULL) plan->side[f] = read->dx;
        if (wadi_stage_writes(stage, f)) plan->last[f] = larger(plan->last[f], lag);
    }
}

/* Rows that nobody looks at between the one that made them and the one that reads them wait in the group's memory, and
 * need neither registers nor moving from one to the next. Not where a pass is one sub-step of two columns a lane: it
 * has registers enough, waits for memory, and what the rows take of the group's is taken from the first cache. */
static void park_rows(wadi_march_plan *plan, const wadi_field *field, int f) {
    const int rows = plan->to[f] - plan->from[f];
    int readers = 0;
    for (int e = 0; e < plan->schedule.per_level; e++) readers += wadi_stage_read(stage_at(plan, e), f) != NULL;
    const bool one = goes_to_one(plan, field, f) && readers == 1 && plan->from[f] == plan->last[f];
    const bool lacks_registers = plan->shape.levels > 1 || plan->shape.columns == 4;
    if (!plan->shape.shuffle || !lacks_registers || !one || rows < 2) return;
    plan->parked[f] = power_of_2(rows);
    plan->parked_rows += plan->parked[f];
}

bool wadi_march_changes(const wadi_march_plan *plan, const wadi_sim *sim, int f, bool sometimes_) {
    return sim->model->fields[f].kind == WADI_STATE &&
           plan->role[f] == (sometimes_ ? WADI_MARCH_SOMETIMES : WADI_MARCH_RING);
}

static bool is_handed_on(const wadi_march_plan *plan, const wadi_sim *sim, int f) {
    return wadi_march_changes(plan, sim, f, false);
}

static bool is_kept(const wadi_march_plan *plan, int f) {
    return plan->role[f] == WADI_MARCH_RING || (plan->role[f] == WADI_MARCH_GIVEN && plan->from[f] <= plan->to[f]);
}

/* What a stage reads that does not run every time comes ahead too, when it is due. */
static bool is_read_sometimes(const wadi_march_plan *plan, int f) {
    bool read = false;
    for (int e = 0; e < plan->schedule.per_level; e++) read = read || wadi_stage_radius(stage_at(plan, e), f) == 0;
    return read && plan->role[f] == WADI_MARCH_SOMETIMES;
}

/* So do maps that are read at the cell, the first few: each takes memory of the group's, for as many rows. */
#define MAPS_AHEAD 4

static bool is_map_ahead(const wadi_march_plan *plan, const wadi_sim *sim, int e, int m) {
    const wadi_read *map = &stage_at(plan, e)->map[m];
    return plan->shape.prefetch > 0 && map->radius == 0 && !sometimes(stage_at(plan, e)) &&
           wadi_gpu_is_raster(sim, map->field);
}

/* Such reads before that of map m by element e. */
static int maps_before(const wadi_march_plan *plan, const wadi_sim *sim, int e, int m) {
    int count = 0;
    for (int i = 0; i <= e && i < plan->schedule.per_level; i++)
        for (int j = 0; j < (i < e ? stage_at(plan, i)->maps : m); j++) count += is_map_ahead(plan, sim, i, j);
    return count;
}

static bool comes_ahead(const wadi_march_plan *plan, const wadi_sim *sim, int e, int m) {
    return is_map_ahead(plan, sim, e, m) && maps_before(plan, sim, e, m) < MAPS_AHEAD;
}

/* Where an item cannot hand on what it has, it does a strip alone. */
static int lanes_of(const wadi_march_shape *shape) { return shape->shuffle ? 32 : 1; }

/* What a level takes its rows from: those that are on their way from the device's memory, or from the level before it,
 * from the one that was just done to the one that is taken now. */
static void find_depth(wadi_march_plan *plan, const wadi_sim *sim) {
    const wadi_march_shape *shape = &plan->shape;
    int rows = 0;
    plan->phases = shape->shuffle && shape->levels > 1 ? 2 : 1;
    for (int f = 0; f < sim->model->field_count; f++) {
        plan->given += (plan->role[f] == WADI_MARCH_GIVEN && is_kept(plan, f)) || is_read_sometimes(plan, f);
        if (!is_handed_on(plan, sim, f)) continue;
        plan->fields++;
        plan->behind = larger(plan->behind, plan->last[f] - plan->from[f]);
    }
    plan->maps = smaller(maps_before(plan, sim, plan->schedule.per_level, 0), MAPS_AHEAD);
    plan->given += plan->maps;
    for (int f = 0; f < sim->model->field_count && shape->levels > 1; f++)
        if (is_handed_on(plan, sim, f))
            rows = larger(rows, plan->behind + plan->from[f] - plan->last[f] + plan->phases);
    plan->depth = power_of_2(larger(rows, shape->prefetch + 1));
}

static void find_size(wadi_march_plan *plan) {
    const wadi_march_shape *shape = &plan->shape;
    const int lanes = lanes_of(shape), handed = shape->levels - 1, wide = lanes * shape->columns;
    const int strip = wide - 2 * plan->margin;
    plan->items = lanes * shape->strips * (shape->shuffle ? shape->levels : 1);
    plan->own_columns = strip * shape->strips - 2 * plan->margin * handed;
    plan->row_floats = larger(wide * shape->strips, strip * shape->strips + 4 * plan->margin * handed);
    const int taken = shape->levels * plan->depth * (plan->given + plan->fields) * plan->row_floats;
    plan->parked_from = handed > 0 || shape->prefetch > 0 ? taken : 0;
    /* a group's sums take two floats an item, when the walk is over */
    plan->rows_floats =
        larger(plan->parked_from + plan->parked_rows * wide * shape->strips * shape->levels, 2 * plan->items);
}

static int sums_of(const wadi_march_plan *plan) {
    int sums = 0;
    for (int i = 0; i < WADI_SUMS; i++) sums += plan->sums[i];
    return sums;
}

/* Of a group's memory, for sums of the passes that are done. */
static int kept_floats(const wadi_march_plan *plan) { return 2 * plan->items * sums_of(plan); }

size_t wadi_march_local_bytes(const wadi_march_plan *plan) {
    return (size_t)(plan->rows_floats + (plan->resident ? kept_floats(plan) : 0)) * sizeof(float);
}

/* Where there is not room for them, rows do not wait in the group's memory. */
static void make_room(wadi_march_plan *plan, const wadi_sim *sim) {
    const wadi_gpu_engine *engine = sim->engine_state;
    const size_t most = (size_t)(plan->rows_floats + kept_floats(plan)) * sizeof(float); /* if groups stay */
    if (plan->parked_rows == 0 || most <= engine->about.local_bytes) return;
    memset(plan->parked, 0, sizeof plan->parked);
    plan->parked_rows = 0;
    find_size(plan);
}

#define LONG_ROW 500 /* operations a cell */

wadi_status wadi_march_plan_make(wadi_march_plan *plan, const wadi_sim *sim, const wadi_march_shape *shape,
                                 bool *fits) {
    memset(plan, 0, sizeof *plan);
    plan->shape = *shape;
    *fits = false;
    if (!wadi_schedule_make(&plan->schedule, sim, 1, false))
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the plan of a kernel");
    plan->halo = plan->schedule.halo[1];
    const int whole = shape->shuffle ? shape->columns : 1; /* lanes are useful or they are not */
    plan->margin = (plan->halo + whole - 1) / whole * whole;
    int operations = 0;
    bool known = true; /* when stages are due that do not run every time: all at once */
    for (int e = 0; e < plan->schedule.per_level; e++) {
        plan->lag = larger(plan->lag, lag_at(plan, e));
        operations += stage_at(plan, e)->operations;
        if (sometimes(stage_at(plan, e))) {
            known = known && (plan->every == 0 || plan->every == stage_at(plan, e)->every);
            plan->every = stage_at(plan, e)->every;
        }
        for (int i = 0; i < stage_at(plan, e)->sums; i++) plan->sums[stage_at(plan, e)->sum[i]] = true;
    }
    for (int f = 0; f < sim->model->field_count; f++) {
        plan->role[f] = role_of(plan, &sim->model->fields[f], f);
        find_rows(plan, &sim->model->fields[f], f);
        park_rows(plan, &sim->model->fields[f], f);
    }
    find_depth(plan, sim);
    find_size(plan);
    make_room(plan, sim);
    plan->long_rows = operations > LONG_ROW;
    /* what is handed on is so at every sub-step */
    bool always = plan->fields > 0;
    for (int e = 0; e < plan->schedule.per_level; e++)
        for (int w = 0; w < stage_at(plan, e)->writes; w++)
            always = always && !(sometimes(stage_at(plan, e)) && is_handed_on(plan, sim, stage_at(plan, e)->write[w]));
    const int rows_above = shape->levels * plan->halo + plan->lag;
    const int rows_below = (shape->levels - 1) * plan->halo + plan->lag + shape->prefetch;
    *fits = always && known && plan->own_columns > 0 && plan->schedule.per_level > 0 &&
            rows_below < WADI_GPU_MARGIN_ROWS && rows_above < WADI_GPU_MARGIN_ROWS &&
            (shape->shuffle || shape->prefetch == 0);
    return WADI_OK;
}

void wadi_march_plan_free(wadi_march_plan *plan) { wadi_schedule_free(&plan->schedule); }

/* --- arguments --- */

void wadi_march_arguments(const wadi_march_plan *plan, const wadi_sim *sim,
                          void (*each)(void *context, wadi_march_argument what, int index, int level), void *context) {
    const wadi_model *model = sim->model;
    each(context, WADI_MARCH_NOW, 0, 0);
    each(context, WADI_MARCH_NEXT, 0, 0);
    for (int f = 0; f < model->field_count; f++) {
        if (plan->role[f] == WADI_MARCH_SOMETIMES) {
            each(context, WADI_MARCH_IN, f, 0);
            each(context, WADI_MARCH_OUT, f, 0);
        } else if (plan->role[f] == WADI_MARCH_GIVEN) {
            each(context, WADI_MARCH_FIELD, f, 0);
        }
    }
    for (int m = 0; m < model->map_count; m++)
        for (int level = 0; wadi_gpu_is_raster(sim, m) && level < plan->shape.levels; level++)
            if (level == 0 || wadi_gpu_is_rain(sim, m)) each(context, WADI_MARCH_MAP, m, level);
}

typedef struct writer {
    wadi_program_text *text;
    const wadi_march_plan *plan;
    const wadi_sim *sim;
    int level; /* whose maps are named in a call */
} writer;

#define ADD(...) wadi_text_add(writer->text, __VA_ARGS__)

static const char *name_of(const writer *writer, int f) { return writer->sim->model->fields[f].name; }

static const char *argument_name(const writer *writer, wadi_march_argument what, int index) {
    if (what == WADI_MARCH_NOW || what == WADI_MARCH_NEXT) return "";
    return what == WADI_MARCH_MAP ? writer->sim->model->maps[index].name : name_of(writer, index);
}

static void declare(void *context, wadi_march_argument what, int index, int level) {
    const writer *writer = context;
    static const char *const kinds[] = {"const float *now", "float *next",     "const float *in_",
                                        "float *out_",      "const float *g_", "const float *m_"};
    const char *name = argument_name(writer, what, index);
    ADD("    GLOBAL %s%s", kinds[what], name);
    if (what == WADI_MARCH_MAP) ADD("_%d", level);
    ADD(",\n");
}

/* Of the function for a level, which knows its own maps alone. */
static void declare_own(void *context, wadi_march_argument what, int index, int level) {
    const writer *writer = context;
    if (level > 0) return;
    if (what != WADI_MARCH_MAP)
        declare(context, what, index, level);
    else
        ADD("    GLOBAL const float *m_%s,\n", writer->sim->model->maps[index].name);
}

static void pass(void *context, wadi_march_argument what, int index, int level) {
    const writer *writer = context;
    static const char *const kinds[] = {"now", "next", "in_", "out_", "g_", "m_"};
    ADD("%s%s", kinds[what], argument_name(writer, what, index));
    if (what == WADI_MARCH_MAP) ADD("_%d", level);
    ADD(", ");
}

/* To the function for a level. Where it is not known when building, the walk has picked the maps that are its own. */
static void pass_own(void *context, wadi_march_argument what, int index, int level) {
    const writer *writer = context;
    const bool picked = what == WADI_MARCH_MAP && writer->plan->shape.shuffle;
    const int own = what == WADI_MARCH_MAP && wadi_gpu_is_rain(writer->sim, index) ? writer->level : 0;
    if (picked && level == 0)
        ADD("m_%s, ", writer->sim->model->maps[index].name);
    else if (!picked && level == own)
        pass(context, what, index, level);
}

static void pick(void *context, wadi_march_argument what, int index, int level) {
    const writer *writer = context;
    if (what != WADI_MARCH_MAP || !writer->plan->shape.shuffle) return;
    const char *name = writer->sim->model->maps[index].name;
    const int last = wadi_gpu_is_rain(writer->sim, index) ? writer->plan->shape.levels - 1 : 0;
    if (level == 0) ADD("    GLOBAL const float *const m_%s = ", name);
    if (level < last)
        ADD("my_level == %d ? m_%s_%d : ", level, name, level);
    else
        ADD("m_%s_%d;\n", name, level);
}

/* From one function for a level to another. */
static void pass_own_alone(void *context, wadi_march_argument what, int index, int level) {
    const writer *writer = context;
    if (level > 0) return;
    if (what == WADI_MARCH_MAP)
        ADD("m_%s, ", writer->sim->model->maps[index].name);
    else
        pass(context, what, index, level);
}

static const char *sum_name(int sum) {
    static const char *const names[WADI_SUMS] = {"rained", "evaporated", "spilled", "carried", "exchanged", "advected"};
    return names[sum];
}

/* --- what a level keeps --- */

/* Fields of which a row is loaded for each row of the walk: given ones, those of stages that are due, and then, after
 * maps, those that are handed on. */
static void each_load(const writer *writer, void (*each)(const struct writer *writer, int field, int index)) {
    const wadi_march_plan *plan = writer->plan;
    const int count = writer->sim->model->field_count;
    int index = 0;
    for (int f = 0; f < count; f++)
        if (plan->role[f] == WADI_MARCH_GIVEN && is_kept(plan, f)) each(writer, f, index++);
    for (int f = 0; f < count; f++)
        if (is_read_sometimes(plan, f)) each(writer, f, index++);
    index = plan->given;
    for (int f = 0; f < count; f++)
        if (is_handed_on(plan, writer->sim, f)) each(writer, f, index++);
}

static bool is_given(const writer *writer, int f) { return writer->plan->role[f] == WADI_MARCH_GIVEN; }
static bool is_sometimes(const writer *writer, int f) { return writer->plan->role[f] == WADI_MARCH_SOMETIMES; }

static void declare_given(const writer *writer, int f, int index) {
    (void)index;
    if (is_given(writer, f)) ADD("    GLOBAL const float *at_%s;\n", name_of(writer, f));
}

static void write_level(const writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    ADD("typedef struct level {\n");
    for (int f = 0; f < writer->sim->model->field_count; f++)
        if (is_kept(plan, f))
            ADD("    float r_%s[%d][COLUMNS%s];\n", name_of(writer, f), plan->to[f] - plan->from[f] + 1,
                plan->wide[f] ? " + 2" : "");
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) ADD("    total s_%s;\n", sum_name(i));
    ADD("    GLOBAL const float *now; /* the row that is loaded next, of the state */\n");
    each_load(writer, declare_given);
    ADD("    GLOBAL float *next; /* the row it is at */\n"
        "    place staged, taken, given, parked; /* as in strip */\n"
        "    extremes watch;\n} level;\n\n");
}

/* --- a row --- */

static void shift(const writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    for (int f = 0; f < writer->sim->model->field_count; f++) {
        if (!is_kept(plan, f) || plan->parked[f] > 0) continue;
        for (int i = plan->to[f] - plan->from[f]; i > 0; i--)
            ADD("    SHIFT(level->r_%s, %d)\n", name_of(writer, f), i);
    }
}

/* Of those whose rows lie together. */
static int slot_of(const writer *writer, int f) {
    int slot = 0;
    for (int i = 0; i < f; i++) slot += is_handed_on(writer->plan, writer->sim, i);
    return slot;
}

/* Where its row of the walk's is, and how far from there. */
static void add_source(const writer *writer, int f, const char *between) {
    const int behind = writer->plan->from[f];
    if (is_sometimes(writer, f))
        ADD("in_%s + line%s-%d * PITCH", name_of(writer, f), between, behind);
    else if (is_given(writer, f))
        ADD("level->at_%s%s-%d * PITCH", name_of(writer, f), between, behind);
    else
        ADD("level->now%s%d * TOGETHER - %d * FIELDS * PITCH", between, slot_of(writer, f), behind);
}

static void load_ahead(const writer *writer, int f, int index) {
    ADD("    %sLOAD_ASYNC(FURTHER(level->staged, TAKEN(t, %d)), ", is_sometimes(writer, f) ? "if (due) " : "", index);
    add_source(writer, f, ", ");
    ADD(");\n");
}

/* Its place among the rows that are loaded. */
static int map_slot(const writer *writer, int e, int m) {
    return writer->plan->given - writer->plan->maps + maps_before(writer->plan, writer->sim, e, m);
}

static void load_maps_ahead(const writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    for (int e = 0; e < plan->schedule.per_level; e++)
        for (int m = 0; m < stage_at(plan, e)->maps; m++)
            if (comes_ahead(plan, writer->sim, e, m))
                ADD("    LOAD_ASYNC(FURTHER(level->staged, TAKEN(t, %d)), m_%s + line, -%d * PITCH);\n",
                    map_slot(writer, e, m), writer->sim->model->maps[stage_at(plan, e)->map[m].field].name,
                    lag_at(plan, e));
}

static void load_alone(const writer *writer, int f, int index) {
    if (!is_handed_on(writer->plan, writer->sim, f)) load_ahead(writer, f, index);
}

static void load_together(const writer *writer, int f, int index) {
    if (is_handed_on(writer->plan, writer->sim, f)) load_ahead(writer, f, index);
}

static void begin_given(const writer *writer, int f, int index) {
    (void)index;
    if (is_given(writer, f)) ADD("    level->at_%s = g_%s + line;\n", name_of(writer, f), name_of(writer, f));
}

static void advance_given(const writer *writer, int f, int index) {
    (void)index;
    if (is_given(writer, f)) ADD("    level->at_%s += PITCH;\n", name_of(writer, f));
}

static void load(const writer *writer, int f, int index) {
    const bool given = is_given(writer, f);
    if (is_sometimes(writer, f)) return; /* where it is read */
    char to[128];
    snprintf(to, sizeof to, "&level->r_%s[0][%d]", name_of(writer, f), writer->plan->wide[f]);
    ADD("    if (PREFETCH > 0%s) load_local(%s, FURTHER(level->%s, TAKEN(t, %d)));\n    else load_%s(%s, ",
        given ? "" : " || !FIRST", to, given ? "staged" : "taken", index, given ? "row" : "together", to);
    add_source(writer, f, " + ");
    ADD(given ? ");\n" : ", strip.at);\n");
}

/* Whether the field's row, as it is after element e (-1: as it was loaded), is one whose neighbours are read. */
static bool is_read_beside(const writer *writer, int e, int f) {
    const wadi_march_plan *plan = writer->plan;
    for (int i = e + 1; i < plan->schedule.per_level; i++) {
        if (wadi_stage_radius(stage_at(plan, i), f) > 0) return true;
        if (e < 0 && wadi_stage_writes(stage_at(plan, i), f)) return false;
    }
    return false;
}

/* Where a row that waits is put; so many rows before, it was put there. */
static void add_parked_place(const writer *writer, int f, int rows) {
    const wadi_march_plan *plan = writer->plan;
    int before = 0;
    for (int i = 0; i < f; i++) before += plan->parked[i];
    ADD("FURTHER(level->parked, (%d + ((t - %d) & %d)) * WIDE)", before, rows, plan->parked[f] - 1);
}

static void load_parked(const writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    for (int f = 0; f < writer->sim->model->field_count; f++) {
        const int rows = plan->to[f] - plan->from[f];
        if (plan->parked[f] == 0) continue;
        ADD("    load_local(level->r_%s[%d], ", name_of(writer, f), rows);
        add_parked_place(writer, f, rows);
        ADD(");\n");
    }
}

static void exchange_loaded(const writer *writer) {
    for (int f = 0; f < writer->sim->model->field_count; f++)
        if (is_handed_on(writer->plan, writer->sim, f) && is_read_beside(writer, -1, f))
            ADD("    exchange(level->r_%s[0]);\n", name_of(writer, f));
}

/* By a stage that does not run every time. */
static void add_late_read(const writer *writer, int f, const char *name) {
    int staged = 0;
    for (int i = 0; i < writer->sim->model->field_count; i++)
        staged += (is_given(writer, i) && is_kept(writer->plan, i)) || (i < f && is_read_sometimes(writer->plan, i));
    if (is_sometimes(writer, f))
        ADD("near_here(PREFETCH > 0 ? local_value(FURTHER(level->staged, TAKEN(t, %d) + i)) : in_%s[at + i]), ", staged,
            name);
    else
        ADD("near_here(g_%s[at + i]), ", name);
}

static void add_read(const writer *writer, const wadi_stage *stage, int lag, const wadi_read *read) {
    const wadi_march_plan *plan = writer->plan;
    const int f = read->field, at = lag - plan->from[f];
    const char *name = name_of(writer, f);
    if (plan->role[f] != WADI_MARCH_RING && read->radius > 0)
        ADD("near_global(g_%s + at + i, g.pitch), ", name);
    else if (plan->role[f] != WADI_MARCH_RING && sometimes(stage))
        add_late_read(writer, f, name);
    else if (!plan->wide[f] && read->radius > 0)
        ADD("near_one(level->r_%s[%d][i], %d, %d), ", name, lag - read->dy - plan->from[f], read->dx, read->dy);
    else if (read->radius == 0)
        ADD("near_here(level->r_%s[%d][i + %d]), ", name, at, plan->wide[f]);
    else
        ADD("near_rows(level->r_%s[%d], level->r_%s[%d], level->r_%s[%d], i), ", name, at + 1, name, at, name, at - 1);
}

static void add_map(const writer *writer, int e, int m) {
    const wadi_read *map = &stage_at(writer->plan, e)->map[m];
    const char *name = writer->sim->model->maps[map->field].name;
    if (comes_ahead(writer->plan, writer->sim, e, m))
        ADD("near_here(local_value(FURTHER(level->staged, TAKEN(t, %d) + i))), ", map_slot(writer, e, m));
    else if (!wadi_gpu_is_raster(writer->sim, map->field))
        ADD("near_none(), ");
    else if (map->radius > 0)
        ADD("near_global(m_%s + at + i, g.pitch), ", name);
    else
        ADD("near_here(m_%s[at + i]), ", name);
}

/* What only happens beside the outside is not summed elsewhere. */
static bool at_border_alone(int sum) { return sum == WADI_SUM_spilled || sum == WADI_SUM_carried; }

static void add_results(const writer *writer, const wadi_stage *stage, int e) {
    const wadi_march_plan *plan = writer->plan;
    for (int w = 0; w < stage->writes; w++) {
        const int f = stage->write[w];
        const char *name = name_of(writer, f);
        if (plan->role[f] == WADI_MARCH_SOMETIMES) {
            ADD("            now_%s[i] = results.%s;\n", name, name);
            continue;
        }
        ADD("            level->r_%s[%d][i + %d] = results.%s;\n", name, lag_at(plan, e) - plan->from[f], plan->wide[f],
            name);
    }
    for (int i = 0; i < stage->sums; i++)
        ADD("            sum_%s[i] = results.sum_%s;\n", sum_name(stage->sum[i]), sum_name(stage->sum[i]));
}

/* Lanes have all of what is theirs, or none, but at the border: conditions of single columns would take predicates from
 * all rows, and a schedule that has few of them waits. */
static void store_sometimes(const writer *writer, const wadi_stage *stage) {
    for (int w = 0; w < stage->writes; w++) {
        const char *name = name_of(writer, stage->write[w]);
        if (!is_sometimes(writer, stage->write[w])) continue;
        ADD("        if (BY_COLUMN(EDGE)) {\n            UNROLL\n            for (int i = 0; i < COLUMNS; i++)\n"
            "                if (due && ours && i >= strip.own && i < strip.own_end) out_%s[at + i] = now_%s[i];\n"
            "        } else if (due && ours && strip.all_own) {\n"
            "            store_row(out_%s + at, 0, now_%s, 0, COLUMNS, 0);\n        }\n",
            name, name, name, name);
    }
}

/* Of all columns, before any of them is looked at: they have nothing to do with each other. */
static void add_call(const writer *writer, int e) {
    const wadi_stage *stage = stage_at(writer->plan, e);
    ADD("        UNROLL\n        for (int i = 0; i < COLUMNS; i++)\n");
    ADD("            made[i] = %s_cell(", stage->name);
    for (int i = 0; i < stage->reads; i++) add_read(writer, stage, lag_at(writer->plan, e), &stage->read[i]);
    for (int i = 0; i < stage->maps; i++) add_map(writer, e, i);
    ADD("k, EDGE WATCHING(level->watch, EXACT));\n");
}

/* The fields that are what they stay after element e. */
static bool is_done(const writer *writer, int e, int f) {
    const wadi_march_plan *plan = writer->plan;
    if (!is_handed_on(plan, writer->sim, f) || !wadi_stage_writes(stage_at(plan, e), f)) return false;
    for (int i = e + 1; i < plan->schedule.per_level; i++)
        if (wadi_stage_writes(stage_at(plan, i), f)) return false;
    return true;
}

/* What the last level has done goes to the device's memory, what another has done to the next one. At a row's end, by
 * all stages together: one branch, which is the warp's. */
static void hand_on_from(const writer *writer, int e, bool last) {
    const wadi_march_plan *plan = writer->plan;
    const int lag = lag_at(plan, e);
    bool any = false;
    for (int f = 0; f < writer->sim->model->field_count; f++) {
        if (!is_done(writer, e, f)) continue;
        const char *name = name_of(writer, f);
        const int slot = slot_of(writer, f), at = lag - plan->from[f];
        if (!any)
            ADD("        if (WHOLE || is_within(t - %d, %s%d, strip)) {\n", lag, last ? "" : "beyond + ",
                last ? 0 : plan->schedule.elements[e].reach);
        any = true;
        if (last)
            ADD("            store_row(level->next + %d * TOGETHER - %d * FIELDS * PITCH, strip.at, "
                "&level->r_%s[%d][%d], "
                "strip.own, strip.own_end, BY_COLUMN(EDGE));\n",
                slot, lag, name, at, plan->wide[f]);
        else
            ADD("            store_local(FURTHER(level->given, TAKEN(t - %d, %d)), &level->r_%s[%d][%d]);\n", at,
                plan->given + slot, name, at, plan->wide[f]);
    }
    if (any) ADD("        }\n");
}

static void hand_on(const writer *writer) {
    ADD("    if (LAST) {\n        if (BY_COLUMN(EDGE) || strip.all_own) {\n");
    for (int e = 0; e < writer->plan->schedule.per_level; e++) hand_on_from(writer, e, true);
    ADD("        }\n    } else if (strip.useful) {\n");
    for (int e = 0; e < writer->plan->schedule.per_level; e++) hand_on_from(writer, e, false);
    ADD("    }\n    level->next += FIELDS * PITCH;\n");
}

/* What neighbours will read of a row that is made. */
static void hand_beside(const writer *writer, int e, int f) {
    const wadi_march_plan *plan = writer->plan;
    const char *name = name_of(writer, f);
    const int at = lag_at(plan, e) - plan->from[f];
    if (plan->role[f] != WADI_MARCH_RING || !is_read_beside(writer, e, f)) return;
    if (plan->wide[f])
        ADD("        exchange(level->r_%s[%d]);\n", name, at);
    else if (plan->side[f] != 0)
        ADD("        take_from_%s(level->r_%s[%d]);\n", plan->side[f] < 0 ? "left" : "right", name, at);
    if (plan->parked[f] == 0) return;
    ADD("        store_local(");
    add_parked_place(writer, f, 0);
    ADD(", level->r_%s[0]);\n", name);
}

/* A stage does rows that somebody needs; of long rows all, for they are one text, which is slower in pieces. What is
 * made above the piece of rows that were not loaded may well be extreme, but is nobody's. */
static void add_element(const writer *writer, int e) {
    const wadi_march_plan *plan = writer->plan;
    const wadi_stage *stage = stage_at(plan, e);
    const int lag = lag_at(plan, e);
    const int reach = plan->schedule.elements[e].reach;
    const char *due = sometimes(stage) ? "(WHOLE ? DUE : due)" : "1";
    if (plan->long_rows)
        ADD("    if (%s) { /* %s */\n        const extremes seen = level->watch;\n", due, stage->name);
    else
        ADD("    if (%s && (WHOLE || is_within(t - %d, beyond + %d, strip))) { /* %s */\n", due, lag, reach,
            stage->name);
    ADD("        const int y = t - %d, ours = WHOLE || is_within(y, 0, strip);\n", lag);
    ADD("        const wide at = line - %d * PITCH;\n", lag);
    for (int i = 0; i < stage->sums; i++) ADD("        float sum_%s[COLUMNS];\n", sum_name(stage->sum[i]));
    ADD("        %s_results made[COLUMNS];\n", stage->name);
    for (int w = 0; w < stage->writes; w++)
        if (is_sometimes(writer, stage->write[w]))
            ADD("        float now_%s[COLUMNS];\n", name_of(writer, stage->write[w]));
    add_call(writer, e);
    if (plan->long_rows) ADD("        if (y < strip.y0 - beyond - %d) level->watch = seen;\n", reach);
    ADD("        UNROLL\n        for (int i = 0; i < COLUMNS; i++) {\n");
    ADD("            const %s_results results = made[i];\n", stage->name);
    add_results(writer, stage, e);
    ADD("        }\n        (void)ours, (void)at;\n");
    store_sometimes(writer, stage);
    for (int i = 0; i < stage->sums; i++) {
        const char *name = sum_name(stage->sum[i]);
        ADD("        if (%s%sours) level->s_%s = add_own(level->s_%s, sum_%s, strip, BY_COLUMN(EDGE));\n",
            at_border_alone(stage->sum[i]) ? "EDGE && " : "", sometimes(stage) ? "due && " : "", name, name, name);
    }
    for (int w = 0; w < stage->writes; w++) hand_beside(writer, e, stage->write[w]);
    ADD("    }\n");
}

static void write_loads(writer *writer) {
    ADD("CELL void level_begin(level *level, const strip strip, const int t, LOCAL float *all,\n");
    wadi_march_arguments(writer->plan, writer->sim, declare_own, writer);
    ADD("    const grid g) {\n"
        "    const wide line = line_of(strip, t, g);\n    (void)line;\n"
        "    const wide block = (wide)(t + MARGIN_ROWS) * (FIELDS * PITCH) + FIRST_OF(strip.at);\n"
        "    level->now = now + block;\n"
        "    level->next = next + block;\n");
    each_load(writer, begin_given);
    ADD("    level->staged = place_of(all + strip.staged);\n"
        "    level->taken = place_of(all + strip.taken);\n"
        "    level->given = place_of(all + strip.given);\n"
        "    level->parked = place_of(all + strip.parked);\n}\n\n");
    ADD("CELL void level_advance(level *level, const grid g) {\n    level->now += FIELDS * PITCH;\n");
    each_load(writer, advance_given);
    ADD("}\n\n");
    ADD("/* Has loaded what row t of a level's walk needs. line: that of what has memory of its own. */\n"
        "CELL void level_load_ahead(level *level, const int FIRST, const int due, const int t, const wide line, const "
        "int needed,\n");
    wadi_march_arguments(writer->plan, writer->sim, declare_own, writer);
    ADD("    const grid g) {\n    if (needed) {\n");
    each_load(writer, load_alone);
    load_maps_ahead(writer);
    ADD("    if (FIRST) {\n");
    each_load(writer, load_together);
    ADD("    }\n    }\n    async_mark();\n    level_advance(level, g);\n}\n\n");
}

static void write_row(writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    ADD("/* Row t of a level's walk, of which rows are needed so far beyond the piece. WHOLE: all stages have a row to "
        "do, and\n"
        " * it is the piece's own. */\n"
        "CELL void level_row(level *level, const int FIRST, const int LAST, const int EDGE, const int EXACT,\n"
        "    const int WHOLE, const int DUE, const int due, const int beyond, const int t,\n"
        "    const strip strip,\n");
    wadi_march_arguments(plan, writer->sim, declare_own, writer);
    ADD("    const constants k, const grid g) {\n"
        "    const wide line = line_of(strip, t, g);\n    (void)line;\n");
    shift(writer);
    ADD("    if (PREFETCH > 0) async_wait();\n");
    each_load(writer, load);
    load_parked(writer);
    ADD("    if (PREFETCH > 0) level_load_ahead(level, FIRST, due, t + PREFETCH, line + PREFETCH * PITCH,\n"
        "        WHOLE || t + PREFETCH < strip.y1 + beyond + LAG, ");
    wadi_march_arguments(plan, writer->sim, pass_own_alone, writer);
    ADD("g);\n    else level_advance(level, g);\n");
    exchange_loaded(writer);
    for (int e = 0; e < plan->schedule.per_level; e++) add_element(writer, e);
    hand_on(writer);
    ADD("}\n\n");
}

/* --- the kernel --- */

/* Which level it is: its items' own, or each after the other. */
static void name_level(const writer *writer, int level, char *name, size_t size) {
    if (writer->plan->shape.shuffle)
        snprintf(name, size, "my_level");
    else
        snprintf(name, size, "%d", level);
}

static int held_levels(const wadi_march_plan *plan) { return plan->shape.shuffle ? 1 : plan->shape.levels; }

static void begin_level(writer *writer, int level) {
    char name[16];
    name_level(writer, level, name, sizeof name);
    writer->level = level;
    ADD("    level_begin(&mine[%d], strips[%d], y0 - ROWS_ABOVE(%s), all, ", level, level, name);
    wadi_march_arguments(writer->plan, writer->sim, pass_own, writer);
    ADD("g);\n"
        "    UNROLL\n"
        "    for (int i = 0; i < PREFETCH; i++)\n"
        "        level_load_ahead(&mine[%d], %s == 0, due == %s, y0 - ROWS_ABOVE(%s) + i, line_of(strips[%d], y0 - "
        "ROWS_ABOVE(%s) + i, g), 1, ",
        level, name, name, name, level, name);
    wadi_march_arguments(writer->plan, writer->sim, pass_own, writer);
    ADD("g);\n");
}

static void call_level(writer *writer, int level) {
    char name[16];
    name_level(writer, level, name, sizeof name);
    writer->level = level;
    ADD("        {\n            const int at_row = t - %s * BEHIND;\n"
        "            if (LEVELS == 1 || WHOLE || (at_row >= y0 - ROWS_ABOVE(%s) && at_row < y1 + ROWS_BELOW(%s)))\n"
        "                level_row(&mine[%d], %s == 0, %s == LEVELS - 1, EDGE, EXACT, WHOLE, DUE, DUE && due == %s,\n"
        "                    (LEVELS - 1 - %s) * HALO, at_row, strips[%d], ",
        name, name, name, level, name, name, name, name, level);
    wadi_march_arguments(writer->plan, writer->sim, pass_own, writer);
    ADD("k, g);\n        }\n");
}

static void write_one_row(writer *writer, const char *indent, int whole, int due) {
    ADD("%senum { WHOLE = %d, DUE = %d };\n%srow_begin(my_level, t);\n", indent, whole, due, indent);
    for (int level = 0; level < held_levels(writer->plan); level++) call_level(writer, level);
    ADD("%srow_end(my_level, t);\n", indent);
}

/* Where there is room for many items at a time, rows by two texts in turn: from one to the next nothing that is kept
 * has to be moved, and the code is still short enough. */
static int rows_a_turn(const wadi_march_plan *plan, int due) {
    return !due && plan->items * plan->shape.groups >= 512 ? 2 : 1;
}

/* Whether rows of which all is needed have texts of their own. Resident groups are each at another row, so they had
 * better all run the same text. */
static bool has_whole_rows(const wadi_march_plan *plan) {
    return plan->shape.shuffle && !plan->long_rows && !plan->resident;
}

/* Of rows of which all is needed: at the edge; else those of passes in which nothing is due that is not at every time,
 * or the others. */
static void write_whole_rows(writer *writer, int edge, int due) {
    ADD("        if (!EXACT && t == whole && %s) {\n            for (; t < whole_end; t++) {\n",
        edge  ? "EDGE"
        : due ? "!EDGE && due >= 0"
              : "!EDGE && due < 0");
    for (int i = edge ? 1 : rows_a_turn(writer->plan, due); i > 0; i--) {
        ADD("                {\n");
        write_one_row(writer, "                    ", 1, due);
        ADD("                }\n");
        if (i > 1) ADD("                if (++t >= whole_end) break;\n");
    }
    ADD("            }\n        }\n");
}

static void write_walk(writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    ADD("CELL void walk(const int EDGE, const int EXACT, level *mine, const strip *strips, const int my_level,\n"
        "    const int due, const int y0, const int y1, LOCAL float *all,\n");
    wadi_march_arguments(plan, writer->sim, declare, writer);
    int least_lag = plan->lag;
    for (int e = 0; e < plan->schedule.per_level; e++) least_lag = smaller(least_lag, lag_at(plan, e));
    ADD("    const constants k, const grid g) {\n"
        "    const int end = y1 + LAG + (LEVELS - 1) * BEHIND, whole_end = y1 + %d;\n"
        "    const int whole = y0 + LAG + (LEVELS - 1) * BEHIND;\n"
        "    int t = y0 - LEVELS * HALO;\n",
        least_lag);
    wadi_march_arguments(plan, writer->sim, pick, writer);
    for (int level = 0; level < held_levels(plan); level++) begin_level(writer, level);
    ADD("    rows_begin(my_level);\n");
    ADD("    for (; t < end; t++) {\n");
    if (has_whole_rows(plan)) {
        write_whole_rows(writer, 0, 0);
        write_whole_rows(writer, 0, 1);
        write_whole_rows(writer, 1, 1);
    }
    write_one_row(writer, "        ", 0, 1);
    ADD("    }\n    rows_end(my_level, t);\n    if (PREFETCH > 0) async_wait_all();\n");
    ADD("#ifdef SHUFFLE\n    if (!BY_COLUMN(EDGE) && !strips[0].all_own) {\n");
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) ADD("        mine[0].s_%s = 0.0;\n", sum_name(i));
    ADD("    }\n#endif\n}\n\n");
}

/* What level 0 has of a sum is then what all of them have. */
static void join_levels(const writer *writer, int sum) {
    if (held_levels(writer->plan) > 1)
        ADD("    for (int i = 1; i < HELD; i++) mine[0].s_%s = total_join(mine[0].s_%s, mine[i].s_%s);\n",
            sum_name(sum), sum_name(sum), sum_name(sum));
}

/* What of the sums there are that a group has made goes to its own place. */
static void write_sums(const writer *writer) {
    int count = 0;
    ADD("#ifdef SHUFFLE\n    GLOBAL pair *slot = 0;\n    pair before = pair_of(0.0f);\n");
    for (int i = 0; i < WADI_SUMS; i++)
        if (writer->plan->sums[i]) ADD("    if (ITEM == %d) slot = &s_%s[GROUP_X];\n", count++, sum_name(i));
    ADD("    if (ITEM < %d) before = *slot; /* which takes long, and may take it while sums are made */\n", count);
    for (int i = 0, index = 0; i < WADI_SUMS; i++)
        if (writer->plan->sums[i]) ADD("    warp_sum(dynamic, %d, mine[0].s_%s);\n", index++, sum_name(i));
    ADD("    BARRIER;\n    if (ITEM < %d) group_sum(dynamic, ITEM, before, slot);\n#else\n", count);
    for (int i = 0; i < WADI_SUMS; i++) {
        if (!writer->plan->sums[i]) continue;
        if (!writer->plan->resident) join_levels(writer, i);
        ADD("    group_join((LOCAL pair *)dynamic, &s_%s[GROUP_X], mine[0].s_%s);\n", sum_name(i), sum_name(i));
    }
    ADD("#endif\n");
}

static void call_walk(writer *writer, const char *edge, const char *exact) {
    ADD("walk(%s, %s, mine, strips, my_level, due, y0, y1, dynamic, ", edge, exact);
    wadi_march_arguments(writer->plan, writer->sim, pass, writer);
    ADD("k, g);\n");
}

/* If operands were met that the quick division does not take, the group does all again. Where building takes long, by
 * the border's text, which then has both divisions. */
static void write_tries(writer *writer) {
    const bool one_text = writer->plan->long_rows;
    if (one_text) ADD("    for (int exact = 0;; exact = 1) {\n");
    ADD("    if (%s)\n        ;\n    else if (%s)\n        ", one_text ? "off && !exact" : "off",
        one_text ? "edges || exact" : "edges");
    call_walk(writer, "1", one_text ? "exact" : "0");
    ADD("    else\n        ");
    call_walk(writer, "0", "0");
    if (one_text) {
        ADD("    if (exact || !group_any(is_extreme(mine[0].watch))) break;\n    mine[0] = none;\n    }\n");
        return;
    }
    ADD("#ifdef QUICK\n    if (group_any(is_extreme(mine[0].watch))) {\n        mine[0] = none;\n        ");
    call_walk(writer, "1", "1");
    ADD("    }\n#endif\n");
}

/* What is read in one pass is what was written in the one before. */
static void swap_sometimes(void *context, wadi_march_argument what, int index, int level) {
    const writer *writer = context;
    const char *name = argument_name(writer, what, index);
    (void)level;
    if (what == WADI_MARCH_IN)
        ADD("            { GLOBAL float *const was = out_%s; out_%s = (GLOBAL float *)in_%s; in_%s = was; }\n", name,
            name, name, name);
}

static void write_next_pass(writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    int count = 0;
    for (int i = 0; i < WADI_SUMS; i++) {
        if (!plan->sums[i]) continue;
        join_levels(writer, i);
        ADD("    keep_sum(dynamic, %d, pass, mine[0].s_%s);\n", count++, sum_name(i));
    }
    ADD("    for (int i = 0; i < HELD; i++) mine[i] = none;\n"
        "    if (pass == how.count - 1) break;\n"
        "    passes_done(beside, done, how.before + pass + 1);\n"
        "    if (!how.trial) {\n"
        "        { GLOBAL float *const was = next; next = (GLOBAL float *)now; now = was; }\n"
        "        if (due >= 0) {\n");
    wadi_march_arguments(plan, writer->sim, swap_sometimes, writer);
    ADD("        }\n        until += (due >= 0 ? %d : 0) - LEVELS;\n    }\n    }\n", plan->every);
    count = 0;
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) ADD("    mine[0].s_%s = *kept_sum(dynamic, %d);\n", sum_name(i), count++);
}

static void write_kernel(writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    ADD("KERNEL_OF(%d, %d, march)(\n", plan->items, plan->shape.groups);
    wadi_march_arguments(plan, writer->sim, declare, writer);
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) ADD("    GLOBAL pair *s_%s,\n", sum_name(i));
    ADD("    GLOBAL const piece *pieces, %sconst constants k, const grid g, const passes how DYNAMIC_LOCAL) {\n",
        plan->resident ? "GLOBAL const int *beside, GLOBAL int *done, " : "");
    ADD("    int until = how.until_due;\n"
        "    DYNAMIC_ARRAY\n"
        "    const piece my = pieces[GROUP_X];\n"
        "    const int lane = ITEM %% LANES, row_of_lanes = of_warp(ITEM / LANES), warp = row_of_lanes %% STRIPS;\n"
        "    const int my_level = HELD < LEVELS ? (row_of_lanes / STRIPS + GROUP_X) %% LEVELS : 0;\n"
        "    const int y0 = my.y0, y1 = my.y1;\n"
        "    level mine[HELD] = {0};\n"
        "    strip strips[HELD];\n"
        "    UNROLL\n"
        "    for (int i = 0; i < HELD; i++)\n"
        "        strips[i] = strip_of(HELD > 1 ? i : my_level, warp, lane, my, g);\n"
        "#ifdef SHUFFLE\n"
        "    if (LEVELS > 1 || PARKED_ROWS > 0) {\n" /* what is not handed on must not be taken for extreme */
        "        for (int i = ITEM; i < ROWS_FLOATS; i += ITEMS) dynamic[i] = 0.0f;\n"
        "        BARRIER;\n"
        "    }\n"
        "    const int off = APART && my.x * OWN_COLUMNS + warp * (WIDE - 2 * MARGIN) >= g.width; /* the grid */\n"
        "    const int edges = LEVELS > 1 || APART ? my.edges >> (my_level * STRIPS + warp) & 1 : my.edges;\n"
        "#endif\n"
        "    const level none = {0};\n    (void)none;\n");
    if (plan->resident) ADD("    for (int pass = 0;; pass++) {\n");
    ADD("    const int due = until < LEVELS ? until : -1;\n"
        "#ifdef SHUFFLE\n");
    write_tries(writer);
    ADD("#else\n    ");
    call_walk(writer, "1", "1");
    ADD("#endif\n");
    if (plan->resident) write_next_pass(writer);
    ADD("    BARRIER;\n"); /* others of the group may still have rows where sums are to go */
    write_sums(writer);
    ADD("}\n");
}

static void write_shape(const writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    const wadi_march_shape *shape = &plan->shape;
    if (shape->shuffle) ADD("#define SHUFFLE\n");
    if (plan->resident) ADD("#define RESIDENT\n#define BESIDE %d\n", WADI_MARCH_BESIDE);
    ADD("#define LEVELS %d\n#define COLUMNS %d\n#define STRIPS %d\n#define LANES %d\n#define PREFETCH %d\n",
        shape->levels, shape->columns, shape->strips, lanes_of(shape), shape->prefetch);
    ADD("#define MARGIN %d\n#define OWN_COLUMNS %d\n#define ROW_FLOATS %d\n#define DEPTH %d\n", plan->margin,
        plan->own_columns, plan->row_floats, plan->depth);
    ADD("#define PARKED_ROWS %d\n#define PARKED_FROM %d\n#define ROWS_FLOATS %d\n", plan->parked_rows,
        plan->parked_from, plan->rows_floats);
    ADD("#define FIELDS %d\n#define GIVEN %d\n#define HALO %d\n#define LAG %d\n#define BEHIND %d\n#define PHASES %d\n",
        plan->fields, plan->given, plan->halo, plan->lag, plan->behind, plan->phases);
    if (shape->shuffle) /* so that places in rows are constants; elsewhere one program does for all widths */
        ADD("#define PITCH ((wide)%d)\n", wadi_gpu_columns(writer->sim));
    else
        ADD("#define PITCH ((wide)g.columns)\n");
    ADD("#define HELD %d\n", held_levels(plan));
    ADD("#define BY_COLUMN(edge) (%s)\n",
        shape->shuffle && writer->sim->def.width % shape->columns == 0 ? "0 && (edge)" : "edge");
}

void wadi_march_text(wadi_program_text *text, const wadi_march_plan *plan, const wadi_sim *sim) {
    writer writer_ = {text, plan, sim, 0}, *writer = &writer_;
    write_shape(writer);
    wadi_text_include(text, "engine/gpu/kernels/fused_sweep.h");
    write_level(writer);
    write_loads(writer);
    write_row(writer);
    write_walk(writer);
    write_kernel(writer);
}
