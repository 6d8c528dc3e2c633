/* sweep_kernel.c: the frame of a fused sweep's kernel: its arguments, the loop over rows, several sub-steps, several
 * passes, and the sums. sweep_row.c prints what a row does. */
#include "engine/gpu/codegen/sweep_kernel.h"

#include <stdio.h>

#include "engine/gpu/codegen/layout.h"
#include "engine/gpu/codegen/sweep_row.h"

static int smaller(int a, int b) { return a < b ? a : b; }

/* --- the kernel --- */

/* The name of a sub-step's number. With lanes each warp has its own sub-step. Else one work item computes all of them
 * in turn. */
static void name_substep(const wadi_gpu_printer *printer, int substep, char *name, size_t size) {
    if (printer->plan->shape.lanes > 1)
        snprintf(name, size, "my_substep");
    else
        snprintf(name, size, "%d", substep);
}

static int held_substeps(const wadi_gpu_sweep_plan *plan) { return plan->shape.lanes > 1 ? 1 : plan->shape.substeps; }

static void begin_substep(wadi_gpu_printer *printer, int substep) {
    char name[16];
    name_substep(printer, substep, name, sizeof name);
    printer->substep = substep;
    PRINT("    sweep_begin(&mine[%d], tiles[%d], y0 - ROWS_ABOVE(%s), all, ", substep, substep, name);
    wadi_gpu_print_call_arguments(printer);
    PRINT("g);\n"
          "    UNROLL\n"
          "    for (int i = 0; i < PREFETCH; i++)\n"
          "        sweep_prefetch(&mine[%d], %s == 0, due == %s, y0 - ROWS_ABOVE(%s) + i, line_of(tiles[%d], y0 - "
          "ROWS_ABOVE(%s) + i, g), 1, ",
          substep, name, name, name, substep, name);
    wadi_gpu_print_call_arguments(printer);
    PRINT("g);\n");
}

static void call_row(wadi_gpu_printer *printer, int substep) {
    char name[16];
    name_substep(printer, substep, name, sizeof name);
    printer->substep = substep;
    PRINT("        {\n            const int at_row = t - %s * DISTANCE;\n"
          "            if (SUBSTEPS == 1 || WHOLE || (at_row >= y0 - ROWS_ABOVE(%s) && at_row < y1 + ROWS_BELOW(%s)))\n"
          "                sweep_row(&mine[%d], %s == 0, %s == SUBSTEPS - 1, BORDER, EXACT, WHOLE, DUE, DUE && due == "
          "%s,\n"
          "                    (SUBSTEPS - 1 - %s) * HALO, at_row, tiles[%d], ",
          name, name, name, substep, name, name, name, name, substep);
    wadi_gpu_print_call_arguments(printer);
    PRINT("k, g);\n        }\n");
}

static void print_one_row(wadi_gpu_printer *printer, const char *indent, int whole, int due) {
    PRINT("%senum { WHOLE = %d, DUE = %d };\n%srow_begin(my_substep, t);\n", indent, whole, due, indent);
    for (int substep = 0; substep < held_substeps(printer->plan); substep++) call_row(printer, substep);
    PRINT("%srow_end(my_substep, t);\n", indent);
}

/* With many work items per multiprocessor, two copies of a row alternate. The window then needs no moves between them,
 * and the code still fits the instruction cache. */
static int rows_a_turn(const wadi_gpu_sweep_plan *plan, int due) {
    return !due && plan->items * plan->shape.groups >= 512 ? 2 : 1;
}

/* Rows on which all stages work have variants of their own, without range checks. The groups of a persistent kernel are
 * at different rows, so they all run one variant. */
static bool has_whole_rows(const wadi_gpu_sweep_plan *plan) {
    return wadi_gpu_shape_uses_ptx(&plan->shape) && !plan->long_rows && !plan->persistent;
}

/* Prints a loop over rows on which all stages work. edge: for tiles at the border. due: for passes with periodic
 * stages. */
