/* arithmetic.h (internal): refuses compiler settings that would change the bits of results. */
#ifndef WADI_CORE_ARITHMETIC_H
#define WADI_CORE_ARITHMETIC_H

#include <float.h>

#if FLT_EVAL_METHOD != 0
#error \
    "float is computed with more digits than it has (FLT_EVAL_METHOD is not 0): on x86 use -msse2 -mfpmath=sse, on s390x -fexcess-precision=fast"
#endif

/* gcc has macros for the parts of -ffast-math too. -ffp-contract has none: cmake/flags.cmake turns it off. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error \
    "-ffast-math and its parts change the results: build without -ffast-math, -Ofast, -funsafe-math-optimizations and -ffinite-math-only"
#endif

#endif
