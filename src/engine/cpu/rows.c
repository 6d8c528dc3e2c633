/* rows.c: lists the compiled row kernels, and finds those that this CPU can run. */
#include "engine/cpu/rows.h"

#include <string.h>

#include "platform/platform.h"

#ifdef WADI_HAVE_AVX512
#define EACH_AVX512(each, id) each(id, avx512)
#else
#define EACH_AVX512(each, id)
#endif
#ifdef WADI_HAVE_AVX2
#define EACH_AVX2(each, id) each(id, avx2)
#else
#define EACH_AVX2(each, id)
#endif
#define EACH_ISA(each, id) EACH_AVX512(each, id) EACH_AVX2(each, id) each(id, baseline)

#define DECLARE(id, isa) extern const wadi_row_table wadi_rows_##id##_##isa;
#define WADI_MODEL(id) EACH_ISA(DECLARE, id)
#include "models/models.def"
#undef WADI_MODEL

#define LIST(id, isa) &wadi_rows_##id##_##isa,
#define WADI_MODEL(id) EACH_ISA(LIST, id)
static const wadi_row_table *const tables[] = {
/* widest first */
#include "models/models.def"
};
#undef WADI_MODEL

static bool runs_here(const char *isa) { return strcmp(isa, "baseline") == 0 || platform_cpu_has(isa); }

const wadi_row_table *wadi_row_table_find(const char *model, const char *isa) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i]->model, model) == 0 && runs_here(tables[i]->isa) &&
            (isa == NULL || strcmp(tables[i]->isa, isa) == 0))
            return tables[i];
    return NULL;
}
