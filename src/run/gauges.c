/* gauges.c: places gauges, reads their cells from the simulation, and writes the rows. */
#include "gauges.h"

#include "array.h"
#include "fail.h"
#include "folder.h"
#include "run_stages.h"
#include "text.h"

#include "platform/platform.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BORDER "border"
enum { USUAL_ROWS = 100, MOST_ROWS = 1000000, SAMPLED_EVERY = 8, ROW_NUMBERS = sizeof(gauge_row) / sizeof(double) };
_Static_assert(ROW_NUMBERS * sizeof(double) == sizeof(gauge_row), "a row is doubles and nothing else");

void run_gauges_free(run_gauges *gauges) {
    for (size_t i = 0; i < gauges->count; i++) free(gauges->items[i].name);
    free(gauges->items);
    free(gauges->rows);
    *gauges = (run_gauges){0};
}

/* --- from the options --- */

static wadi_status check_name(const run_gauges *gauges, const char *name) {
    bool good = *name && strlen(name) <= 64;
    for (const char *c = name; *c; c++)
        good = good && (isalnum((unsigned char)*c) || *c == '_' || *c == '-' || *c == '.');
    if (!good)
        return wadi_fail(WADI_ERROR_ARGUMENT, "'%.40s' is no name: letters, digits, '.', '_' and '-' are wanted", name);
    bool known = strcmp(name, BORDER) == 0;
    for (size_t i = 0; i < gauges->count; i++) known = known || strcmp(gauges->items[i].name, name) == 0;
    return known ? wadi_fail(WADI_ERROR_ARGUMENT, "there are two gauges of the name '%s'", name) : WADI_OK;
}

/* Of a place in cells, or in the terrain's CRS. */
static wadi_status place_gauge(bool pixel, const wadi_raster *raster, double x, double y, gauge *gauge) {
    const double *t = raster->georef.transform;
    if (!pixel && !raster->has_georef)
        return wadi_fail(WADI_ERROR_ARGUMENT, "the terrain has no georeference; add --pixel if x and y are in cells");
    const double column = pixel ? x : (x - t[0]) / t[1], row = pixel ? y : (y - t[3]) / t[5];
    if (!(column >= 0 && row >= 0 && column < raster->width && row < raster->height))
        return wadi_fail(WADI_ERROR_ARGUMENT, "(%.10g, %.10g) lies outside the terrain (cell %.6g, %.6g of %d x %d)", x,
                         y, column, row, raster->width, raster->height);
    gauge->x = (int)column, gauge->y = (int)row;
    return WADI_OK;
}

/* "NAME=X,Y", changed in place. */
static wadi_status add_gauge(bool pixel, char *text, run *run) {
    run_gauges *gauges = &run->plan.gauges;
    char *equals = strchr(text, '='), *comma = equals ? strchr(equals, ',') : NULL;
    double x, y;
    if (!comma) return wadi_fail(WADI_ERROR_ARGUMENT, "'%.40s': NAME=X,Y is wanted", text);
    *equals = *comma = '\0';
    if (!run_parse_number(equals + 1, &x) || !run_parse_number(comma + 1, &y))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%.40s=%.40s,%.40s: two numbers are wanted after '='", text, equals + 1,
                         comma + 1);
    gauge made = {0};
    wadi_status status = check_name(gauges, text);
    if (status == WADI_OK) status = place_gauge(pixel, run->raster, x, y, &made);
    if (status != WADI_OK) return status;
    gauge *added = run_array_add(&gauges->items, &gauges->count, sizeof *added);
    if (!added) return WADI_ERROR_MEMORY;
    *added = made;
    added->name = run_text_copy(text);
    return added->name ? WADI_OK : WADI_ERROR_MEMORY;
}

