/* rain_series.h: rain that changes with time, from a CSV file. It becomes events. */
#ifndef WADI_RUN_RAIN_SERIES_H
#define WADI_RUN_RAIN_SERIES_H

#include "events.h"

/* Reads the file, and adds an event for each of its rows. Those beyond the stage's end wait for a longer run. Before
 * the first row there is no rain. `is_map`: the rain is a map, which an event would replace. */
wadi_status run_rain_series_add(const char *path, const wadi_def *def, bool is_map, events *events);

#endif
