/* How a grid is shared out among the groups of a GPU: every row of every column of groups once, the longest first, and
 * none so long that the others would wait for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/pieces.h"

/* asks: all that see the border are said to. */
static void check(const wadi_gpu_pieces *pieces, const wadi_gpu_sharing *sharing, bool asks) {
    uint8_t *times = calloc((size_t)sharing->columns * (size_t)sharing->height, 1);
    int64_t longest = INT64_MAX;
    for (int i = 0; i < pieces->count; i++) {
        const wadi_gpu_piece *p = &pieces->list[i];
        const int64_t length = (p->y1 - p->y0 + 8) * (p->edges ? 5 : 2);
        assert_in_range(p->x, 0, sharing->columns - 1);
        assert_true(p->y0 >= 0 && p->y0 < p->y1 && p->y1 <= sharing->height);
        assert_true(length <= longest);
        longest = length;
        const int sees = sharing->height - sharing->edge_rows;
        if (p->x == 0 || p->x == sharing->columns - 1) assert_true(p->edges);
        if (asks && (p->y0 < sharing->edge_rows || p->y1 > sees)) assert_true(p->edges);
        for (int y = p->y0; y < p->y1; y++) times[(size_t)p->x * (size_t)sharing->height + (size_t)y]++;
    }
    for (size_t i = 0; i < (size_t)sharing->columns * (size_t)sharing->height; i++) assert_int_equal(times[i], 1);
    free(times);
}

static const wadi_gpu_sharing sharings[] = {
    {1, 2, 3, 10, 132, 3},     {1, 40, 3, 10, 132, 3},     {20, 2048, 6, 15, 132, 3}, {40, 4096, 6, 15, 132, 3},
    {18, 4096, 6, 15, 132, 2}, {79, 8192, 6, 15, 132, 3},  {36, 8192, 6, 15, 132, 2}, {71, 16384, 6, 15, 132, 2},
    {400, 300, 3, 10, 132, 4}, {64, 60000, 6, 15, 132, 2}, {64, 3000, 3, 10, 1, 1},   {64, 3000, 3, 10, 20, 8},
};

static void each_row_is_in_one_piece(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sharings / sizeof *sharings; i++) {
        wadi_gpu_pieces best = {0};
        assert_true(wadi_gpu_pieces_best(&best, &sharings[i]));
        check(&best, &sharings[i], true);
        free(best.list);
        for (int rows = 8; rows < 300; rows += 97) {
            wadi_gpu_pieces pieces = {0};
            assert_true(wadi_gpu_pieces_of_rows(&pieces, &sharings[i], rows));
            check(&pieces, &sharings[i], false);
            free(pieces.list);
        }
    }
}

/* Work by work in the order of the list to the group that is free first, as a device does it. */
static double work_over_time(const wadi_gpu_pieces *pieces, const wadi_gpu_sharing *sharing) {
    const int groups = sharing->units * sharing->groups;
    double *until = calloc((size_t)groups, sizeof *until), end = 0;
    for (int i = 0; i < pieces->count; i++) {
        const wadi_gpu_piece *p = &pieces->list[i];
        int first = 0;
        for (int g = 1; g < groups; g++)
            if (until[g] < until[first]) first = g;
        until[first] += (p->y1 - p->y0 + sharing->rows_twice) * (p->edges ? 2.5 : 1);
        if (until[first] > end) end = until[first];
    }
    free(until);
    return (double)sharing->columns * sharing->height / (groups * end);
}

static void all_are_done_at_about_the_same_time(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sharings / sizeof *sharings; i++) {
        const wadi_gpu_sharing *sharing = &sharings[i];
        const double each = (double)sharing->columns * sharing->height / (sharing->units * sharing->groups);
        wadi_gpu_pieces pieces = {0};
        if (each < 500) continue;
        assert_true(wadi_gpu_pieces_best(&pieces, sharing));
        assert_true(work_over_time(&pieces, sharing) > 0.85);
        free(pieces.list);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_in_one_piece),
        cmocka_unit_test(all_are_done_at_about_the_same_time),
    };
    return cmocka_run_group_tests_name("pieces", tests, NULL, NULL);
}