static wadi_status add_gauges(const run_options *options, bool pixel, run *run) {
    char *texts = run_text_copy(options->gauges);
    wadi_status status = texts ? WADI_OK : WADI_ERROR_MEMORY;
    for (char *text = texts, *end; status == WADI_OK && *(text += strspn(text, " ")); text = end) {
        end = text + strcspn(text, " ");
        if (*end) *end++ = '\0';
        status = add_gauge(pixel, text, run);
    }
    free(texts);
    return status;
}

static wadi_status read_map(const run *run, const char *map) {
    return wadi_sim_get(run->sim, map, run->raster->values, (size_t)run->raster->width * (size_t)run->raster->height);
}
static double value_at(const run *run, const gauge *gauge) {
    return (double)run->raster->values[(size_t)gauge->y * (size_t)run->raster->width + (size_t)gauge->x];
}

static bool has_data(const run *run, int x, int y) {
    return x >= 0 && y >= 0 && x < run->raster->width && y < run->raster->height &&
           !isnan(value_at(run, &(gauge){.x = x, .y = y}));
}

/* With eight pipes, what leaves a cell over an open border is not in its discharge. */
static bool loses_water(const run *run, const gauge *gauge) {
    const wadi_def *def = wadi_sim_def(run->sim);
    const int pipes = wadi_model_parameter_index(def->model, "pipes");
    if (def->boundary != WADI_OPEN || pipes < 0 || !(def->values[pipes] > 0)) return false;
    for (int k = 0; k < 9; k++)
        if (!has_data(run, gauge->x + k % 3 - 1, gauge->y + k / 3 - 1)) return true;
    return false;
}

static wadi_status check_place(const run *run, const gauge *gauge) {
    if (!has_data(run, gauge->x, gauge->y))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: the terrain has no data there", gauge->name);
    if (loses_water(run, gauge))
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "%s: is at the open border, where pipes = 8 misses the water that leaves: take the cell "
                         "inside, or the rows of the border",
                         gauge->name);
    return WADI_OK;
}

static wadi_status check_places(const run *run) {
    wadi_status status = run->plan.gauges.count > 0 ? read_map(run, "height") : WADI_OK;
    for (size_t i = 0; i < run->plan.gauges.count && status == WADI_OK; i++)
        status = check_place(run, &run->plan.gauges.items[i]);
    return status;
}

/* Each interval has a sample of the discharge, which is taken every so many sub-steps. */
static wadi_status choose_interval(const run_options *options, run *run) {
    const wadi_safety safety = wadi_sim_safety(run->sim);
    const int64_t least = (SAMPLED_EVERY + safety.substeps - 1) / safety.substeps;
    const double wanted =
        options->gauge_every > 0 ? options->gauge_every / safety.dt_s : (double)run->plan.steps / USUAL_ROWS;
    run->plan.gauges.every = wanted < (double)least ? least : (int64_t)fmin(round(wanted), 1e15);
    if (options->gauge_every > 0 && round(wanted) < (double)least)
        return run_at(options, &options->gauge_every,
                      wadi_fail(WADI_ERROR_ARGUMENT, "--gauge-every %g: the discharge is sampled every %g s",
                                options->gauge_every, (double)least * safety.dt_s));
    const double rows =
        ceil((double)run->plan.steps / (double)run->plan.gauges.every + 1) * (double)(run->plan.gauges.count + 1);
    if (rows > MOST_ROWS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--gauge-every: %.0f rows, and at most %d are kept: make it longer", rows,
                         MOST_ROWS);
    return WADI_OK;
}

wadi_status run_gauges_plan(const run_options *options, bool pixel, run *run) {
    if (!options->gauges && !(options->gauge_every > 0)) return WADI_OK;
    wadi_status status = WADI_OK;
    if (run->stage_count != 1 || run->plan.levels > 1 || wadi_sim_def(run->sim)->model == wadi_model_find("schott2023"))
        status = wadi_fail(WADI_ERROR_ARGUMENT,
                           "--gauges: for one stage on one grid, and water by the second; see --levels 1");
    if (status == WADI_OK && options->gauges) status = add_gauges(options, pixel, run);
    if (status == WADI_OK) status = check_places(run);
    if (status == WADI_ERROR_ARGUMENT && strncmp(wadi_error_message(), "--", 2) != 0)
        status = wadi_fail(status, "--gauges: %s", wadi_error_message());
    status = run_at(options, &options->gauges, status);
    return status == WADI_OK ? choose_interval(options, run) : status;
}

