/* Opening closed basins: afterwards water drains from every cell, and the limits leave lakes. */
#include "scene.h"

#include "wadi/terrain.h"

enum { W = 97, H = 71, CELLS = W * H };

static const int X[8] = {1, 1, 0, -1, -1, -1, 0, 1}, Y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/* Cells inside the map with data around them that have no lower neighbour. */
static int count_pits(const float *heights) {
    int pits = 0;
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++) {
            bool drains = isnan(heights[y * W + x]);
            for (int k = 0; k < 8; k++) {
                const float there = heights[(y + Y[k]) * W + x + X[k]];
                drains = drains || isnan(there) || there < heights[y * W + x];
            }
            pits += !drains;
        }
    return pits;
}

static wadi_breaching make(float *heights, uint32_t seed) {
    wadi_def def = wadi_default_def(wadi_model_find("mei2007"), W, H, 2, 3);
    fill(heights, &def, 100);
    add_noise(heights, &def, 9, 20, seed);
    add_noise(heights, &def, 2, 5, seed + 1);
    return (wadi_breaching){.width = W, .height = H, .lx = 2, .ly = 3};
}

static void every_basin_is_opened(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed < 6; seed++) {
        float heights[CELLS], before[CELLS];
        wadi_breaching how = make(heights, seed);
        wadi_breached done;
        if (seed & 1) heights[30 * W + 40] = NAN;
        memcpy(before, heights, sizeof before);
        assert_true(count_pits(heights) > 20);
        OK(wadi_breach(&how, heights, &done));
        assert_int_equal(count_pits(heights), 0);
        double volume = 0, deepest = 0;
        size_t cells = 0;
        for (int i = 0; i < CELLS; i++) {
            if (isnan(before[i])) continue;
            if (heights[i] > before[i]) fail_msg("a cell rose");
            cells += heights[i] < before[i];
            volume += ((double)before[i] - (double)heights[i]) * 6;
            deepest = fmax(deepest, (double)before[i] - (double)heights[i]);
        }
        /* a cell that two ways cross counts twice */
        assert_true(done.cells >= cells && cells > 20 && done.left == 0 && done.opened > 10);
        assert_true(fabs(done.volume_m3 - volume) < 1e-6 * volume && done.deepest_m <= deepest);
        OK(wadi_breach(&how, heights, &done));
        assert_true(done.cells == 0 && done.opened == 0);
    }
}

static void limits_leave_lakes(void **state) {
    (void)state;
    float heights[CELLS], before[CELLS];
    wadi_breaching how = make(heights, 9);
    wadi_breached done;
    memcpy(before, heights, sizeof before);
    how.deepest_m = 1;
    OK(wadi_breach(&how, heights, &done));
    assert_true(done.left > 3 && done.opened > 3 && done.deepest_m < 1.2);
    assert_true(count_pits(heights) > 0 && count_pits(heights) < count_pits(before));
    memcpy(heights, before, sizeof before);
    how.deepest_m = 0, how.longest_m = 8;
    OK(wadi_breach(&how, heights, &done));
    assert_true(done.left > 3 && done.opened > 3);
}

/* A basin between a wall and the sea: the cut ends at the shore, and the sea's own hollows stay. */
static void a_cut_ends_at_the_sea(void **state) {
    (void)state;
    float heights[CELLS];
    wadi_breaching how = {.width = W, .height = H, .lx = 1, .ly = 1, .sea = true, .sea_m = 0};
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) heights[y * W + x] = x < 30 ? -5 : x < 50 ? 4 : x == 60 ? 1 : x < 62 ? 2 : 50;
    heights[35 * W + 10] = -20; /* in the sea */
    heights[35 * W + 40] = -1;  /* on land, below the sea's level */
    wadi_breached done;
    OK(wadi_breach(&how, heights, &done));
    assert_true(heights[35 * W + 10] <= -20 && heights[35 * W + 11] >= -5);
    int across = 0;
    for (int y = 0; y < H; y++) across += heights[y * W + 32] < -1 && heights[y * W + 32] > -1.1f;
    assert_int_equal(across, 1);
    assert_true(done.opened == 1 && done.left == 0 && fabs(done.deepest_m - 5) < 0.1 && done.cells >= 10);
}

static void a_flat_bottom_is_one_basin(void **state) {
    (void)state;
    float heights[CELLS];
    const wadi_breaching how = {.width = W, .height = H, .lx = 1, .ly = 1};
    wadi_breached done;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            heights[y * W + x] = x > 30 && x < 60 && y > 20 && y < 50 ? 3 : 10 + 0.01f * (float)x;
    OK(wadi_breach(&how, heights, &done));
    assert_int_equal(done.opened, 1);
}

static void a_scratch_folder_changes_nothing(void **state) {
    (void)state;
    float heights[CELLS], other[CELLS];
    wadi_breaching how = make(heights, 3);
    wadi_breached done, other_done;
    memcpy(other, heights, sizeof other);
    OK(wadi_breach(&how, heights, &done));
    how.scratch = "none";
    REFUSED(wadi_breach(&how, other, &other_done), WADI_ERROR_IO, "none: no room for a scratch file of 6887 bytes: No");
    how.scratch = ".";
    OK(wadi_breach(&how, other, &other_done));
    assert_memory_equal(heights, other, sizeof other);
    assert_true(done.opened == other_done.opened && done.volume_m3 == other_done.volume_m3);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    float heights[4] = {1, 2, 3, 4};
    wadi_breached done;
    wadi_breaching how = {.width = 2, .height = 2, .lx = 1, .ly = 1};
    OK(wadi_breach(&how, heights, &done));
    how.deepest_m = -1;
    REFUSED(wadi_breach(&how, heights, &done), WADI_ERROR_ARGUMENT, "-1 m");
    how.deepest_m = 0, how.lx = 0;
    REFUSED(wadi_breach(&how, heights, &done), WADI_ERROR_ARGUMENT, "above 0");
    how.lx = 1, how.width = 1;
    REFUSED(wadi_breach(&how, heights, &done), WADI_ERROR_ARGUMENT, "1 x 2");
    how.width = how.height = (1 << 20) + 1;
    REFUSED(wadi_breach(&how, heights, &done), WADI_ERROR_ARGUMENT, "1048577 x 1048577");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_basin_is_opened),
        cmocka_unit_test(limits_leave_lakes),
        cmocka_unit_test(a_cut_ends_at_the_sea),
        cmocka_unit_test(a_flat_bottom_is_one_basin),
        cmocka_unit_test(a_scratch_folder_changes_nothing),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