static void print_whole_rows(wadi_gpu_printer *printer, int edge, int due) {
    PRINT("        if (!EXACT && t == whole && %s) {\n            for (; t < whole_end; t++) {\n",
          edge  ? "BORDER"
          : due ? "!BORDER && due >= 0"
                : "!BORDER && due < 0");
    for (int i = edge ? 1 : rows_a_turn(printer->plan, due); i > 0; i--) {
        PRINT("                {\n");
        print_one_row(printer, "                    ", 1, due);
        PRINT("                }\n");
        if (i > 1) PRINT("                if (++t >= whole_end) break;\n");
    }
    PRINT("            }\n        }\n");
}

static void print_work_item(wadi_gpu_printer *printer) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    PRINT("CELL void sweep_work_item(const int BORDER, const int EXACT, sweep *mine, const tile *tiles, const int "
          "my_substep,\n"
          "    const int due, const int y0, const int y1, LOCAL float *all,\n");
    wadi_gpu_print_parameters(printer);
    int least_lag = plan->lag;
    for (int e = 0; e < plan->schedule.stages_per_substep; e++)
        least_lag = smaller(least_lag, wadi_gpu_sweep_lag(plan, e));
    PRINT("    const constants k, const grid g) {\n"
          "    const int end = y1 + LAG + (SUBSTEPS - 1) * DISTANCE, whole_end = y1 + %d;\n"
          "    const int whole = y0 + LAG + (SUBSTEPS - 1) * DISTANCE;\n"
          "    int t = y0 - SUBSTEPS * HALO;\n",
          least_lag);
    wadi_gpu_print_picked_maps(printer);
    for (int substep = 0; substep < held_substeps(plan); substep++) begin_substep(printer, substep);
    PRINT("    rows_begin(my_substep);\n");
    PRINT("    for (; t < end; t++) {\n");
    if (has_whole_rows(plan)) {
        print_whole_rows(printer, 0, 0);
        print_whole_rows(printer, 0, 1);
        print_whole_rows(printer, 1, 1);
    }
    print_one_row(printer, "        ", 0, 1);
    PRINT("    }\n    rows_end(my_substep, t);\n    if (PREFETCH > 0) async_wait_all();\n");
    PRINT("#if LANES > 1\n    if (!BY_COLUMN(BORDER) && !tiles[0].all_own) {\n");
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) PRINT("        mine[0].s_%s = total_of(0.0f);\n", wadi_gpu_sum_name(i));
    PRINT("    }\n#endif\n}\n\n");
}

/* Adds the sums of all sub-steps to those of sub-step 0. */
static void join_substeps(const wadi_gpu_printer *printer, int sum) {
    if (held_substeps(printer->plan) > 1)
        PRINT("    for (int i = 1; i < HELD; i++) mine[0].s_%s = total_join(mine[0].s_%s, mine[i].s_%s);\n",
              wadi_gpu_sum_name(sum), wadi_gpu_sum_name(sum), wadi_gpu_sum_name(sum));
}

/* Adds a group's sums to its own slots. */
static void print_sums(const wadi_gpu_printer *printer) {
    int count = 0;
    PRINT("#ifdef PTX\n    GLOBAL pair *slot = 0;\n    pair before = pair_of(0.0f);\n");
    for (int i = 0; i < WADI_SUMS; i++)
        if (printer->plan->sums[i])
            PRINT("    if (ITEM == %d) slot = &s_%s[GROUP_X];\n", count++, wadi_gpu_sum_name(i));
    PRINT("    if (ITEM < %d) before = *slot; /* loaded early, while sums are made */\n", count);
    for (int i = 0, index = 0; i < WADI_SUMS; i++)
        if (printer->plan->sums[i]) PRINT("    warp_sum(dynamic, %d, mine[0].s_%s);\n", index++, wadi_gpu_sum_name(i));
    PRINT("    BARRIER;\n    if (ITEM < %d) group_sum(dynamic, ITEM, before, slot);\n#else\n", count);
    for (int i = 0; i < WADI_SUMS; i++) {
        if (!printer->plan->sums[i]) continue;
        if (!printer->plan->persistent) join_substeps(printer, i);
        PRINT("    group_join((LOCAL pair *)dynamic, &s_%s[GROUP_X], mine[0].s_%s);\n", wadi_gpu_sum_name(i),
              wadi_gpu_sum_name(i));
    }
    PRINT("#endif\n");
}

