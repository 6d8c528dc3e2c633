/* team.h: the parts of a grid, and the processes that have them (wadi/team.h). Process 0 has the whole, and gives
 * orders. Each process does an order for its own parts, process 0 too. What moves between two processes is in all of
 * them the same call. Without a team one process has all parts, and nothing here does anything but copy. */
#ifndef WADI_ENGINE_PARTS_TEAM_H
#define WADI_ENGINE_PARTS_TEAM_H

#include "core/domain.h"
#include "engine/parts/cut.h"
#include "wadi/team.h"

/* A part. top and bottom: its first and last own rows, as many as a margin has, for neighbours that take them from the
 * host's memory; one allocation. */
typedef struct part {
    wadi_domain *domain; /* NULL: another process has it */
    float *top, *bottom; /* NULL: not a part of this process, nor next to one */
    bool finite;
    char failure[256];
} part;

typedef struct parts {
    wadi_cuts cuts;
    const wadi_team *team;
    uint64_t number;                      /* of the simulation: the same in all processes */
    int first, end;                       /* parts first to end - 1 are here */
    bool stale;                           /* constants or maps have changed */
    bool more;                            /* more exchanges follow in this call */
    bool linked[2];                       /* with the process above, below: rows go from device to device, ... */
    bool lends[2];                        /* ... or the team's transport moves them between devices */
    int pair;                             /* of buffers, in which parts hold rows for this exchange; two take turns */
    bool all;                             /* the answer of an order: true of all parts */
    bool mapped[WADI_MAX_MAPS];           /* the whole has the map */
    wadi_summed summed[WADI_MOST_SUMMED]; /* what WADI_ORDER_SUM adds up, and where it writes the sums of rows */
    double *sums;
    part *part;
} parts;

typedef enum wadi_order_kind {
    WADI_ORDER_MEET,    /* makes the simulation known to the others */
    WADI_ORDER_OPEN,    /* the engine's calls, ... */
    WADI_ORDER_LINK,    /* neighbours look for a way without the host */
    WADI_ORDER_READY,   /* what the core changed goes to the parts */
    WADI_ORDER_PREPARE, /* ... in the order of engine.h */
    WADI_ORDER_ADVANCE,
    WADI_ORDER_ONCE,
    WADI_ORDER_FETCH,
    WADI_ORDER_SUM,
    WADI_ORDER_KEEP,
    WADI_ORDER_GO_BACK,
    WADI_ORDER_CLOSE, /* no answer */
    WADI_ORDER_LEAVE, /* for the process, not for a simulation; no answer */
} wadi_order_kind;

typedef struct wadi_order {
    uint64_t simulation;
    int64_t substeps;
    int kind, number; /* number: of a field or a stage, or how many sums */
} wadi_order;

static inline int wadi_processes(const parts *parts) { return parts->team != NULL ? parts->team->processes : 1; }
static inline int wadi_process(const parts *parts) { return parts->team != NULL ? parts->team->me : 0; }

/* A hash of what must be equal in all processes. */
uint64_t wadi_team_program(void);
/* Process 0 tells the others of a new simulation. They make a whole of it by the definition. */
bool wadi_team_meet(wadi_domain *whole);
/* What they are told. The model is NULL if there is none of this name. */
bool wadi_team_hear(const wadi_team *team, wadi_def *def);

/* Calls below return false after a lost process, which is noted as the failure of the whole. */

/* Process 0 gives the order to the others. */
bool wadi_team_order(wadi_domain *whole, const wadi_order *order);
/* How it went. Process 0 gets the failures of all: the first one counts. Another gives its own, and returns it. */
wadi_status wadi_team_agree(wadi_domain *whole, wadi_status status);
/* Bytes from one process to another, which may be the same one; the other processes do nothing. `from` is not read
 * elsewhere, nor is `to` written. to NULL: they are dropped. */
bool wadi_team_move(wadi_domain *whole, int giver, const void *from, int taker, void *to, size_t bytes);
/* Bytes of process 0 for all others. */
bool wadi_team_share(wadi_domain *whole, void *bytes, size_t count);
/* Values for each row of the whole: from process 0 to the processes that have the rows, and back. all false: this
 * process has no values to give. */
bool wadi_team_spread_rows(wadi_domain *whole, double *rows);
bool wadi_team_collect_rows(wadi_domain *whole, double *rows, bool all);
/* The outermost own rows of all parts here, to and from parts of other processes. */
bool wadi_team_exchange(wadi_domain *whole);
/* Finds out whether these rows can go from device to device, as engine.h says. Before the engines close, unlink. */
bool wadi_team_link(wadi_domain *whole);
void wadi_team_unlink(wadi_domain *whole);
/* Nothing more is said to neighbours, not even that: they may wait for something else. */
void wadi_team_abandon(wadi_domain *whole);

#endif
