/* machine.cpp: runs kernels as NVIDIA's devices do. An item is a fiber. 32 of them, a warp, come together at each
 * instruction that is the warp's. Which warp goes on then, and how far, is drawn, so that what two of them do at the
 * same time happens in one order here and in another there, and one may be far ahead. What the hardware leaves open is
 * as bad as it may be: memory that was not written holds NaN, copies that nobody has waited for have not been made, and
 * estimates are wrong by one unit. */
#include "machine.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device.h"

namespace {

enum { LANES = 32, BARRIERS = 16, STACK_BYTES = 64 << 10, MOST_READS = 20000000 };

enum kind {
    /* the warp's */
    SHUFFLE_UP,
    SHUFFLE_DOWN,
    SHUFFLE_ACROSS,
    LARGEST,
    ANY_OF_WARP,
    SYNC,
    ARRIVE,
    ANY_OF_GROUP,
    /* an item's */
    LOAD,
    STORE,
    COPY,
    COMMIT,
    WAIT,
    ACQUIRE,
    RELEASE,
    INVERSE,
    INVERSE_ROOT,
    LEAST,
    MOST,
    SATURATE
};

struct copying {
    uint32_t to;
    const char *from;
    int bytes, batch;
};

enum lane_state { READY, STOPPED, ENDED };

struct lane {
    jmp_buf where;
    ucontext_t begin;
    bool begun = false;
    lane_state state = ENDED;
    unsigned number; /* in the group */
    const instruction *at;
    const operand *operands;
    std::deque<copying> copies;
    int batch = 0;
};

struct group;

struct warp {
    group *of;
    std::vector<lane *> lanes;
    bool waits = false, ended = false;
    const instruction *at = nullptr;
};

struct coming {
    struct warp *warp;
    bool waits;
};

struct barrier {
    int expected = 0, any = 0;
    std::vector<coming> came;
};

struct group {
    place3 place;
    char *shared;
    std::vector<warp> warps;
    barrier barriers[BARRIERS];
};

} // namespace

struct instruction {
    std::string text;
    kind what;
    int number, limit; /* lanes, floats or bytes; the last lane that is read from */
    bool is_double;
};

namespace {

/* What runs. */
jmp_buf scheduler;
lane *now;
group *group_now;
size_t shared_bytes;
void (*entry)(const void *const *);
const void *const *arguments;
bool gives_way;
long reads_in_vain;
uint32_t drawn = 1;
long shuffles;

[[noreturn]] void fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "stand-in for CUDA: ");
    vfprintf(stderr, format, list);
    va_end(list);
    if (now != nullptr) fprintf(stderr, " (group %u, item %u)", group_now->place.x, now->number);
    fprintf(stderr, "\n");
    abort();
}

unsigned draw() {
    drawn = drawn * 1664525u + 1013904223u;
    return drawn >> 16;
}

/* --- fibers --- */

/* Each goes on for as many launches as there are. */
void fiber() {
    for (;;) {
        entry(arguments);
        now->state = ENDED;
        if (_setjmp(now->where) == 0) _longjmp(scheduler, 1);
    }
}

__attribute__((noinline)) void go_on(lane *lane) {
    now = lane;
    if (_setjmp(scheduler) != 0) return;
    if (lane->begun) _longjmp(lane->where, 1);
    lane->begun = true;
    setcontext(&lane->begin);
}

__attribute__((noinline)) void stop() {
    now->state = STOPPED;
    if (_setjmp(now->where) == 0) _longjmp(scheduler, 1);
}

/* Those that have ended are taken again. */
std::vector<std::unique_ptr<lane>> all_lanes;
std::vector<lane *> free_lanes;

