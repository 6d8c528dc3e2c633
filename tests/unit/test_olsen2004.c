/* olsen2004: one step of each algorithm by hand, final slopes, what is flattened and what is kept, and which cells
 * exchange material. labels: physics */
#include "scene.h"

enum {
    SLIP,
    SLIP_FAST,
    SEEP,
    SEEP_FAST,
    TERRACES,
    SLIP_1989,
    SEEP_1989,
    SLIP_ISOTROPIC
}; /* numbers of its scene's forms */

static scene made(int method, int width, int height, wadi_boundary boundary) {
    scene scene = scene_of("olsen2004", width, height, 1);
    choose_form(&scene, method);
    scene.def.boundary = boundary;
    return scene;
}

/* Within the granularity to which slippage is rounded. */
static void near(const char *what, float found, double expected) {
    if (fabs((double)found - expected) > 1e-5) fail_msg("%s: %.7f, %.7f expected", what, (double)found, expected);
}

/* --- a step by hand --- */

/* A peak of 6 m next to a hole of 2 m: relief 8, T = 8/5. */
static void slippage_follows_the_formula(void **state) {
    (void)state;
    for (int original = 0; original < 2; original++) {
        scene scene = made(original ? SLIP_1989 : SLIP, 5, 5, WADI_CLOSED);
        set(&scene, "T", 1);
        scene.field[0][12] = 6;
        scene.field[0][13] = -2;
        wadi_sim *sim = run(&scene, 1);
        float *change = field_of(sim, "change");
        const double T = 1.6;
        const double given = 0.5 * (original ? (7 * (6 - T) + (8 - T)) / 8 : 8 - T);
        const double hole = original ? (8 - T) / (7 * (6 - T) + (8 - T)) : 8.0 / (7 * 6 + 8);
        near("the peak", change[12], -given);
        near("beside it", change[11], given * (1 - hole) / 7);
        /* the hole also gets material from the flat cells around it */
        const double flat = 0.5 * (2 - T), in_hole = given * hole + 7 * flat;
        near("the hole", change[13], in_hole);
        free(change);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void optimised_slippage_goes_to_the_lowest_corner(void **state) {
    (void)state;
    scene scene = made(SLIP_FAST, 5, 5, WADI_CLOSED);
    set(&scene, "T", 1); /* 8/5 m */
    scene.field[0][12] = 6;
    scene.field[0][6] = scene.field[0][18] = -2; /* two equal corners */
    scene.field[0][11] = -2;                     /* not one of its corners */
    wadi_sim *sim = run(&scene, 1);
    float *change = field_of(sim, "change");
    near("the peak", change[12], -0.5 * (8 - 1.6));
    near("a corner", change[18], 0.5 * 0.5 * (8 - 1.6) + 3 * 0.5 * (2 - 1.6));
    near("the other corners", change[8], 0);
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* The same peak and hole: falls of 6 and 8 m, so a slope of 10 m a cell. */
static void isotropic_slippage_goes_by_its_slope(void **state) {
    (void)state;
    scene scene = made(SLIP_ISOTROPIC, 5, 5, WADI_CLOSED);
    set(&scene, "T", 1); /* 8/5 m */
    scene.field[0][12] = 6;
    scene.field[0][13] = -2;
    wadi_sim *sim = run(&scene, 1);
    float *change = field_of(sim, "change");
    const double given = 0.5 * 8 * (1 - 1.6 / 10);
    near("the peak", change[12], -given);
    near("beside it", change[11], given * 6 / 26);
    near("the hole", change[13], given * 8 / 26 + 3 * 0.5 * (2 - 1.6));
    near("a corner", change[6], 0);
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* 1 m of water on one cell of a flat bed, without rain: the state after one step. */
static void water_follows_the_formula(void **state) {
    (void)state;
    static const struct {
        int method;
        double centre_w, centre_b, beside_w, beside_b, corner_w, corner_b, flow;
    } cases[] = {
        {SEEP, 0.1, -0.09, 0.05, 0.005, 0.05, 0.005, 0.4},                            /* 0.8 m of it to eight */
        {SEEP_FAST, 0.275, -0.0725, 0, 0, 0.05625, 0.005625, 0.225},                  /* 0.45 m to four corners */
        {SEEP_1989, 1.0 / 18, -0.1 * 0.1 * 8 / 9, 1.0 / 18, 0, 1.0 / 18, 0, 4.0 / 9}, /* Ks of Kc*8/9 */
    };
    for (int i = 0; i < COUNT(cases); i++) {
        scene scene = made(cases[i].method, 5, 5, WADI_CLOSED);
        set(&scene, "Kr", 0);
        scene_field(&scene, "water")[12] = 1;
        wadi_sim *sim = run(&scene, 1);
        float *change = field_of(sim, "change"), *water = field_of(sim, "water");
        near("water in the middle", water[12], cases[i].centre_w);
        near("bed in the middle", change[12], cases[i].centre_b);
        near("water beside", water[11], cases[i].beside_w);
        near("bed beside", change[11], cases[i].beside_b);
        near("water at the corner", water[6], cases[i].corner_w);
        near("bed at the corner", change[6], cases[i].corner_b);
        float *flow = field_of(sim, "flow"); /* half of inflow plus outflow, m3/s */
        near("flow in the middle", flow[12], cases[i].flow);
        free(flow);
        free(change);
        free(water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* --- final slopes --- */

static const int way[8][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, 1}, {1, -1}, {-1, 1}};

/* The largest difference to a neighbour in directions from .. to - 1, in units of relief/N. */
static double steepest(const scene *scene, const float *height, int from, int to, double relief) {
    const int w = scene->def.width, h = scene->def.height;
    double most = 0;
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            for (int n = from; n < to; n++) {
                const double fall = (double)height[y * w + x] - (double)height[(y + way[n][1]) * w + x + way[n][0]];
                most = fall > most ? fall : most;
            }
    return most * (w > h ? w : h) / relief;
}

static void shape(scene *scene, int number) {
    const int w = scene->def.width, h = scene->def.height;
    for (int i = 0; i < w * h; i++) {
        const double x = i % w + 0.5 - 0.5 * w, y = i / w + 0.5 - 0.5 * h, cone = 0.45 * w - sqrt(x * x + y * y);
        scene->field[0][i] = number == 0 ? (float)(cone > 0 ? cone : 0) : number == 1 && i / w == h / 2 ? 6.0f : 0.0f;
    }
    if (number == 2) make_hills(scene, 30, 91);
}

static void slopes_end_at_the_talus(void **state) {
    (void)state;
    double across = 0;
    for (int number = 0; number < 3; number++)
        for (int variant = 0; variant < 6; variant++) {
            static const int variants[] = {SLIP, SLIP_1989, SLIP_FAST};
            scene scene = made(variants[variant % 3], 32, 24, variant < 3 ? WADI_CLOSED : WADI_WRAP);
            const bool corners = variant % 3 == 2;
            shape(&scene, number);
            set(&scene, "T", 2);
            wadi_sim *sim = start(&scene);
            float low = INFINITY, high = -INFINITY;
            for (size_t i = 0; i < cells_of(&scene.def); i++) {
                low = fminf(low, scene.field[0][i]);
                high = fmaxf(high, scene.field[0][i]);
            }
            OK(wadi_sim_step(sim, 3000));
            float *height = field_of(sim, "height");
            const double relief = (double)high - (double)low;
            assert_true(steepest(&scene, scene.field[0], 4, 8, relief) > 2.2);
            const double last = steepest(&scene, height, corners ? 4 : 0, 8, relief);
            if (last > 2 * 1.01) fail_msg("shape %d variant %d: %.3f, T is 2", number, variant, last);
            if (corners) across = fmax(across, steepest(&scene, height, 0, 4, relief));
            const wadi_mass mass = mass_of(sim);
            if (!(mass.moved > 1 && fabs(mass.solid.residual) <= 1e-6 * mass.moved))
                fail_msg("shape %d variant %d: residual %g of %g", number, variant, mass.solid.residual, mass.moved);
            free(height);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
    print_message("optimised, T = 2: nothing over it along diagonals, up to %.2f along rows and columns\n", across);
    assert_true(across > 2.2);
}

static double height_at(const float *height, int width, double x, double y) {
    const int left = (int)floor(x), top = (int)floor(y);
    const double ax = x - left, ay = y - top;
    const float *at = height + top * width + left;
    return (1 - ay) * ((1 - ax) * (double)at[0] + ax * (double)at[1]) +
           ay * ((1 - ax) * (double)at[width] + ax * (double)at[width + 1]);
}

/* The slope of a cone at rest, from 10 to 30 cells off its centre, in a direction given in degrees; `talus` m a cell.
 */
static double cones_slope(int method, double talus, double degrees) {
    enum { WIDTH = 97 };
    scene scene = made(method, WIDTH, WIDTH, WADI_CLOSED);
    for (int i = 0; i < WIDTH * WIDTH; i++)
        scene.field[0][i] = (float)fmax(0, 30 - 1.2 * hypot(i % WIDTH - 48, i / WIDTH - 48));
    set(&scene, "T", talus * WIDTH / 30);
    wadi_sim *sim = run(&scene, 3000);
    float *height = field_of(sim, "height");
    const double x = cos(degrees * acos(-1) / 180), y = sin(degrees * acos(-1) / 180);
    const double slope =
        (height_at(height, WIDTH, 48 + 10 * x, 48 + 10 * y) - height_at(height, WIDTH, 48 + 30 * x, 48 + 30 * y)) / 20;
    free(height);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return slope;
}

/* Olsen compares falls to corners, sqrt(2) as far, with the same T. So his talus is gentler between the axes. */
static void talus_of_a_cone(void **state) {
    (void)state;
    static const double degrees[] = {0, 22.5, 45, 67.5};
    static const double olsen[] = {0.485, 0.43, 0.354, 0.43};
    for (int i = 0; i < COUNT(degrees); i++) {
        const double paper = cones_slope(SLIP, 0.5, degrees[i]), ours = cones_slope(SLIP_ISOTROPIC, 0.5, degrees[i]);
        print_message("%g degrees: thermal %.3f, isotropic %.3f m a cell, T is 0.5\n", degrees[i], paper, ours);
        assert_true(fabs(paper - olsen[i]) < 0.015);
        assert_true(fabs(ours - 0.5) < 0.015);
    }
}

/* The corners of a cell have the parity of its x + y. So there are two sets of cells, joined only on a periodic grid of
 * odd size. */
static void corners_make_two_families(void **state) {
    (void)state;
    static const int methods_[] = {SLIP_FAST, TERRACES, SEEP_FAST, SLIP};
    for (int i = 0; i < 16; i++) {
        const int method = methods_[i % 4], size = i & 4 ? 25 : 24;
        scene scene = made(method, size, size, i & 8 ? WADI_WRAP : WADI_CLOSED);
        make_hills(&scene, 20, 17);
        set(&scene, "Ke", 0.2);
        wadi_sim *sim = run(&scene, 60);
        float *change = field_of(sim, "change"), *sediment = field_of(sim, "sediment");
        double family = 0, moved = 0;
        for (int c = 0; c < size * size; c++) {
            if ((c % size + c / size) % 2 == 0) family += (double)change[c] + (double)sediment[c];
            moved += fabs((double)change[c]);
        }
        const bool apart = method != SLIP && !(i & 4 && i & 8);
        if ((fabs(family) < 1e-5 * moved) != apart) fail_msg("%d: %g of %g changed families", i, family, moved);
        free(change);
        free(sediment);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* --- the fast form --- */

static void flat_ground_flattens_and_cliffs_stay(void **state) {
    (void)state;
    for (int paper = 0; paper < 2; paper++) {
        scene scene = made(TERRACES, 32, 32, WADI_CLOSED);
        set(&scene, "c_fast", paper ? 0.25 : 0.1);
        fill_random(scene.field[0], &scene.def, 0, 2, 5);
        for (int i = 0; i < 1024; i++) scene.field[0][i] += i % 32 < 16 ? 30.0f : 0.0f; /* T is 12/32 of 32 m */
        wadi_sim *sim = run(&scene, 300);
        float *height = field_of(sim, "height");
        double cliff = 1e9, rough = 0, before = 0;
        for (int y = 1; y < 32; y++) {
            cliff = fmin(cliff, (double)height[y * 32 + 15] - (double)height[y * 32 + 16]);
            for (int x = 1; x < 32; x++) {
                const int c = y * 32 + x, corner = c - 33;
                if (x > 13 && x < 19) continue; /* material at the cliff stays, because its way down is the cliff */
                rough = fmax(rough, fabs((double)height[c] - (double)height[corner]));
                before = fmax(before, fabs((double)scene.field[0][c] - (double)scene.field[0][corner]));
            }
        }
        print_message("c %.2f: a cliff of 28 to 32 m keeps %.1f m, roughness falls from %.2f m to %.3f m\n",
                      paper ? 0.25 : 0.1, cliff, before, rough);
        assert_true(cliff > 27 && rough < (paper ? 0.3 : 0.1) * before);
        free(height);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* A ramp moves if it falls by at most T a cell: the opposite of talus. */
static void the_fast_form_is_the_opposite_of_talus(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        scene scene = made(i & 1 ? TERRACES : SLIP_FAST, 9, 9, WADI_CLOSED);
        for (int c = 0; c < 81; c++) scene.field[0][c] = (float)(c / 9); /* relief 8 */
        set(&scene, i & 1 ? "T_fast" : "T", 9.0 / 8 * (i & 2 ? 1.01 : 0.99));
        wadi_sim *sim = run(&scene, 1);
        const bool moved = mass_of(sim).moved > 0;
        assert_true(moved == ((i & 1) == (i >> 1 & 1)));
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* --- water --- */

/* Water released on one side of an uneven basin becomes level; in the optimised form, within each of the two sets. */
static void lakes_level_out(void **state) {
    (void)state;
    static const int wet[] = {SEEP, SEEP_1989, SEEP_FAST};
    for (int i = 0; i < 3; i++) {
        scene scene = made(wet[i], 20, 20, WADI_CLOSED);
        set(&scene, "Kr", 0);
        set(&scene, "Ke", 0);
        set(&scene, "Ks", 0);
        set(&scene, "Kc", 0);
        set(&scene, "levelling", 0.2);
        make_hills(&scene, 2, 3);
        for (int c = 0; c < 400; c++) scene_field(&scene, "water")[c] = c % 20 < 5 ? 20 : 0;
        wadi_sim *sim = run(&scene, 4000);
        float *water = field_of(sim, "water");
        double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
        for (int c = 0; c < 400; c++) {
            const int family = wet[i] == SEEP_FAST ? (c % 20 + c / 20) % 2 : 0;
            const double level = (double)water[c] + (double)scene.field[0][c];
            low[family] = fmin(low[family], level);
            high[family] = fmax(high[family], level);
        }
        for (int family = 0; family < 2; family++)
            if (high[family] - low[family] > 1e-3)
                fail_msg("method %d: levels from %.5f to %.5f", wet[i], low[family], high[family]);
        free(water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* The result does not depend on the unit of height: twice the heights give twice the change, bit for bit. */
static void heights_are_scaled_in_and_out(void **state) {
    (void)state;
    for (int method = 0; method <= SLIP_ISOTROPIC; method++) {
        float *change[2];
        for (int twice = 0; twice < 2; twice++) {
            scene scene = made(method, 20, 14, WADI_WRAP);
            make_hills(&scene, 20, 6);
            for (int c = 0; c < 280; c++) scene.field[0][c] *= (float)(1 + twice);
            wadi_sim *sim = run(&scene, 40);
            change[twice] = field_of(sim, "change");
            assert_true(mass_of(sim).moved > 1);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
        for (int c = 0; c < 280; c++)
            if (fabs((double)change[1][c] - 2 * (double)change[0][c]) > 1e-30)
                fail_msg("method %d: %g and %g", method, (double)change[0][c], (double)change[1][c]);
        free(change[0]);
        free(change[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slippage_follows_the_formula),
        cmocka_unit_test(optimised_slippage_goes_to_the_lowest_corner),
        cmocka_unit_test(isotropic_slippage_goes_by_its_slope),
        cmocka_unit_test(water_follows_the_formula),
        cmocka_unit_test(slopes_end_at_the_talus),
        cmocka_unit_test(talus_of_a_cone),
        cmocka_unit_test(corners_make_two_families),
        cmocka_unit_test(flat_ground_flattens_and_cliffs_stay),
        cmocka_unit_test(the_fast_form_is_the_opposite_of_talus),
        cmocka_unit_test(lakes_level_out),
        cmocka_unit_test(heights_are_scaled_in_and_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
