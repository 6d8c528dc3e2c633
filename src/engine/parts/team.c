/* team.c: what moves between the processes that have the parts of a grid. */
#include "engine/parts/team.h"

#include <stdio.h>
#include <string.h>

typedef struct answer {
    int status, failure;
    bool all, good_kept;
    double cells_idle;
    char message[512];
} answer;

static bool is_lost(wadi_domain *whole, int process) {
    const parts *parts = whole->engine_state;
    if (whole->failure == WADI_OK)
        whole->failure = wadi_fail(WADI_ERROR_DEVICE, "process %d of %d is lost: resume from the last checkpoint",
                                   process, wadi_processes(parts));
    return false;
}

/* The most bytes of a message. A process without memory receives and drops so many at a time. */
enum { MESSAGE_BYTES = 1 << 16 };

static size_t next_bytes(size_t left) { return left < MESSAGE_BYTES ? left : MESSAGE_BYTES; }

static bool give(wadi_domain *whole, int to, const void *bytes, size_t count) {
    const wadi_team *team = ((const parts *)whole->engine_state)->team;
    bool all = true;
    for (size_t at = 0; at < count && all; at += MESSAGE_BYTES)
        all = team->send(team->context, to, (const char *)bytes + at, next_bytes(count - at));
    return all || is_lost(whole, to);
}

/* bytes NULL: they are dropped. */
static bool take(wadi_domain *whole, int from, void *bytes, size_t count) {
    const wadi_team *team = ((const parts *)whole->engine_state)->team;
    char dropped[MESSAGE_BYTES];
    bool all = true;
    for (size_t at = 0; at < count && all; at += MESSAGE_BYTES)
        all = team->receive(team->context, from, bytes != NULL ? (char *)bytes + at : dropped, next_bytes(count - at));
    return all || is_lost(whole, from);
}

bool wadi_team_move(wadi_domain *whole, int giver, const void *from, int taker, void *to, size_t bytes) {
    const int me = wadi_process(whole->engine_state);
    if (bytes == 0) return true;
    if (giver == taker) {
        if (me == giver && to != NULL && to != from) memcpy(to, from, bytes);
        return true;
    }
    if (me == giver) return give(whole, taker, from, bytes);
    return me != taker || take(whole, giver, to, bytes);
}

bool wadi_team_share(wadi_domain *whole, void *bytes, size_t count) {
    const parts *parts = whole->engine_state;
    bool all = true;
    for (int i = 1; i < wadi_processes(parts) && all; i++) all = wadi_team_move(whole, 0, bytes, i, bytes, count);
    return all;
}

bool wadi_team_order(wadi_domain *whole, const wadi_order *order) {
    wadi_order copy = *order;
    return wadi_team_share(whole, &copy, sizeof copy);
}

static void take_answer(wadi_domain *whole, int from, wadi_status *status) {
    parts *parts = whole->engine_state;
    answer answer;
    if (!take(whole, from, &answer, sizeof answer)) {
        *status = whole->failure;
        return;
    }
    if (*status == WADI_OK && answer.status != WADI_OK)
        *status =
            wadi_fail((wadi_status)answer.status, "process %d of %d: %s", from, wadi_processes(parts), answer.message);
    if (whole->failure == WADI_OK) whole->failure = (wadi_status)answer.failure;
    whole->cells_idle += answer.cells_idle;
    whole->good_kept = whole->good_kept && answer.good_kept;
    parts->all = parts->all && answer.all;
}

wadi_status wadi_team_agree(wadi_domain *whole, wadi_status status) {
    const parts *parts = whole->engine_state;
    if (wadi_process(parts) > 0) {
        answer mine = {(int)status, (int)whole->failure, parts->all, whole->good_kept, whole->cells_idle, ""};
        if (status != WADI_OK) snprintf(mine.message, sizeof mine.message, "%s", wadi_error_message());
        return give(whole, 0, &mine, sizeof mine) ? status : whole->failure;
    }
    for (int i = 1; i < wadi_processes(parts); i++) take_answer(whole, i, &status);
    return status;
}

/* --- getting to know each other --- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The numbers are in this machine's byte order. */
uint64_t wadi_team_program(void) {
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), wadi_version(), strlen(wadi_version()));
    const size_t sizes[] = {sizeof(wadi_def),    sizeof(wadi_order), sizeof(answer),
                            sizeof(wadi_source), WADI_OFFER_BYTES,   WADI_ORDER_LEAVE};
    hash = mix(hash, sizes, sizeof sizes);
    for (size_t m = 0; m < wadi_model_count(); m++) {
        const wadi_model *model = wadi_model_at(m);
        hash = mix(hash, model->id, strlen(model->id));
        hash = mix(hash, &model->constants_bytes, sizeof model->constants_bytes);
        for (int f = 0; f < model->field_count; f++)
            hash = mix(hash, model->fields[f].name, strlen(model->fields[f].name));
    }
    return hash;
}