lane *new_lane() {
    if (free_lanes.empty()) {
        auto made = std::make_unique<lane>();
        getcontext(&made->begin);
        made->begin.uc_stack.ss_sp = device_memory(STACK_BYTES);
        made->begin.uc_stack.ss_size = STACK_BYTES;
        made->begin.uc_link = nullptr;
        makecontext(&made->begin, fiber, 0);
        free_lanes.push_back(made.get());
        all_lanes.push_back(std::move(made));
    }
    lane *taken = free_lanes.back();
    free_lanes.pop_back();
    return taken;
}

/* --- what instructions do --- */

float float_of(uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}
uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
const float no_number = float_of(0x7fffffffu);

void give(const operand &to, float x) { memcpy(to.to, &x, sizeof x); }
void give_bits(const operand &to, uint32_t x) { memcpy(to.to, &x, sizeof x); }

/* An estimate, wrong by a unit or not, and 0 for what is less than a normal number, as ftz says. */
float flushed(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x; }
float estimate(float x, bool root) {
    x = flushed(x);
    const float right = flushed(root ? 1.0f / sqrtf(x) : 1.0f / x);
    if (isnan(right)) return no_number;
    if (right == 0.0f || isinf(right)) return right;
    const uint32_t mixed = bits_of(x) * 2654435761u;
    return flushed(float_of(bits_of(right) + mixed % 3 - 1));
}

