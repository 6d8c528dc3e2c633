/* double_cell.h: a model's physics in float64, a cell at a time, for test_double.c. double_cell.c makes one of these of
 * each model's text. */
#ifndef WADI_TESTS_DOUBLE_CELL_H
#define WADI_TESTS_DOUBLE_CELL_H

#include "core/model.h"

/* Where a stage is being worked out. A stage sees the old state alone: what it writes goes to `next`. */
typedef struct double_at {
    const wadi_model *model;
    const void *constants; /* made by the model's `convert` */
    double *const *field;  /* by field, width * height values */
    double *const *next;
    int width, height;
    bool wrap;
    int x, y;
} double_at;

typedef struct double_model {
    void (*const *cells)(const double_at *at); /* by stage */
    size_t constants_bytes;
    void (*convert)(const void *given, void *constants); /* a simulation's constants, in float64 */
} double_model;

double double_read(const double_at *at, int field, int dx, int dy);
void double_write(const double_at *at, int field, double value);
void double_watch(double dividend, double divisor);

#endif
