/* reading.c: the first and last step of every reader: checks of the size, and the conversion of samples to metres. */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

wadi_status io_begin(const io_input *input, uint64_t width, uint64_t height, wadi_raster **raster) {
    *raster = NULL;
    if (width < 2 || height < 2)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: is %llu x %llu cells; give at least 2 x 2", input->name,
                         (unsigned long long)width, (unsigned long long)height);
    if (width > INT_MAX || height > INT_MAX)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: says it is %llu x %llu cells, more than can be; is it damaged?",
                         input->name, (unsigned long long)width, (unsigned long long)height);
    const uint64_t bytes = width * height * sizeof(float); /* below 2^64: both are below 2^31 */
    const bool in_file = input->options != NULL && input->options->memory_limit == 0 && io_in_scratch(bytes);
    if (bytes > input->memory_limit && !in_file) return io_no_memory(input->name, bytes, input->memory_limit);
    const wadi_status status = wadi_raster_create((int)width, (int)height, raster);
    if (status == WADI_OK) (*raster)->band = (*raster)->bands = 1;
    return status == WADI_ERROR_MEMORY ? io_no_memory(input->name, bytes, input->memory_limit) : status;
}

wadi_status io_check_held(const io_input *input, uint64_t width, uint64_t height, double bytes_a_cell, double ratio) {
    if ((double)width * (double)height * bytes_a_cell <= (double)input->size * ratio) return WADI_OK;
    return wadi_fail(
        WADI_ERROR_FORMAT, "%s: says it is %llu x %llu cells, which %llu bytes cannot hold; it is truncated or damaged",
        input->name, (unsigned long long)width, (unsigned long long)height, (unsigned long long)input->size);
}

wadi_status io_truncated(const io_input *input, const char *detail) {
    const bool told = detail != NULL && detail[0] != '\0';
    return wadi_fail(WADI_ERROR_FORMAT, "%s: is truncated or damaged%s%s%s; get a whole copy", input->name,
                     told ? " (" : "", told ? detail : "", told ? ")" : "");
}

wadi_status io_refuse_warped(const char *name, const char *what) {
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: %s; warp it first: gdalwarp -r cubic '%s' north-up.tif", name, what,
                     name);
}

/* South-up rows must be reversed: io_finish does it. */
void io_turn_north_up(wadi_raster *raster) {
    double *transform = raster->georef.transform;
    if (transform[5] < 0) return;
    transform[3] += raster->height * transform[5];
    transform[5] = -transform[5];
    raster->flipped = true;
}

void io_remark(wadi_raster *raster, const char *format, ...) {
    const size_t used = strlen(raster->remarks), room = sizeof raster->remarks - used;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(raster->remarks + used, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length + 2 > room) { /* leaves out a line that does not fit */
        raster->remarks[used] = '\0';
        return;
    }
    wadi_rename_options(raster->remarks + used);
    for (char *c = raster->remarks + used; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' '; /* parts are from the file */
    strcat(raster->remarks, "\n");
}

/* --- metres ---------------------------------------------------------------------------------------------------- */

static double full_scale(const io_meaning *meaning, const wadi_raster *raster) {
    const double full = wadi_sample_full_scale(raster->sample);
    return meaning->full > 0 && full > 0 ? meaning->full : full;
}

/* The user's options override the file. */
static void set_cell_size(const wadi_read_options *options, const io_meaning *meaning, wadi_raster *raster) {
    const bool given = options->lx != 0 || options->ly != 0, said = meaning->lx != 0;
    raster->cell_assumed = !given && !said && !raster->has_georef;
    const wadi_origin placed = raster->from.cell != WADI_ORIGIN_NONE ? raster->from.cell : WADI_ORIGIN_FILE;
    raster->from.cell = given                       ? WADI_ORIGIN_OPTION
                        : raster->cell_assumed      ? WADI_ORIGIN_ASSUMED
                        : said                      ? WADI_ORIGIN_FILE
                        : raster->georef.geographic ? WADI_ORIGIN_CRS
                                                    : placed;
    if (!given && !said) return;
    const double lx = given ? options->lx : meaning->lx, ly = given ? options->ly : meaning->ly;
    raster->lx = lx != 0 ? lx : ly;
    raster->ly = ly != 0 ? ly : lx;
    raster->lx_variation = 0;
}

/* Floats of 0 to 1, as painting programs write them. */
static wadi_status check_unit_floats(const io_input *input, const wadi_raster *raster) {
    const size_t cells = (size_t)raster->width * (size_t)raster->height;
    float low = INFINITY, high = -INFINITY;
#pragma omp parallel reduction(min : low) reduction(max : high)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (size_t i = 0; i < cells; i++) {
            low = raster->values[i] < low ? raster->values[i] : low;
            high = raster->values[i] > high ? raster->values[i] : high;
        }
    }
    if (!(low < 0) && !(high > 1)) return WADI_OK;
    return wadi_fail(
        WADI_ERROR_ARGUMENT,
        "%s: its values reach from %.6g to %.6g, and --height-range is for samples of uint8, uint16 and int16, and for "
        "others of 0 to 1; leave it out",
        input->name, (double)low, (double)high);
}