static void call_work_item(wadi_gpu_printer *printer, const char *edge, const char *exact) {
    PRINT("sweep_work_item(%s, %s, mine, tiles, my_substep, due, y0, y1, dynamic, ", edge, exact);
    wadi_gpu_print_arguments(printer);
    PRINT("k, g);\n");
}

/* A group that met operands outside the fast division's range computes its work item again with the exact division. If
 * the source of a row is long, the border variant has both divisions, which saves building a third one. */
static void print_tries(wadi_gpu_printer *printer) {
    const bool one_text = printer->plan->long_rows;
    if (one_text) PRINT("    for (int exact = 0;; exact = 1) {\n");
    PRINT("    if (%s)\n        ;\n    else if (%s)\n        ", one_text ? "off && !exact" : "off",
          one_text ? "borders || exact" : "borders");
    call_work_item(printer, "1", one_text ? "exact" : "0");
    PRINT("    else\n        ");
    call_work_item(printer, "0", "0");
    if (one_text) {
        PRINT("    if (exact || !group_any(is_extreme(mine[0].watch))) break;\n    mine[0] = none;\n    }\n");
        return;
    }
    PRINT("#ifdef QUICK\n    if (group_any(is_extreme(mine[0].watch))) {\n        mine[0] = none;\n        ");
    call_work_item(printer, "1", "1");
    PRINT("    }\n#endif\n");
}

/* Swaps the buffers of a periodic field: a pass reads what the previous one wrote. */
static void swap_sometimes(void *context, wadi_gpu_sweep_argument what, int index, int substep) {
    const wadi_gpu_printer *printer = context;
    (void)substep;
    if (what != WADI_GPU_SWEEP_IN) return;
    const char *name = printer->domain->model->fields[index].name;
    PRINT("            { GLOBAL float *const was = out_%s; out_%s = (GLOBAL float *)in_%s; in_%s = was; }\n", name,
          name, name, name);
}

static void print_next_pass(wadi_gpu_printer *printer) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    int count = 0;
    for (int i = 0; i < WADI_SUMS; i++) {
        if (!plan->sums[i]) continue;
        join_substeps(printer, i);
        PRINT("    keep_sum(dynamic, %d, pass, mine[0].s_%s);\n", count++, wadi_gpu_sum_name(i));
    }
    PRINT("    for (int i = 0; i < HELD; i++) mine[i] = none;\n"
          "    if (pass == how.count - 1) break;\n"
          "    passes_done(neighbours, done, how.before + pass + 1);\n"
          "    if (!how.trial) {\n"
          "        { GLOBAL float *const was = next; next = (GLOBAL float *)now; now = was; }\n"
          "        if (due >= 0) {\n");
    wadi_gpu_sweep_arguments(plan, printer->domain, swap_sometimes, printer);
    PRINT("        }\n        until += (due >= 0 ? %d : 0) - SUBSTEPS;\n    }\n    }\n", plan->every);
    count = 0;
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) PRINT("    mine[0].s_%s = *kept_sum(dynamic, %d);\n", wadi_gpu_sum_name(i), count++);
}

