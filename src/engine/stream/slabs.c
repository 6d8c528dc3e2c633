/* slabs.c: how large slabs are, and how long a slab is computed before the next one is loaded. */
#include "engine/stream/slabs.h"

#include "core/def.h"
#include "core/domain.h"
#include "engine/schedule/schedule.h"
#include "wadi/device.h"

enum { MOST_SUBSTEPS = 64 };

wadi_def wadi_slabs_def(const wadi_domain *whole, int rows) {
    wadi_def def = whole->def;
    def.height = rows;
    def.threads = whole->threads;
    def.memory_limit = 0;
    def.team = NULL;
    def.keep_good_state = false;
    return def;
}

/* What is left beside the program itself, and rows of the whole that are being copied. */
static uint64_t usable(uint64_t limit) {
    const uint64_t program = (uint64_t)32 << 20;
    return limit - limit / 8 - (program < limit / 8 ? program : limit / 8);
}

/* Of constants that differ from cell to cell. */
static uint64_t bytes_of_maps(const wadi_domain *whole, int rows) {
    uint64_t maps = 0;
    for (int m = 0; m < whole->model->map_count; m++) maps += whole->block.map[m] != NULL;
    return maps * wadi_block_field_bytes(whole->def.width, rows);
}

/* A slab as it takes the most memory: where a map of rain leaves cells out, tiles may be idle, which keep scratch. */
static wadi_def largest_def(const wadi_domain *whole, int rows) {
    wadi_def def = wadi_slabs_def(whole, rows);
    const bool mapped = whole->block.map[wadi_map_of(whole->model, WADI_MAP_RAIN)] != NULL;
    if (mapped) def.values[wadi_parameter_of(whole->model, WADI_PARAMETER_RAIN)] = 0;
    return def;
}

/* kept: rows that are kept beside the slab, which take as much as its own. */
static bool slab_fits(const wadi_domain *whole, int rows, int kept) {
    wadi_def def = largest_def(whole, rows), host = largest_def(whole, rows + kept);
    const uint64_t limit = usable(whole->def.memory_limit), maps = bytes_of_maps(whole, rows);
    host.engine = wadi_engine_is_gpu(def.engine) ? WADI_ENGINE_CPU : def.engine; /* rows pass through the host */
    return wadi_def_memory(&host) + maps <= limit && wadi_def_device_memory(&def) + maps <= limit;
}

/* Rows at the border of the grid have no margin beyond them. */
static int spare_of(const wadi_def *def, int margin) { return def->boundary == WADI_WRAP ? 0 : margin; }
static int kept_of(const wadi_def *def, int margin) { return def->boundary == WADI_WRAP ? 2 * margin : margin; }

static int rows_that_fit(const wadi_domain *whole, int margin) {
    int most = whole->def.height, least = 0;
    if (whole->def.slab_rows > 0) return whole->def.slab_rows < most ? whole->def.slab_rows : most;
    while (least < most) {
        const int middle = least + (most - least + 1) / 2;
        if (slab_fits(whole, middle, kept_of(&whole->def, margin)))
            least = middle;
        else
            most = middle - 1;
    }
    return least;
}

/* Slabs are as high as is needed for as few as possible. false: they would have no rows of their own. */
static bool cut_rows(const wadi_domain *whole, int margin, wadi_slabs *slabs) {
    const wadi_def *def = &whole->def;
    const int most = rows_that_fit(whole, margin);
    const int between = def->height - 2 * spare_of(def, margin), own = most - 2 * margin;
    if (own < 1 || between < 1) return false;
    const int count = (between + own - 1) / own;
    slabs->cuts.count = count;
    slabs->cuts.margin = margin;
    slabs->rows = (between + count - 1) / count + 2 * margin;
    return true;
}

/* Stages on request are not in the schedule. */
static int largest_radius(const wadi_model *model) {
    int radius = 0;
    for (int s = 0; s < model->stage_count; s++)
        if (model->stages[s].radius > radius) radius = model->stages[s].radius;
    return radius;
}

/* The margin of several passes is at most the sum of theirs. */
static int margin_of(const wadi_schedule *schedule, const wadi_model *model, int substeps) {
    const int margin =
        substeps / WADI_MAX_SUBSTEPS * schedule->halo[WADI_MAX_SUBSTEPS] + schedule->halo[substeps % WADI_MAX_SUBSTEPS];
    const int least = largest_radius(model);
    return margin > least ? margin : least;
}

/* Time of a sub-step of the grid, in that of a row. */
static double cost(const wadi_slabs *slabs, double moving) {
    return (double)slabs->cuts.count * slabs->rows * (1 + moving / slabs->cuts.good_for);
}

/* A pass is no longer than a call. */
static int most_substeps(const wadi_domain *whole) {
    const int64_t call = wadi_steps_to_look(&whole->def) * whole->substeps;
    return call < MOST_SUBSTEPS ? (int)call : MOST_SUBSTEPS;
}

bool wadi_slabs_choose(const wadi_domain *whole, double moving, wadi_slabs *slabs) {
    wadi_schedule schedule;
    const int asked = whole->def.substeps_per_exchange, most = most_substeps(whole);
    *slabs = (wadi_slabs){{.count = 1, .good_for = MOST_SUBSTEPS}, whole->def.height, ~0u, most};
    if (rows_that_fit(whole, 0) == whole->def.height) return true;
    slabs->cuts.count = 0;
    if (!wadi_schedule_make(&schedule, whole, WADI_MAX_SUBSTEPS, true)) return false;
    for (int k = 1; k <= (asked > 0 ? asked : most); k++) {
        wadi_slabs now = {.cuts.good_for = k, .processes = whole->processes, .most = most};
        if (!cut_rows(whole, margin_of(&schedule, whole->model, k), &now)) break;
        if (slabs->cuts.count == 0 || asked > 0 || cost(&now, moving) < cost(slabs, moving)) *slabs = now;
    }
    wadi_schedule_free(&schedule);
    return true;
}

bool wadi_slabs_suffice(const wadi_domain *whole, const wadi_slabs *slabs) {
    const bool fits =
        whole->def.slab_rows > 0 || slab_fits(whole, slabs->rows, kept_of(&whole->def, slabs->cuts.margin));
    return fits && (whole->processes & ~slabs->processes) == 0 && slabs->most == most_substeps(whole);
}

/* At a border, a slab reaches farther to the other side. */
wadi_window wadi_slabs_window(const wadi_domain *whole, const wadi_slabs *slabs, int slab) {
    int height;
    wadi_window window = wadi_cuts_window(whole, &slabs->cuts, slab, &height);
    const int lower = window.y + slabs->rows - whole->def.height;
    if (whole->def.boundary == WADI_WRAP || lower <= 0) return window;
    window.y -= lower;
    window.own0 += lower;
    window.own1 += lower;
    return window;
}
