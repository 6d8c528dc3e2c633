/* place.h: a place in a text file. */
#ifndef WADI_RUN_PLACE_H
#define WADI_RUN_PLACE_H

#include <stdbool.h>

typedef struct place {
    int line, column; /* from 1; column 0: the line is known alone */
} place;

#endif
