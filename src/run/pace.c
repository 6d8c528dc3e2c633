#include "pace.h"

#include <math.h>
#include <stdbool.h>

/* A change of the rate is seen after so many seconds. */
static const double memory_s = 3;

void run_pace_learn(run_pace *pace, double operations, double steps_s, double other_s) {
    const bool first = pace->told == 1, faster = operations * pace->seconds > 3 * pace->made * steps_s;
    const double kept = first || faster ? 0 : exp(-steps_s / memory_s);
    pace->made = kept * pace->made + operations;
    pace->seconds = kept * pace->seconds + steps_s;
    pace->all_made += operations;
    pace->other_s += other_s > 0 ? other_s : 0;
    pace->told++;
}

double run_pace_seconds(const run_pace *pace, double operations) {
    return pace->told > 0 ? operations * (pace->seconds / pace->made + pace->other_s / pace->all_made) : INFINITY;
}
