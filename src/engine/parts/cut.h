/* cut.h: where the parts of a grid begin and end, and how high their margins are. */
#ifndef WADI_ENGINE_PARTS_CUT_H
#define WADI_ENGINE_PARTS_CUT_H

#include "core/engine.h"

typedef struct wadi_cuts {
    int count;
    int margin;   /* rows */
    int good_for; /* sub-steps that the margin lasts */
} wadi_cuts;

/* Chooses the sub-steps between exchanges: the requested number, or up to eight while the margins of a part are a
 * sixteenth of its rows. Lowers the number of parts where they do not fit. The margin lasts whatever processes are
 * switched on later. false: out of memory. */
bool wadi_cuts_make(const wadi_domain *whole, int count, wadi_cuts *cuts);
/* The rows of the i-th part in the grid, and how many they are with the margins. */
wadi_window wadi_cuts_window(const wadi_domain *whole, const wadi_cuts *cuts, int i, int *height);
/* Among several processes: those first to *end - 1 are the parts of one; none, if there are more processes. */
int wadi_cuts_first(const wadi_cuts *cuts, int processes, int process, int *end);
/* The process that has the i-th part. */
int wadi_cuts_owner(const wadi_cuts *cuts, int processes, int i);

#endif