float least(float a, float b) {
    if (isnan(a) || isnan(b)) return no_number;
    return a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
float most(float a, float b) {
    if (isnan(a) || isnan(b)) return no_number;
    return a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}

float *shared_at(uint64_t at, int bytes) {
    const uint32_t place = (uint32_t)at;
    if (place % (uint32_t)bytes != 0) fail("%d bytes of shared memory at %u, which is not aligned", bytes, place);
    if (place + (size_t)bytes > shared_bytes)
        fail("%d bytes of shared memory at %u of %zu", bytes, place, shared_bytes);
    return (float *)(group_now->shared + place);
}

void make_copies(lane *lane, int batches_left) {
    while (!lane->copies.empty() && lane->copies.front().batch < lane->batch - batches_left) {
        const copying copy = lane->copies.front();
        memcpy(shared_at(copy.to, copy.bytes), copy.from, (size_t)copy.bytes);
        lane->copies.pop_front();
    }
}

/* What is to come is not there before it was waited for, nor what was there. */
void begin_copy(const operand *o, int bytes) {
    const char *const from = (const char *)o[1].bits + (int64_t)o[2].bits;
    if ((uintptr_t)from % (unsigned)bytes != 0) fail("a copy of %d bytes from a place that is not aligned", bytes);
    memset(shared_at(o[0].bits, bytes), 0xff, (size_t)bytes);
    now->copies.push_back({(uint32_t)o[0].bits, from, bytes, now->batch});
}

void read_flag(const operand *o) {
    gives_way = true;
    if (++reads_in_vain > MOST_READS) fail("groups wait for each other for ever");
    give_bits(o[0], *(const uint32_t *)o[1].bits);
}

void write_flag(const operand *o) {
    reads_in_vain = 0;
    *(uint32_t *)o[0].bits = (uint32_t)o[1].bits;
}

void run_alone(const instruction *what, const operand *o) {
    const int count = what->number;
    switch (what->what) {
    case LOAD: {
        const float *from = shared_at(o[count].bits, 4 * count);
        for (int i = 0; i < count; i++) give(o[i], from[i]);
        break;
    }
    case STORE: {
        float *to = shared_at(o[0].bits, 4 * count);
        for (int i = 0; i < count; i++) to[i] = float_of(o[i + 1].bits);
        break;
    }
    case COPY:
        return begin_copy(o, count);
    case COMMIT:
        now->batch++;
        break;
    case WAIT:
        return make_copies(now, count >= 0 ? count : (int)o[0].bits);
    case ACQUIRE:
        return read_flag(o);
    case RELEASE:
        return write_flag(o);
    case INVERSE:
        return give(o[0], estimate(float_of(o[1].bits), false));
    case INVERSE_ROOT:
        return give(o[0], estimate(float_of(o[1].bits), true));
    case LEAST:
        return give(o[0], least(float_of(o[1].bits), float_of(o[2].bits)));
    case MOST:
        return give(o[0], most(float_of(o[1].bits), float_of(o[2].bits)));
    case SATURATE: {
        const float x = float_of(o[1].bits);
        return give(o[0], x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f);
    }
    default:
        fail("nobody does %s", what->text.c_str());
    }
}

/* By all lanes of a warp, which have come. */
int lane_read(const instruction *what, int lane, int step) {
    const int from = what->what == SHUFFLE_UP ? lane - step : what->what == SHUFFLE_DOWN ? lane + step : lane ^ step;
    return (what->what == SHUFFLE_UP ? from < what->limit : from > what->limit) ? lane : from;
}

void shuffle(warp *warp, const instruction *what) {
    shuffles++;
    uint64_t given[LANES];
    for (int i = 0; i < LANES; i++) given[i] = warp->lanes[i]->operands[1].bits;
    for (int i = 0; i < LANES; i++) {
        const operand *o = warp->lanes[i]->operands;
        const int step = what->number >= 0 ? what->number : (int)o[2].bits;
        memcpy(o[0].to, &given[lane_read(what, i, step)], what->is_double ? 8 : 4);
    }
}

int number_given(const lane *lane) { return (int)(uint32_t)lane->operands[1].bits; }

void give_all(warp *warp, int value) {
    for (lane *lane : warp->lanes) give_bits(lane->operands[0], (uint32_t)value);
}

int any_of(const warp *warp) {
    int any = 0;
    for (const lane *lane : warp->lanes) any |= number_given(lane) != 0;
    return any;
}

int largest_of(const warp *warp) {
    int largest = number_given(warp->lanes[0]);
    for (const lane *lane : warp->lanes) largest = number_given(lane) > largest ? number_given(lane) : largest;
    return largest;
}

/* Those that have only arrived are elsewhere by now. */
void open_barrier(barrier *barrier) {
    for (const coming &other : barrier->came) {
        if (!other.waits) continue;
        if (other.warp->at->what == ANY_OF_GROUP) give_all(other.warp, barrier->any);
        other.warp->waits = false;
    }
    *barrier = {};
}

void come_to(barrier *barrier, warp *warp, int expected) {
    if (barrier->expected == 0) barrier->expected = expected;
    if (barrier->expected != expected) fail("%d and %d warps at one barrier", barrier->expected, expected);
    for (const coming &other : barrier->came)
        if (other.warp == warp) fail("a warp comes again before all have come: %s", warp->at->text.c_str());
    barrier->came.push_back({warp, warp->waits});
    if ((int)barrier->came.size() == expected) open_barrier(barrier);
}

void run_barrier(warp *warp, const instruction *what) {
    const operand *o = warp->lanes[0]->operands;
    const bool named = what->number < 0;
    const unsigned which = named ? (unsigned)o[0].bits : 0;
    const int items = named ? (int)o[1].bits : LANES * (int)warp->of->warps.size();
    if (which >= BARRIERS || items % LANES != 0) fail("barrier %u of %d items", which, items);
    for (const lane *lane : warp->lanes)
        if (named && (lane->operands[0].bits != which || (int)lane->operands[1].bits != items))
            fail("a warp is at more than one barrier");
    if (what->what == ANY_OF_GROUP) warp->of->barriers[which].any |= any_of(warp);
    warp->waits = what->what != ARRIVE;
    come_to(&warp->of->barriers[which], warp, items / LANES);
}

void run_together(warp *warp) {
    const instruction *what = warp->at = warp->lanes[0]->at;
    const bool barrier = what->what == SYNC || what->what == ARRIVE || what->what == ANY_OF_GROUP;
    if (warp->lanes.size() != LANES && !barrier) fail("a warp has not all its lanes");
    for (lane *lane : warp->lanes) {
        if (lane->state == ENDED) fail("lanes have ended that others wait for: %s", what->text.c_str());
        if (lane->at->text != what->text)
            fail("lanes go different ways: %s and %s", what->text.c_str(), lane->at->text.c_str());
        lane->state = READY;
    }
    if (barrier)
        run_barrier(warp, what);
    else if (what->what == LARGEST)
        give_all(warp, largest_of(warp));
    else if (what->what == ANY_OF_WARP)
        give_all(warp, any_of(warp));
    else
        shuffle(warp, what);
}

} // namespace

