/* engine.h (internal): what an engine does for a simulation. */
#ifndef WADI_CORE_ENGINE_H
#define WADI_CORE_ENGINE_H

#include "core/model.h"

typedef struct wadi_shown {
    int field;
    bool on_ground; /* the terrain as given is added */
} wadi_shown;

/* What a total is made of. */
typedef struct wadi_summed {
    int field;
    bool absolute; /* of its values, else as they are */
} wadi_summed;
enum { WADI_MOST_SUMMED = 5 };

/* What an engine does. All engines give the same bits. */
typedef struct wadi_engine_calls {
    const char *name;
    wadi_status (*open)(wadi_sim *sim);
    void (*close)(wadi_sim *sim);
    wadi_status (*plan)(wadi_sim *sim);               /* after parameters, rasters or the mask have changed */
    bool (*advance)(wadi_sim *sim, int64_t substeps); /* all stages that are due; true: all of the state is finite */
    wadi_status (*once)(wadi_sim *sim, const wadi_stage *stage); /* one stage, for what is measured when asked for */

    /* Of an engine that keeps the state elsewhere; NULL where the block is all there is. A failure is noted in the
     * simulation, besides. */
    wadi_status (*fetch)(wadi_sim *sim, int field); /* into the block */
    /* For up to WADI_MOST_SUMMED fields, the sum of each row over cells with data: first all rows of the first field,
     * then those of the next. The bits are those that mass.c computes from a mirror. False: it cannot. */
    bool (*sum_rows)(wadi_sim *sim, const wadi_summed *summed, int count, double *sums);
    bool (*keep)(wadi_sim *sim);    /* a copy of the state; false: there is no room for one */
    void (*go_back)(wadi_sim *sim); /* to the copy */
    /* Fields into buffers of OpenGL's, as wadi_sim_get gives them. WADI_ERROR_UNSUPPORTED is not noted. */
    wadi_status (*show)(wadi_sim *sim, const wadi_shown *shown, const unsigned *buffers, int count);
} wadi_engine_calls;

extern const wadi_engine_calls wadi_engine_cpu, wadi_engine_reference, wadi_engine_gpu;

#endif
