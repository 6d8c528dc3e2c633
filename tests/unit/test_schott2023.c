/* schott2023: the steady slope-area relation, the profile and the response time in one dimension, deposition, hollows
 * that drain, and what a step does with a mask. labels: physics */
#include "scene.h"

#include "core/engine.h"

#define CELL_M 100.0
#define UPLIFT_M_A 1e-3
#define ERODIBILITY 1e-5

/* Rivers alone, at steps of 1000 years. */
static scene rivers(int width, int height) {
    scene scene = scene_of("schott2023", width, height, CELL_M);
    scene.def.boundary = WADI_OPEN;
    scene.def.allow_out_of_range = true;
    set(&scene, "dt", 1000);
    set(&scene, "U", UPLIFT_M_A * 1000);
    set(&scene, "K", ERODIBILITY);
    set(&scene, "P", 1);
    set(&scene, "P0", 1);
    set(&scene, "G", 0);
    set(&scene, "D", 0);
    set(&scene, "S_c", 100);
    set(&scene, "outlets", 0);
    return scene;
}

/* Cells that drain through each cell: its water over a step's rain. The map of the area says the same. */
static float *drainage(const scene *scene, const wadi_sim *sim) {
    float *water = field_of(sim, "water"), *area = field_of(sim, "area");
    const double rain = CELL_M / scene_value(&scene->def, "v") / WADI_YEAR_S;
    for (size_t i = 0; i < cells_of(&scene->def); i++) {
        water[i] = (float)((double)water[i] / rain);
        assert_true(fabs((double)area[i] / (CELL_M * CELL_M) - (double)water[i]) <= 1e-5 * (double)water[i]);
    }
    free(area);
    return water;
}

static double steepest(const wadi_def *def, const float *height, int x, int y) {
    double most = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const double fall = (double)height[y * def->width + x] - (double)height[(y + dy) * def->width + x + dx];
            if (dx != 0 || dy != 0) most = fmax(most, fall / (CELL_M * sqrt(dx * dx + dy * dy)));
        }
    return most;
}

/* The part of the cells whose slope is not within 2 % of ((1 + G) U / K)^(1/n) A^(-m/n). */
static double slopes_off(scene *scene, double m, double n, double G, int64_t steps) {
    set(scene, "m", m);
    set(scene, "n", n);
    set(scene, "G", G);
    wadi_sim *sim = run(scene, steps);
    float *cells = drainage(scene, sim), *height = field_of(sim, "height");
    const wadi_def *def = &scene->def;
    int off = 0;
    for (int y = 1; y < def->height - 1; y++)
        for (int x = 1; x < def->width - 1; x++) {
            const double A = (double)cells[y * def->width + x] * CELL_M * CELL_M;
            const double passes = 1 + G * (1 - 1 / (double)cells[y * def->width + x]); /* what others give is dropped */
            const double S = pow(passes * UPLIFT_M_A / scene_value(def, "K") / pow(A, m), 1 / n);
            off += !(fabs(steepest(def, height, x, y) / S - 1) < 0.02);
        }
    free(cells);
    free(height);
    wadi_sim_destroy(sim);
    return off / (double)((def->width - 2) * (def->height - 2));
}

static void steady_slopes_follow_the_area(void **state) {
    (void)state;
    static const struct {
        double m, n, G;
        const char *spread;
    } cases[] = {{0.5, 1, 0, "0"}, {0.5, 1, 0, "0.5"}, {0.45, 1, 0, "0"}, {0.6, 1.3, 0, "0"}, {0.5, 1, 0.5, "0"}};
    for (int i = 0; i < COUNT(cases); i++) {
        scene scene = rivers(40, 33);
        make_hills(&scene, 20, 3);
        set(&scene, "spread", strtod(cases[i].spread, NULL));
        const double off = slopes_off(&scene, cases[i].m, cases[i].n, cases[i].G, 16000);
        print_message("m %g, n %g, G %g, spread %s: %.2g %% of the cells are not within 2 %%\n", cases[i].m, cases[i].n,
                      cases[i].G, cases[i].spread, 100 * off);
        if (off > (cases[i].G > 0 ? 0.05 : 0)) /* the sediment of moving divides */
            fail_msg("case %d: %g", i, off);
        scene_free(&scene);
    }
}