static void scale_range(double low, double high, double full, wadi_raster *raster) {
    raster->scale = (high - low) / (full > 0 ? full : 1);
    raster->offset = low;
}

static wadi_status set_scale(const io_input *input, const io_meaning *meaning, wadi_raster *raster) {
    const wadi_read_options *options = input->options;
    const double full = full_scale(meaning, raster);
    const bool unit_known =
        options->z_unit != NULL || raster->has_georef || meaning->unit_m > 0 || raster->map_unit[0] != '\0';
    const double unit = options->z_unit != NULL                         ? io_unit_of_name(options->z_unit)->metres
                        : meaning->unit_m > 0 && !options->plain_values ? meaning->unit_m
                                                                        : 1;
    raster->unit_m = unit;
    raster->from.unit = options->z_unit != NULL ? WADI_ORIGIN_OPTION
                        : meaning->unit_m > 0   ? raster->from.unit
                                                : WADI_ORIGIN_ASSUMED;
    if (options->has_range) {
        raster->from.scale = WADI_ORIGIN_OPTION;
        if (full == 0 && check_unit_floats(input, raster) != WADI_OK) return WADI_ERROR_ARGUMENT;
        scale_range(options->low, options->high, full, raster);
    } else if (meaning->scaled) {
        if (raster->from.scale == WADI_ORIGIN_NONE) raster->from.scale = WADI_ORIGIN_FILE;
        raster->scale = meaning->scale * unit;
        raster->offset = meaning->offset * unit;
    } else if (meaning->ranged && full > 0 && options->z_unit == NULL) {
        raster->from.scale = WADI_ORIGIN_FILE;
        scale_range(meaning->low, meaning->high, full, raster);
    } else if (options->plain_values) {
        raster->scale = full > 0 ? 1 / full : 1;
    } else if (full == 0 || unit_known) {
        raster->scale = unit;
    } else {
        raster->scale = 0.2 * fmax(raster->width * raster->lx, raster->height * raster->ly) / full;
        raster->scale_assumed = true;
        raster->from.scale = WADI_ORIGIN_ASSUMED;
    }
    return WADI_OK;
}

static bool is_integer(wadi_sample sample) {
    return sample != WADI_SAMPLE_FLOAT16 && sample != WADI_SAMPLE_FLOAT32 && sample != WADI_SAMPLE_FLOAT64;
}

/* The metres of a sample. A scale such as 0.1 rounds nearly all. It counts where the steps of integers are not told
 * apart any more. */
static float metres_of(const wadi_raster *raster, float sample, double *rounded_by) {
    const double metres = raster->scale * (double)sample + raster->offset;
    const float narrow = io_narrow(metres);
    const double off = fabs(metres - (double)narrow);
    if (off > fabs(raster->scale) / 4 && io_is_finite(off)) *rounded_by = fmax(*rounded_by, off);
    return narrow;
}

/* The column of the first infinite height, or the width. known: whether any height is not NaN. */
static int row_to_metres(const wadi_raster *raster, int y, bool *known, double *rounded_by) {
    const bool same = raster->scale == 1 && raster->offset == 0;
    float *row = raster->values + (size_t)y * (size_t)raster->width;
    int infinite = raster->width;
    for (int x = raster->width - 1; x >= 0; x--) {
        if (!same) row[x] = metres_of(raster, row[x], rounded_by);
        if (isinf(row[x])) infinite = x;
        *known = *known || !isnan(row[x]);
    }
    return infinite;
}

