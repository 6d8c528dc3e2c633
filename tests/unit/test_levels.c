/* Coarser grids of a terrain, and what is carried between them. */
#include "scene.h"

#include <wadi/levels.h>

static float *random_values(int count, unsigned seed) {
    float *values = malloc((size_t)count * sizeof *values);
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (float)(seed >> 8) / 16777216.0f * 200.0f - 100.0f;
    }
    return values;
}

static double sum_of_values(const float *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double)values[i];
    return sum;
}

static const int sides[][2] = {{2, 2},  {3, 2},   {4, 2},   {7, 4},    {16, 8},
                               {17, 9}, {33, 17}, {64, 32}, {100, 25}, {101, 13}};

/* The volume of the whole, whether the sides divide or not. */
static void averages_keep_the_volume(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(sides); i++)
        for (int k = 0; k < COUNT(sides); k++) {
            const int w = sides[i][0], cw = sides[i][1], h = sides[k][0], ch = sides[k][1];
            float *fine = random_values(w * h, 3), *coarse = malloc((size_t)(cw * ch) * sizeof *coarse);
            OK(wadi_average(fine, w, h, coarse, cw, ch));
            const double before = sum_of_values(fine, w * h) / (w * h),
                         after = sum_of_values(coarse, cw * ch) / (cw * ch);
            assert_true(fabs(before - after) < 1e-5);
            free(coarse);
            free(fine);
        }
}

/* Whether the sides divide or not. */
static void carrying_up_keeps_the_volume(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(sides); i++)
        for (int k = 0; k < COUNT(sides); k++)
            for (int wrap = 0; wrap < 2; wrap++) {
                const int w = sides[i][0], cw = sides[i][1], h = sides[k][0], ch = sides[k][1];
                float *coarse = random_values(cw * ch, 5), *fine = malloc((size_t)(w * h) * sizeof *fine);
                OK(wadi_carry_up(coarse, cw, ch, wrap, fine, w, h));
                const double before = sum_of_values(coarse, cw * ch) / (cw * ch);
                assert_true(fabs(before - sum_of_values(fine, w * h) / (w * h)) < 1e-4);
                free(fine);
                free(coarse);
            }
}

/* A slope goes up as it is, but next to the border, which passes nothing on. */
static void a_slope_stays_a_slope(void **state) {
    (void)state;
    enum { W = 34, H = 20, CW = 17, CH = 10 };
    float coarse[CW * CH], fine[W * H];
    for (int y = 0; y < CH; y++)
        for (int x = 0; x < CW; x++) coarse[y * CW + x] = (float)(3 * (2 * x + 1) - 2 * (2 * y + 1));
    OK(wadi_carry_up(coarse, CW, CH, false, fine, W, H));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const double error = fabs(fine[y * W + x] - (3 * (x + 0.5) - 2 * (y + 0.5)));
            const bool border = x == 0 || y == 0 || x == W - 1 || y == H - 1;
            assert_true(error < (border ? 2.51 : 1e-3));
        }
}

/* A valley one cell wide that falls along a diagonal is a chain of corners. It goes up without hollows. */
static void a_diagonal_valley_stays_open(void **state) {
    (void)state;
    enum { CN = 32, N = 64 };
    float coarse[CN * CN], fine[N * N];
    for (int y = 0; y < CN; y++)
        for (int x = 0; x < CN; x++) coarse[y * CN + x] = (float)(x + y) + (x == y ? -20.0f : 0.0f);
    OK(wadi_carry_up(coarse, CN, CN, false, fine, N, N));
    for (int y = 4; y < N - 4; y++)
        for (int x = 4; x < N - 4; x++) {
            float lowest = INFINITY;
            for (int k = 0; k < 9; k++)
                if (k != 4) lowest = fminf(lowest, fine[(y + k / 3 - 1) * N + x + k % 3 - 1]);
            assert_true(fine[y * N + x] > lowest);
        }
}

/* --- warped --- */

enum { WARP_N = 96, WARP_CELLS = WARP_N * WARP_N };

/* How far each cell's value comes from: the values are the places. */
static void displacements(int coarse, bool wrap, double amount, uint64_t seed, float *dx, float *dy) {
    float x[WARP_CELLS], y[WARP_CELLS];
    for (int i = 0; i < WARP_CELLS; i++) x[i] = (float)(i % WARP_N), y[i] = (float)(i / WARP_N);
    OK(wadi_warp_level(x, WARP_N, WARP_N, coarse, coarse, wrap, amount, seed, dx));
    OK(wadi_warp_level(y, WARP_N, WARP_N, coarse, coarse, wrap, amount, seed, dy));
    for (int i = 0; i < WARP_CELLS; i++) dx[i] -= x[i], dy[i] -= y[i];
}