/* --- rows --- */

int64_t run_gauges_steps_left(const run *run) {
    const int64_t every = run->plan.gauges.every;
    return every > 0 ? every - run->plan.done % every : INT64_MAX;
}

/* What passed in the interval. discharge: its mean; carried: solid in a volume of water. */
static void pass(gauge_row *row, double interval_s, double discharge, double carried, double *water, double *solid) {
    row->discharge = discharge;
    row->sediment_discharge = discharge * carried;
    row->water_m3 = *water += discharge * interval_s;
    row->sediment_m3 = *solid += discharge * carried * interval_s;
}

static wadi_status gather(wadi_sim *sim, const run_gauges *gauges, bool restored, double *sums) {
    size_t *cells = run_array_new(gauges->count, sizeof *cells);
    if (!cells) return WADI_ERROR_MEMORY;
    for (size_t i = 0; i < gauges->count; i++) {
        cells[i] = (size_t)gauges->items[i].y * (size_t)wadi_sim_def(sim)->width + (size_t)gauges->items[i].x;
        sums[i] = gauges->items[i].flow_sum;
    }
    const wadi_status status = restored ? wadi_sim_set_gathered_flow(sim, cells, sums, gauges->count)
                                        : wadi_sim_gather_flow(sim, cells, sums, gauges->count);
    free(cells);
    return status;
}

wadi_status run_gauges_restored(run *run) {
    const run_gauges *gauges = &run->plan.gauges;
    if (gauges->count == 0) return WADI_OK;
    double *sums = run_array_new(gauges->count, sizeof *sums);
    const wadi_status status = sums ? gather(run->sim, gauges, true, sums) : WADI_ERROR_MEMORY;
    free(sums);
    return status;
}

/* The mean discharge since the last rows. Without a sample, in a short last interval, it is that of the row before. */
static wadi_status read_discharge(run *run, gauge_row *rows, double interval_s) {
    run_gauges *gauges = &run->plan.gauges;
    const int64_t samples = wadi_sim_flow_samples(run->sim), more = samples - gauges->samples;
    const bool later = gauges->row_count > gauges->count + 1;
    double *sums = run_array_new(gauges->count, sizeof *sums);
    const wadi_status status = sums ? gather(run->sim, gauges, false, sums) : WADI_ERROR_MEMORY;
    for (size_t i = 0; i < gauges->count && status == WADI_OK; i++) {
        gauge *gauge = &gauges->items[i];
        const double before = later ? rows[i - gauges->count - 1].discharge : 0;
        const double carried = rows[i].depth_m > 0 ? rows[i].sediment_m / rows[i].depth_m : 0;
        pass(&rows[i], interval_s, more > 0 ? (sums[i] - gauge->flow_sum) / (double)more : before, carried,
             &gauge->water_m3, &gauge->sediment_m3);
        gauge->flow_sum = sums[i];
    }
    free(sums);
    gauges->samples = samples;
    return status;
}

/* One map after the other, for all gauges. */
static wadi_status read_gauges(run *run, gauge_row *rows, double interval_s) {
    run_gauges *gauges = &run->plan.gauges;
    wadi_status status = read_map(run, "height");
    for (size_t i = 0; i < gauges->count && status == WADI_OK; i++) rows[i].stage_m = value_at(run, &gauges->items[i]);
    if (status == WADI_OK) status = read_map(run, "water");
    for (size_t i = 0; i < gauges->count && status == WADI_OK; i++) {
        rows[i].depth_m = value_at(run, &gauges->items[i]);
        rows[i].stage_m += rows[i].depth_m;
    }
    if (status == WADI_OK) status = read_map(run, "sediment");
    for (size_t i = 0; i < gauges->count && status == WADI_OK; i++)
        rows[i].sediment_m = value_at(run, &gauges->items[i]);
    return status == WADI_OK && gauges->count > 0 ? read_discharge(run, rows, interval_s) : status;
}

