/* march.c: from the stages' declared radii to a kernel that does them all in one walk down the rows. */
#include "gpu/march.h"

#include <stdio.h>
#include <string.h>

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

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
    if (!every_time && written && field->kind == WADI_STATE) return WADI_MARCH_IN_PLACE;
    return written ? WADI_MARCH_RING : WADI_MARCH_GIVEN;
}

/* The rows of a field that are kept, from those of its uses. */
static void find_rows(wadi_march_plan *plan, int f) {
    plan->from[f] = 1000, plan->to[f] = -1000, plan->last[f] = -1;
    for (int e = 0; e < plan->schedule.per_level; e++) {
        const wadi_stage *stage = stage_at(plan, e);
        const int lag = lag_at(plan, e), radius = wadi_stage_radius(stage, f);
        if (!touches(stage, f)) continue;
        plan->from[f] = smaller(plan->from[f], lag - larger(radius, 0));
        plan->to[f] = larger(plan->to[f], lag + larger(radius, 0));
        plan->wide[f] = plan->wide[f] || radius > 0;
        if (wadi_stage_writes(stage, f)) plan->last[f] = larger(plan->last[f], lag);
    }
}

static bool is_handed_on(const wadi_march_plan *plan, const wadi_sim *sim, int f) {
    return plan->role[f] == WADI_MARCH_RING && sim->model->fields[f].kind == WADI_STATE;
}

/* What lies between two levels: rows from the one that the first has just finished to the one that the next takes. */
static void find_between(wadi_march_plan *plan, const wadi_sim *sim) {
    plan->behind = 0;
    for (int f = 0; f < sim->model->field_count; f++)
        if (is_handed_on(plan, sim, f)) plan->behind = larger(plan->behind, plan->last[f] - plan->from[f] + 1);
    plan->rows_between = 0;
    for (int f = 0; f < sim->model->field_count; f++) {
        if (!is_handed_on(plan, sim, f)) continue;
        const int rows = plan->behind + plan->from[f] - plan->last[f] + 1;
        for (plan->depth[f] = 1; plan->depth[f] < rows;) plan->depth[f] *= 2;
        plan->first[f] = plan->rows_between;
        plan->rows_between += plan->depth[f];
    }
}

/* Where an item cannot hand on what it has, it does a strip alone. */
static int lanes_of(const wadi_march_shape *shape) { return shape->shuffle ? 32 : 1; }

static void find_size(wadi_march_plan *plan) {
    const wadi_march_shape *shape = &plan->shape;
    const int lanes = lanes_of(shape), handed = shape->levels - 1;
    const int strip = lanes * shape->columns - 2 * plan->margin;
    plan->items = lanes * shape->strips * (shape->shuffle ? shape->levels : 1);
    plan->own_columns = strip * shape->strips - 2 * plan->margin * handed;
    plan->row_floats = strip * shape->strips + 4 * plan->margin * (handed > 0 ? handed : 1);
    const int between = handed * plan->rows_between * plan->row_floats;
    /* a group's sums take two floats an item, when the walk is over */
    plan->local_bytes = (size_t)larger(between, 2 * plan->items) * sizeof(float);
}

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
    for (int e = 0; e < plan->schedule.per_level; e++) {
        plan->lag = larger(plan->lag, lag_at(plan, e));
        for (int i = 0; i < stage_at(plan, e)->sums; i++) plan->sums[stage_at(plan, e)->sum[i]] = true;
    }
    for (int f = 0; f < sim->model->field_count; f++) {
        plan->role[f] = role_of(plan, &sim->model->fields[f], f);
        find_rows(plan, f);
    }
    find_between(plan, sim);
    find_size(plan);
    *fits = plan->own_columns > 0 && plan->schedule.per_level > 0;
    return WADI_OK;
}

void wadi_march_plan_free(wadi_march_plan *plan) { wadi_schedule_free(&plan->schedule); }

/* --- arguments --- */