/* By warps, since the start: tests read it. */
extern "C" long stand_in_shuffles() { return shuffles; }

/* --- what kernels ask for --- */

static const struct {
    const char *text;
    kind what;
    int number;
} plain[] = {
    {"rcp.approx.ftz.f32 %0, %1;", INVERSE, 0},
    {"rsqrt.approx.ftz.f32 %0, %1;", INVERSE_ROOT, 0},
    {"min.NaN.f32 %0, %1, %2;", LEAST, 0},
    {"max.NaN.f32 %0, %1, %2;", MOST, 0},
    {"cvt.sat.f32.f32 %0, %1;", SATURATE, 0},
    {"redux.sync.max.s32 %0, %1, 0xffffffff;", LARGEST, 0},
    {"ld.shared.f32 %0, [%1];", LOAD, 1},
    {"ld.shared.v2.f32 {%0, %1}, [%2];", LOAD, 2},
    {"ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];", LOAD, 4},
    {"st.shared.f32 [%0], %1;", STORE, 1},
    {"st.shared.v2.f32 [%0], {%1, %2};", STORE, 2},
    {"st.shared.v4.f32 [%0], {%1, %2, %3, %4};", STORE, 4},
    {"cp.async.ca.shared.global [%0], [%1 + %2], 4;", COPY, 4},
    {"cp.async.ca.shared.global [%0], [%1 + %2], 8;", COPY, 8},
    {"cp.async.cg.shared.global [%0], [%1 + %2], 16;", COPY, 16},
    {"cp.async.commit_group;", COMMIT, 0},
    {"cp.async.wait_group %0;", WAIT, -1},
    {"bar.sync 0;", SYNC, 0},
    {"bar.sync %0, %1;", SYNC, -1},
    {"bar.arrive %0, %1;", ARRIVE, -1},
    {"ld.acquire.gpu.global.s32 %0, [%1];", ACQUIRE, 0},
    {"st.release.gpu.global.s32 [%0], %1;", RELEASE, 0},
    {"{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q; }", ANY_OF_GROUP, 0},
    {"{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q; }",
     ANY_OF_WARP, 0},
};

static bool is_whole(const char *text, int end) { return end > 0 && text[end] == '\0'; }

static instruction *read_instruction(const char *text) {
    for (const auto &known : plain)
        if (known.text == std::string(text)) return new instruction{text, known.what, known.number, 0, false};
    int number = -1, limit = 0, end = 0;
    sscanf(text, "shfl.sync.up.b32 %%0, %%1, %d, %d, 0xffffffff;%n", &number, &limit, &end);
    if (is_whole(text, end)) return new instruction{text, SHUFFLE_UP, number, limit, false};
    sscanf(text, "shfl.sync.down.b32 %%0, %%1, %d, %d, 0xffffffff;%n", &number, &limit, &end);
    if (is_whole(text, end)) return new instruction{text, SHUFFLE_DOWN, number, limit, false};
    sscanf(text, "cp.async.wait_group %d;%n", &number, &end);
    if (is_whole(text, end)) return new instruction{text, WAIT, number, 0, false};
    sscanf(text,
           "{ .reg .b32 low, high; mov.b64 {low, high}, %%1; shfl.sync.bfly.b32 low, low, %%2, %d, 0xffffffff;"
           " shfl.sync.bfly.b32 high, high, %%2, 31, 0xffffffff; mov.b64 %%0, {low, high}; }%n",
           &limit, &end);
    if (is_whole(text, end)) return new instruction{text, SHUFFLE_ACROSS, -1, limit, true};
    fail("it does not know: %s", text);
}

