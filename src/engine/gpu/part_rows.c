/* part_rows.c: rows of the state on their way from part to part. Kernels pack them into contiguous memory, so one copy
 * moves all fields. */
#include "engine/gpu/part_rows.h"

#include "core/domain.h"
#include "engine/gpu/fields.h"

static size_t bytes_of(const wadi_domain *domain, int rows) {
    return wadi_domain_state_floats(domain, rows) * sizeof(float);
}

static void let_go(const wadi_gpu_engine *engine, wadi_gpu_packed *packed) {
    engine->driver->free(engine->gpu, packed->memory);
    *packed = (wadi_gpu_packed){0};
}

void wadi_gpu_free_packed(wadi_gpu_engine *engine) {
    for (int i = 0; i < 4; i++) let_go(engine, &engine->held[i / 2][i % 2]);
    for (int i = 0; i < 2; i++) let_go(engine, &engine->landed[i]);
    let_go(engine, &engine->arrived);
}

static wadi_status make_room(wadi_domain *domain, int rows, wadi_gpu_packed *packed) {
    const wadi_gpu_engine *engine = domain->engine_state;
    if (packed->rows >= rows) return WADI_OK;
    let_go(engine, packed);
    const size_t bytes = wadi_domain_most_floats(domain, rows) * sizeof(float);
    wadi_status status = wadi_gpu_allocate(engine, bytes, &packed->memory);
    if (status == WADI_ERROR_MEMORY && domain->good_kept) { /* the copy is less important */
        wadi_gpu_drop_copy(domain);
        status = wadi_gpu_allocate(engine, bytes, &packed->memory);
    }
    if (status == WADI_OK) packed->rows = rows;
    return status;
}

/* Copies all fields of the state from it, or to it. */
static wadi_status move_state(wadi_domain *domain, int y, int rows, wadi_gpu_memory *packed, bool to_fields) {
    const wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = WADI_OK;
    int64_t begin = 0;
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++) {
        if (!wadi_is_state(domain, f)) continue;
        status = wadi_gpu_move_rows(engine, f, y, rows, packed, begin, to_fields);
        if (to_fields && status == WADI_OK) status = wadi_gpu_wrap_field(engine, f);
        if (to_fields) domain->where[f] = WADI_THERE;
        begin += (int64_t)rows * domain->def.width;
    }
    return status;
}

/* --- through the host --- */

static wadi_gpu_rows all_of(size_t bytes) { return (wadi_gpu_rows){0, bytes, bytes, bytes, 1}; }

wadi_status wadi_gpu_pack(wadi_domain *domain, int y, int rows, float *to) {
    wadi_gpu_engine *engine = domain->engine_state;
    const wadi_gpu_rows all = all_of(bytes_of(domain, rows));
    wadi_status status = make_room(domain, rows, &engine->arrived);
    if (status == WADI_OK) status = move_state(domain, y, rows, engine->arrived.memory, false);
    return status == WADI_OK ? engine->driver->read(engine->gpu, engine->arrived.memory, &all, to) : status;
}

wadi_status wadi_gpu_unpack(wadi_domain *domain, int y, int rows, const float *from) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = make_room(domain, rows, &engine->arrived);
    if (status == WADI_OK) status = wadi_gpu_send(engine, engine->arrived.memory, from, bytes_of(domain, rows));
    return status == WADI_OK ? move_state(domain, y, rows, engine->arrived.memory, true) : status;
}

/* --- from device to device --- */

wadi_status wadi_gpu_hold(wadi_domain *domain, int rows, int which) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = WADI_OK;
    for (int side = 0; side < 2 && status == WADI_OK; side++) {
        wadi_gpu_packed *held = &engine->held[which][side];
        const int y = side == 0 ? domain->window.own0 : domain->window.own1 - rows;
        status = make_room(domain, rows, held);
        if (status == WADI_OK) status = move_state(domain, y, rows, held->memory, false);
    }
    return status == WADI_OK ? engine->driver->finish(engine->gpu) : status;
}

/* other NULL: a part of another process. */
static wadi_status copy_held(const wadi_domain *domain, size_t bytes, const wadi_domain *other, int which, bool below) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const wadi_driver *driver = engine->driver;
    if (other == NULL) return driver->copy(engine->gpu, engine->arrived.memory, engine->reached[which][below], bytes);
    const wadi_gpu_engine *from = other->engine_state;
    return driver->copy_from(engine->gpu, engine->arrived.memory, from->gpu, from->held[which][!below].memory, bytes);
}

