/* double_cell.h: a model's physics in float64, one cell at a time, for test_double.c. double_cell.c makes one for each
 * model. */
#ifndef WADI_TESTS_DOUBLE_CELL_H
#define WADI_TESTS_DOUBLE_CELL_H

#include "core/model.h"

/* The place where a stage is computed. A stage reads the old state only; it writes to `next`. */
typedef struct double_at {
    const wadi_model *model;
    const void *constants; /* made by the model's `convert` */
    double *const *field;  /* for each field, width * height values */
    double *const *next;
    int width, height;
    bool wrap;
    int x, y;
} double_at;

typedef struct double_model {
    void (*const *cells)(const double_at *at); /* for each stage */
    size_t constants_bytes;
    void (*convert)(const void *given, void *constants); /* converts a simulation's constants to float64 */
} double_model;

double double_read(const double_at *at, int field, int dx, int dy);
void double_write(const double_at *at, int field, double value);
void double_watch(double dividend, double divisor);

#endif