static wadi_status read_border(run *run, gauge_row *row, double interval_s) {
    run_gauges *gauges = &run->plan.gauges;
    wadi_mass mass;
    const wadi_status status = wadi_sim_mass(run->sim, &mass);
    if (status != WADI_OK) return status;
    const double water = mass.water_over_border - gauges->water_m3,
                 solid = mass.solid_over_border - gauges->sediment_m3;
    row->depth_m = row->stage_m = row->sediment_m = (double)NAN;
    row->discharge = interval_s > 0 ? water / interval_s : 0;
    row->sediment_discharge = interval_s > 0 ? solid / interval_s : 0;
    row->water_m3 = gauges->water_m3 = mass.water_over_border;
    row->sediment_m3 = gauges->sediment_m3 = mass.solid_over_border;
    return WADI_OK;
}

static gauge_row *add_rows(run_gauges *gauges) {
    for (size_t i = 0; i <= gauges->count; i++)
        if (!run_array_add(&gauges->rows, &gauges->row_count, sizeof *gauges->rows)) return NULL;
    return gauges->rows + (gauges->row_count - gauges->count - 1);
}

static wadi_status make_rows(run *run) {
    run_gauges *gauges = &run->plan.gauges;
    const double time_s = wadi_sim_time(run->sim), interval_s = time_s - gauges->time_s;
    if (gauges->row_count > 0 && !(interval_s > 0)) return WADI_OK; /* a resumed run has these rows */
    gauge_row *rows = add_rows(gauges);
    if (!rows) return WADI_ERROR_MEMORY;
    for (size_t i = 0; i <= gauges->count; i++) rows[i].time_s = time_s;
    gauges->time_s = time_s;
    const wadi_status status = read_gauges(run, rows, interval_s);
    return status == WADI_OK ? read_border(run, &rows[gauges->count], interval_s) : status;
}

wadi_status run_gauges_step(run *run) {
    const int64_t every = run->plan.gauges.every;
    return every > 0 && run->plan.done % every == 0 ? make_rows(run) : WADI_OK;
}

wadi_status run_gauges_end(run *run) { return run->plan.gauges.every > 0 ? make_rows(run) : WADI_OK; }

/* --- files --- */

static void write_row(FILE *file, const char *name, const gauge_row *row) {
    const double numbers[] = {row->depth_m,  row->stage_m,    row->discharge, row->sediment_m, row->sediment_discharge,
                              row->water_m3, row->sediment_m3};
    fprintf(file, "%.15g,%s", row->time_s, name);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fputc(',', file);
        if (is_finite(numbers[i])) fprintf(file, "%.9g", numbers[i]);
    }
    fputc('\n', file);
}

wadi_status run_gauges_write(const run *run, const char *folder) {
    const run_gauges *gauges = &run->plan.gauges;
    char *path = run_text_join(folder, GAUGES_CSV);
    if (!path) return WADI_ERROR_MEMORY;
    FILE *file = platform_open(path, "w");
    bool error = !file;
    if (file) {
        fputs("time_s,gauge,depth_m,stage_m,discharge_m3_s,sediment_m,sediment_discharge_m3_s,water_m3,sediment_m3\n",
              file);
        for (size_t i = 0; i < gauges->row_count; i++) {
            const size_t which = i % (gauges->count + 1);
            write_row(file, which < gauges->count ? gauges->items[which].name : BORDER, &gauges->rows[i]);
        }
        error = ferror(file) || platform_sync(file) != 0;
        error = fclose(file) != 0 || error;
    }
    if (error) wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
    free(path);
    return error ? WADI_ERROR_IO : WADI_OK;
}

