#include "device_memory.h"

uint64_t run_memory_on_device(const wadi_def *defs, size_t count) {
    uint64_t needed = 0;
    for (size_t i = 0; i < count; i++) needed += wadi_def_device_memory(&defs[i]);
    return needed;
}

double run_memory_of_field(const wadi_def *def) {
    return (double)def->width * (double)def->height / (def->parts > 1 ? def->parts : 1) * sizeof(float);
}

bool run_memory_fits_device(const wadi_def *defs, size_t count, const wadi_device *device) {
    return run_memory_on_device(defs, count) <= device->free_bytes &&
           run_memory_of_field(defs) <= (double)device->largest_bytes;
}
