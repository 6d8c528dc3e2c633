/* sweep_row.c: the source of one row of a fused sweep. Each operation is printed by a function of its own. */
#include "engine/gpu/codegen/sweep_row.h"

#include <stdio.h>

#include "engine/gpu/codegen/layout.h"

typedef const wadi_gpu_operation operation;

static const char *field_name(const wadi_gpu_printer *printer, int f) { return printer->domain->model->fields[f].name; }
static const char *map_name(const wadi_gpu_printer *printer, int m) { return printer->domain->model->maps[m].name; }
static bool is_wide(const wadi_gpu_printer *printer, int f) { return printer->plan->wide[f]; }
static int lag_of(const wadi_gpu_printer *printer, int e) { return wadi_gpu_sweep_lag(printer->plan, e); }
static int reach_of(const wadi_gpu_printer *printer, int e) { return printer->plan->schedule.stages[e].reach; }
static const wadi_stage *stage_of(const wadi_gpu_printer *printer, int e) {
    return wadi_gpu_sweep_stage(printer->plan, e);
}

/* --- rows that are loaded --- */

/* Prints the address of a loaded row, relative to the row that the sweep is at. */
static void print_source(const wadi_gpu_printer *printer, wadi_gpu_load load, const char *between) {
    if (load.kind == WADI_GPU_LOAD_PERIODIC)
        PRINT("in_%s + line%s-%d * PITCH", field_name(printer, load.index), between, load.lag);
    else if (load.kind == WADI_GPU_LOAD_MAP)
        PRINT("m_%s + line%s-%d * PITCH", map_name(printer, load.index), between, load.lag);
    else if (load.kind == WADI_GPU_LOAD_INPUT)
        PRINT("sweep->at_%s%s-%d * PITCH", field_name(printer, load.index), between, load.lag);
    else
        PRINT("sweep->now%s%d * BLOCK_COLUMNS - %d * FIELDS * PITCH", between, load.slot - printer->plan->inputs,
              load.lag);
}

static void print_prefetch(const wadi_gpu_printer *printer, wadi_gpu_load load) {
    PRINT("    %sLOAD_ASYNC(SHARED_AT(sweep->prefetched, LOADED_ROW(t, %d)), ",
          load.kind == WADI_GPU_LOAD_PERIODIC ? "if (due) " : "", load.slot);
    print_source(printer, load, ", ");
    PRINT(");\n");
}

static void print_prefetches(const wadi_gpu_printer *printer, bool state) {
    for (int i = 0; i < printer->operations->load_count; i++)
        if ((printer->operations->loads[i].kind == WADI_GPU_LOAD_STATE) == state)
            print_prefetch(printer, printer->operations->loads[i]);
}

/* Prints a line for each input whose rows are loaded. */
static void print_inputs(const wadi_gpu_printer *printer, void (*print)(const wadi_gpu_printer *, const char *name)) {
    for (int i = 0; i < printer->operations->load_count; i++)
        if (printer->operations->loads[i].kind == WADI_GPU_LOAD_INPUT)
            print(printer, field_name(printer, printer->operations->loads[i].index));
}

static void declare_input(const wadi_gpu_printer *printer, const char *name) {
    PRINT("    GLOBAL const float *at_%s;\n", name);
}
static void begin_input(const wadi_gpu_printer *printer, const char *name) {
    PRINT("    sweep->at_%s = g_%s + line;\n", name, name);
}
static void advance_input(const wadi_gpu_printer *printer, const char *name) {
    PRINT("    sweep->at_%s += PITCH;\n", name);
}

void wadi_gpu_print_sweep(const wadi_gpu_printer *printer) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    PRINT("typedef struct sweep {\n");
    for (int f = 0; f < printer->domain->model->field_count; f++)
        if (wadi_gpu_sweep_keeps(plan, f))
            PRINT("    float r_%s[%d][COLUMNS%s];\n", field_name(printer, f), plan->to[f] - plan->from[f] + 1,
                  is_wide(printer, f) ? " + 2" : "");
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) PRINT("    total s_%s;\n", wadi_gpu_sum_name(i));
    PRINT("    GLOBAL const float *now; /* state: the row that is loaded next */\n");
    print_inputs(printer, declare_input);
    PRINT("    GLOBAL float *next; /* state: the row that the sweep is at */\n"
          "    shared_address prefetched, incoming, outgoing, spilled; /* as in tile */\n"
          "    neighbour_lanes lanes;\n    extremes watch;\n} sweep;\n\n");
}

