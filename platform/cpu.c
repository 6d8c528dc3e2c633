/* cpu.c: the processor, independent of the operating system: name, instruction sets, float mode, fast caches, a lock.
 */
#include "platform/platform.h"

#include <stdatomic.h>
#include <string.h>

static atomic_flag locked = ATOMIC_FLAG_INIT;

void platform_lock(void) {
    while (atomic_flag_test_and_set_explicit(&locked, memory_order_acquire)) platform_yield();
}

void platform_unlock(void) { atomic_flag_clear_explicit(&locked, memory_order_release); }

/* An AMD core streams from level 3 as from level 2. Others have part of it, and what passes through evicts some. */
size_t platform_fast_cache_bytes(void) {
    char name[64];
    platform_cpu_name(name, sizeof name);
    const int sharers = strstr(name, "AMD") != NULL ? platform_cache_sharers(3) : 0;
    const size_t own = platform_cache_bytes(2), part = sharers > 0 ? platform_cache_bytes(3) / 2 / (size_t)sharers : 0;
    return part > own ? part : own;
}

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>
#include <xmmintrin.h>

/* All exceptions masked, round to nearest, neither flush-to-zero nor denormals-are-zero. */
#define STRICT_MXCSR 0x1f80u

/* The same for the x87, which printf and strtod of glibc use for rounding. */
#define STRICT_X87 0x037fu

/* Both in one number: MXCSR below, the x87's control word above. */
unsigned platform_float_mode_strict(void) {
    const unsigned before = _mm_getcsr();
    unsigned short x87;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    platform_float_mode_restore(STRICT_X87 << 16 | STRICT_MXCSR);
    return (unsigned)x87 << 16 | (before & 0xffffu);
}

void platform_float_mode_restore(unsigned mode) {
    const unsigned short x87 = (unsigned short)(mode >> 16);
    unsigned short now;
    _mm_setcsr(mode & 0xffffu);
    __asm__ volatile("fnstcw %0" : "=m"(now));
    if (now != x87) __asm__ volatile("fldcw %0" ::"m"(x87)); /* slow, so only on a change */
}

/* The brand string: three leaves of 16 characters, padded with spaces on either side. */
void platform_cpu_name(char *name, size_t size) {
    unsigned words[12] = {0};
    char text[sizeof words + 1] = "x86 CPU";
    if ((unsigned)__get_cpuid_max(0x80000000u, NULL) >= 0x80000004u) {
        for (unsigned leaf = 0; leaf < 3; leaf++) {
            unsigned *w = words + 4 * leaf;
            __get_cpuid(0x80000002u + leaf, &w[0], &w[1], &w[2], &w[3]);
        }
        memcpy(text, words, sizeof words);
        text[sizeof words] = '\0';
    }
    const char *start = text + strspn(text, " ");
    size_t length = strlen(start);
    while (length > 0 && start[length - 1] == ' ') length--;
    snprintf(name, size, "%.*s", (int)length, start);
}

static bool has_sha(void) { /* not every compiler's built-in knows it; its registers are SSE's */
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0 && __builtin_cpu_supports("sse4.1");
}

/* The built-ins also check the OS: a kernel that does not save wide registers has no AVX. */
bool platform_cpu_has(const char *isa) {
    __builtin_cpu_init();
    if (strcmp(isa, "sha") == 0) return has_sha();
    if (strcmp(isa, "avx2") == 0) return __builtin_cpu_supports("avx2");
    if (strcmp(isa, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    return strcmp(isa, "baseline") == 0;
}

#else

#ifdef __aarch64__
#ifdef __linux__
#include <sys/auxv.h>
#endif

/* FPCR: flush-to-zero, rounding mode and default NaN are all 0 in the strict mode. */
unsigned platform_float_mode_strict(void) {
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)0));
    return (unsigned)before;
}

void platform_float_mode_restore(unsigned mode) { __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)mode)); }
#else
#include <fenv.h>

unsigned platform_float_mode_strict(void) {
    const int before = fegetround();
    fesetround(FE_TONEAREST);
    return (unsigned)before;
}

void platform_float_mode_restore(unsigned mode) { fesetround((int)mode); }
#endif

void platform_cpu_name(char *name, size_t size) {
#if defined(__aarch64__) && defined(HWCAP_CPUID)
    if (getauxval(AT_HWCAP) & HWCAP_CPUID) { /* Linux lets programs read the designer and the core */
        uint64_t id;
        __asm__("mrs %0, midr_el1" : "=r"(id));
        snprintf(name, size, "ARM CPU %08x", (unsigned)id);
        return;
    }
#endif
    snprintf(name, size, "CPU");
}

bool platform_cpu_has(const char *isa) { return strcmp(isa, "baseline") == 0; }

#endif
