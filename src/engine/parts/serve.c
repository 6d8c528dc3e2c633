/* serve.c: the processes of a team. Process 0 leads, and the others do what it orders. */
#include <stdlib.h>

#include "core/def.h"
#include "core/domain.h"
#include "core/need.h"
#include "core/strict.h"
#include "core/supply.h"
#include "engine/parts/parts.h"
#include "engine/parts/team.h"
#include "wadi/team.h"

static wadi_status lost(const wadi_team *team, int process) {
    return wadi_fail(WADI_ERROR_DEVICE, "process %d of %d is lost", process, team->processes);
}

/* --- process 0 --- */

wadi_status wadi_team_lead(const wadi_team *team) {
    WADI_NEED(team);
    uint64_t theirs, verdict = wadi_team_program();
    wadi_status status = wadi_check_team(team);
    if (status != WADI_OK) return status;
    for (int i = 1; i < team->processes && status == WADI_OK; i++) {
        if (!team->receive(team->context, i, &theirs, sizeof theirs)) return lost(team, i);
        if (theirs != verdict)
            status = wadi_fail(WADI_ERROR_UNSUPPORTED,
                               "process %d of %d runs another version of Wadi than %s, or a "
                               "machine of another byte order: start the same one everywhere",
                               i, team->processes, wadi_version());
    }
    if (status != WADI_OK) verdict = 0;
    for (int i = 1; i < team->processes; i++)
        if (!team->send(team->context, i, &verdict, sizeof verdict)) return lost(team, i);
    return status;
}

wadi_status wadi_team_dismiss(const wadi_team *team) {
    WADI_NEED(team);
    const wadi_order order = {.kind = WADI_ORDER_LEAVE};
    const wadi_status good = wadi_check_team(team);
    if (good != WADI_OK) return good;
    for (int i = 1; i < team->processes; i++)
        if (!team->send(team->context, i, &order, sizeof order)) return lost(team, i);
    return WADI_OK;
}

/* --- another process --- */

typedef struct served {
    wadi_domain *whole;
    uint64_t number;
    struct served *next;
} served;

static void let_go(served *one) {
    wadi_supply_free_sources(&one->whole->supply);
    if (one->whole->engine_state != NULL) wadi_parts_free(one->whole);
    wadi_domain_free(one->whole);
    free(one);
}

static served **place_of(served **list, uint64_t number) {
    while (*list != NULL && (*list)->number != number) list = &(*list)->next;
    return list;
}

/* A whole without rows: it has the numbers alone. */
static wadi_status meet(const wadi_team *team, uint64_t number, served **list) {
    wadi_def def;
    if (!wadi_team_hear(team, &def)) return lost(team, 0);
    served *one = calloc(1, sizeof *one);
    wadi_domain *whole = wadi_domain_make(&def, (wadi_window){0, def.height, 0, def.height});
    if (one == NULL || whole == NULL) {
        free(one);
        wadi_domain_free(whole);
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a simulation");
    }
    *one = (served){whole, number, *list};
    *list = one;
    if (!wadi_domain_allocate_numbers(whole)) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a simulation");
    return wadi_parts_make(whole, number);
}

static void close_one(served **place) {
    served *one = *place;
    if (one == NULL) return;
    *place = one->next;
    let_go(one);
}

/* The error of a simulation is not that of this process. */
static void obey(wadi_domain *whole, const wadi_order *order) {
    whole->good_kept = true;
    whole->cells_idle = 0;
    wadi_parts_do(whole, order);
}

static wadi_status serve(const wadi_team *team, served **list) {
    for (;;) {
        wadi_order order;
        if (!team->receive(team->context, 0, &order, sizeof order)) return lost(team, 0);
        served **place = place_of(list, order.simulation);
        wadi_status status = WADI_OK;
        if (order.kind == WADI_ORDER_LEAVE) return WADI_OK;
        if (order.kind == WADI_ORDER_MEET)
            status = meet(team, order.simulation, list);
        else if (order.kind == WADI_ORDER_CLOSE)
            close_one(place);
        else if (*place != NULL)
            obey((*place)->whole, &order);
        if (status != WADI_OK) return status;
    }
}

wadi_status wadi_team_serve(const wadi_team *team) {
    WADI_IEEE_MODE;
    WADI_NEED(team);
    const uint64_t program = wadi_team_program();
    uint64_t verdict = 0;
    const wadi_status good = wadi_check_team(team);
    if (good != WADI_OK) return good;
    served *list = NULL;
    if (!team->send(team->context, 0, &program, sizeof program) ||
        !team->receive(team->context, 0, &verdict, sizeof verdict))
        return lost(team, 0);
    if (verdict != program) return wadi_fail(WADI_ERROR_UNSUPPORTED, "not all processes run the same version of Wadi");
    const wadi_status status = serve(team, &list);
    while (list != NULL) {
        if (status != WADI_OK) wadi_team_abandon(list->whole);
        close_one(&list);
    }
    return status;
}