static void print_loads(wadi_gpu_printer *printer) {
    PRINT("CELL void sweep_begin(sweep *sweep, const tile tile, const int t, LOCAL float *all,\n");
    wadi_gpu_print_own_parameters(printer);
    PRINT("    const grid g) {\n"
          "    const wide line = line_of(tile, t, g);\n    (void)line;\n"
          "    const wide block = (wide)(t + MARGIN_ROWS) * (FIELDS * PITCH) + FIRST_OF(tile.at);\n"
          "    sweep->now = now + block;\n"
          "    sweep->next = next + block;\n");
    print_inputs(printer, begin_input);
    PRINT("    sweep->prefetched = shared_address_of(all + tile.prefetched);\n"
          "    sweep->incoming = shared_address_of(all + tile.incoming);\n"
          "    sweep->outgoing = shared_address_of(all + tile.outgoing);\n"
          "    sweep->spilled = shared_address_of(all + tile.spilled);\n"
          "    sweep->lanes = lanes_of(all + EXCHANGED_FROM);\n}\n\n");
    PRINT("CELL void sweep_advance(sweep *sweep, const grid g) {\n    sweep->now += FIELDS * PITCH;\n");
    print_inputs(printer, advance_input);
    PRINT("}\n\n");
    PRINT("/* Starts the loads for row t. line: its offset in fields with buffers of their own. */\n"
          "CELL void sweep_prefetch(sweep *sweep, const int FIRST, const int due, const int t, const wide line, const "
          "int needed,\n");
    wadi_gpu_print_own_parameters(printer);
    PRINT("    const grid g) {\n    if (needed) {\n");
    print_prefetches(printer, false);
    PRINT("    if (FIRST) {\n");
    print_prefetches(printer, true);
    PRINT("    }\n    }\n    async_mark();\n    sweep_advance(sweep, g);\n}\n\n");
}

/* --- operations before the stages --- */

static void print_shift(wadi_gpu_printer *printer, operation *o) {
    PRINT("    SHIFT(sweep->r_%s, %d)\n", field_name(printer, o->index), o->row);
}

static void print_wait(wadi_gpu_printer *printer, operation *o) {
    (void)o;
    PRINT("    if (PREFETCH > 0) async_wait();\n");
}

static void print_load(wadi_gpu_printer *printer, operation *o) {
    const bool input = printer->plan->role[o->index] == WADI_GPU_SWEEP_INPUT;
    const wadi_gpu_load load = {input ? WADI_GPU_LOAD_INPUT : WADI_GPU_LOAD_STATE, o->index, o->slot,
                                printer->plan->from[o->index]};
    char to[128];
    snprintf(to, sizeof to, "&sweep->r_%s[0][%d]", field_name(printer, o->index), is_wide(printer, o->index));
    PRINT("    if (PREFETCH > 0%s) load_local(%s, SHARED_AT(sweep->%s, LOADED_ROW(t, %d)));\n    else load_%s(%s, ",
          input ? "" : " || !FIRST", to, input ? "prefetched" : "incoming", o->slot, input ? "row" : "interleaved", to);
    print_source(printer, load, " + ");
    PRINT(input ? ");\n" : ", tile.at);\n");
}

/* The shared address of the row that was spilled `rows` rows ago. */
static void print_spilled_place(const wadi_gpu_printer *printer, int f, int rows) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    int before = 0;
    for (int i = 0; i < f; i++) before += plan->spilled[i];
    PRINT("SHARED_AT(sweep->spilled, (%d + ((t - %d) & %d)) * WIDE)", before, rows, plan->spilled[f] - 1);
}

static void print_load_spilled(wadi_gpu_printer *printer, operation *o) {
    PRINT("    load_local(sweep->r_%s[%d], ", field_name(printer, o->index), o->row);
    print_spilled_place(printer, o->index, o->row);
    PRINT(");\n");
}

static void print_prefetch_next(wadi_gpu_printer *printer, operation *o) {
    (void)o;
    PRINT("    if (PREFETCH > 0) sweep_prefetch(sweep, FIRST, due, t + PREFETCH, line + PREFETCH * PITCH,\n"
          "        WHOLE || t + PREFETCH < tile.y1 + beyond + LAG, ");
    wadi_gpu_print_own_arguments(printer);
    PRINT("g);\n    else sweep_advance(sweep, g);\n");
}

/* --- a stage --- */