/* A definition without addresses. */
typedef struct meeting {
    wadi_def def;
    char model[32], isa[16];
} meeting;

bool wadi_team_meet(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    const wadi_order order = {.simulation = parts->number, .kind = WADI_ORDER_MEET};
    meeting meeting = {.def = whole->def};
    snprintf(meeting.model, sizeof meeting.model, "%s", whole->model->id);
    if (whole->def.isa != NULL) snprintf(meeting.isa, sizeof meeting.isa, "%s", whole->def.isa);
    return wadi_team_order(whole, &order) && wadi_team_share(whole, &meeting, sizeof meeting);
}

static const char *isa_of(const char *name) {
    static const char *const names[] = {"baseline", "avx2", "avx512"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return names[i];
    return NULL;
}

bool wadi_team_hear(const wadi_team *team, wadi_def *def) {
    meeting meeting;
    if (!team->receive(team->context, 0, &meeting, sizeof meeting)) return false;
    *def = meeting.def;
    def->model = wadi_model_find(meeting.model);
    def->isa = isa_of(meeting.isa);
    def->team = team;
    def->scratch = NULL;
    return true;
}

/* --- rows --- */

/* The first row of the whole that a process has, and how many they are. */
static int rows_of(const wadi_domain *whole, int process, int *rows) {
    const parts *parts = whole->engine_state;
    int end, height;
    const int first = wadi_cuts_first(&parts->cuts, wadi_processes(parts), process, &end);
    *rows = 0;
    if (first == end) return 0;
    const wadi_window top = wadi_cuts_window(whole, &parts->cuts, first, &height),
                      bottom = wadi_cuts_window(whole, &parts->cuts, end - 1, &height);
    *rows = bottom.y + bottom.own1 - (top.y + top.own0);
    return top.y + top.own0;
}

bool wadi_team_spread_rows(wadi_domain *whole, double *values) {
    bool moved = true;
    for (int i = 1; i < wadi_processes(whole->engine_state) && moved; i++) {
        int rows;
        double *at = values + rows_of(whole, i, &rows);
        moved = wadi_team_move(whole, 0, at, i, at, (size_t)rows * sizeof *at);
    }
    return moved;
}

bool wadi_team_collect_rows(wadi_domain *whole, double *values, bool all) {
    bool moved = true;
    for (int i = 1; i < wadi_processes(whole->engine_state) && moved; i++) {
        int rows;
        const int first = rows_of(whole, i, &rows);
        bool there = all;
        moved = wadi_team_move(whole, i, &there, 0, &there, sizeof there);
        if (!moved || !there || values == NULL) continue;
        moved = wadi_team_move(whole, i, values + first, 0, values + first, (size_t)rows * sizeof *values);
    }
    return moved;
}

/* The processes above and below. with -1: none, or this one. false: none at all. */
static bool neighbours(const wadi_domain *whole, int with[2]) {
    const parts *parts = whole->engine_state;
    const int count = parts->cuts.count, all = wadi_processes(parts);
    const bool wrap = whole->def.boundary == WADI_WRAP;
    with[0] = with[1] = -1;
    if (parts->team == NULL || parts->first == parts->end) return false;
    if (parts->first > 0 || wrap) with[0] = wadi_cuts_owner(&parts->cuts, all, (parts->first + count - 1) % count);
    if (parts->end < count || wrap) with[1] = wadi_cuts_owner(&parts->cuts, all, parts->end % count);
    for (int side = 0; side < 2; side++)
        if (with[side] == parts->team->me) with[side] = -1;
    return with[0] >= 0 || with[1] >= 0;
}

static bool swap(wadi_domain *whole, const wadi_team_swap swaps[2]) {
    const wadi_team *team = ((const parts *)whole->engine_state)->team;
    return team->exchange(team->context, swaps) || is_lost(whole, swaps[0].with < 0 ? swaps[1].with : swaps[0].with);
}

/* One element of each array for each side. */
static bool swap_each(wadi_domain *whole, const int with[2], const void *give, void *take, size_t bytes) {
    wadi_team_swap swaps[2];
    for (size_t side = 0; side < 2; side++)
        swaps[side] =
            (wadi_team_swap){with[side], (const char *)give + side * bytes, (char *)take + side * bytes, bytes};
    return swap(whole, swaps);
}

/* The part here that is next to another process. */
static wadi_domain *edge(const parts *parts, int side) {
    return parts->part[side == 0 ? parts->first : parts->end - 1].domain;
}

/* Rows of the swap that lie in device memory, if they can. */
static bool lend(const parts *parts, int side, wadi_team_swap *swap) {
    wadi_domain *domain = edge(parts, side);
    void *addresses[2];
    if (domain->engine->lend == NULL || !domain->engine->lend(domain, parts->cuts.margin, side, parts->pair, addresses))
        return false;
    swap->give = addresses[0];
    swap->take = addresses[1];
    return true;
}

static void take_back(const parts *parts, int side) { edge(parts, side)->engine->take_back(edge(parts, side)); }

/* Linked neighbours exchange a byte alone: what they hold may be read. A part that has failed gives host memory. */
bool wadi_team_exchange(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    const int count = parts->cuts.count, above = (parts->first + count - 1) % count, below = parts->end % count;
    const size_t bytes = wadi_domain_state_floats(whole, parts->cuts.margin) * sizeof(float);
    const part *part = parts->part;
    int with[2];
    if (!neighbours(whole, with)) return true;
    const size_t to_above = parts->linked[0] ? 1 : bytes, to_below = parts->linked[1] ? 1 : bytes;
    wadi_team_swap swaps[2] = {{with[0], part[parts->first].top, part[above].bottom, to_above},
                               {with[1], part[parts->end - 1].bottom, part[below].top, to_below}};
    bool lent[2];
    for (int side = 0; side < 2; side++)
        lent[side] = parts->lends[side] && whole->failure == WADI_OK && lend(parts, side, &swaps[side]);
    const bool moved = swap(whole, swaps);
    for (int side = 1; side >= 0; side--)
        if (lent[side]) take_back(parts, side);
    return moved;
}

/* --- rows from device to device --- */

typedef struct offer {
    bool given;
    _Alignas(uint64_t) char names[WADI_OFFER_BYTES];
} offer;

/* Whether the team's transport can move the rows of a side. The other process need not know. During an exchange one
 * device is current, so sides on two devices do not both go that way. */
static bool can_lend(const parts *parts, int side) {
    wadi_team_swap swap;
    if (side == 1 && parts->lends[0] && edge(parts, 0) != edge(parts, 1)) return false;
    const bool lent = parts->team->device_memory && lend(parts, side, &swap);
    if (lent) take_back(parts, side);
    return lent;
}

bool wadi_team_link(wadi_domain *whole) {
    parts *parts = whole->engine_state;
    const int margin = parts->cuts.margin;
    offer mine[2] = {0}, theirs[2] = {0};
    bool here[2] = {false, false}, there[2] = {false, false};
    int with[2];
    if (!neighbours(whole, with)) return true;
    for (int side = 0; side < 2; side++) {
        wadi_domain *domain = edge(parts, side);
        mine[side].given = with[side] >= 0 && domain->engine->offer != NULL &&
                           domain->engine->offer(domain, margin, side, mine[side].names);
    }
    if (!swap_each(whole, with, mine, theirs, sizeof *mine)) return false;
    for (int side = 0; side < 2; side++) {
        wadi_domain *domain = edge(parts, side);
        here[side] =
            mine[side].given && theirs[side].given && domain->engine->accept(domain, margin, side, theirs[side].names);
    }
    const bool agreed = swap_each(whole, with, here, there, sizeof *here);
    for (int side = 0; side < 2; side++) {
        parts->linked[side] = agreed && here[side] && there[side];
        if (here[side] && !parts->linked[side]) edge(parts, side)->engine->forget(edge(parts, side), side);
        parts->lends[side] = with[side] >= 0 && !parts->linked[side] && can_lend(parts, side);
    }
    return agreed;
}

void wadi_team_unlink(wadi_domain *whole) {
    parts *parts = whole->engine_state;
    char mine[2] = "", theirs[2];
    int with[2];
    if (!neighbours(whole, with)) return;
    for (int side = 0; side < 2; side++) {
        if (parts->linked[side])
            edge(parts, side)->engine->forget(edge(parts, side), side);
        else
            with[side] = -1;
    }
    if (with[0] >= 0 || with[1] >= 0) swap_each(whole, with, mine, theirs, 1);
}

void wadi_team_abandon(wadi_domain *whole) {
    parts *parts = whole->engine_state;
    if (parts != NULL) parts->linked[0] = parts->linked[1] = false;
}