/* Also refuses what cannot be a terrain: infinite heights, or no heights. */
static wadi_status to_metres(const io_input *input, wadi_raster *raster) {
    const int width = raster->width;
    const size_t cells = (size_t)width * (size_t)raster->height;
    size_t bad = cells;
    bool known = false;
    double rounded_by = 0;
#pragma omp parallel reduction(min : bad) reduction(|| : known) reduction(max : rounded_by)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < raster->height; y++) {
            const int x = row_to_metres(raster, y, &known, &rounded_by);
            const size_t at = (size_t)y * (size_t)width + (size_t)x;
            if (x < width && at < bad) bad = at;
        }
    }
    if (is_integer(raster->sample)) raster->rounded_by = fmax(raster->rounded_by, rounded_by);
    if (bad < cells)
        return wadi_fail(
            WADI_ERROR_FORMAT,
            "%s: row %zu, column %zu (the first is 0) is infinite or too large; mend it or mark it as nodata",
            input->name, bad / (size_t)width, bad % (size_t)width);
    if (!known)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: has no data in any cell; give a raster with values", input->name);
    return WADI_OK;
}

static wadi_status turn_rows(const io_input *input, wadi_raster *raster) {
    const size_t row_bytes = (size_t)raster->width * sizeof(float);
    float *row = malloc(row_bytes);
    if (row == NULL) return io_no_memory(input->name, row_bytes, input->memory_limit);
    for (int y = 0; y < raster->height / 2; y++) {
        float *upper = raster->values + (size_t)y * (size_t)raster->width;
        float *lower = raster->values + (size_t)(raster->height - 1 - y) * (size_t)raster->width;
        memcpy(row, upper, row_bytes);
        memcpy(upper, lower, row_bytes);
        memcpy(lower, row, row_bytes);
    }
    free(row);
    return WADI_OK;
}

/* Degrees without a CRS look like metres of a tiny terrain. A grid that begins at (0, 0) is not a real place. */
static wadi_status check_degrees(const io_input *input, const wadi_raster *raster) {
    const wadi_read_options *options = input->options;
    const double *t = raster->georef.transform;
    const double east = t[0] + raster->width * t[1], south = t[3] + raster->height * t[5];
    const bool said = options->lx != 0 || options->ly != 0 || options->plain_values || raster->georef.crs_bytes > 0;
    const bool on_earth = t[0] >= -181 && east <= 361 && south >= -91 && t[3] <= 91;
    const bool at_origin = t[0] == 0 && (t[3] == 0 || fabs(south) < 1e-9 * t[3]);
    if (!raster->has_georef || said || at_origin || !on_earth || fmax(t[1], -t[5]) >= 0.1) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "%s: has no CRS, and its cells of %.6g x %.6g at (%.6g, %.6g) are likely degrees; give the CRS"
                     " (gdal_edit.py -a_srs EPSG:4326) or the metres of a cell (--cell-size)",
                     input->name, t[1], -t[5], t[0], t[3]);
}

static void remark_units(const wadi_read_options *options, const io_meaning *meaning, wadi_raster *raster) {
    if (options->z_unit != NULL || options->plain_values || options->has_range || meaning->unit_m > 0) return;
    if (raster->map_unit[0] != '\0') return;
    const double ground = meaning->ground_unit_m;
    if (meaning->unit_name[0] != '\0')
        io_remark(raster, "its heights' unit '%s' is not known here; metres are taken (--z-unit sets the unit)",
                  meaning->unit_name);
    else if (ground > 0 && fabs(ground - 1) > 1e-6)
        io_remark(raster,
                  "its CRS counts in units of %.6g m, and heights without a unit are taken as metres"
                  " (--z-unit ft or us-ft, where they are feet)",
                  ground);
}

/* --- samples that mean no data --------------------------------------------------------------------------------- */

static size_t cells_of(const wadi_raster *raster) { return (size_t)raster->width * (size_t)raster->height; }

static void clear(wadi_raster *raster, double nodata) {
    const size_t cells = cells_of(raster);
    const float value = io_narrow(nodata);
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (size_t i = 0; i < cells; i++)
            if (raster->values[i] == value) raster->values[i] = NAN;
    }
}

