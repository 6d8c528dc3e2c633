/* sweep_kernel.c: the frame of a fused sweep's kernel: its arguments, the loop over rows, several sub-steps, several passes,
 * and the sums. sweep_row.c prints what a row does. */
#include <stdio.h>

#include "engine/gpu/codegen/sweep_source.h"
#include "engine/gpu/gpu.h"

static int smaller(int a, int b) { return a < b ? a : b; }

static const char *argument_name(const wadi_gpu_printer *printer, wadi_gpu_sweep_argument what, int index) {
    if (what == WADI_GPU_SWEEP_NOW || what == WADI_GPU_SWEEP_NEXT) return "";
    return what == WADI_GPU_SWEEP_MAP ? printer->sim->model->maps[index].name : printer->sim->model->fields[index].name;
}

static void declare(void *context, wadi_gpu_sweep_argument what, int index, int level) {
    const wadi_gpu_printer *printer = context;
    static const char *const kinds[] = {"const float *now", "float *next",     "const float *in_",
                                        "float *out_",      "const float *g_", "const float *m_"};
    const char *name = argument_name(printer, what, index);
    PRINT("    GLOBAL %s%s", kinds[what], name);
    if (what == WADI_GPU_SWEEP_MAP) PRINT("_%d", level);
    PRINT(",\n");
}

/* Of the function for a level, which knows its own maps alone. */
static void declare_own(void *context, wadi_gpu_sweep_argument what, int index, int level) {
    const wadi_gpu_printer *printer = context;
    if (level > 0) return;
    if (what != WADI_GPU_SWEEP_MAP)
        declare(context, what, index, level);
    else
        PRINT("    GLOBAL const float *m_%s,\n", printer->sim->model->maps[index].name);
}

static void pass(void *context, wadi_gpu_sweep_argument what, int index, int level) {
    const wadi_gpu_printer *printer = context;
    static const char *const kinds[] = {"now", "next", "in_", "out_", "g_", "m_"};
    PRINT("%s%s", kinds[what], argument_name(printer, what, index));
    if (what == WADI_GPU_SWEEP_MAP) PRINT("_%d", level);
    PRINT(", ");
}

/* To the function for a level. Where it is not known when building, the walk has picked the maps that are its own. */
static void pass_own(void *context, wadi_gpu_sweep_argument what, int index, int level) {
    const wadi_gpu_printer *printer = context;
    const bool picked = what == WADI_GPU_SWEEP_MAP && printer->plan->shape.shuffle;
    const int own = what == WADI_GPU_SWEEP_MAP && wadi_gpu_is_rain(printer->sim, index) ? printer->level : 0;
    if (picked && level == 0)
        PRINT("m_%s, ", printer->sim->model->maps[index].name);
    else if (!picked && level == own)
        pass(context, what, index, level);
}

static void pick(void *context, wadi_gpu_sweep_argument what, int index, int level) {
    const wadi_gpu_printer *printer = context;
    if (what != WADI_GPU_SWEEP_MAP || !printer->plan->shape.shuffle) return;
    const char *name = printer->sim->model->maps[index].name;
    const int last = wadi_gpu_is_rain(printer->sim, index) ? printer->plan->shape.levels - 1 : 0;
    if (level == 0) PRINT("    GLOBAL const float *const m_%s = ", name);
    if (level < last)
        PRINT("my_level == %d ? m_%s_%d : ", level, name, level);
    else
        PRINT("m_%s_%d;\n", name, level);
}

/* From one function for a level to another. */
static void pass_own_alone(void *context, wadi_gpu_sweep_argument what, int index, int level) {
    const wadi_gpu_printer *printer = context;
    if (level > 0) return;
    if (what == WADI_GPU_SWEEP_MAP)
        PRINT("m_%s, ", printer->sim->model->maps[index].name);
    else
        pass(context, what, index, level);
}

void wadi_gpu_print_own_parameters(wadi_gpu_printer *printer) {
    wadi_gpu_sweep_arguments(printer->plan, printer->sim, declare_own, printer);
}

void wadi_gpu_print_own_arguments(wadi_gpu_printer *printer) {
    wadi_gpu_sweep_arguments(printer->plan, printer->sim, pass_own_alone, printer);
}

/* --- the kernel --- */

/* Which level it is: its items' own, or each after the other. */
static void name_level(const wadi_gpu_printer *printer, int level, char *name, size_t size) {
    if (printer->plan->shape.shuffle)
        snprintf(name, size, "my_level");
    else
        snprintf(name, size, "%d", level);
}

static int held_levels(const wadi_gpu_sweep_plan *plan) { return plan->shape.shuffle ? 1 : plan->shape.levels; }