/* A stage computes only rows that are needed. If the source of a row is long, it computes all rows, because that is
 * faster than branches. Rows above the work item were not loaded. Results there may be extreme, but no stage reads
 * them, so `watch` forgets them. */
static void print_stage(wadi_gpu_printer *printer, operation *o) {
    const wadi_stage *stage = stage_of(printer, o->stage);
    const int lag = lag_of(printer, o->stage);
    const char *due = wadi_stage_is_periodic(stage) ? "(WHOLE ? DUE : due)" : "1";
    if (printer->plan->long_rows)
        PRINT("    if (%s) { /* %s */\n        const extremes seen = sweep->watch;\n", due, stage->name);
    else
        PRINT("    if (%s && (WHOLE || is_within(t - %d, beyond + %d, tile))) { /* %s */\n", due, lag,
              reach_of(printer, o->stage), stage->name);
    PRINT("        const int y = t - %d, ours = WHOLE || is_within(y, 0, tile);\n", lag);
    PRINT("        const wide at = line - %d * PITCH;\n", lag);
    for (int i = 0; i < stage->sums; i++) PRINT("        float sum_%s[COLUMNS];\n", wadi_gpu_sum_name(stage->sum[i]));
    PRINT("        %s_results made[COLUMNS];\n", stage->name);
    for (int w = 0; w < stage->writes; w++)
        if (printer->plan->role[stage->write[w]] == WADI_GPU_SWEEP_PERIODIC)
            PRINT("        float now_%s[COLUMNS];\n", field_name(printer, stage->write[w]));
}

/* All columns are computed before any result is used. They do not depend on each other, so their instructions
 * overlap. */
static void print_call(wadi_gpu_printer *printer, operation *o) {
    PRINT("        UNROLL\n        for (int i = 0; i < COLUMNS; i++)\n");
    PRINT("            made[i] = %s_cell(", stage_of(printer, o->stage)->name);
}

static void print_read_cell(wadi_gpu_printer *printer, operation *o) {
    PRINT("near_here(sweep->r_%s[%d][i + %d]), ", field_name(printer, o->index), o->row, is_wide(printer, o->index));
}

static void print_read_neighbour(wadi_gpu_printer *printer, operation *o) {
    PRINT("near_one(sweep->r_%s[%d][i], %d, %d), ", field_name(printer, o->index), o->row, o->dx, o->dy);
}

static void print_read_window(wadi_gpu_printer *printer, operation *o) {
    const char *name = field_name(printer, o->index);
    PRINT("near_rows(sweep->r_%s[%d], sweep->r_%s[%d], sweep->r_%s[%d], i), ", name, o->row + o->up, name, o->row, name,
          o->row - o->down);
}

static void print_read_memory(wadi_gpu_printer *printer, operation *o) {
    PRINT("near_here(g_%s[at + i]), ", field_name(printer, o->index));
}

static void print_read_memory_3x3(wadi_gpu_printer *printer, operation *o) {
    PRINT("near_global(g_%s + at + i, g.pitch), ", field_name(printer, o->index));
}

static void print_read_prefetched(wadi_gpu_printer *printer, operation *o) {
    PRINT(
        "near_here(PREFETCH > 0 ? local_value(SHARED_AT(sweep->prefetched, LOADED_ROW(t, %d) + i)) : in_%s[at + i]), ",
        o->slot, field_name(printer, o->index));
}

static void print_read_map(wadi_gpu_printer *printer, operation *o) {
    PRINT("near_here(m_%s[at + i]), ", map_name(printer, o->index));
}

static void print_read_map_3x3(wadi_gpu_printer *printer, operation *o) {
    PRINT("near_global(m_%s + at + i, g.pitch), ", map_name(printer, o->index));
}

static void print_read_map_prefetched(wadi_gpu_printer *printer, operation *o) {
    PRINT("near_here(local_value(SHARED_AT(sweep->prefetched, LOADED_ROW(t, %d) + i))), ", o->slot);
}

static void print_read_uniform(wadi_gpu_printer *printer, operation *o) {
    (void)o;
    PRINT("near_none(), ");
}

static void print_results(wadi_gpu_printer *printer, operation *o) {
    PRINT("k, BORDER WATCHING(sweep->watch, EXACT));\n");
    if (printer->plan->long_rows)
        PRINT("        if (y < tile.y0 - beyond - %d) sweep->watch = seen;\n", reach_of(printer, o->stage));
    PRINT("        UNROLL\n        for (int i = 0; i < COLUMNS; i++) {\n");
    PRINT("            const %s_results results = made[i];\n", stage_of(printer, o->stage)->name);
}

