/* gauges.c: places gauges, reads their cells from the simulation, and writes the rows. */
#include "gauges.h"

#include "array.h"
#include "fail.h"
#include "folder.h"
#include "gauge_line.h"
#include "run_def.h"
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
    for (size_t i = 0; i < gauges->count; i++) {
        free(gauges->items[i].name);
        free(gauges->items[i].flow_sums);
    }
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
static wadi_status find_cell(bool pixel, const wadi_raster *raster, double x, double y, int *to_x, int *to_y) {
    const double *t = raster->georef.transform;
    if (!pixel && !raster->has_georef)
        return wadi_fail(WADI_ERROR_ARGUMENT, "the terrain has no georeference; add --pixel if x and y are in cells");
    const double column = pixel ? x : (x - t[0]) / t[1], row = pixel ? y : (y - t[3]) / t[5];
    if (!(column >= 0 && row >= 0 && column < raster->width && row < raster->height))
        return wadi_fail(WADI_ERROR_ARGUMENT, "(%.10g, %.10g) lies outside the terrain (cell %.6g, %.6g of %d x %d)", x,
                         y, column, row, raster->width, raster->height);
    *to_x = (int)column, *to_y = (int)row;
    return WADI_OK;
}

/* "X,Y", changed in place. */
static wadi_status read_place(bool pixel, const wadi_raster *raster, const char *name, char *text, int *x, int *y) {
    char *comma = strchr(text, ',');
    double numbers[2];
    if (!comma) return wadi_fail(WADI_ERROR_ARGUMENT, "'%.40s=%.40s': NAME=X,Y is wanted", name, text);
    *comma = '\0';
    if (!run_parse_number(text, &numbers[0]) || !run_parse_number(comma + 1, &numbers[1]))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%.40s=%.40s,%.40s: two numbers are wanted after '='", name, text,
                         comma + 1);
    return find_cell(pixel, raster, numbers[0], numbers[1], x, y);
}