static void begin_level(wadi_gpu_printer *printer, int level) {
    char name[16];
    name_level(printer, level, name, sizeof name);
    printer->level = level;
    PRINT("    level_begin(&mine[%d], strips[%d], y0 - ROWS_ABOVE(%s), all, ", level, level, name);
    wadi_gpu_sweep_arguments(printer->plan, printer->sim, pass_own, printer);
    PRINT("g);\n"
        "    UNROLL\n"
        "    for (int i = 0; i < PREFETCH; i++)\n"
        "        level_load_ahead(&mine[%d], %s == 0, due == %s, y0 - ROWS_ABOVE(%s) + i, line_of(strips[%d], y0 - "
        "ROWS_ABOVE(%s) + i, g), 1, ",
        level, name, name, name, level, name);
    wadi_gpu_sweep_arguments(printer->plan, printer->sim, pass_own, printer);
    PRINT("g);\n");
}

static void call_level(wadi_gpu_printer *printer, int level) {
    char name[16];
    name_level(printer, level, name, sizeof name);
    printer->level = level;
    PRINT("        {\n            const int at_row = t - %s * BEHIND;\n"
        "            if (LEVELS == 1 || WHOLE || (at_row >= y0 - ROWS_ABOVE(%s) && at_row < y1 + ROWS_BELOW(%s)))\n"
        "                level_row(&mine[%d], %s == 0, %s == LEVELS - 1, EDGE, EXACT, WHOLE, DUE, DUE && due == %s,\n"
        "                    (LEVELS - 1 - %s) * HALO, at_row, strips[%d], ",
        name, name, name, level, name, name, name, name, level);
    wadi_gpu_sweep_arguments(printer->plan, printer->sim, pass_own, printer);
    PRINT("k, g);\n        }\n");
}

static void print_one_row(wadi_gpu_printer *printer, const char *indent, int whole, int due) {
    PRINT("%senum { WHOLE = %d, DUE = %d };\n%srow_begin(my_level, t);\n", indent, whole, due, indent);
    for (int level = 0; level < held_levels(printer->plan); level++) call_level(printer, level);
    PRINT("%srow_end(my_level, t);\n", indent);
}

/* Where there is room for many items at a time, rows by two texts in turn: from one to the next nothing that is kept
 * has to be moved, and the code is still short enough. */
static int rows_a_turn(const wadi_gpu_sweep_plan *plan, int due) {
    return !due && plan->items * plan->shape.groups >= 512 ? 2 : 1;
}

/* Whether rows of which all is needed have texts of their own. Resident groups are each at another row, so they had
 * better all run the same text. */
static bool has_whole_rows(const wadi_gpu_sweep_plan *plan) {
    return plan->shape.shuffle && !plan->long_rows && !plan->resident;
}

/* Of rows of which all is needed: at the edge; else those of passes in which nothing is due that is not at every time,
 * or the others. */
static void print_whole_rows(wadi_gpu_printer *printer, int edge, int due) {
    PRINT("        if (!EXACT && t == whole && %s) {\n            for (; t < whole_end; t++) {\n",
        edge  ? "EDGE"
        : due ? "!EDGE && due >= 0"
              : "!EDGE && due < 0");
    for (int i = edge ? 1 : rows_a_turn(printer->plan, due); i > 0; i--) {
        PRINT("                {\n");
        print_one_row(printer, "                    ", 1, due);
        PRINT("                }\n");
        if (i > 1) PRINT("                if (++t >= whole_end) break;\n");
    }
    PRINT("            }\n        }\n");
}

static void print_walk(wadi_gpu_printer *printer) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    PRINT("CELL void walk(const int EDGE, const int EXACT, level *mine, const strip *strips, const int my_level,\n"
        "    const int due, const int y0, const int y1, LOCAL float *all,\n");
    wadi_gpu_sweep_arguments(plan, printer->sim, declare, printer);
    int least_lag = plan->lag;
    for (int e = 0; e < plan->schedule.per_level; e++) least_lag = smaller(least_lag, wadi_gpu_sweep_lag(plan, e));
    PRINT("    const constants k, const grid g) {\n"
        "    const int end = y1 + LAG + (LEVELS - 1) * BEHIND, whole_end = y1 + %d;\n"
        "    const int whole = y0 + LAG + (LEVELS - 1) * BEHIND;\n"
        "    int t = y0 - LEVELS * HALO;\n",
        least_lag);
    wadi_gpu_sweep_arguments(plan, printer->sim, pick, printer);
    for (int level = 0; level < held_levels(plan); level++) begin_level(printer, level);
    PRINT("    rows_begin(my_level);\n");
    PRINT("    for (; t < end; t++) {\n");
    if (has_whole_rows(plan)) {
        print_whole_rows(printer, 0, 0);
        print_whole_rows(printer, 0, 1);
        print_whole_rows(printer, 1, 1);
    }
    print_one_row(printer, "        ", 0, 1);
    PRINT("    }\n    rows_end(my_level, t);\n    if (PREFETCH > 0) async_wait_all();\n");
    PRINT("#ifdef SHUFFLE\n    if (!BY_COLUMN(EDGE) && !strips[0].all_own) {\n");
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) PRINT("        mine[0].s_%s = 0.0;\n", wadi_gpu_sum_name(i));
    PRINT("    }\n#endif\n}\n\n");
}

