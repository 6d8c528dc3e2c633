#include "measures.h"

#include "message.h"
#include "text.h"

#include "platform/platform.h"

void run_measures_none(wadi_realism *realism) {
    const double none = (double)NAN;
    *realism = (wadi_realism){.drainage = {none, none, none, none, 0, none}};
    for (int i = 0; i < WADI_MEASURES; i++) realism->values[i] = none;
}

static uint64_t cells_of(const wadi_raster *raster) { return (uint64_t)raster->width * (uint64_t)raster->height; }

bool run_measures_have_memory(const wadi_raster *raster) {
    return cells_of(raster) * WADI_REALISM_BYTES_PER_CELL <= platform_memory_bytes();
}

bool run_measures_fit(const wadi_raster *raster) {
    const uint64_t cells = cells_of(raster), needed = cells * WADI_REALISM_BYTES_PER_CELL;
    char need[32];
    if (run_measures_have_memory(raster) && cells <= UINT32_MAX) return true;
    if (cells > UINT32_MAX)
        run_message_note("the measures of realism are left out: they can have 2^32 - 1 cells");
    else
        run_message_note("the measures of realism are left out: they need %s of memory", run_text_bytes(needed, need));
    return false;
}

wadi_status run_measures_of(const wadi_raster *raster, double sea_m, double threshold_m2, wadi_realism *realism) {
    if (run_measures_fit(raster))
        return wadi_realism_of(raster->values, raster->width, raster->height, raster->lx, raster->ly, sea_m,
                               threshold_m2, realism);
    run_measures_none(realism);
    return WADI_OK;
}

void run_measures_write(json *json, double sea_m, const wadi_realism *realism) {
    run_json_object(json, "realism");
    run_json_number(json, "sea_m", sea_m);
    for (int i = 0; i < WADI_MEASURES; i++) {
        const wadi_measure_info *about = wadi_measure_about((wadi_measure)i);
        run_json_object(json, about->name);
        run_json_number(json, "value", realism->values[i]);
        run_json_number(json, "real_from", about->real_to > 0 ? about->real_from : (double)NAN);
        run_json_number(json, "real_to", about->real_to > 0 ? about->real_to : (double)NAN);
        run_json_end(json);
    }
    run_json_end(json);
}

const char *run_measure_text(const wadi_realism *realism, wadi_measure measure, char line[160]) {
    const wadi_measure_info *about = wadi_measure_about(measure);
    const double value = realism->values[measure];
    char number[32] = "none", range[48] = "";
    if (is_finite(value)) snprintf(number, sizeof number, value < 100 ? "%.3g" : "%.0f", value);
    if (about->real_to > 0) snprintf(range, sizeof range, "%.3g to %.3g", about->real_from, about->real_to);
    snprintf(line, 160, "%-22s %7s %-6s %-13s %s", about->title, number, about->unit, range, about->meaning);
    return line;
}
