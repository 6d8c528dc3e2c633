#include "memory.h"

#include "backend.h"
#include "text.h"

#include "platform/platform.h"

static double cells_of(const wadi_def *def) { return (double)def->width * (double)def->height; }

/* The side of the largest square grid that fits, approximately: memory grows with the number of cells. */
static double side_that_fits(const wadi_def *def, double needed, uint64_t available) {
    return floor(sqrt((double)available / (needed / cells_of(def))));
}

wadi_status run_memory_check_host(const wadi_def *def, const char *of, uint64_t needed) {
    const uint64_t available = platform_memory_bytes();
    if (needed <= available) return WADI_OK;
    const double side = side_that_fits(def, (double)needed, available);
    char need[32], have[32];
    return wadi_fail(WADI_ERROR_MEMORY,
                     "%d x %d cells of %s need %s of memory, %s are available; about %.0f x %.0f would fit", def->width,
                     def->height, of, run_text_bytes(needed, need), run_text_bytes(available, have), side, side);
}

wadi_status run_memory_check_device(const wadi_def *defs, size_t count, const char *of, bool cpu_fits) {
    wadi_device device;
    if (!run_backend_find(defs->engine, defs->device, &device) || run_memory_fits_device(defs, count, &device))
        return WADI_OK;
    const uint64_t needed = run_memory_on_device(defs, count);
    const double side = fmin(side_that_fits(defs, (double)needed, device.free_bytes),
                             side_that_fits(defs, run_memory_of_field(defs), device.largest_bytes));
    const char *instead = cpu_fits ? " there, and --backend cpu takes them all" : " there";
    char need[32], have[32];
    if (needed > device.free_bytes)
        return wadi_fail(WADI_ERROR_MEMORY,
                         "%d x %d cells of %s need %s of %s's memory, %s are free; about %.0f x %.0f would fit%s",
                         defs->width, defs->height, of, run_text_bytes(needed, need), device.name,
                         run_text_bytes(device.free_bytes, have), side, side, instead);
    return wadi_fail(
        WADI_ERROR_MEMORY,
        "%d x %d cells need fields of %s, %s takes no more than %s in one allocation; about %.0f x %.0f would "
        "fit%s",
        defs->width, defs->height, run_text_bytes((uint64_t)run_memory_of_field(defs), need), device.name,
        run_text_bytes(device.largest_bytes, have), side, side, instead);
}
