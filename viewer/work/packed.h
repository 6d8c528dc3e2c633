/* packed.h: a simulation's checkpoint in memory. */
#ifndef WADI_VIEWER_WORK_PACKED_H
#define WADI_VIEWER_WORK_PACKED_H

#include "wadi/wadi.h"

/* Owns `bytes`, which the holder frees. size 0: nothing is packed. */
typedef struct packed {
    unsigned char *bytes;
    size_t size, room, at;
} packed;

wadi_status packed_save(const wadi_sim *sim, packed *packed); /* empty on an error */
/* `how` gives the engine, device and threads of the new simulation. */
wadi_status packed_restore(const wadi_def *how, const packed *packed, wadi_sim **sim);

#endif