/* A text is read once. */
static const instruction *find(const char *text) {
    static std::map<std::string, std::unique_ptr<instruction>> known;
    auto &place = known[text];
    if (place == nullptr) place.reset(read_instruction(text));
    return place.get();
}

static void run(const instruction *what, const operand *operands) {
    if (what->what >= LOAD) return run_alone(what, operands);
    now->at = what;
    now->operands = operands;
    stop();
}

machine the_machine = {{}, {}, {}, {}, nullptr, find, run, fail};

/* --- launches --- */

static void begin_group(group *group, unsigned items) {
    group->shared = device_memory(shared_bytes);
    group->warps.resize((items + LANES - 1) / LANES);
    for (unsigned i = 0; i < items; i++) {
        lane *taken = new_lane();
        taken->number = i;
        taken->state = READY;
        taken->batch = 0;
        group->warps[i / LANES].lanes.push_back(taken);
    }
    for (warp &warp : group->warps) warp.of = group;
}

static void end_group(group *group) {
    for (warp &warp : group->warps)
        for (lane *lane : warp.lanes) {
            make_copies(lane, -1);
            free_lanes.push_back(lane);
        }
    device_free(group->shared);
}

/* Till all its lanes have stopped, or ended. */
static void advance(warp *warp) {
    size_t ended = 0;
    group_now = warp->of;
    the_machine.group = warp->of->place;
    the_machine.shared = warp->of->shared;
    for (lane *lane : warp->lanes) {
        the_machine.thread.x = lane->number;
        if (lane->state == READY) go_on(lane);
        ended += lane->state == ENDED;
    }
    warp->ended = ended == warp->lanes.size();
    if (!warp->ended) run_together(warp);
}

[[noreturn]] static void fail_at_rest(const std::vector<warp *> &warps) {
    now = nullptr;
    for (const warp *warp : warps)
        fprintf(stderr, "group %u, items from %u wait: %s\n", warp->of->place.x, warp->lanes[0]->number,
                warp->at->text.c_str());
    fail("all wait for each other");
}

static void run_groups(std::vector<group> &groups, unsigned items) {
    std::vector<warp *> left;
    for (group &group : groups) {
        begin_group(&group, items);
        for (warp &warp : group.warps) left.push_back(&warp);
    }
    while (!left.empty()) {
        const size_t first = draw() % left.size();
        size_t i = 0;
        while (i < left.size() && left[(first + i) % left.size()]->waits) i++;
        if (i == left.size()) fail_at_rest(left);
        const size_t which = (first + i) % left.size();
        warp *const warp = left[which];
        gives_way = false;
        for (int turns = 1 << draw() % 12; turns > 0 && !warp->ended && !warp->waits && !gives_way; turns--)
            advance(warp);
        if (warp->ended) {
            reads_in_vain = 0;
            left.erase(left.begin() + (ptrdiff_t)which);
        }
    }
    for (group &group : groups) {
        group_now = &group;
        end_group(&group);
    }
    now = nullptr;
}

void run_kernel(void (*kernel)(const void *const *), place3 groups, unsigned items, size_t bytes,
                const void *const *given, bool together) {
    entry = kernel;
    arguments = given;
    shared_bytes = bytes;
    reads_in_vain = 0;
    the_machine.items = {items, 1, 1};
    the_machine.groups = groups;
    std::vector<group> some;
    for (unsigned y = 0; y < groups.y; y++)
        for (unsigned x = 0; x < groups.x; x++) {
            some.emplace_back();
            some.back().place = {x, y, 0};
            if (together) continue;
            run_groups(some, items);
            some.clear();
        }
    if (together) run_groups(some, items);
}
