/* packed.c: saves a simulation to memory and restores it. */
#include "viewer/work/packed.h"

#include <stdlib.h>
#include <string.h>

static wadi_status put(void *context, const void *bytes, size_t count) {
    packed *packed = context;
    if (packed->room - packed->size < count) {
        size_t room = packed->size + count + packed->size / 4;
        unsigned char *longer = realloc(packed->bytes, room);
        if (!longer) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a checkpoint");
        packed->bytes = longer;
        packed->room = room;
    }
    memcpy(packed->bytes + packed->size, bytes, count);
    packed->size += count;
    return WADI_OK;
}

static wadi_status take(void *context, void *bytes, size_t count) {
    packed *packed = context;
    if (packed->size - packed->at < count) return wadi_fail(WADI_ERROR_FORMAT, "a checkpoint ends too early");
    memcpy(bytes, packed->bytes + packed->at, count);
    packed->at += count;
    return WADI_OK;
}

wadi_status packed_save(const wadi_sim *sim, packed *packed) {
    const wadi_status status = wadi_sim_save(sim, NULL, 0, put, packed);
    if (status == WADI_OK) return WADI_OK;
    free(packed->bytes);
    *packed = (struct packed){0};
    return status;
}

wadi_status packed_restore(const wadi_def *how, const packed *packed, wadi_sim **sim) {
    struct packed from = *packed;
    void *note = NULL;
    size_t size;
    from.at = 0;
    const wadi_status status = wadi_sim_restore(take, &from, how, sim, &note, &size);
    free(note);
    return status;
}