void run_gauges_recipe(json *json, const run *run) {
    const run_gauges *gauges = &run->plan.gauges;
    if (gauges->every == 0) return;
    if (gauges->count > 0) run_json_text_begin(json, "gauges");
    for (size_t i = 0; i < gauges->count; i++)
        fprintf(json->file, "%s%s=%d.5,%d.5", i ? " " : "", gauges->items[i].name, gauges->items[i].x,
                gauges->items[i].y);
    if (gauges->count > 0) run_json_text_end(json);
    run_json_number(json, "gauge-every", (double)gauges->every * wadi_def_safety(&run->stages[0].def).dt_s);
}

/* --- the checkpoint --- */

void run_gauges_put(note *note, const run_gauges *gauges) {
    const double numbers[] = {gauges->time_s, gauges->water_m3, gauges->sediment_m3};
    run_note_put_integer(note, (uint64_t)gauges->every);
    run_note_put_integer(note, (uint64_t)gauges->samples);
    for (int k = 0; k < 3; k++) run_note_put_double(note, numbers[k]);
    run_note_put_integer(note, gauges->count);
    for (size_t i = 0; i < gauges->count; i++) {
        const gauge *gauge = &gauges->items[i];
        run_note_put_text(note, gauge->name);
        run_note_put_integer(note, (uint64_t)gauge->x);
        run_note_put_integer(note, (uint64_t)gauge->y);
        run_note_put_double(note, gauge->flow_sum);
        run_note_put_double(note, gauge->water_m3);
        run_note_put_double(note, gauge->sediment_m3);
    }
    run_note_put_integer(note, gauges->row_count);
    for (size_t i = 0; i < gauges->row_count; i++) {
        double row[ROW_NUMBERS];
        memcpy(row, &gauges->rows[i], sizeof row);
        for (int k = 0; k < ROW_NUMBERS; k++) run_note_put_double(note, row[k]);
    }
}

static void take_gauge(note *note, const wadi_def *grid, run_gauges *gauges, gauge *gauge) {
    gauge->name = run_note_take_text(note);
    const uint64_t x = run_note_take_integer(note), y = run_note_take_integer(note);
    if (x >= (uint64_t)grid->width || y >= (uint64_t)grid->height) note->broken = true;
    if (!gauge->name) run_note_lose(note);
    if (gauge->name && check_name(gauges, gauge->name) != WADI_OK) note->broken = true;
    gauge->x = note->broken ? 0 : (int)x;
    gauge->y = note->broken ? 0 : (int)y;
    gauge->flow_sum = run_note_take_double(note);
    gauge->water_m3 = run_note_take_double(note);
    gauge->sediment_m3 = run_note_take_double(note);
}

void run_gauges_take(note *note, const wadi_def *grid, run_gauges *gauges) {
    if (note->broken || note->at == note->size) return; /* an earlier version's */
    gauges->every = (int64_t)run_note_take_integer(note);
    gauges->samples = (int64_t)run_note_take_integer(note);
    if (gauges->every < 0 || gauges->samples < 0) note->broken = true;
    gauges->time_s = run_note_take_double(note);
    gauges->water_m3 = run_note_take_double(note);
    gauges->sediment_m3 = run_note_take_double(note);
    size_t count = 0;
    gauges->items = run_note_take_array(note, sizeof *gauges->items, &count);
    for (; gauges->count < count && !note->broken; gauges->count++)
        take_gauge(note, grid, gauges, &gauges->items[gauges->count]);
    gauges->rows = run_note_take_array(note, sizeof *gauges->rows, &count);
    for (; gauges->row_count < count && !note->broken; gauges->row_count++) {
        double row[ROW_NUMBERS];
        for (int k = 0; k < ROW_NUMBERS; k++) row[k] = run_note_take_double(note);
        memcpy(&gauges->rows[gauges->row_count], row, sizeof row);
    }
    if (gauges->row_count % (gauges->count + 1) != 0) note->broken = true;
}