static void print_result(wadi_gpu_printer *printer, operation *o) {
    const char *name = field_name(printer, o->index);
    PRINT("            sweep->r_%s[%d][i + %d] = results.%s;\n", name, o->row, is_wide(printer, o->index), name);
}

static void print_result_periodic(wadi_gpu_printer *printer, operation *o) {
    const char *name = field_name(printer, o->index);
    PRINT("            now_%s[i] = results.%s;\n", name, name);
}

static void print_result_sum(wadi_gpu_printer *printer, operation *o) {
    const char *name = wadi_gpu_sum_name(o->index);
    PRINT("            sum_%s[i] = results.sum_%s;\n", name, name);
}

static void print_results_end(wadi_gpu_printer *printer, operation *o) {
    (void)o;
    PRINT("        }\n        (void)ours, (void)at;\n");
}

/* A lane owns all of its columns or none, except where the grid's width is no multiple of its columns. A test per
 * column would use up predicate registers and delay the instruction schedule. */
static void print_store_periodic(wadi_gpu_printer *printer, operation *o) {
    const char *name = field_name(printer, o->index);
    PRINT("        if (BY_COLUMN(BORDER)) {\n            UNROLL\n            for (int i = 0; i < COLUMNS; i++)\n"
          "                if (due && ours && i >= tile.own && i < tile.own_end) out_%s[at + i] = now_%s[i];\n"
          "        } else if (due && ours && tile.all_own) {\n"
          "            store_row(out_%s + at, 0, now_%s, 0, COLUMNS, 0);\n        }\n",
          name, name, name, name);
}

/* Whether the sum arises at the border alone. The interior variant does not add it. */
static bool is_of_border(int sum) { return sum == WADI_SUM_spilled || sum == WADI_SUM_carried; }

static void print_add_sum(wadi_gpu_printer *printer, operation *o) {
    const char *name = wadi_gpu_sum_name(o->index);
    PRINT("        if (%s%sours) sweep->s_%s = add_own(sweep->s_%s, sum_%s, tile, BY_COLUMN(BORDER));\n",
          is_of_border(o->index) ? "BORDER && " : "",
          wadi_stage_is_periodic(stage_of(printer, o->stage)) ? "due && " : "", name, name, name);
}

static void print_exchange(wadi_gpu_printer *printer, operation *o) {
    PRINT("%sexchange(&sweep->lanes, sweep->r_%s[%d]);\n", o->stage < 0 ? "    " : "        ",
          field_name(printer, o->index), o->row);
}

static void print_take_side(wadi_gpu_printer *printer, operation *o) {
    PRINT("        take_from_%s(&sweep->lanes, sweep->r_%s[%d]);\n", o->dx < 0 ? "left" : "right",
          field_name(printer, o->index), o->row);
}

static void print_spill(wadi_gpu_printer *printer, operation *o) {
    PRINT("        store_local(");
    print_spilled_place(printer, o->index, 0);
    PRINT(", sweep->r_%s[0]);\n", field_name(printer, o->index));
}

static void print_stage_end(wadi_gpu_printer *printer, operation *o) {
    (void)o;
    PRINT("    }\n");
}

/* --- after the stages: at the end of a row, for all stages together, in one branch that is uniform for a warp --- */

static void print_store_rows(wadi_gpu_printer *printer, operation *o) {
    (void)o;
    PRINT("    if (LAST) {\n        if (BY_COLUMN(BORDER) || tile.all_own) {\n");
}

static void print_pass_rows(wadi_gpu_printer *printer, operation *o) {
    (void)o;
    PRINT("        }\n    } else if (tile.useful) {\n");
}

static void print_store_begin(wadi_gpu_printer *printer, operation *o) {
    PRINT("        if (WHOLE || is_within(t - %d, 0, tile)) {\n", lag_of(printer, o->stage));
}

static void print_pass_begin(wadi_gpu_printer *printer, operation *o) {
    PRINT("        if (WHOLE || is_within(t - %d, beyond + %d, tile)) {\n", lag_of(printer, o->stage),
          reach_of(printer, o->stage));
}