static void a_level_is_displaced_as_far_as_asked(void **state) {
    (void)state;
    float dx[WARP_CELLS], dy[WARP_CELLS];
    double squares[2] = {0}, far = 0, sum = 0;
    int count = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        displacements(WARP_N / 2, false, 0.4, seed, dx, dy);
        for (int i = 0; i < WARP_CELLS; i++) {
            const int x = i % WARP_N, y = i / WARP_N, inside = WARP_N - 24;
            if (x == 0 || y == 0 || x == WARP_N - 1 || y == WARP_N - 1)
                assert_true(hypotf(dx[i], dy[i]) < 0.02f); /* the border stays */
            if (x < 12 || y < 12 || x >= 12 + inside || y >= 12 + inside) continue;
            squares[0] += dx[i] * dx[i], squares[1] += dy[i] * dy[i], sum += dx[i] + dy[i], count++;
            far = fmax(far, hypotf(dx[i], dy[i]));
        }
    }
    const double root = sqrt((squares[0] + squares[1]) / count) / 2; /* two cells are a coarse one */
    if (!(fabs(root - 0.4) < 0.03)) fail_msg("%g coarse cells", root);
    assert_true(fabs(squares[0] / squares[1] - 1) < 0.2 && fabs(sum / count) < 0.1 && far < 2.5);
}

/* The divergence of a displacement beside its shear: sums of squares of all cells but those at the border. */
static double divergence_by_shear(const float *dx, const float *dy, int width, int height, int margin) {
    double stretched = 0, sheared = 0;
    for (int y = margin; y < height - margin; y++)
        for (int x = margin; x < width - margin; x++) {
            const int i = y * width + x;
            const double along = (dx[i + 1] - dx[i - 1]) / 2.0 + (dy[i + width] - dy[i - width]) / 2.0;
            const double across = (dx[i + width] - dx[i - width]) / 2.0;
            stretched += along * along, sheared += across * across;
        }
    assert_true(sheared > 10);
    return stretched / sheared;
}

/* The displacement has no divergence. */
static void a_warp_keeps_areas(void **state) {
    (void)state;
    float dx[WARP_CELLS], dy[WARP_CELLS];
    displacements(WARP_N / 2, false, 0.4, 7, dx, dy);
    assert_true(divergence_by_shear(dx, dy, WARP_N, WARP_N, 12) < 0.002);
}

/* Grids of another resolution over the same coarse cells are displaced alike. A seed or another coarse grid gives
 * another displacement, and 0 none. */
static void a_warp_belongs_to_the_coarse_grid(void **state) {
    (void)state;
    enum { N = WARP_N / 2 };
    float dx[WARP_CELLS], dy[WARP_CELLS], x[N * N], low[N * N], other[WARP_CELLS], none[WARP_CELLS];
    displacements(24, false, 0.3, 5, dx, dy);
    for (int i = 0; i < N * N; i++) x[i] = 2 * (float)(i % N) + 0.5f;
    OK(wadi_warp_level(x, N, N, 24, 24, false, 0.3, 5, low));
    for (int i = 0; i < N * N; i++) {
        const int j = (i / N * WARP_N + i % N) * 2;
        const float mean = (dx[j] + dx[j + 1] + dx[j + WARP_N] + dx[j + WARP_N + 1]) / 4;
        if (i % N > 2 && i % N < N - 3) assert_true(fabsf(low[i] - x[i] - mean) < 0.05f);
    }
    displacements(24, false, 0.3, 6, other, none);
    assert_memory_not_equal(dx, other, sizeof dx);
    displacements(32, false, 0.3, 5, other, none);
    assert_memory_not_equal(dx, other, sizeof dx);
    displacements(24, false, 0, 5, other, none);
    for (int i = 0; i < WARP_CELLS; i++) assert_true(other[i] == 0 && none[i] == 0);
}

/* Beyond a periodic border the other side goes on. */
static void a_warp_wraps(void **state) {
    (void)state;
    float flat[WARP_CELLS], warped[WARP_CELLS];
    double inside = 0, across = 0;
    for (int turn = 0; turn < 2; turn++) { /* along x, along y */
        for (int i = 0; i < WARP_CELLS; i++)
            flat[i] = sinf((float)(turn == 0 ? i / WARP_N : i % WARP_N) * 6.2831853f * 8 / WARP_N);
        OK(wadi_warp_level(flat, WARP_N, WARP_N, WARP_N / 4, WARP_N / 4, true, 0.5, 3, warped));
        for (int j = 0; j < WARP_N; j++)
            for (int i = 0; i < WARP_N; i++) {
                const int next = (i + 1) % WARP_N, one = turn == 0 ? j * WARP_N + i : i * WARP_N + j,
                          two = turn == 0 ? j * WARP_N + next : next * WARP_N + j;
                double *step = next == 0 ? &across : &inside;
                *step = fmax(*step, fabs((double)warped[one] - (double)warped[two]));
            }
    }
    if (!(across > 0.3 * inside && across < 1.2 * inside))
        fail_msg("a step of %g inside, %g over the border", inside, across);
}