static void print_kernel(wadi_gpu_printer *printer) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    PRINT("KERNEL_OF(%d, %d, fused_sweep)(\n", plan->items, plan->shape.groups);
    wadi_gpu_print_parameters(printer);
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) PRINT("    GLOBAL pair *s_%s,\n", wadi_gpu_sum_name(i));
    PRINT("    GLOBAL const work_item *work_items, %sconst constants k, const grid g, const passes how DYNAMIC_LOCAL) "
          "{\n",
          plan->persistent ? "GLOBAL const int *neighbours, GLOBAL int *done, " : "");
    PRINT(
        "    int until = how.until_due;\n"
        "    DYNAMIC_ARRAY\n"
        "    const work_item my = work_items[GROUP_X];\n"
        "    const int lane = ITEM %% LANES, row_of_lanes = warp_uniform(ITEM / LANES), warp = row_of_lanes %% TILES;\n"
        "    const int my_substep = HELD < SUBSTEPS ? (row_of_lanes / TILES + GROUP_X) %% SUBSTEPS : 0;\n"
        "    const int y0 = my.y0, y1 = my.y1;\n"
        "    sweep mine[HELD] = {0};\n"
        "    tile tiles[HELD];\n"
        "    UNROLL\n"
        "    for (int i = 0; i < HELD; i++)\n"
        "        tiles[i] = tile_of(HELD > 1 ? i : my_substep, warp, lane, my, g);\n"
        "#if LANES > 1\n"
        "    if (SUBSTEPS > 1 || SPILLED_ROWS > 0) {\n" /* rows that no sub-step wrote must not look extreme */
        "        for (int i = ITEM; i < ROWS_FLOATS; i += ITEMS) dynamic[i] = 0.0f;\n"
        "        BARRIER;\n"
        "    }\n"
        "    const int off = APART && my.x * OWN_COLUMNS + warp * (WIDE - 2 * MARGIN) >= g.width; /* the grid */\n"
        "    const int borders = SUBSTEPS > 1 || APART ? my.borders >> (my_substep * TILES + warp) & 1 : my.borders;\n"
        "#endif\n"
        "    const sweep none = {0};\n    (void)none;\n");
    if (plan->persistent) PRINT("    for (int pass = 0;; pass++) {\n");
    PRINT("    const int due = until < SUBSTEPS ? until : -1;\n"
          "#if LANES > 1\n");
    print_tries(printer);
    PRINT("#else\n    ");
    call_work_item(printer, "1", "1");
    PRINT("#endif\n");
    if (plan->persistent) print_next_pass(printer);
    PRINT("    BARRIER;\n"); /* the sums reuse this memory, which other work items may still read */
    print_sums(printer);
    PRINT("}\n");
}

static void print_shape(const wadi_gpu_printer *printer) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    const wadi_gpu_sweep_shape *shape = &plan->shape;
    if (wadi_gpu_shape_uses_ptx(shape)) PRINT("#define PTX\n");
    if (plan->persistent) PRINT("#define PERSISTENT\n#define NEIGHBOURS %d\n", WADI_GPU_SWEEP_NEIGHBOURS);
    PRINT("#define SUBSTEPS %d\n#define COLUMNS %d\n#define TILES %d\n#define LANES %d\n#define PREFETCH %d\n",
          shape->substeps, shape->columns, shape->tiles, shape->lanes, shape->prefetch);
    PRINT("#define MARGIN %d\n#define OWN_COLUMNS %d\n#define ROW_FLOATS %d\n#define DEPTH %d\n", plan->margin,
          plan->own_columns, plan->row_floats, plan->depth);
    PRINT("#define SPILLED_ROWS %d\n#define SPILLED_FROM %d\n#define ROWS_FLOATS %d\n#define EXCHANGED_FROM %d\n",
          plan->spilled_rows, plan->spilled_from, plan->rows_floats, plan->exchanged_from);
    PRINT("#define FIELDS %d\n#define INPUTS %d\n#define HALO %d\n#define LAG %d\n#define DISTANCE %d\n#define PHASES "
          "%d\n",
          plan->fields, plan->inputs, plan->halo, plan->lag, plan->distance, plan->phases);
    if (shape->lanes > 1) /* offsets in rows become constants; else one program serves all widths */
        PRINT("#define PITCH ((wide)%d)\n", wadi_gpu_columns(&printer->domain->def));
    else
        PRINT("#define PITCH ((wide)g.columns)\n");
    PRINT("#define HELD %d\n", held_substeps(plan));
    PRINT("#define BY_COLUMN(edge) (%s)\n",
          shape->lanes > 1 && printer->domain->def.width % shape->columns == 0 ? "0 && (edge)" : "edge");
}

void wadi_gpu_sweep_source(wadi_program_text *text, const wadi_gpu_sweep_plan *plan, const wadi_domain *domain) {
    wadi_gpu_operations operations;
    if (wadi_gpu_operations_make(&operations, plan, domain) == WADI_OK) {
        wadi_gpu_printer printer = {text, plan, domain, &operations, 0};
        print_shape(&printer);
        wadi_text_include(text, "engine/gpu/kernels/fused_sweep.h");
        wadi_gpu_print_sweep(&printer);
        wadi_gpu_print_row(&printer);
        print_work_item(&printer);
        print_kernel(&printer);
    } else {
        text->failed = true;
    }
    wadi_gpu_operations_free(&operations);
}
