/* bench_report.c: wadi bench: results as lines, JSON and CSV. */
#include "bench.h"

#include "run/backend.h"
#include "run/escape.h"
#include "run/json.h"

#include <string.h>

static const char *backend_of(const bench_case *one) { return wadi_engine_name(one->def.engine); }

void bench_print(const bench_case *one) {
    printf("%-12s %5dx%-5d %-9s ", wadi_model_id(one->def.model), one->def.width, one->def.height,
           bench_is_gpu(one) ? one->isa : backend_of(one));
    if (!bench_is_gpu(one)) printf("%2d threads  ", one->threads);
    printf("%2d a pass  %8.1f M cell-steps/s (%.1f to %.1f)  %5.1f bytes, %3.0f%% of %.1f GB/s  ",
           one->substeps_per_pass, one->rate * 1e-6, one->lowest * 1e-6, one->highest * 1e-6, one->cost.bytes,
           100 * bench_bandwidth_fraction(one), one->machine.bandwidth_bytes_per_s * 1e-9);
    if (!bench_is_gpu(one))
        printf("%5.0f operations, %3.0f%% of %.0f G/s  ", one->cost.operations, 100 * bench_arithmetic_fraction(one),
               one->machine.operations_per_s * 1e-9);
    printf("%s\n", as_shown(one->settings));
    fflush(stdout);
}

/* A value that is not measured on a GPU is null in JSON and nan in CSV. */
static double measured(const bench_case *one, double rate) { return bench_is_gpu(one) ? NAN : rate; }

static void write_result(json *json, const bench_case *one) {
    run_json_object(json, NULL);
    run_json_text(json, "model", wadi_model_id(one->def.model));
    run_json_text(json, "settings", one->settings);
    run_json_integers(json, "size", one->def.width, one->def.height);
    run_json_text(json, "backend", backend_of(one));
    run_json_text(json, "device", one->device);
    run_json_text(json, "arithmetic", run_arithmetic_choices[one->def.arithmetic]);
    run_json_text(json, "isa", one->isa);
    run_json_integer(json, "threads", one->threads);
    run_json_integer(json, "substeps_per_pass", one->substeps_per_pass);
    run_json_integer(json, "tile_columns", one->def.tile_columns);
    run_json_number(json, "cell_steps_per_s", one->rate);
    run_json_number(json, "lowest_cell_steps_per_s", one->lowest);
    run_json_number(json, "highest_cell_steps_per_s", one->highest);
    run_json_number(json, "active_cell_steps_per_s", one->active_rate);
    run_json_number(json, "bytes_per_cell_step", one->cost.bytes);
    run_json_number(json, "bandwidth_bytes_per_s", one->machine.bandwidth_bytes_per_s);
    run_json_number(json, "bandwidth_fraction", bench_bandwidth_fraction(one));
    run_json_number(json, "flops_per_cell_step", one->cost.operations);
    run_json_number(json, "operations_per_s", measured(one, one->machine.operations_per_s));
    run_json_number(json, "arithmetic_fraction", bench_arithmetic_fraction(one));
    run_json_number(json, "divisions_per_s", measured(one, one->machine.divisions_per_s));
    run_json_end(json);
}

void bench_write_json(const bench_case *cases, size_t count) {
    wadi_machine best = {0};
    for (size_t i = 0; i < count; i++) {
        best.bandwidth_bytes_per_s = fmax(best.bandwidth_bytes_per_s, cases[i].machine.bandwidth_bytes_per_s);
        best.operations_per_s = fmax(best.operations_per_s, cases[i].machine.operations_per_s);
        best.divisions_per_s = fmax(best.divisions_per_s, cases[i].machine.divisions_per_s);
    }
    json json = run_json_to(stdout, false);
    run_json_object(&json, NULL);
    run_json_number(&json, "bandwidth_bytes_per_s", best.bandwidth_bytes_per_s);
    run_json_number(&json, "operations_per_s", measured(cases, best.operations_per_s));
    run_json_number(&json, "divisions_per_s", measured(cases, best.divisions_per_s));
    run_json_text(&json, "device", cases[0].device);
    run_json_array(&json, "results");
    for (size_t i = 0; i < count; i++) write_result(&json, &cases[i]);
    run_json_end(&json);
    run_json_end(&json);
}

const char bench_csv_header[] =
    "cpu,isa,model,settings,width,height,threads,substeps_per_pass,tile_columns,cell_steps_per_s,lowest_cell_steps_per_"
    "s,"
    "highest_cell_steps_per_s,bytes_per_cell_step,operations_per_cell_step,bandwidth_bytes_per_s,operations_per_s,"
    "divisions_per_s,bandwidth_fraction,arithmetic_fraction\n";

/* Only a name may contain commas; settings are names and numbers. */
void bench_write_csv(FILE *file, const bench_case *one) {
    fprintf(file, "\"%s\",%s,%s,%s,%d,%d,%d,%d,%d,", one->device, one->isa, wadi_model_id(one->def.model),
            one->settings, one->def.width, one->def.height, one->threads, one->substeps_per_pass,
            one->def.tile_columns);
    fprintf(file, "%.5g,%.5g,%.5g,%.4g,%.4g,", one->rate, one->lowest, one->highest, one->cost.bytes,
            one->cost.operations);
    fprintf(file, "%.5g,%.5g,%.5g,%.3f,%.3f\n", one->machine.bandwidth_bytes_per_s,
            measured(one, one->machine.operations_per_s), measured(one, one->machine.divisions_per_s),
            bench_bandwidth_fraction(one), bench_arithmetic_fraction(one));
}
