/* sweep_printer.c: names and argument lists in the source of a fused sweep. */
#include "engine/gpu/codegen/sweep_printer.h"

#include "engine/gpu/codegen/layout.h"

const char *wadi_gpu_sum_name(int sum) {
    static const char *const names[WADI_SUMS] = {"rained",    "evaporated", "spilled",    "carried",
                                                 "exchanged", "advected",   "infiltrated"};
    return names[sum];
}

static const char *argument_name(const wadi_gpu_printer *printer, wadi_gpu_sweep_argument what, int index) {
    if (what == WADI_GPU_SWEEP_NOW || what == WADI_GPU_SWEEP_NEXT) return "";
    return what == WADI_GPU_SWEEP_MAP ? printer->domain->model->maps[index].name
                                      : printer->domain->model->fields[index].name;
}

static void declare(void *context, wadi_gpu_sweep_argument what, int index, int substep) {
    const wadi_gpu_printer *printer = context;
    static const char *const kinds[] = {"const float *now", "float *next",     "const float *in_",
                                        "float *out_",      "const float *g_", "const float *m_"};
    const char *name = argument_name(printer, what, index);
    PRINT("    GLOBAL %s%s", kinds[what], name);
    if (what == WADI_GPU_SWEEP_MAP) PRINT("_%d", substep);
    PRINT(",\n");
}

/* A function for one sub-step has only the maps of that sub-step as parameters. */
static void declare_own(void *context, wadi_gpu_sweep_argument what, int index, int substep) {
    const wadi_gpu_printer *printer = context;
    if (substep > 0) return;
    if (what != WADI_GPU_SWEEP_MAP)
        declare(context, what, index, substep);
    else
        PRINT("    GLOBAL const float *m_%s,\n", printer->domain->model->maps[index].name);
}

static void pass(void *context, wadi_gpu_sweep_argument what, int index, int substep) {
    const wadi_gpu_printer *printer = context;
    static const char *const kinds[] = {"now", "next", "in_", "out_", "g_", "m_"};
    PRINT("%s%s", kinds[what], argument_name(printer, what, index));
    if (what == WADI_GPU_SWEEP_MAP) PRINT("_%d", substep);
    PRINT(", ");
}

/* Arguments for a call of such a function. With lanes the sub-step is known at run time only, and the kernel has
 * picked its maps. */
static void pass_own(void *context, wadi_gpu_sweep_argument what, int index, int substep) {
    const wadi_gpu_printer *printer = context;
    const bool picked = what == WADI_GPU_SWEEP_MAP && printer->plan->shape.lanes > 1;
    const int own = what == WADI_GPU_SWEEP_MAP && wadi_gpu_is_rain(printer->domain, index) ? printer->substep : 0;
    if (picked && substep == 0)
        PRINT("m_%s, ", printer->domain->model->maps[index].name);
    else if (!picked && substep == own)
        pass(context, what, index, substep);
}

static void pick(void *context, wadi_gpu_sweep_argument what, int index, int substep) {
    const wadi_gpu_printer *printer = context;
    if (what != WADI_GPU_SWEEP_MAP || printer->plan->shape.lanes == 1) return;
    const char *name = printer->domain->model->maps[index].name;
    const int last = wadi_gpu_is_rain(printer->domain, index) ? printer->plan->shape.substeps - 1 : 0;
    if (substep == 0) PRINT("    GLOBAL const float *const m_%s = ", name);
    if (substep < last)
        PRINT("my_substep == %d ? m_%s_%d : ", substep, name, substep);
    else
        PRINT("m_%s_%d;\n", name, substep);
}

/* Arguments for a call from one such function to another. */
static void pass_own_alone(void *context, wadi_gpu_sweep_argument what, int index, int substep) {
    const wadi_gpu_printer *printer = context;
    if (substep > 0) return;
    if (what == WADI_GPU_SWEEP_MAP)
        PRINT("m_%s, ", printer->domain->model->maps[index].name);
    else
        pass(context, what, index, substep);
}

void wadi_gpu_print_parameters(wadi_gpu_printer *printer) {
    wadi_gpu_sweep_arguments(printer->plan, printer->domain, declare, printer);
}

void wadi_gpu_print_arguments(wadi_gpu_printer *printer) {
    wadi_gpu_sweep_arguments(printer->plan, printer->domain, pass, printer);
}

void wadi_gpu_print_own_parameters(wadi_gpu_printer *printer) {
    wadi_gpu_sweep_arguments(printer->plan, printer->domain, declare_own, printer);
}

void wadi_gpu_print_own_arguments(wadi_gpu_printer *printer) {
    wadi_gpu_sweep_arguments(printer->plan, printer->domain, pass_own_alone, printer);
}

void wadi_gpu_print_call_arguments(wadi_gpu_printer *printer) {
    wadi_gpu_sweep_arguments(printer->plan, printer->domain, pass_own, printer);
}

void wadi_gpu_print_picked_maps(wadi_gpu_printer *printer) {
    wadi_gpu_sweep_arguments(printer->plan, printer->domain, pick, printer);
}