/* What level 0 has of a sum is then what all of them have. */
static void join_levels(const wadi_gpu_printer *printer, int sum) {
    if (held_levels(printer->plan) > 1)
        PRINT("    for (int i = 1; i < HELD; i++) mine[0].s_%s = total_join(mine[0].s_%s, mine[i].s_%s);\n",
            wadi_gpu_sum_name(sum), wadi_gpu_sum_name(sum), wadi_gpu_sum_name(sum));
}

/* What of the sums there are that a group has made goes to its own place. */
static void print_sums(const wadi_gpu_printer *printer) {
    int count = 0;
    PRINT("#ifdef SHUFFLE\n    GLOBAL pair *slot = 0;\n    pair before = pair_of(0.0f);\n");
    for (int i = 0; i < WADI_SUMS; i++)
        if (printer->plan->sums[i]) PRINT("    if (ITEM == %d) slot = &s_%s[GROUP_X];\n", count++, wadi_gpu_sum_name(i));
    PRINT("    if (ITEM < %d) before = *slot; /* which takes long, and may take it while sums are made */\n", count);
    for (int i = 0, index = 0; i < WADI_SUMS; i++)
        if (printer->plan->sums[i]) PRINT("    warp_sum(dynamic, %d, mine[0].s_%s);\n", index++, wadi_gpu_sum_name(i));
    PRINT("    BARRIER;\n    if (ITEM < %d) group_sum(dynamic, ITEM, before, slot);\n#else\n", count);
    for (int i = 0; i < WADI_SUMS; i++) {
        if (!printer->plan->sums[i]) continue;
        if (!printer->plan->resident) join_levels(printer, i);
        PRINT("    group_join((LOCAL pair *)dynamic, &s_%s[GROUP_X], mine[0].s_%s);\n", wadi_gpu_sum_name(i), wadi_gpu_sum_name(i));
    }
    PRINT("#endif\n");
}

static void call_walk(wadi_gpu_printer *printer, const char *edge, const char *exact) {
    PRINT("walk(%s, %s, mine, strips, my_level, due, y0, y1, dynamic, ", edge, exact);
    wadi_gpu_sweep_arguments(printer->plan, printer->sim, pass, printer);
    PRINT("k, g);\n");
}

/* If operands were met that the quick division does not take, the group does all again. Where building takes long, by
 * the border's text, which then has both divisions. */
static void print_tries(wadi_gpu_printer *printer) {
    const bool one_text = printer->plan->long_rows;
    if (one_text) PRINT("    for (int exact = 0;; exact = 1) {\n");
    PRINT("    if (%s)\n        ;\n    else if (%s)\n        ", one_text ? "off && !exact" : "off",
        one_text ? "edges || exact" : "edges");
    call_walk(printer, "1", one_text ? "exact" : "0");
    PRINT("    else\n        ");
    call_walk(printer, "0", "0");
    if (one_text) {
        PRINT("    if (exact || !group_any(is_extreme(mine[0].watch))) break;\n    mine[0] = none;\n    }\n");
        return;
    }
    PRINT("#ifdef QUICK\n    if (group_any(is_extreme(mine[0].watch))) {\n        mine[0] = none;\n        ");
    call_walk(printer, "1", "1");
    PRINT("    }\n#endif\n");
}

/* What is read in one pass is what was written in the one before. */
static void swap_sometimes(void *context, wadi_gpu_sweep_argument what, int index, int level) {
    const wadi_gpu_printer *printer = context;
    const char *name = argument_name(printer, what, index);
    (void)level;
    if (what == WADI_GPU_SWEEP_IN)
        PRINT("            { GLOBAL float *const was = out_%s; out_%s = (GLOBAL float *)in_%s; in_%s = was; }\n", name,
            name, name, name);
}