/* The lattice does not divide both sides alike. */
static void a_periodic_warp_keeps_areas_too(void **state) {
    (void)state;
    enum { W = 68, H = 60 };
    float x[W * H], y[W * H], dx[W * H], dy[W * H];
    double squares = 0;
    for (int i = 0; i < W * H; i++) x[i] = (float)(i % W), y[i] = (float)(i / W);
    OK(wadi_warp_level(x, W, H, W / 4, H / 4, true, 0.4, 9, dx));
    OK(wadi_warp_level(y, W, H, W / 4, H / 4, true, 0.4, 9, dy));
    for (int i = 0; i < W * H; i++) dx[i] -= x[i], dy[i] -= y[i];
    for (int i = 0; i < W * H; i++)
        if (i % W >= 6 && i % W < W - 6 && i / W >= 6 && i / W < H - 6)
            squares += (double)dx[i] * (double)dx[i] + (double)dy[i] * (double)dy[i];
    const double root = sqrt(squares / ((W - 12) * (H - 12))) / 4;
    assert_true(divergence_by_shear(dx, dy, W, H, 6) < 0.0005);
    if (!(root > 0.28 && root < 0.52)) fail_msg("%g coarse cells", root); /* few nodes */
}

/* Cells without data stay, and those beside them, so nothing tears there. */
static void a_warp_leaves_missing_cells(void **state) {
    (void)state;
    float values[WARP_CELLS], warped[WARP_CELLS];
    double moved = 0;
    for (int i = 0; i < WARP_CELLS; i++) values[i] = i % WARP_N < 40 ? NAN : (float)(i / WARP_N);
    OK(wadi_warp_level(values, WARP_N, WARP_N, WARP_N / 4, WARP_N / 4, false, 0.7, 3, warped));
    for (int i = 0; i < WARP_CELLS; i++) {
        if (i % WARP_N < 40) {
            assert_true(isnan(warped[i]));
            continue;
        }
        if (i % WARP_N == 40) assert_true(fabsf(warped[i] - values[i]) < 0.05f);
        if (i % WARP_N > 40) assert_true(fabsf(warped[i] - warped[i - 1]) < 1.5f);
        moved = fmax(moved, fabs((double)(warped[i] - values[i])));
    }
    if (!(moved > 1)) fail_msg("moved by %g", moved);
    assert_int_equal(wadi_warp_level(values, 4, 4, 2, 2, false, 0.8, 3, warped), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_warp_level(values, 4, 4, 2, 2, false, NAN, 3, warped), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_warp_level(values, 4, 4, 5, 2, false, 0.5, 3, warped), WADI_ERROR_ARGUMENT);
    for (int n = 1; n < 20; n++)
        for (int coarse = 1; coarse <= n; coarse++)
            for (int wrap = 0; wrap < 2; wrap++) OK(wadi_warp_level(values, n, 1, coarse, 1, wrap, 0.7, 3, warped));
}

static void cells_without_data_do_not_count(void **state) {
    (void)state;
    float fine[16], coarse[4];
    for (int i = 0; i < 16; i++) fine[i] = i % 4 < 2 ? 7.0f : NAN;
    fine[0] = NAN;
    OK(wadi_average(fine, 4, 4, coarse, 2, 2));
    assert_true(coarse[0] == 7 && coarse[2] == 7 && isnan(coarse[1]) && isnan(coarse[3]));
    OK(wadi_carry_up(coarse, 2, 2, false, fine, 4, 4));
    for (int i = 0; i < 16; i++) assert_true(i % 4 < 2 ? fine[i] == 7 : isnan(fine[i]));
}

static double parameter(const wadi_def *def, const char *name) {
    return def->values[wadi_model_parameter_index(def->model, name)];
}

