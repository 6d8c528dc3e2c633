/* prelude.h: CUDA's keywords in C++. It comes before a kernel's source, in which each asm() has become RUN(). */
#include <math.h>
#include <string.h>
#include <utility>

#include "machine.h"

extern "C" machine *stand_in;
machine *stand_in; /* set when it is loaded */

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) alignas(bytes)
#define __shared__ static /* but not dynamic[], of which the stand-in allocates one for each group */
#define threadIdx (stand_in->thread)
#define blockIdx (stand_in->group)
#define blockDim (stand_in->items)
#define gridDim (stand_in->groups)

template <class T> static inline void check_aligned(const T *at) {
    if ((uintptr_t)at % sizeof(T) != 0) stand_in->fail("%d bytes at a place that is not aligned", (int)sizeof(T));
}

/* Without alignment: otherwise the compiler would drop the alignment checks. */
#define VECTOR(type, ...) \
    struct type { \
        float __VA_ARGS__; \
        type() = default; \
        type(const type &) = default; \
        type &operator=(const type &from) { \
            check_aligned(this); \
            memcpy((void *)this, (const void *)&from, sizeof from); \
            return *this; \
        } \
    };
VECTOR(float2, x, y)
VECTOR(float4, x, y, z, w)

static inline float2 make_float2(float x, float y) {
    float2 v;
    v.x = x, v.y = y;
    return v;
}
static inline float4 make_float4(float x, float y, float z, float w) {
    float4 v;
    v.x = x, v.y = y, v.z = z, v.w = w;
    return v;
}
template <class T> static inline T __ldg(const T *at) {
    check_aligned(at);
    return *at;
}
static inline unsigned __float_as_uint(float x) {
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float __uint_as_float(unsigned bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline size_t __cvta_generic_to_shared(const void *at) { return (size_t)((const char *)at - stand_in->shared); }

/* --- instructions --- */

template <class T> static inline operand to_operand(T &to) { return {&to, sizeof to}; }
template <class T> static inline operand operand_of(T value) {
    operand made = {};
    memcpy(&made.bits, &value, sizeof value);
    return made;
}
static inline operand operand_of(int value) { return {nullptr, (uint64_t)(int64_t)value}; }

#define RUN(text, ...) \
    do { \
        static const instruction *const what = stand_in->find(text); \
        const operand operands[] = {__VA_ARGS__}; \
        stand_in->run(what, operands); \
    } while (0)

static inline void __syncthreads() { RUN("bar.sync 0;", {}); }

/* Intel's sub-group functions of OpenCL: a sub-group is a warp. What a lane at its end gets is of no use. */
static inline unsigned get_num_sub_groups() { return (stand_in->items.x + 31) / 32; }
static inline unsigned get_sub_group_local_id() { return stand_in->thread.x % 32; }
static inline int sub_group_all(int so) {
    int any;
    RUN("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q; }",
        to_operand(any), operand_of(!so));
    return !any;
}
static inline float intel_sub_group_shuffle_up(float, float v, unsigned) {
    float r;
    RUN("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;", to_operand(r), operand_of(v));
    return get_sub_group_local_id() > 0 ? r : NAN;
}
static inline float intel_sub_group_shuffle_down(float v, float, unsigned) {
    float r;
    RUN("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;", to_operand(r), operand_of(v));
    return get_sub_group_local_id() < 31 ? r : NAN;
}

/* Calls a kernel with the arguments at these places. */
template <class... Types, size_t... each>
static void call_with(void (*kernel)(Types...), const void *const *places, std::index_sequence<each...>) {
    kernel(*(Types *)places[each]...);
}
template <class... Types> static void call(void (*kernel)(Types...), const void *const *places) {
    call_with(kernel, places, std::index_sequence_for<Types...>());
}
#define KERNEL_CALL(name) \
    extern "C" void call_##name(const void *const *places) { call(name, places); }