static void print_next_pass(wadi_gpu_printer *printer) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    int count = 0;
    for (int i = 0; i < WADI_SUMS; i++) {
        if (!plan->sums[i]) continue;
        join_levels(printer, i);
        PRINT("    keep_sum(dynamic, %d, pass, mine[0].s_%s);\n", count++, wadi_gpu_sum_name(i));
    }
    PRINT("    for (int i = 0; i < HELD; i++) mine[i] = none;\n"
        "    if (pass == how.count - 1) break;\n"
        "    passes_done(beside, done, how.before + pass + 1);\n"
        "    if (!how.trial) {\n"
        "        { GLOBAL float *const was = next; next = (GLOBAL float *)now; now = was; }\n"
        "        if (due >= 0) {\n");
    wadi_gpu_sweep_arguments(plan, printer->sim, swap_sometimes, printer);
    PRINT("        }\n        until += (due >= 0 ? %d : 0) - LEVELS;\n    }\n    }\n", plan->every);
    count = 0;
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) PRINT("    mine[0].s_%s = *kept_sum(dynamic, %d);\n", wadi_gpu_sum_name(i), count++);
}

static void print_kernel(wadi_gpu_printer *printer) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    PRINT("KERNEL_OF(%d, %d, march)(\n", plan->items, plan->shape.groups);
    wadi_gpu_sweep_arguments(plan, printer->sim, declare, printer);
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) PRINT("    GLOBAL pair *s_%s,\n", wadi_gpu_sum_name(i));
    PRINT("    GLOBAL const piece *pieces, %sconst constants k, const grid g, const passes how DYNAMIC_LOCAL) {\n",
        plan->resident ? "GLOBAL const int *beside, GLOBAL int *done, " : "");
    PRINT("    int until = how.until_due;\n"
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
    if (plan->resident) PRINT("    for (int pass = 0;; pass++) {\n");
    PRINT("    const int due = until < LEVELS ? until : -1;\n"
        "#ifdef SHUFFLE\n");
    print_tries(printer);
    PRINT("#else\n    ");
    call_walk(printer, "1", "1");
    PRINT("#endif\n");
    if (plan->resident) print_next_pass(printer);
    PRINT("    BARRIER;\n"); /* others of the group may still have rows where sums are to go */
    print_sums(printer);
    PRINT("}\n");
}

static void print_shape(const wadi_gpu_printer *printer) {
    const wadi_gpu_sweep_plan *plan = printer->plan;
    const wadi_gpu_sweep_shape *shape = &plan->shape;
    if (shape->shuffle) PRINT("#define SHUFFLE\n");
    if (plan->resident) PRINT("#define RESIDENT\n#define BESIDE %d\n", WADI_GPU_SWEEP_NEIGHBOURS);
    PRINT("#define LEVELS %d\n#define COLUMNS %d\n#define STRIPS %d\n#define LANES %d\n#define PREFETCH %d\n",
        shape->levels, shape->columns, shape->strips, wadi_gpu_sweep_lanes(shape), shape->prefetch);
    PRINT("#define MARGIN %d\n#define OWN_COLUMNS %d\n#define ROW_FLOATS %d\n#define DEPTH %d\n", plan->margin,
        plan->own_columns, plan->row_floats, plan->depth);
    PRINT("#define PARKED_ROWS %d\n#define PARKED_FROM %d\n#define ROWS_FLOATS %d\n", plan->parked_rows,
        plan->parked_from, plan->rows_floats);
    PRINT("#define FIELDS %d\n#define GIVEN %d\n#define HALO %d\n#define LAG %d\n#define BEHIND %d\n#define PHASES %d\n",
        plan->fields, plan->given, plan->halo, plan->lag, plan->behind, plan->phases);
    if (shape->shuffle) /* so that places in rows are constants; elsewhere one program does for all widths */
        PRINT("#define PITCH ((wide)%d)\n", wadi_gpu_columns(printer->sim));
    else
        PRINT("#define PITCH ((wide)g.columns)\n");
    PRINT("#define HELD %d\n", held_levels(plan));
    PRINT("#define BY_COLUMN(edge) (%s)\n",
        shape->shuffle && printer->sim->def.width % shape->columns == 0 ? "0 && (edge)" : "edge");
}

void wadi_gpu_sweep_source(wadi_program_text *text, const wadi_gpu_sweep_plan *plan, const wadi_sim *sim) {
    wadi_gpu_operations operations;
    if (wadi_gpu_operations_make(&operations, plan, sim) == WADI_OK) {
        wadi_gpu_printer printer = {text, plan, sim, &operations, 0};
        print_shape(&printer);
        wadi_text_include(text, "engine/gpu/kernels/fused_sweep.h");
        wadi_gpu_print_level(&printer);
        wadi_gpu_print_row(&printer);
        print_walk(&printer);
        print_kernel(&printer);
    } else {
        text->failed = true;
    }
    wadi_gpu_operations_free(&operations);
}