static void clear_nodata(const wadi_read_options *options, const io_meaning *meaning, wadi_raster *raster) {
    if (raster->has_nodata && raster->from.nodata == WADI_ORIGIN_NONE) raster->from.nodata = WADI_ORIGIN_FILE;
    if (meaning->has_nodata) clear(raster, meaning->nodata);
    for (int i = 0; i < options->nodata_count; i++) {
        clear(raster, options->nodata[i]);
        if (raster->has_nodata) continue;
        raster->has_nodata = true;
        raster->nodata = options->nodata[i];
        raster->from.nodata = WADI_ORIGIN_OPTION;
    }
}

/* The range of the samples between two samples. False: there are none. */
static bool range_between(const wadi_raster *raster, float above, float below, float *low, float *high) {
    const size_t cells = cells_of(raster);
    float least = INFINITY, most = -INFINITY;
#pragma omp parallel reduction(min : least) reduction(max : most)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (size_t i = 0; i < cells; i++) {
            const float value = raster->values[i];
            if (!(value > above && value < below)) continue;
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
    }
    *low = least;
    *high = most;
    return least <= most;
}

static bool is_usual_nodata(float value) {
    static const float usual[] = {-9999, -99999,   -999999, -32768, -32767, 32767,
                                  65535, -9999.9f, 9999,    99999,  1e20f,  0};
    for (size_t i = 0; usual[i] != 0; i++)
        if (value == usual[i]) return true;
    return fabsf(value) >= 1e30f;
}

/* Far from all other samples: by more than half of their range. */
static void remark_nodata(const wadi_read_options *options, wadi_raster *raster) {
    float low, high, next_low, next_high;
    if (options->plain_values || !range_between(raster, -INFINITY, INFINITY, &low, &high)) return;
    if (!range_between(raster, low, high, &next_low, &next_high)) return;
    const float ends[2] = {low, high}, gaps[2] = {next_low - low, high - next_high};
    for (int i = 0; i < 2; i++) {
        if (!is_usual_nodata(ends[i]) || !(gaps[i] > 0.5f * (next_high - next_low))) continue;
        io_remark(raster,
                  "has cells of %.9g, far from all others, which the file does not call nodata"
                  " (--nodata %.9g does)",
                  (double)ends[i], (double)ends[i]);
        raster->asks_nodata = options->nodata_count == 0;
        raster->asked_nodata = (double)ends[i];
    }
}

static double half_step(double value) { /* of the float32s around it */
    const float at = fabsf(io_narrow(value));
    return isinf(at) ? 0 : ((double)nextafterf(at, INFINITY) - (double)at) / 2;
}

/* Samples under masks were rounded too. Those that are left were rounded by half a step of the largest at most, and
 * integers by whole numbers. */
static double rounded_samples(const wadi_raster *raster, double largest) {
    const double most = fmin(raster->rounded_by, half_step(largest));
    return is_integer(raster->sample) && most < 1 ? 0 : most * fabs(raster->scale);
}

/* Before the samples become metres. */
static void measure_rounding(wadi_raster *raster) {
    float low, high;
    if (!(raster->rounded_by > 0) || !range_between(raster, -INFINITY, INFINITY, &low, &high)) return;
    raster->rounded_by = rounded_samples(raster, fmax(fabs((double)low), fabs((double)high)));
}

static void remark_rounding(wadi_raster *raster) {
    if (!(raster->rounded_by > 0)) return;
    io_remark(raster, "its %s samples are rounded to float32, by at most %.2g %s", wadi_sample_name(raster->sample),
              raster->rounded_by, *raster->map_unit ? raster->map_unit : "m");
}

wadi_status io_finish(const io_input *input, wadi_raster *raster, const io_meaning *meaning) {
    io_meaning all = {0};
    if (meaning != NULL) all = *meaning;
    wadi_status status = io_read_beside(input, raster, &all);
    if (status == WADI_OK) status = check_degrees(input, raster);
    if (status != WADI_OK) return status;
    set_cell_size(input->options, &all, raster);
    status = io_check_mixed(input, &all);
    if (status != WADI_OK) return status;
    clear_nodata(input->options, &all, raster);
    remark_units(input->options, &all, raster);
    remark_nodata(input->options, raster);
    status = set_scale(input, &all, raster);
    if (status == WADI_OK) measure_rounding(raster);
    if (status == WADI_OK) status = to_metres(input, raster);
    if (status == WADI_OK) remark_rounding(raster);
    if (status == WADI_OK && raster->flipped) status = turn_rows(input, raster);
    return status;
}