static wadi_status take_one(wadi_domain *domain, int y, int rows, const wadi_domain *other, int which, bool below) {
    wadi_gpu_engine *engine = domain->engine_state;
    if (other == NULL && engine->landed[below].rows > 0)
        return move_state(domain, y, rows, engine->landed[below].memory, true);
    wadi_status status = make_room(domain, rows, &engine->arrived);
    if (status == WADI_OK) status = copy_held(domain, bytes_of(domain, rows), other, which, below);
    return status == WADI_OK ? move_state(domain, y, rows, engine->arrived.memory, true) : status;
}

/* Whether rows of a neighbour in another process come without the host. */
static bool from_process(const wadi_gpu_engine *engine, int which, bool below) {
    return engine->reached[which][below] != NULL || engine->landed[below].rows > 0;
}

wadi_status wadi_gpu_take(wadi_domain *domain, const wadi_domain *before, const wadi_domain *after, int which) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const wadi_window *window = &domain->window;
    wadi_status status = WADI_OK;
    if (before != NULL || from_process(engine, which, false))
        status = take_one(domain, 0, window->own0, before, which, false);
    if ((after != NULL || from_process(engine, which, true)) && status == WADI_OK)
        status = take_one(domain, window->own1, domain->def.height - window->own1, after, which, true);
    return status == WADI_OK && !domain->more ? engine->driver->finish(engine->gpu) : status;
}

/* --- from process to process --- */

_Static_assert(2 * sizeof(wadi_gpu_name) <= WADI_OFFER_BYTES, "an offer has room for the names of both pairs");

bool wadi_gpu_offer(wadi_domain *domain, int rows, bool below, void *offered) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_name *names = offered;
    bool all = domain->failure == WADI_OK && engine->driver->offer != NULL;
    for (int which = 0; which < 2 && all; which++) {
        wadi_gpu_packed *held = &engine->held[which][below];
        all =
            make_room(domain, rows, held) == WADI_OK && engine->driver->offer(engine->gpu, held->memory, &names[which]);
    }
    return all;
}

void wadi_gpu_forget(wadi_domain *domain, bool below) {
    wadi_gpu_engine *engine = domain->engine_state;
    for (int which = 0; which < 2; which++) {
        if (engine->reached[which][below] != NULL) engine->driver->forget(engine->gpu, engine->reached[which][below]);
        engine->reached[which][below] = NULL;
    }
}

bool wadi_gpu_accept(wadi_domain *domain, int rows, bool below, const void *offered) {
    wadi_gpu_engine *engine = domain->engine_state;
    const wadi_gpu_name *names = offered;
    bool all = domain->failure == WADI_OK && engine->driver->reach != NULL;
    for (int which = 0; which < 2 && all; which++) {
        if (names[which].bytes >= bytes_of(domain, rows))
            engine->reached[which][below] = engine->driver->reach(engine->gpu, &names[which]);
        all = engine->reached[which][below] != NULL;
    }
    if (!all) wadi_gpu_forget(domain, below);
    return all;
}

/* --- by a transport that reads and writes device memory --- */

/* Makes all that will be lent, so that memory is not missing later. */
static bool make_lent(wadi_domain *domain, int rows, bool below) {
    wadi_gpu_engine *engine = domain->engine_state;
    return make_room(domain, rows, &engine->held[0][below]) == WADI_OK &&
           make_room(domain, rows, &engine->held[1][below]) == WADI_OK &&
           make_room(domain, rows, &engine->landed[below]) == WADI_OK;
}

bool wadi_gpu_lend(wadi_domain *domain, int rows, bool below, int which, void *addresses[2]) {
    const wadi_gpu_engine *engine = domain->engine_state;
    if (domain->failure != WADI_OK || engine->driver->lend == NULL || !make_lent(domain, rows, below)) return false;
    const wadi_gpu_memory *const memory[2] = {engine->held[which][below].memory, engine->landed[below].memory};
    return engine->driver->lend(engine->gpu, memory, 2, addresses);
}

void wadi_gpu_take_back(const wadi_domain *domain) {
    const wadi_gpu_engine *engine = domain->engine_state;
    engine->driver->take_back(engine->gpu);
}