/* On an inclined plane a step cuts K dt S where one cell's rain passes, in whatever direction the plane falls. */
static double cut_of_a_plane(double degrees, const char *slopes) {
    enum { SIDE = 9, MIDDLE = SIDE * (SIDE / 2) + SIDE / 2 };
    const double S = 0.2, K = 1e-6, angle = degrees * acos(-1) / 180;
    scene scene = rivers(SIDE, SIDE);
    set(&scene, "U", 0);
    set(&scene, "K", K);
    OK(wadi_def_set_text(&scene.def, "slopes", slopes));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            scene.field[0][y * SIDE + x] = (float)(200 + S * CELL_M * (x * cos(angle) + y * sin(angle)));
    wadi_sim *sim = run(&scene, 1);
    float *change = field_of(sim, "change");
    const double cut = -(double)change[MIDDLE];
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return cut / (K * 1000 * CELL_M * S);
}

static void planes_are_cut_alike_in_all_directions(void **state) {
    (void)state;
    double least = 2;
    for (double degrees = 0; degrees < 360; degrees += 4.5) {
        const double by_planes = cut_of_a_plane(degrees, "plane"), by_neighbours = cut_of_a_plane(degrees, "neighbour");
        if (!(fabs(by_planes - 1) < 2e-3)) fail_msg("at %g degrees: %g", degrees, by_planes);
        assert_true(by_neighbours < 1.002);
        least = fmin(least, by_neighbours);
    }
    assert_true(least < 0.93 && least > 0.92); /* cos(22.5 degrees) = 0.924 */
}

/* One dimension: a closed strip whose first column keeps its height. Column x drains those behind it. */
enum { LONG = 81 };

/* The sum of U dx / (K A^m) from the first column to column x. */
static double steady_height(int x) {
    double sum = 0;
    for (int i = 1; i <= x; i++) sum += UPLIFT_M_A / ERODIBILITY / sqrt(LONG - i);
    return sum;
}

/* From gently sloping ground, each place rises with the uplift until the change at the border has climbed to it, at the
 * speed K A^m. With n = 1 that is when it has its steady height. */