void wadi_march_arguments(const wadi_march_plan *plan, const wadi_sim *sim,
                          void (*each)(void *context, wadi_march_argument what, int index, int level), void *context) {
    const wadi_model *model = sim->model;
    for (int f = 0; f < model->field_count; f++) {
        if (is_handed_on(plan, sim, f)) {
            each(context, WADI_MARCH_IN, f, 0);
            if (plan->last[f] >= 0) each(context, WADI_MARCH_OUT, f, 0);
        } else if (plan->role[f] == WADI_MARCH_GIVEN || plan->role[f] == WADI_MARCH_IN_PLACE) {
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

static void declare(void *context, wadi_march_argument what, int index, int level) {
    const writer *writer = context;
    static const char *const kinds[] = {"const float *in_", "float *out_", "float *g_", "const float *m_"};
    const char *name = what == WADI_MARCH_MAP ? writer->sim->model->maps[index].name : name_of(writer, index);
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
    static const char *const kinds[] = {"in_", "out_", "g_"};
    if (what != WADI_MARCH_MAP)
        ADD("%s%s, ", kinds[what], name_of(writer, index));
    else
        ADD("m_%s_%d, ", writer->sim->model->maps[index].name, level);
}

static void pass_own(void *context, wadi_march_argument what, int index, int level) {
    const writer *writer = context;
    const int own = what == WADI_MARCH_MAP && wadi_gpu_is_rain(writer->sim, index) ? writer->level : 0;
    if (level == own) pass(context, what, index, level);
}

static const char *sum_name(int sum) {
    static const char *const names[WADI_SUMS] = {"rained", "evaporated", "spilled", "carried", "exchanged", "advected"};
    return names[sum];
}

/* --- what a level keeps --- */

/* Rows that are loaded as they are needed: of fields that are kept, and of given ones that a stage reads at the cell
 * itself. */
static void each_load(const writer *writer,
                      void (*each)(const struct writer *writer, const char *name, int f, int lag, bool kept)) {
    const wadi_march_plan *plan = writer->plan;
    for (int f = 0; f < writer->sim->model->field_count; f++)
        if (is_handed_on(plan, writer->sim, f)) each(writer, name_of(writer, f), f, plan->from[f], true);
    for (int e = 0; e < plan->schedule.per_level; e++) {
        const wadi_stage *stage = stage_at(plan, e);
        for (int i = 0; i < stage->reads; i++) {
            const int f = stage->read[i].field;
            if (plan->role[f] != WADI_MARCH_GIVEN || stage->read[i].radius > 0 || sometimes(stage)) continue;
            char name[80];
            snprintf(name, sizeof name, "%s_%s", stage->name, name_of(writer, f));
            each(writer, name, f, lag_at(plan, e), false);
        }
    }
}

static void keep_load(const writer *writer, const char *name, int f, int lag, bool kept) {
    (void)f, (void)lag, (void)kept;
    ADD("    float load_%s[COLUMNS];\n", name);
}

static void write_level(const writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    ADD("typedef struct level {\n");
    for (int f = 0; f < writer->sim->model->field_count; f++)
        if (plan->role[f] == WADI_MARCH_RING)
            ADD("    float r_%s[%d][COLUMNS%s];\n", name_of(writer, f), plan->to[f] - plan->from[f] + 1,
                plan->wide[f] ? " + 2" : "");
    each_load(writer, keep_load);
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) ADD("    pair s_%s;\n", sum_name(i));
    ADD("} level;\n\n");
}

/* --- a row --- */

static void shift(const writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    for (int f = 0; f < writer->sim->model->field_count; f++) {
        if (plan->role[f] != WADI_MARCH_RING) continue;
        for (int i = plan->to[f] - plan->from[f]; i > 0; i--)
            ADD("    SHIFT(level->r_%s, %d)\n", name_of(writer, f), i);
    }
}

static void fill_row(const writer *writer, const char *name, int f, int lag, bool kept) {
    ADD("        %sload_row(level->load_%s, %s%s + (row + (uint)(%d) * pitch));\n", kept ? "if (FIRST) " : "", name,
        kept ? "in_" : "g_", name_of(writer, f), 1 - lag);
}

/* What was loaded one row ago, if it is; else now. */
static void load(const writer *writer, const char *name, int f, int lag, bool kept) {
    const char *field = name_of(writer, f);
    const int edge = writer->plan->wide[f];
    if (!kept) {
        ADD("    float now_%s[COLUMNS];\n", name);
        ADD("    if (PREFETCH) COPY(now_%s, level->load_%s)\n", name, name);
        ADD("    else load_row(now_%s, g_%s + (row - %du * pitch));\n", name, field, lag);
        return;
    }
    ADD("    if (!FIRST) load_local(&level->r_%s[0][%d], ring + (%d + ((t - %d) & %d)) * ROW_FLOATS + strip.column);\n",
        field, edge, writer->plan->first[f], lag, writer->plan->depth[f] - 1);
    ADD("    else if (!PREFETCH) load_row(&level->r_%s[0][%d], in_%s + (row - %du * pitch));\n", field, edge, field,
        lag);
    ADD("    else COPY(&level->r_%s[0][%d], level->load_%s)\n", field, edge, name);
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

static void exchange_loaded(const writer *writer) {
    for (int f = 0; f < writer->sim->model->field_count; f++)
        if (is_handed_on(writer->plan, writer->sim, f) && is_read_beside(writer, -1, f))
            ADD("    exchange(level->r_%s[0]);\n", name_of(writer, f));
}

static void add_read(const writer *writer, const wadi_stage *stage, int lag, const wadi_read *read) {
    const wadi_march_plan *plan = writer->plan;
    const int f = read->field, at = lag - plan->from[f];
    const char *name = name_of(writer, f);
    if (plan->role[f] != WADI_MARCH_RING && read->radius > 0)
        ADD("near_global(g_%s + at + i, g.pitch), ", name);
    else if (plan->role[f] != WADI_MARCH_RING && sometimes(stage))
        ADD("near_here(g_%s[at + i]), ", name);
    else if (plan->role[f] != WADI_MARCH_RING)
        ADD("near_here(now_%s_%s[i]), ", stage->name, name);
    else if (read->radius == 0)
        ADD("near_here(level->r_%s[%d][i + %d]), ", name, at, plan->wide[f]);
    else
        ADD("near_rows(level->r_%s[%d], level->r_%s[%d], level->r_%s[%d], i), ", name, at + 1, name, at, name, at - 1);
}

static void add_map(const writer *writer, const wadi_read *map) {
    const char *name = writer->sim->model->maps[map->field].name;
    if (!wadi_gpu_is_raster(writer->sim, map->field))
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
        if (plan->role[f] == WADI_MARCH_IN_PLACE) {
            ADD("            if (ours && i >= strip.own && i < strip.own_end) g_%s[at + i] = results.%s;\n", name,
                name);
            continue;
        }
        ADD("            level->r_%s[%d][i + %d] = !EDGE || inside ? results.%s : %af;\n", name,
            lag_at(plan, e) - plan->from[f], plan->wide[f], name, (double)writer->sim->model->fields[f].outside);
    }
    for (int i = 0; i < stage->sums; i++)
        ADD("            sum_%s[i] = results.sum_%s;\n", sum_name(stage->sum[i]), sum_name(stage->sum[i]));
}

/* Of all columns, before any of them is looked at: they have nothing to do with each other. */
static void add_call(const writer *writer, int e, const char *indent, const char *watch) {
    const wadi_stage *stage = stage_at(writer->plan, e);
    ADD("%s        UNROLL\n%s        for (int i = 0; i < COLUMNS; i++)\n", indent, indent);
    ADD("%s            made[i] = %s_cell(", indent, stage->name);
    for (int i = 0; i < stage->reads; i++) add_read(writer, stage, lag_at(writer->plan, e), &stage->read[i]);
    for (int i = 0; i < stage->maps; i++) add_map(writer, &stage->map[i]);
    ADD("k, EDGE %s);\n", watch);
}

static void add_element(const writer *writer, int e) {
    const wadi_march_plan *plan = writer->plan;
    const wadi_stage *stage = stage_at(plan, e);
    const int lag = lag_at(plan, e);
    ADD("    %s{ /* %s */\n", sometimes(stage) ? "if (due) " : "", stage->name);
    ADD("        const int y = t - %d, ours = y >= strip.y0 && y < strip.y1;\n", lag);
    ADD("        const uint at = row - %du * pitch;\n        float watch = 0.0f;\n        (void)watch;\n", lag);
    for (int i = 0; i < stage->sums; i++) ADD("        float sum_%s[COLUMNS];\n", sum_name(stage->sum[i]));
    ADD("        %s_results made[COLUMNS];\n", stage->name);
    add_call(writer, e, "", "QUICKLY");
    ADD("#ifdef QUICK\n        if (IS_EXTREME(watch)) {\n");
    add_call(writer, e, "    ", "EXACTLY");
    ADD("        }\n#endif\n");
    ADD("        UNROLL\n        for (int i = 0; i < COLUMNS; i++) {\n");
    ADD("            const int inside = g.wrap || (y >= 0 && y < g.height && strip.x + i >= 0 && strip.x + i < "
        "g.width);\n");
    ADD("            const %s_results results = made[i];\n            (void)inside;\n", stage->name);
    add_results(writer, stage, e);
    ADD("        }\n        (void)ours, (void)at;\n");
    for (int i = 0; i < stage->sums; i++) {
        const char *name = sum_name(stage->sum[i]);
        ADD("        if (%sours && (EDGE || strip.own_end == COLUMNS))\n"
            "            level->s_%s = add_own(level->s_%s, sum_%s, strip, EDGE);\n",
            at_border_alone(stage->sum[i]) ? "EDGE && " : "", name, name, name);
    }
    for (int w = 0; w < stage->writes; w++)
        if (plan->role[stage->write[w]] == WADI_MARCH_RING && is_read_beside(writer, e, stage->write[w]))
            ADD("        exchange(level->r_%s[%d]);\n", name_of(writer, stage->write[w]),
                lag - plan->from[stage->write[w]]);
    ADD("    }\n");
}

static void hand_on(const writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    for (int f = 0; f < writer->sim->model->field_count; f++) {
        if (!is_handed_on(plan, writer->sim, f)) continue;
        const char *name = name_of(writer, f);
        const int lag = plan->last[f] >= 0 ? plan->last[f] : plan->from[f], at = lag - plan->from[f];
        ADD("    if (!LAST && strip.useful) store_local(next + (%d + ((t - %d) & %d)) * ROW_FLOATS + strip.column, "
            "&level->r_%s[%d][%d]);\n",
            plan->first[f], lag, plan->depth[f] - 1, name, at, plan->wide[f]);
        ADD("    if (LAST && t - %d >= strip.y0 && t - %d < strip.y1)\n"
            "        store_row(out_%s + (row - %du * pitch), &level->r_%s[%d][%d], strip.own, strip.own_end, EDGE);\n",
            lag, lag, name, lag, name, at, plan->wide[f]);
    }
}

static void write_row(writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    ADD("/* Row t of a level's walk. */\n"
        "CELL void level_row(level *level, const int FIRST, const int LAST, const int EDGE, const int due, const int "
        "t,\n"
        "    const strip strip, LOCAL float *ring, LOCAL float *next,\n");
    wadi_march_arguments(plan, writer->sim, declare_own, writer);
    ADD("    const constants k, const grid g) {\n"
        "    (void)ring, (void)next;\n"
        "    const uint pitch = (uint)g.pitch, row = strip.at + (uint)t * pitch;\n");
    shift(writer);
    each_load(writer, load);
    ADD("    if (PREFETCH) {\n");
    each_load(writer, fill_row);
    ADD("    }\n");
    exchange_loaded(writer);
    for (int e = 0; e < plan->schedule.per_level; e++) add_element(writer, e);
    hand_on(writer);
    ADD("}\n\n");
}

/* --- the kernel --- */

static void call_level(writer *writer, int level) {
    const wadi_march_plan *plan = writer->plan;
    const int levels = plan->shape.levels, halo = plan->halo, held = plan->shape.shuffle ? 0 : level;
    writer->level = level;
    ADD("            {\n                const int at_row = t - %d;\n", level * plan->behind);
    if (levels > 1)
        ADD("                if (at_row >= y0 - %d - PREFETCH && at_row < y1 + %d)\n", (levels - level) * halo,
            (levels - 1 - level) * halo + plan->lag);
    ADD("                    level_row(&mine[%d], %d, %d, EDGE, due == %d, at_row, strips[%d], "
        "rings + RING_FLOATS * %d, rings + RING_FLOATS * %d, ",
        held, level == 0, level == levels - 1, level, held, level > 0 ? level - 1 : 0, level < levels - 1 ? level : 0);
    wadi_march_arguments(plan, writer->sim, pass_own, writer);
    ADD("k, g);\n            }\n");
}

static void write_walk(writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    const int levels = plan->shape.levels;
    ADD("CELL void walk(const int EDGE, level *mine, const strip *strips, const int my_level,\n"
        "    const int due, const int y0, const int y1, LOCAL float *rings,\n");
    wadi_march_arguments(plan, writer->sim, declare, writer);
    ADD("    const constants k, const grid g) {\n    (void)rings, (void)my_level;\n");
    if (plan->shape.unroll > 1) ADD("#pragma unroll %d\n", plan->shape.unroll);
    ADD("    for (int t = y0 - %d - PREFETCH; t < y1 + %d; t++) {\n", levels * plan->halo,
        plan->lag + (levels - 1) * plan->behind);
    for (int level = 0; level < levels; level++) {
        if (plan->shape.shuffle && levels > 1)
            ADD("        %s", level == 0           ? "if (my_level == 0)\n"
                              : level < levels - 1 ? "else if (my_level == "
                                                   : "else\n");
        if (plan->shape.shuffle && level > 0 && level < levels - 1) ADD("%d)\n", level);
        call_level(writer, level);
    }
    if (levels > 1 && plan->shape.shuffle) ADD("        BARRIER;\n");
    ADD("    }\n}\n\n");
}

/* What of the sums there are that a group has made goes to its own place. */
static void write_sums(const writer *writer) {
    for (int i = 0; i < WADI_SUMS; i++) {
        if (!writer->plan->sums[i]) continue;
        ADD("    {\n        pair sum = mine[0].s_%s;\n", sum_name(i));
        ADD("        for (int i = 1; i < HELD; i++) sum = pair_join(sum, mine[i].s_%s);\n", sum_name(i));
        ADD("        group_join((LOCAL pair *)dynamic, s_%s, sum);\n    }\n", sum_name(i));
    }
}

static void write_kernel(writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    ADD("KERNEL_OF(%d, %d, march)(\n", plan->items, plan->shape.groups);
    wadi_march_arguments(plan, writer->sim, declare, writer);
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) ADD("    GLOBAL pair *s_%s,\n", sum_name(i));
    ADD("    GLOBAL const int *edges, const constants k, const grid g, const int rows, const int due DYNAMIC_LOCAL) {\n"
        "    DYNAMIC_ARRAY\n"
        "    const int lane = ITEM %% LANES, warp = ITEM / LANES %% STRIPS, my_level = ITEM / (LANES * STRIPS);\n"
        "    const int y0 = GROUP_Y * rows, y1 = y0 + rows < g.height ? y0 + rows : g.height;\n"
        "    level mine[HELD] = {0};\n"
        "    strip strips[HELD];\n"
        "    UNROLL\n"
        "    for (int i = 0; i < HELD; i++)\n"
        "        strips[i] = strip_of(HELD > 1 ? i : my_level, warp, lane, y0, y1, g);\n"
        "    if (!SHUFFLED || edges[GROUP_Y * GROUPS_X + GROUP_X])\n");
    for (int edge = 1; edge >= !plan->shape.shuffle; edge--) { /* the former could do it all, slower */
        ADD("%s        walk(%d, mine, strips, my_level, due, y0, y1, dynamic, ", edge ? "" : "    else\n", edge);
        wadi_march_arguments(plan, writer->sim, pass, writer);
        ADD("k, g);\n");
    }
    write_sums(writer);
    ADD("}\n");
}

static void write_shape(const writer *writer) {
    const wadi_march_plan *plan = writer->plan;
    const wadi_march_shape *shape = &plan->shape;
    if (shape->shuffle) ADD("#define SHUFFLE\n");
    ADD("#define SHUFFLED %d\n", shape->shuffle);
    ADD("#define LEVELS %d\n#define COLUMNS %d\n#define STRIPS %d\n#define LANES %d\n#define PREFETCH %d\n",
        shape->levels, shape->columns, shape->strips, lanes_of(shape), shape->prefetch);
    ADD("#define MARGIN %d\n#define OWN_COLUMNS %d\n#define ROW_FLOATS %d\n#define RING_FLOATS %d\n", plan->margin,
        plan->own_columns, plan->row_floats, plan->rows_between * plan->row_floats);
    ADD("#define HELD %d\n", shape->shuffle ? 1 : shape->levels);
}

void wadi_march_text(wadi_program_text *text, const wadi_march_plan *plan, const wadi_sim *sim) {
    writer writer_ = {text, plan, sim, 0}, *writer = &writer_;
    write_shape(writer);
    wadi_text_include(text, "gpu/kernels/march.h");
    write_level(writer);
    write_row(writer);
    write_walk(writer);
    write_kernel(writer);
}
