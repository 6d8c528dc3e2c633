/* engine.h (internal): the functions of an engine. */
#ifndef WADI_CORE_ENGINE_H
#define WADI_CORE_ENGINE_H

#include "core/model.h"

typedef struct wadi_shown {
    int field;
    bool on_ground; /* add the terrain as given */
} wadi_shown;

/* The terms of a total. */
typedef struct wadi_summed {
    int field;
    bool absolute; /* sum of absolute values */
} wadi_summed;
enum { WADI_MOST_SUMMED = 5 };

/* The functions of an engine. All engines give the same bits. */
typedef struct wadi_engine_calls {
    const char *name;
    wadi_status (*open)(wadi_sim *sim);
    void (*close)(wadi_sim *sim);
    wadi_status (*plan)(wadi_sim *sim); /* after a change of parameters, rasters or the mask */
    /* runs all stages that are due; true: the whole state is finite */
    bool (*advance)(wadi_sim *sim, int64_t substeps);
    /* runs one stage, for values that are computed on request */
    wadi_status (*once)(wadi_sim *sim, const wadi_stage *stage);

    /* For an engine that keeps the state elsewhere; NULL if the block holds all. A failure is also noted in the
     * simulation. */
    wadi_status (*fetch)(wadi_sim *sim, int field); /* copies a field into the block */
    /* For up to WADI_MOST_SUMMED fields: the sum of each row over cells with data. All rows of the first field come
     * first, then those of the next. The bits equal those that mass.c computes from a mirror. false: not possible. */
    bool (*sum_rows)(wadi_sim *sim, const wadi_summed *summed, int count, double *sums);
    /* Brings the device up to date before steps. Without memory nothing is lost or noted in the simulation. */
    wadi_status (*prepare)(wadi_sim *sim);
    bool (*keep)(wadi_sim *sim);    /* copies the state; false: no room for a copy */
    void (*go_back)(wadi_sim *sim); /* restores the copy */
    /* Copies fields into OpenGL buffers, with the values of wadi_sim_get. WADI_ERROR_UNSUPPORTED is not noted. */
    wadi_status (*show)(wadi_sim *sim, const wadi_shown *shown, const unsigned *buffers, int count);
} wadi_engine_calls;

extern const wadi_engine_calls wadi_engine_cpu, wadi_engine_reference, wadi_engine_gpu;

#endif