static void one_dimension_is_as_computed(void **state) {
    (void)state;
    scene scene = rivers(LONG, 2);
    scene.def.boundary = WADI_CLOSED;
    set(&scene, "spread", 0);
    float *mask = scene_field(&scene, "mask");
    for (int i = 0; i < 2 * LONG; i++) scene.field[0][i] = 0.01f * (float)(i % LONG), mask[i] = (float)(i % LONG > 0);
    const double relief = steady_height(LONG - 1), response_a = relief / UPLIFT_M_A;
    wadi_sim *sim = start(&scene);
    for (int quarter = 1; quarter <= 8; quarter++) {
        OK(wadi_sim_step(sim, (int64_t)(response_a / 4000)));
        const double t = wadi_sim_time(sim) / WADI_YEAR_S;
        float *height = field_of(sim, "height");
        double worst = 0;
        for (int x = 1; x < LONG; x++) {
            const double found = (double)height[x];
            worst = fmax(worst, fabs(found - fmin(UPLIFT_M_A * t, steady_height(x))) / relief);
        }
        print_message("%.2f response times: within %.2g of the relief\n", t / response_a, worst);
        /* steps smooth the knick where both meet */
        if (!(worst < (quarter < 6 ? 0.08 : 0.01))) fail_msg("after %.2f response times: %g", t / response_a, worst);
        free(height);
    }
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* In the end what rises leaves by the border, and so does the rain, whatever hollows there were. */
static void a_steady_range_gives_what_it_gets(void **state) {
    (void)state;
    for (int breach = 0; breach < 2; breach++) {
        scene scene = rivers(40, 33);
        for (int i = 0; i < 40 * 33; i++) { /* a bowl with a rim */
            const double x = i % 40 - 19.5, y = i / 40 - 16;
            scene.field[0][i] = (float)fmax(0, 400 - 8 * fabs(sqrt(x * x + y * y) - 12) * 8);
        }
        set(&scene, "G", 0.5);
        set(&scene, "D", 0.01);
        set(&scene, "S_c", 0.8);
        choose(&scene, "hollows", breach ? "breach" : "fill");
        wadi_sim *sim = run(&scene, 4000);
        const wadi_mass before = mass_of(sim);
        OK(wadi_sim_step(sim, 400));
        const wadi_mass after = mass_of(sim);
        const double risen = after.advected - before.advected,
                     gone = after.solid_over_border - before.solid_over_border;
        const double rained = after.rained - before.rained, left = after.water_over_border - before.water_over_border;
        assert_true(risen > 0 && fabs(gone / risen - 1) < 0.01);
        assert_true(rained > 0 && fabs(left / rained - 1) < 1e-3);
        assert_true(fabs(after.solid.residual) < 1e-5 * after.moved);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Where the mask is 0, the ground keeps its height to the bit; water goes on. */
static void masked_ground_stays(void **state) {
    (void)state;
    scene scene = rivers(20, 20);
    make_hills(&scene, 50, 7);
    set(&scene, "D", 0.01);
    set(&scene, "S_c", 0.1);
    float *mask = scene_field(&scene, "mask");
    for (int i = 0; i < 400; i++) mask[i] = (float)(i % 20 < 10);
    wadi_sim *sim = run(&scene, 200);
    float *change = field_of(sim, "change"), *cells = drainage(&scene, sim);
    double moved = 0;
    for (int i = 0; i < 400; i++) {
        if (i % 20 < 10)
            moved += fabs((double)change[i]);
        else
            assert_true(change[i] <= 0 && change[i] >= 0);
    }
    assert_true(moved > 100 && largest_of(cells, 400) > 20);
    free(change);
    free(cells);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* The cells that rose by more than `least`, m. None of them may stand above all its neighbours by as much. */
static int rose_without_piles(const wadi_def *def, const wadi_sim *sim, float least) {
    float *change = field_of(sim, "change"), *height = field_of(sim, "height");
    const int width = def->width;
    int rose = 0;
    for (int y = 1; y < def->height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            float highest = -INFINITY;
            for (int k = 0; k < 9; k++)
                if (k != 4) highest = fmaxf(highest, height[(y + k / 3 - 1) * width + x + k % 3 - 1]);
            rose += change[y * width + x] > least;
            assert_true(change[y * width + x] < least || height[y * width + x] < highest + least);
        }
    free(height);
    free(change);
    return rose;
}

/* Rivers fill hollows to their brim. A level that is not right yet, as it comes down from above, builds no piles. */
static void hollows_fill_without_piles(void **state) {
    (void)state;
    scene scene = rivers(64, 64);
    make_hills(&scene, 400, 11);
    set(&scene, "U", 0);
    set(&scene, "dt", 200);
    wadi_sim *sim = run(&scene, 300);
    assert_true(rose_without_piles(&scene.def, sim, 1) > 40);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* A landslide's sediment that comes down a valley rests below where it came from. It builds no piles, of which the
 * water would run to all sides. */
static void sediment_rests_below_its_source(void **state) {
    (void)state;
    scene scene = rivers(64, 64);
    set(&scene, "U", 0);
    set(&scene, "G", 1);
    set(&scene, "spread", 1);
    set(&scene, "K", 0);
    float *given = scene_field(&scene, "height"); /* a valley that falls by 1 % */
    for (int i = 0; i < 64 * 64; i++) given[i] = (float)((i / 64) + 2 * abs(i % 64 - 32));
    wadi_sim *sim = run(&scene, 0);
    float *sediment = field_of(sim, "sediment");
    for (int x = 24; x < 40; x++) sediment[50 * 64 + x] = 20;
    OK(wadi_sim_set(sim, "sediment", sediment, 64 * 64));
    OK(wadi_sim_step(sim, 200));
    assert_true(rose_without_piles(&scene.def, sim, 0.1f) > 40);
    wadi_mass mass;
    OK(wadi_sim_mass(sim, &mass));
    assert_true(fabs(mass.solid.residual) < 1e-5 * mass.moved);
    free(sediment);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* What sediment that starts on a slope has changed after some steps, without what rose. The slope falls to the south by
 * 1 %, and to the west by less. */
static float *spread_down(double spread, double uplift, int steps) {
    enum { W = 32 };
    scene scene = rivers(W, W);
    scene.def.boundary = WADI_CLOSED;
    set(&scene, "U", uplift * 1000);
    set(&scene, "K", 0);
    set(&scene, "G", 1);
    set(&scene, "spread", spread);
    float *given = scene_field(&scene, "height");
    for (int i = 0; i < W * W; i++) given[i] = (float)(W - i / W) + 0.05f * (float)(i % W);
    wadi_sim *sim = run(&scene, 0);
    float *sediment = field_of(sim, "sediment");
    for (int x = 12; x < 20; x++) sediment[2 * W + x] = 20;
    OK(wadi_sim_set(sim, "sediment", sediment, W * W));
    OK(wadi_sim_step(sim, steps));
    float *change = field_of(sim, "change");
    for (int i = 0; i < W * W; i++) change[i] -= (float)(steps * uplift * 1000);
    free(sediment);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return change;
}

/* Neighbours that give nothing, as all but the steepest with spread 0, do not hold it down. */
static void only_givers_limit_deposition(void **state) {
    (void)state;
    float *change = spread_down(0, 0, 3);
    print_message("%.2f m lie below the slope's head\n", (double)change[3 * 32 + 16]);
    assert_true(change[3 * 32 + 16] > 0.5f);
    free(change);
}

/* Where all ground rises alike, sediment lies as if none did. */
static void even_uplift_changes_no_deposition(void **state) {
    (void)state;
    float *still = spread_down(1, 0, 25), *rising = spread_down(1, 1e-4, 25);
    double most = 0, apart = 0;
    for (int i = 0; i < 32 * 32; i++) {
        most = fmax(most, fabs((double)still[i]));
        apart = fmax(apart, fabs((double)still[i] - (double)rising[i]));
    }
    print_message("%.3f m lie down, %.4f m otherwise\n", most, apart);
    assert_true(most > 0.04 && apart < 0.005);
    free(still);
    free(rising);
}

/* Ground that slides into a hole has the same slope in all directions. A limit to each neighbour alone would leave a
 * pyramid with eight sides, and heights of 1.08 times the cone's. */
static void slides_leave_a_cone(void **state) {
    (void)state;
    enum { W = 81, MIDDLE = 40 };
    scene scene = rivers(W, W);
    const double slope = 0.5, top = slope * CELL_M * 25;
    double steepest_m = 0, flattest_m = 10;
    set(&scene, "U", 0);
    set(&scene, "K", 0);
    set(&scene, "S_c", slope);
    float *given = scene_field(&scene, "height");
    fill(given, &scene.def, (float)top);
    for (int k = 0; k < 9; k++) given[(MIDDLE + k / 3 - 1) * W + MIDDLE + k % 3 - 1] = k == 4 ? NAN : 0.0f;
    wadi_sim *sim = run(&scene, 400);
    float *height = field_of(sim, "height");
    for (int i = 0; i < W * W; i++) {
        const int x = abs(i % W - MIDDLE), y = abs(i / W - MIDDLE);
        const double away = hypot(x > 1 ? x - 1 : 0, y > 1 ? y - 1 : 0);
        if (away < 8 || away > 22) continue;
        const double found = (double)height[i] / (slope * CELL_M * away);
        steepest_m = fmax(steepest_m, found);
        flattest_m = fmin(flattest_m, found);
    }
    print_message("of the cone's height: %.3f to %.3f\n", flattest_m, steepest_m);
    assert_true(flattest_m > 0.99 && steepest_m < 1.04);
    free(height);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Near the end of a valley with a straight river the floor is as wide as the drainage area asks, and flat but for a
 * gentle rise. What is cut away goes down the river. */
static void floors_are_as_wide_as_rivers_ask(void **state) {
    (void)state;
    enum { W = 200, H = 61, MIDDLE = 30 };
    static const double floors[] = {0.1, 0.2, 0.3};
    for (int f = 0; f < COUNT(floors); f++) {
        scene scene = rivers(W, H);
        set(&scene, "U", 0);
        set(&scene, "K", 0);
        set(&scene, "spread", 0);
        set(&scene, "floor", floors[f]);
        float *given = scene_field(&scene, "height");
        for (int i = 0; i < W * H; i++) given[i] = (float)(0.2 * (i % W) + 50 * abs(i / W - MIDDLE));
        wadi_sim *sim = run(&scene, 400);
        float *height = field_of(sim, "height");
        const wadi_mass mass = mass_of(sim);
        for (int x = 5; x < 30; x += 5) {
            const double asked = floors[f] * sqrt((W - x) * H); /* cells */
            int wide = 0;
            for (int y = 1; y < H - 1; y++) {
                const double above_m = (double)height[y * W + x] - (double)height[MIDDLE * W + x];
                wide += above_m <= CELL_M * abs(y - MIDDLE) / 64 + 1;
            }
            print_message("floor %g, column %d: %d cells wide, %.1f asked\n", floors[f], x, wide, asked);
            assert_true(fabs(wide - asked) < 1 + 0.1 * asked);
        }
        assert_true(mass.solid.out > 0 && fabs(mass.solid.residual) < 1e-5 * mass.moved);
        free(height);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* The walls beside a floor move back by `lateral` metres a year, alike along an axis and a diagonal, where the river
 * asks for a wider floor. */
static void walls_retreat_at_their_speed(void **state) {
    (void)state;
    enum { N = 121, MIDDLE = 60, STEPS = 50 };
    const double cells_a_step = 0.02, wall_m = 50; /* higher from cell to cell */
    for (int askew = 0; askew < 2; askew++) {
        scene scene = rivers(N, N);
        set(&scene, "U", 0);
        set(&scene, "K", 0);
        set(&scene, "spread", 0);
        set(&scene, "floor", 1);
        set(&scene, "lateral", cells_a_step * CELL_M / 1000);
        float *given = scene_field(&scene, "height");
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                const double away = askew ? abs(x - y) / sqrt(2) : abs(y - MIDDLE),
                             along = askew ? (x + y) / sqrt(2) : x;
                given[y * N + x] = (float)(0.2 * along + wall_m * away);
            }
        wadi_sim *sim = run(&scene, 100);
        const int at = askew ? (30 + 14) * N + 30 - 14 : (MIDDLE + 20) * N + 30; /* 20 cells from the river */
        float *before = field_of(sim, "height");
        for (int window = 0; window < 3; window++) {
            OK(wadi_sim_step(sim, STEPS));
            float *after = field_of(sim, "height");
            const double moved = ((double)before[at] - (double)after[at]) / wall_m, asked = cells_a_step * STEPS;
            print_message("askew %d: the wall moved by %.2f cells, %.2f asked\n", askew, moved, asked);
            assert_true(fabs(moved - asked) < 0.12 * asked);
            free(before);
            before = after;
        }
        const wadi_mass mass = mass_of(sim);
        assert_true(mass.solid.out > 0 && fabs(mass.solid.residual) < 1e-5 * mass.moved);
        free(before);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Two hollows are dug into the bed of a river, and rock slides into them. Before their levels are known, they keep no
 * water that leaves as a flood: nowhere passes more than falls on the whole map. */
static void new_hollows_make_no_floods(void **state) {
    (void)state;
    enum { W = 96, H = 33, MIDDLE = 16 };
    scene scene = rivers(W, H);
    set(&scene, "U", 0);
    set(&scene, "G", 0.5);
    set(&scene, "S_c", 0.5);
    float *given = scene_field(&scene, "height");
    for (int i = 0; i < W * H; i++) given[i] = (float)(4 * (i % W) + 25 * abs(i / W - MIDDLE) + (i * 37 % 11) * 0.1);
    wadi_sim *sim = run(&scene, 150);
    float *change = field_of(sim, "change");
    for (int x = 30; x < 60; x += 15)
        for (int i = 0; i < 20; i++) change[(MIDDLE - 2 + i / 5) * W + x + i % 5] -= 60;
    OK(wadi_sim_set(sim, "change", change, W * H));
    free(change);
    double most = 0;
    for (int step = 0; step < 250; step++) {
        OK(wadi_sim_step(sim, 1));
        float *cells = drainage(&scene, sim);
        for (int i = 0; i < W * H; i++) most = fmax(most, (double)cells[i]);
        free(cells);
    }
    print_message("%.0f of %d cells\n", most, W * H);
    assert_true(most > W * H / 2.0 && most <= W * H);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* In a steep valley a floor rises to its sides, and cuts nothing off the river above it. */
static void floors_leave_the_river_above(void **state) {
    (void)state;
    enum { W = 120, H = 41, MIDDLE = 20 };
    scene scene = rivers(W, H);
    set(&scene, "U", 0);
    set(&scene, "K", 0);
    set(&scene, "spread", 0);
    set(&scene, "floor", 0.3);
    choose(&scene, "outlets", "low");
    float *given = scene_field(&scene, "height");
    for (int i = 0; i < W * H; i++) given[i] = (float)(10 * (i % W) + 50 * abs(i / W - MIDDLE));
    wadi_sim *sim = run(&scene, 300);
    float *height = field_of(sim, "height");
    double cut_m = 0, widened_m = 0;
    for (int x = 1; x < W; x++) {
        cut_m = fmax(cut_m, 10.0 * x - (double)height[MIDDLE * W + x]);
        widened_m = fmax(widened_m, 10.0 * x + 100 - (double)height[(MIDDLE + 2) * W + x]);
    }
    print_message("cut by %.2f m, its sides by %.0f m\n", cut_m, widened_m);
    assert_true(cut_m < 0.01 && widened_m > 50);
    free(height);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Where there is no soil nothing creeps. Half of the soil on both sides is a quarter of the diffusion. */
static void soil_creeps(void **state) {
    (void)state;
    enum { W = 24, H = 16 };
    wadi_sim *sims[3];
    scene scenes[3];
    for (int s = 0; s < 3; s++) {
        scenes[s] = rivers(W, H);
        scenes[s].def.boundary = WADI_CLOSED;
        set(&scenes[s], "U", 0);
        set(&scenes[s], "K", 0);
        set(&scenes[s], "D", s == 2 ? 0.25 : 1);
        set(&scenes[s], "soil", s == 1 ? 0.5 : 1);
        make_hills(&scenes[s], 200, 3);
        if (s == 0)
            for (int i = 0; i < W * H; i++) scene_field(&scenes[s], "soil")[i] = i % W < W / 2 ? 0 : 1;
        sims[s] = run(&scenes[s], 20);
    }
    float *half = field_of(sims[0], "change"), *soil = field_of(sims[1], "change"), *less = field_of(sims[2], "change");
    double moved = 0, sum = 0;
    for (int i = 0; i < W * H; i++) {
        assert_true(i % W >= W / 2 || half[i] == 0);
        assert_true(soil[i] == less[i]);
        moved = fmax(moved, fabs((double)half[i])), sum += (double)half[i];
    }
    assert_true(moved > 0.1 && fabs(sum) < 1e-4 * moved * W * H);
    free(half), free(soil), free(less);
    for (int s = 0; s < 3; s++) wadi_sim_destroy(sims[s]), scene_free(&scenes[s]);
}

static double triangle(double v) { return 1 - 4 * fabs(v - nearbyint(v)); }
static double layer_at(double height_m, double bed_m) {
    const double v = height_m / bed_m, h = 2 * triangle(v + 0.5 * triangle(0.29 * v));
    return fmax(fmin(h, 1), -1);
}

/* A wall that slides ends as steps: hard layers stand at S_c (1 + strata), soft ones at S_c (1 - strata). */
static void hard_layers_stand_steep(void **state) {
    (void)state;
    enum { W = 200, H = 9 };
    const double slope = 0.5, strata = 0.6, bed = 900;
    scene scene = rivers(W, H);
    scene.def.boundary = WADI_CLOSED;
    set(&scene, "U", 0);
    set(&scene, "K", 0);
    set(&scene, "S_c", slope);
    set(&scene, "strata", strata);
    set(&scene, "bed", bed);
    float *given = scene_field(&scene, "height");
    for (int i = 0; i < W * H; i++) given[i] = i % W > 0 ? 5000.0f : 0.0f;
    wadi_sim *sim = run(&scene, 400);
    float *height = field_of(sim, "height");
    double steps_m[2] = {0}, cells[2] = {0};
    for (int x = 1; x < W && (double)height[x] < 4900; x++) {
        const double step = (double)height[x] - (double)height[x - 1], layer = layer_at((double)height[x], bed);
        assert_true(step <= 1.001 * CELL_M * slope * (1 + strata * layer) + 1e-3);
        if (fabs(layer) < 1) continue;
        steps_m[layer > 0] += step;
        cells[layer > 0]++;
    }
    print_message("slopes of soft and hard layers: %.3f, %.3f\n", steps_m[0] / cells[0] / CELL_M,
                  steps_m[1] / cells[1] / CELL_M);
    assert_true(fabs(steps_m[0] / cells[0] / CELL_M / (slope * (1 - strata)) - 1) < 0.02);
    assert_true(fabs(steps_m[1] / cells[1] / CELL_M / (slope * (1 + strata)) - 1) < 0.02);
    free(height);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* A river cuts soft layers faster: in a step by K (1 + strata), hard ones by K (1 - strata). Where layers dip, their
 * heights are counted from the map bed_level. Where strata is 0 all rock is alike. */
static void rivers_cut_soft_layers(void **state) {
    (void)state;
    enum { W = 60, H = 9 };
    const double strata = 0.5, bed = 700, fall_m = 40, F = CELL_M * ERODIBILITY * 1000;
    for (int dips = 0; dips < 2; dips++) {
        scene scene = rivers(W, H);
        set(&scene, "U", 0);
        set(&scene, "strata", strata);
        set(&scene, "bed", bed);
        const double level_m = dips ? 5000 : 0, dip_m = dips ? -25 : 0;
        float *given = scene_field(&scene, "height"), *level = dips ? scene_field(&scene, "bed_level") : NULL;
        float *share = dips ? scene_field(&scene, "strata") : NULL;
        for (int i = 0; i < W * H; i++) {
            given[i] = (float)(fall_m * (i % W));
            if (level != NULL) level[i] = (float)(level_m + dip_m * (i % W));
            if (share != NULL) share[i] = i % W < W / 3 ? 0.0f : (float)strata;
        }
        wadi_sim *sim = run(&scene, 1); /* in which each cell has its own rain alone */
        float *height = field_of(sim, "height");
        for (int x = 2; x < W - 1; x++) {
            const double b = fall_m * x, layer = layer_at(b - (level_m + dip_m * x), bed);
            const double power = F * (1 - (dips && x < W / 3 ? 0 : strata) * layer);
            const double cut = power * fall_m / (CELL_M + power), found = b - (double)height[(H / 2) * W + x];
            assert_true(fabs(found - cut) < 0.002 * cut + 1e-3);
        }
        free(height);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* With bed_variety each hard layer has a hardness of its own, from 1 - bed_variety to 1. Soft ones are alike. */
static void hard_layers_differ(void **state) {
    (void)state;
    enum { W = 400, H = 5, LAYERS = 60 };
    const double strata = 0.5, bed = 200, differ = 0.8, fall_m = 20, F = CELL_M * ERODIBILITY * 1000;
    scene scene = rivers(W, H);
    set(&scene, "U", 0);
    set(&scene, "strata", strata);
    set(&scene, "bed", bed);
    set(&scene, "bed_variety", differ);
    float *given = scene_field(&scene, "height");
    for (int i = 0; i < W * H; i++) given[i] = (float)(fall_m * (i % W));
    wadi_sim *sim = run(&scene, 1); /* in which each cell has its own rain alone */
    float *height = field_of(sim, "height");
    double found[LAYERS], least = 1, most = -1;
    int layers = 0;
    for (int n = 0; n < LAYERS; n++) found[n] = -1;
    for (int x = 2; x < W - 1; x++) {
        const double b = fall_m * x, v = b / bed, cut = b - (double)height[(H / 2) * W + x];
        const double hard = (1 - cut * CELL_M / (fall_m - cut) / F) / strata;
        const int n = (int)nearbyint(v + 0.5 * triangle(0.29 * v));
        if (layer_at(b, bed) == -1) assert_true(fabs(hard + 1) < 0.01);
        if (layer_at(b, bed) < 1) continue;
        assert_true(hard > 1 - differ - 0.01 && hard < 1.01);
        assert_true(found[n] < 0 || fabs(found[n] - hard) < 0.01); /* all of a layer is alike */
        layers += found[n] < 0;
        found[n] = hard, least = fmin(least, hard), most = fmax(most, hard);
    }
    print_message("hardness of %d hard layers: %.2f to %.2f\n", layers, least, most);
    assert_true(layers > 30 && least < 0.35 && most > 0.85);
    free(height);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* What stands at the border above its lowest neighbour by more than S_c slides out. Else base level keeps its height.
 */
static void a_pillar_at_the_border_slides(void **state) {
    (void)state;
    scene scene = rivers(12, 9);
    set(&scene, "S_c", 0.5);
    set(&scene, "U", 0);
    fill(scene_field(&scene, "height"), &scene.def, 10);
    scene_field(&scene, "height")[5] = 300;
    scene_field(&scene, "height")[8 * 12 + 7] = 75;
    wadi_sim *sim = run(&scene, 3);
    float *height = field_of(sim, "height");
    wadi_mass mass;
    OK(wadi_sim_mass(sim, &mass));
    assert_true(fabs((double)height[5] - (10 + 0.5 * sqrt(2) * CELL_M)) < 1e-3);
    assert_true(height[8 * 12 + 7] >= 75 && height[8 * 12 + 7] <= 75);
    assert_true(fabs(mass.solid.out / ((300 - (double)height[5]) * CELL_M * CELL_M) - 1) < 1e-6);
    free(height);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* With low outlets only the bottom of a valley at the border keeps its height. The rim above is cut, as all else. */
static void high_rims_are_no_outlets(void **state) {
    (void)state;
    enum { W = 24, H = 17 };
    scene scene = rivers(W, H);
    set(&scene, "outlets", 1);
    set(&scene, "U", 0);
    float *given = scene_field(&scene, "height");
    for (int i = 0; i < W * H; i++) given[i] = (float)(20 * (i / W) + 7 * abs(i % W - 9));
    wadi_sim *sim = run(&scene, 400);
    float *change = field_of(sim, "change");
    wadi_mass mass;
    OK(wadi_sim_mass(sim, &mass));
    assert_true(change[9] <= 0 && change[9] >= 0); /* the outlet */
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, y = i / W;
        const bool rim = x == 0 || y == 0 || x == W - 1 || y == H - 1;
        assert_true(!rim || (x == 9 && y == 0) || change[i] < -1);
    }
    assert_true(fabs(mass.solid.residual) < 1e-5 * mass.moved);
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* What a coarser grid changed is not carried to base level: the slope beside it would lower it. */
static void base_level_keeps_its_height(void **state) {
    (void)state;
    for (int open = 0; open < 2; open++) {
        scene scene = rivers(12, 9);
        scene.def.boundary = open ? WADI_OPEN : WADI_CLOSED;
        make_hills(&scene, 20, 3);
        wadi_sim *sim = start(&scene);
        float *change = field_of(sim, "change");
        for (int i = 0; i < 12 * 9; i++) change[i] = -5;
        OK(wadi_sim_set(sim, "change", change, 12 * 9));
        free(change);
        change = field_of(sim, "change");
        for (int i = 0; i < 12 * 9; i++) {
            const bool rim = i % 12 == 0 || i % 12 == 11 || i / 12 == 0 || i / 12 == 8;
            assert_true(change[i] < -4 ? !(rim && open) : rim && open && change[i] >= 0);
        }
        free(change);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_slopes_follow_the_area),
        cmocka_unit_test(planes_are_cut_alike_in_all_directions),
        cmocka_unit_test(one_dimension_is_as_computed),
        cmocka_unit_test(a_steady_range_gives_what_it_gets),
        cmocka_unit_test(masked_ground_stays),
        cmocka_unit_test(base_level_keeps_its_height),
        cmocka_unit_test(hollows_fill_without_piles),
        cmocka_unit_test(sediment_rests_below_its_source),
        cmocka_unit_test(only_givers_limit_deposition),
        cmocka_unit_test(even_uplift_changes_no_deposition),
        cmocka_unit_test(slides_leave_a_cone),
        cmocka_unit_test(floors_are_as_wide_as_rivers_ask),
        cmocka_unit_test(walls_retreat_at_their_speed),
        cmocka_unit_test(hard_layers_stand_steep),
        cmocka_unit_test(rivers_cut_soft_layers),
        cmocka_unit_test(a_pillar_at_the_border_slides),
        cmocka_unit_test(high_rims_are_no_outlets),
        cmocka_unit_test(new_hollows_make_no_floods),
        cmocka_unit_test(floors_leave_the_river_above),
        cmocka_unit_test(soil_creeps),
        cmocka_unit_test(hard_layers_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