/* A level covers the same area. A preset's values become those that it has for such cells. */
static void a_level_is_the_same_run_on_a_coarser_grid(void **state) {
    (void)state;
    const wadi_model *model = wadi_model_find("jako2011");
    wadi_def def = wadi_default_def(model, 512, 301, 10, 12);
    def.drops = (wadi_drops){.count = 5, .radius_m = 2, .rate_m_s = 0.1};
    const wadi_def coarse = wadi_def_level(&def, 3), direct = wadi_default_def(model, 64, 38, coarse.lx, coarse.ly);
    assert_int_equal(coarse.width, 64);
    assert_int_equal(coarse.height, 38);
    assert_true(fabs(coarse.lx * 64 - 5120) < 1e-9 && fabs(coarse.ly * 38 - 301 * 12) < 1e-9);
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++)
        assert_true(fabs(coarse.values[i] - direct.values[i]) <= 1e-9 * fabs(direct.values[i]));
    assert_true(parameter(&coarse, "dt") > 7.9 * parameter(&def, "dt"));
    /* each drop covers one cell: the same volume falls in the same time */
    const double fine_rate = 5 * 0.1 * def.lx * def.ly / parameter(&def, "dt");
    const double rate = coarse.drops.count * coarse.drops.rate_m_s * coarse.lx * coarse.ly / parameter(&coarse, "dt");
    assert_true(fabs(rate / fine_rate - 1) < 1e-9 || coarse.drops.count > 38 * 64);
    assert_int_equal(wadi_def_level(&def, 0).width, 512);
    assert_int_equal(wadi_level_cells(5, 9), 2);
}

/* A change that was carried up belongs to another simulation: it is in the height, not in what this one moved. */
static void a_change_is_set_and_booked(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 40, 28, 1);
    make_hills(&scene, 25, 7);
    wadi_sim *sim = start(&scene);
    const size_t count = cells_of(&scene.def);
    float *change = random_values((int)count, 9), *before = field_of(sim, "height");
    OK(wadi_sim_set(sim, "change", change, count));
    float *after = field_of(sim, "height"), *kept = field_of(sim, "change");
    wadi_mass mass;
    OK(wadi_sim_mass(sim, &mass));
    for (size_t i = 0; i < count; i++) assert_true(after[i] == before[i] + change[i] && kept[i] == change[i]);
    assert_true(mass.moved == 0 && mass.solid.residual == 0 && mass.solid.before == mass.solid.after);
    OK(wadi_sim_step(sim, 30));
    OK(wadi_sim_set(sim, "change", change, count)); /* after a step it is handed */
    OK(wadi_sim_mass(sim, &mass));
    assert_true(fabs(mass.solid.residual) < 1e-6 * mass.moved);
    free(kept);
    free(after);
    free(before);
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* On every model and engine: what was suspended is in the height, and no solid is made or lost. */
static void sediment_settles(void **state) {
    (void)state;
    for (int i = 0; i < 2 * MODELS; i++) {
        scene scene = scene_of(model_id(i / 2), 40, 28, 1);
        scene.def.boundary = (wadi_boundary)(i % 3);
        scene.def.engine = scene_engines[i % 2];
        make_hills(&scene, 25, 7);
        wadi_sim *sim = run(&scene, 60);
        const size_t count = cells_of(&scene.def);
        wadi_mass before, after_it;
        OK(wadi_sim_mass(sim, &before));
        float *height = field_of(sim, "height"), *sediment = field_of(sim, "sediment");
        const bool passes = scene.def.model->sediment_passes; /* there it does not settle */
        OK(wadi_sim_settle(sim));
        float *after = field_of(sim, "height"), *left = field_of(sim, "sediment");
        for (size_t k = 0; k < count; k++) {
            assert_true(left[k] == (passes ? sediment[k] : 0));
            const double settled = (double)height[k] + (passes ? 0 : (double)sediment[k]);
            assert_true(fabs((double)after[k] - settled) < 1e-4);
        }
        OK(wadi_sim_mass(sim, &after_it));
        assert_true(fabs(after_it.solid.after - before.solid.after) <= 1e-6 * (fabs(before.moved) + 1));
        OK(wadi_sim_step(sim, 5)); /* it can go on */
        free(left);
        free(after);
        free(sediment);
        free(height);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void wrong_sizes_are_refused(void **state) {
    (void)state;
    float a[4] = {0}, b[9] = {0};
    assert_int_equal(wadi_average(a, 2, 2, b, 3, 3), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_carry_up(b, 3, 3, false, a, 2, 2), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_carry_up(NULL, 1, 1, false, a, 2, 2), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_sim_settle(NULL), WADI_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_keep_the_volume),
        cmocka_unit_test(carrying_up_keeps_the_volume),
        cmocka_unit_test(a_slope_stays_a_slope),
        cmocka_unit_test(a_diagonal_valley_stays_open),
        cmocka_unit_test(cells_without_data_do_not_count),
        cmocka_unit_test(a_level_is_displaced_as_far_as_asked),
        cmocka_unit_test(a_warp_keeps_areas),
        cmocka_unit_test(a_warp_belongs_to_the_coarse_grid),
        cmocka_unit_test(a_warp_wraps),
        cmocka_unit_test(a_periodic_warp_keeps_areas_too),
        cmocka_unit_test(a_warp_leaves_missing_cells),
        cmocka_unit_test(a_level_is_the_same_run_on_a_coarser_grid),
        cmocka_unit_test(a_change_is_set_and_booked),
        cmocka_unit_test(sediment_settles),
        cmocka_unit_test(wrong_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