static void print_store(wadi_gpu_printer *printer, operation *o) {
    PRINT(
        "            store_row(sweep->next + %d * BLOCK_COLUMNS - %d * FIELDS * PITCH, tile.at, &sweep->r_%s[%d][%d], "
        "tile.own, tile.own_end, BY_COLUMN(BORDER));\n",
        o->slot, lag_of(printer, o->stage), field_name(printer, o->index), o->row, is_wide(printer, o->index));
}

static void print_pass(wadi_gpu_printer *printer, operation *o) {
    PRINT("            store_local(SHARED_AT(sweep->outgoing, LOADED_ROW(t - %d, %d)), &sweep->r_%s[%d][%d]);\n",
          o->row, printer->plan->inputs + o->slot, field_name(printer, o->index), o->row, is_wide(printer, o->index));
}

static void print_completed_end(wadi_gpu_printer *printer, operation *o) {
    (void)o;
    PRINT("        }\n");
}

static void print_rows_end(wadi_gpu_printer *printer, operation *o) {
    (void)o;
    PRINT("    }\n    sweep->next += FIELDS * PITCH;\n");
}

/* --- the row --- */

static void (*const printers[WADI_GPU_OPERATION_KINDS])(wadi_gpu_printer *printer, operation *o) = {
    [WADI_GPU_SHIFT] = print_shift,
    [WADI_GPU_WAIT] = print_wait,
    [WADI_GPU_LOAD] = print_load,
    [WADI_GPU_LOAD_SPILLED] = print_load_spilled,
    [WADI_GPU_PREFETCH] = print_prefetch_next,
    [WADI_GPU_STAGE] = print_stage,
    [WADI_GPU_CALL] = print_call,
    [WADI_GPU_READ_CELL] = print_read_cell,
    [WADI_GPU_READ_NEIGHBOUR] = print_read_neighbour,
    [WADI_GPU_READ_WINDOW] = print_read_window,
    [WADI_GPU_READ_MEMORY] = print_read_memory,
    [WADI_GPU_READ_MEMORY_3X3] = print_read_memory_3x3,
    [WADI_GPU_READ_PREFETCHED] = print_read_prefetched,
    [WADI_GPU_READ_MAP] = print_read_map,
    [WADI_GPU_READ_MAP_3X3] = print_read_map_3x3,
    [WADI_GPU_READ_MAP_PREFETCHED] = print_read_map_prefetched,
    [WADI_GPU_READ_UNIFORM] = print_read_uniform,
    [WADI_GPU_RESULTS] = print_results,
    [WADI_GPU_RESULT] = print_result,
    [WADI_GPU_RESULT_PERIODIC] = print_result_periodic,
    [WADI_GPU_RESULT_SUM] = print_result_sum,
    [WADI_GPU_RESULTS_END] = print_results_end,
    [WADI_GPU_STORE_PERIODIC] = print_store_periodic,
    [WADI_GPU_ADD_SUM] = print_add_sum,
    [WADI_GPU_EXCHANGE] = print_exchange,
    [WADI_GPU_TAKE_SIDE] = print_take_side,
    [WADI_GPU_SPILL] = print_spill,
    [WADI_GPU_STAGE_END] = print_stage_end,
    [WADI_GPU_STORE_ROWS] = print_store_rows,
    [WADI_GPU_PASS_ROWS] = print_pass_rows,
    [WADI_GPU_STORE_BEGIN] = print_store_begin,
    [WADI_GPU_PASS_BEGIN] = print_pass_begin,
    [WADI_GPU_STORE] = print_store,
    [WADI_GPU_PASS] = print_pass,
    [WADI_GPU_COMPLETED_END] = print_completed_end,
    [WADI_GPU_ROWS_END] = print_rows_end,
};

void wadi_gpu_print_row(wadi_gpu_printer *printer) {
    print_loads(printer);
    PRINT("/* Row t of one sub-step's sweep. Rows up to `beyond` outside the work item are needed. WHOLE: every stage "
          "works on a\n"
          " * row of the work item itself. */\n"
          "CELL void sweep_row(sweep *sweep, const int FIRST, const int LAST, const int BORDER, const int EXACT,\n"
          "    const int WHOLE, const int DUE, const int due, const int beyond, const int t,\n"
          "    const tile tile,\n");
    wadi_gpu_print_own_parameters(printer);
    PRINT("    const constants k, const grid g) {\n"
          "    const wide line = line_of(tile, t, g);\n    (void)line;\n");
    for (int i = 0; i < printer->operations->count; i++)
        printers[printer->operations->list[i].kind](printer, &printer->operations->list[i]);
    PRINT("}\n\n");
}