/* "NAME=X,Y" or "NAME=X,Y:X,Y", changed in place. */
static wadi_status add_gauge(bool pixel, char *text, run *run) {
    run_gauges *gauges = &run->plan.gauges;
    char *equals = strchr(text, '=');
    if (!equals || !strchr(equals, ',')) return wadi_fail(WADI_ERROR_ARGUMENT, "'%.40s': NAME=X,Y is wanted", text);
    *equals = '\0';
    char *colon = strchr(equals + 1, ':');
    if (colon) *colon = '\0';
    gauge made = {0};
    wadi_status status = check_name(gauges, text);
    if (status == WADI_OK) status = read_place(pixel, run->raster, text, equals + 1, &made.x, &made.y);
    made.to_x = made.x, made.to_y = made.y;
    if (status == WADI_OK && colon) status = read_place(pixel, run->raster, text, colon + 1, &made.to_x, &made.to_y);
    if (status == WADI_OK && colon && !run_gauge_is_line(&made))
        status = wadi_fail(WADI_ERROR_ARGUMENT, "%s: both ends of the line are in one cell", text);
    if (status != WADI_OK) return status;
    gauge *added = run_array_add(&gauges->items, &gauges->count, sizeof *added);
    if (!added) return WADI_ERROR_MEMORY;
    *added = made;
    added->name = run_text_copy(text);
    added->flow_sums = run_array_new(run_gauge_cells(added), sizeof *added->flow_sums);
    return added->name && added->flow_sums ? WADI_OK : WADI_ERROR_MEMORY;
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
static double value_at(const run *run, int x, int y) {
    return (double)run->raster->values[(size_t)y * (size_t)run->raster->width + (size_t)x];
}

static bool has_data(const run *run, int x, int y) {
    return x >= 0 && y >= 0 && x < run->raster->width && y < run->raster->height && !isnan(value_at(run, x, y));
}

/* With eight pipes, what leaves a cell over an open border is not in its discharge. */
static bool loses_water(const run *run, int x, int y) {
    const wadi_def *def = wadi_sim_def(run->sim);
    const int pipes = wadi_model_parameter_index(def->model, "pipes");
    if (def->boundary != WADI_OPEN || pipes < 0 || !(def->values[pipes] > 0)) return false;
    for (int k = 0; k < 9; k++)
        if (!has_data(run, x + k % 3 - 1, y + k / 3 - 1)) return true;
    return false;
}

/* A line may end at the border, and cross cells without data beside no others that lose water. */
static wadi_status check_place(const run *run, const gauge *gauge) {
    const size_t count = run_gauge_cells(gauge);
    size_t with_data = 0, losing = 0;
    for (size_t i = 0; i < count; i++) {
        int x, y;
        run_gauge_cell(gauge, i, &x, &y);
        if (!has_data(run, x, y)) continue;
        with_data++;
        if ((count == 1 || (i > 0 && i + 1 < count)) && loses_water(run, x, y)) losing++;
    }
    if (with_data == 0) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: the terrain has no data there", gauge->name);
    if (losing > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "%s: is at the open border, where pipes = 8 misses the water that leaves: take the cell%s "
                         "inside, or the rows of the border",
                         gauge->name, count > 1 ? "s" : "");
    if (count > 1 && !run_gauge_can_cross(run->sim))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: lines are for mei2007 and jako2011; name a cell", gauge->name);
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
    const int64_t substeps = wadi_def_substeps_follow(wadi_sim_def(run->sim)) ? 1 : safety.substeps; /* at least */
    const int64_t least = (SAMPLED_EVERY + substeps - 1) / substeps;
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
    if (run->stage_count != 1 || run->plan.levels > 1 || !run_flows_by_the_second(wadi_sim_def(run->sim)->model))
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

/* Of all cells of all gauges, one after the other. */
typedef struct measured {
    size_t count;
    size_t *places;
    double *height, *depth, *sediment, *share, *sums; /* sums: of the discharge */
} measured;
enum { MEASURED = 5 };

static bool measured_begin(const run *run, measured *m) {
    const run_gauges *gauges = &run->plan.gauges;
    *m = (measured){.count = run_gauges_cells(gauges)};
    m->places = run_array_new(m->count, sizeof *m->places);
    m->height = run_array_new(MEASURED * m->count, sizeof *m->height);
    if (!m->places || !m->height) return false;
    m->depth = m->height + m->count, m->sediment = m->depth + m->count;
    m->share = m->sediment + m->count, m->sums = m->share + m->count;
    size_t k = 0;
    for (size_t i = 0; i < gauges->count; i++)
        for (size_t c = 0; c < run_gauge_cells(&gauges->items[i]); c++, k++) {
            int x, y;
            run_gauge_cell(&gauges->items[i], c, &x, &y);
            m->places[k] = (size_t)y * (size_t)run->raster->width + (size_t)x;
            m->sums[k] = gauges->items[i].flow_sums[c];
        }
    return true;
}

static void measured_end(measured *m) {
    free(m->places);
    free(m->height);
}

wadi_status run_gauges_restored(run *run) {
    measured m;
    if (run->plan.gauges.count == 0) return WADI_OK;
    const wadi_status status =
        measured_begin(run, &m) ? wadi_sim_set_gathered_flow(run->sim, m.places, m.sums, m.count) : WADI_ERROR_MEMORY;
    measured_end(&m);
    return status;
}

static wadi_status measure(const run *run, measured *m) {
    const char *const maps[] = {"height", "water", "sediment"};
    double *const found[] = {m->height, m->depth, m->sediment};
    wadi_status status = WADI_OK;
    for (int i = 0; i < 3 && status == WADI_OK; i++) {
        status = read_map(run, maps[i]);
        for (size_t k = 0; k < m->count && status == WADI_OK; k++)
            found[i][k] = (double)run->raster->values[m->places[k]];
    }
    if (status == WADI_OK) status = run_gauge_shares(run, m->share);
    return status == WADI_OK ? wadi_sim_gather_flow(run->sim, m->places, m->sums, m->count) : status;
}

/* Solid in a volume of water. */
static double carried_at(const measured *m, size_t k) { return m->depth[k] > 0 ? m->sediment[k] / m->depth[k] : 0; }

/* The mean discharge since the last rows, from cell `first` on. more: samples since then. Without one, in a short last
 * interval, the discharge is that of the row before. */
static void fill_row(const measured *m, size_t first, int64_t more, double interval_s, const gauge_row *before,
                     gauge *gauge, gauge_row *row) {
    const size_t count = run_gauge_cells(gauge);
    size_t deepest = first;
    for (size_t k = first; k < first + count; k++) {
        if (m->depth[k] > m->depth[deepest] || isnan(m->depth[deepest])) deepest = k;
        const double flow = more > 0 ? m->share[k] * (m->sums[k] - gauge->flow_sums[k - first]) / (double)more : 0;
        row->discharge += flow;
        row->sediment_discharge += flow * carried_at(m, k);
        gauge->flow_sums[k - first] = m->sums[k];
    }
    row->depth_m = m->depth[deepest];
    row->stage_m = m->height[deepest] + m->depth[deepest];
    row->sediment_m = m->sediment[deepest];
    if (more == 0 && before) {
        row->discharge = before->discharge;
        row->sediment_discharge = row->discharge * carried_at(m, deepest);
    }
    row->water_m3 = gauge->water_m3 += row->discharge * interval_s;
    row->sediment_m3 = gauge->sediment_m3 += row->sediment_discharge * interval_s;
}

static wadi_status read_gauges(run *run, gauge_row *rows, double interval_s) {
    run_gauges *gauges = &run->plan.gauges;
    measured m;
    if (gauges->count == 0) return WADI_OK;
    const bool later = gauges->row_count > gauges->count + 1;
    const wadi_status status = measured_begin(run, &m) ? measure(run, &m) : WADI_ERROR_MEMORY;
    const int64_t samples = wadi_sim_flow_samples(run->sim), more = samples - gauges->samples;
    size_t first = 0;
    for (size_t i = 0; i < gauges->count && status == WADI_OK; i++) {
        gauge *gauge = &gauges->items[i];
        fill_row(&m, first, more, interval_s, later ? &rows[i] - gauges->count - 1 : NULL, gauge, &rows[i]);
        first += run_gauge_cells(gauge);
    }
    gauges->samples = samples;
    measured_end(&m);
    return status;
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
    for (size_t i = 0; i < gauges->count; i++) {
        const gauge *gauge = &gauges->items[i];
        fprintf(json->file, "%s%s=%d.5,%d.5", i ? " " : "", gauge->name, gauge->x, gauge->y);
        if (run_gauge_is_line(gauge)) fprintf(json->file, ":%d.5,%d.5", gauge->to_x, gauge->to_y);
    }
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
        run_note_put_double(note, gauge->flow_sums[0]);
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
    gauge->x = gauge->to_x = note->broken ? 0 : (int)x;
    gauge->y = gauge->to_y = note->broken ? 0 : (int)y;
    gauge->flow_sums = run_array_new(1, sizeof *gauge->flow_sums);
    if (!gauge->flow_sums) run_note_lose(note);
    const double sum = run_note_take_double(note);
    if (gauge->flow_sums) *gauge->flow_sums = sum;
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

/* Of a line what take_gauge does not have. An earlier version has no lines. */
void run_gauges_put_lines(note *note, const run_gauges *gauges) {
    for (size_t i = 0; i < gauges->count; i++) {
        const gauge *gauge = &gauges->items[i];
        run_note_put_integer(note, (uint64_t)gauge->to_x);
        run_note_put_integer(note, (uint64_t)gauge->to_y);
        for (size_t c = 1; c < run_gauge_cells(gauge); c++) run_note_put_double(note, gauge->flow_sums[c]);
    }
}

static void take_line(note *note, const wadi_def *grid, gauge *gauge) {
    const uint64_t x = run_note_take_integer(note), y = run_note_take_integer(note);
    if (x >= (uint64_t)grid->width || y >= (uint64_t)grid->height) note->broken = true;
    if (note->broken) return;
    gauge->to_x = (int)x, gauge->to_y = (int)y;
    double *sums = run_array_new(run_gauge_cells(gauge), sizeof *sums);
    if (!sums) {
        gauge->to_x = gauge->x, gauge->to_y = gauge->y;
        run_note_lose(note);
        return;
    }
    sums[0] = gauge->flow_sums[0];
    for (size_t c = 1; c < run_gauge_cells(gauge); c++) sums[c] = run_note_take_double(note);
    free(gauge->flow_sums);
    gauge->flow_sums = sums;
}

void run_gauges_take_lines(note *note, const wadi_def *grid, run_gauges *gauges) {
    if (note->broken || note->at == note->size) return;
    for (size_t i = 0; i < gauges->count && !note->broken; i++) take_line(note, grid, &gauges->items[i]);
}
