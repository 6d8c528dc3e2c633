/* braun1999: steady ice on a plane, a spreading dome against Halfar's solution, wear by hand, valleys that become
 * troughs, and ice in the sea. labels: physics */
#include "scene.h"

#define CELL_M 100.0

/* Snow everywhere, on no wear, at steps of 20 years. */
static scene snowfield(int width, int height) {
    scene scene = scene_of("braun1999", width, height, CELL_M);
    scene.def.boundary = WADI_OPEN;
    scene.def.allow_out_of_range = true;
    choose(&scene, "line", "height");
    set(&scene, "ela", -1e5);
    set(&scene, "dt", 20);
    set(&scene, "P", 1);
    set(&scene, "beta", 1);
    set(&scene, "hold", 100);
    set(&scene, "f_d", 0);
    set(&scene, "f_s", 1);
    set(&scene, "frozen", 0);
    set(&scene, "fastest", 1e6);
    set(&scene, "lambda", 0);
    set(&scene, "K_g", 0);
    set(&scene, "S_c", 100);
    return scene;
}

static void tilt(scene *scene, double slope) {
    const int w = scene->def.width;
    for (int i = 0; i < w * scene->def.height; i++) scene->field[0][i] = (float)(slope * CELL_M * (w - i % w));
}

/* In the steady state the snow of all cells above flows through each cell. So the flux is P x. */
static void ice_flows_on_as_it_falls(void **state) {
    (void)state;
    for (int deforms = 0; deforms < 2; deforms++) {
        scene scene = snowfield(60, 5);
        set(&scene, "f_d", deforms ? 1e-4 : 0);
        tilt(&scene, 0.2);
        wadi_sim *sim = run(&scene, 4000);
        float *ice = field_of(sim, "ice"), *height = field_of(sim, "height");
        for (int x = 1; x < 58; x++) {
            const int i = 2 * 60 + x;
            const double h = (double)ice[i], f_d = deforms ? 1e-4 : 0;
            const double S = ((double)height[i] + h - (double)height[i + 1] - (double)ice[i + 1]) / CELL_M;
            const double flux = (f_d * h * h + 1) * pow(h * S, 3), falls = (x + 1) * CELL_M;
            if (!(fabs(flux / falls - 1) < 2e-3)) fail_msg("x = %d: flux %g, snow %g m2/a", x, flux, falls);
        }
        free(ice);
        free(height);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* A dome of ice that deforms, on a flat bed, without snow (Halfar 1983, in two dimensions). */
static double halfar(double t, double r, double H0, double R0) {
    const double far = pow(t, -1.0 / 18) * r / R0;
    return far < 1 ? H0 * pow(t, -1.0 / 9) * pow(1 - pow(far, 4.0 / 3), 3.0 / 7) : 0;
}

static double distance(int cell, int side, int middle) {
    const int x = cell % side - middle, y = cell / side - middle;
    return CELL_M * sqrt((double)(x * x + y * y));
}

static void a_dome_spreads_as_halfar_says(void **state) {
    (void)state;
    enum { SIDE = 31, MIDDLE = SIDE / 2 };
    const double H0 = 100, R0 = 9 * CELL_M, f_d = 1e-9;
    const double t0 = pow(7.0 / 4, 3) * pow(R0, 4) / pow(H0, 7) / (18 * f_d); /* a */
    scene scene = snowfield(SIDE, SIDE);
    set(&scene, "P", 0);
    set(&scene, "beta", 0);
    set(&scene, "f_s", 0);
    set(&scene, "f_d", f_d);
    const int steps = 20000;
    set(&scene, "dt", 4 * t0 / steps); /* from t0 to 5 t0 */
    float *ice = scene_field(&scene, "ice");
    double before = 0, after = 0, off = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double r = distance(i, SIDE, MIDDLE);
        before += (double)(ice[i] = (float)halfar(1, r, H0, R0));
    }
    wadi_sim *sim = run(&scene, steps);
    float *found = field_of(sim, "ice");
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double r = distance(i, SIDE, MIDDLE);
        off += fabs((double)found[i] - halfar(5, r, H0, R0));
        after += (double)found[i];
    }
    const double middle = (double)found[MIDDLE * SIDE + MIDDLE] / halfar(5, 0, H0, R0);
    print_message("middle %.4f, volume %.4f, off by %.4f\n", middle, after / before, off / before);
    assert_true(fabs(middle - 1) < 0.03 && fabs(after / before - 1) < 0.03 && off / before < 0.1);
    free(found);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* A slab of ice on a plane: K_g u dt, at a right angle to the bed. lambda evens out nothing where all is even. */
static void a_step_wears_as_fast_as_ice_slides(void **state) {
    (void)state;
    static const struct {
        double l, lambda, frozen, fastest, u; /* u: m/a, 40 by the law of sliding */
    } cases[] = {{1, 0, 0, 100, 40},
                 {2, 0, 0, 100, 40},
                 {1, 500, 0, 100, 40 / (1 + 4 * 25.0)}, /* the first of the steps that even it out */
                 {1, 0, 200, 100, 20},
                 {1, 0, 0, 15, 15}};
    for (int i = 0; i < COUNT(cases); i++) {
        scene scene = snowfield(9, 9);
        const double S = 0.1;
        set(&scene, "K_g", 1e-4);
        set(&scene, "l", cases[i].l);
        set(&scene, "lambda", cases[i].lambda);
        set(&scene, "frozen", cases[i].frozen);
        set(&scene, "fastest", cases[i].fastest);
        tilt(&scene, S);
        fill(scene_field(&scene, "ice"), &scene.def, 200);
        wadi_sim *sim = run(&scene, 1);
        float *change = field_of(sim, "change"), *sediment = field_of(sim, "sediment");
        const double u = cases[i].u;
        const double worn = 1e-4 * u * pow(u / cases[i].fastest, cases[i].l - 1) * 20 * sqrt(1 + S * S);
        if (!(fabs(-(double)change[40] / worn - 1) < 1e-3))
            fail_msg("case %d: worn %g, %g expected", i, -(double)change[40], worn);
        assert_true(fabs((double)sediment[40] / worn - 1) < 1e-3);
        free(change);
        free(sediment);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Where the bed rises against the flow, 1.5 times as steeply as the ice falls, it is not worn; at half of that, half as
 * much. */
static void a_rising_bed_is_worn_less(void **state) {
    (void)state;
    static const double rises[] = {-0.05, 0, 0.075, 0.15, 0.3}, shares[] = {1, 1, 0.5, 0, 0};
    for (int i = 0; i < COUNT(rises); i++) {
        scene scene = snowfield(9, 9);
        const double S = 0.1;
        set(&scene, "K_g", 1e-4);
        float *ice = scene_field(&scene, "ice");
        for (int c = 0; c < 81; c++) {
            const double x = CELL_M * (c % 9 - 4);
            scene.field[0][c] = (float)(500 + rises[i] * x);
            ice[c] = (float)(200 - S * x - rises[i] * x);
        }
        wadi_sim *sim = run(&scene, 1);
        float *change = field_of(sim, "change");
        const double worn = 1e-4 * 200 * 200 * S * S * S * 20 * sqrt(1 + rises[i] * rises[i]) * shares[i];
        if (!(fabs(-(double)change[40] - worn) < 2e-3 * (worn + 0.01)))
            fail_msg("rise %g: worn %g, %g expected", rises[i], -(double)change[40], worn);
        free(change);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* In a hollow whose ice falls to no side nothing is worn, though ice slides on all sides (lambda). Else the ends of
 * glaciers dig pits. */
static void ice_digs_no_pits(void **state) {
    (void)state;
    enum { W = 9, MIDDLE = 40 };
    scene scene = snowfield(W, W);
    set(&scene, "K_g", 1e-4);
    set(&scene, "lambda", 1000);
    float *ice = scene_field(&scene, "ice");
    for (int i = 0; i < W * W; i++) {
        const int x = i % W, y = i / W;
        scene.field[0][i] = (float)(500 + 40 * hypot(x - 4, y - 4));
        ice[i] = 100;
    }
    wadi_sim *sim = run(&scene, 5);
    float *change = field_of(sim, "change"), *slides = field_of(sim, "u");
    assert_true(slides[MIDDLE] > 1 && change[MIDDLE] == 0 && change[MIDDLE + 1] < -0.01f);
    free(change);
    free(slides);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Heights over a cross-section go as distance^b: 1 in a V, about 2 in a trough (Harbor 1992). */
static double form_of_section(const float *height, int width, int y, int middle) {
    const float *row = height + y * width;
    const double near = (double)(row[middle - 3] + row[middle + 3]) / 2 - (double)row[middle];
    const double far = (double)(row[middle - 6] + row[middle + 6]) / 2 - (double)row[middle];
    return log2(far / near);
}

static void a_valley_becomes_a_trough(void **state) {
    (void)state;
    enum { W = 41, H = 60 };
    scene scene = snowfield(W, H);
    set(&scene, "ela", 1900);
    set(&scene, "beta", 0.007);
    set(&scene, "P", 1.5);
    set(&scene, "f_d", 4e-5);
    set(&scene, "f_s", 1.3);
    set(&scene, "fastest", 400);
    set(&scene, "lambda", 300);
    set(&scene, "k_c", 1000);
    set(&scene, "K_g", 1e-4);
    set(&scene, "S_c", 2);
    for (int i = 0; i < W * H; i++) {
        const int up = H - i / W, aside = abs(i % W - W / 2);
        scene.field[0][i] = (float)(1500 + 0.1 * CELL_M * up + 0.4 * CELL_M * aside);
    }
    wadi_sim *sim = run(&scene, 1500);
    float *height = field_of(sim, "height"), *ice = field_of(sim, "ice");
    for (int y = 15; y < 45; y += 10) {
        const double b = form_of_section(height, W, y, W / 2);
        print_message("y = %d: ice %.0f m, b = %.2f\n", y, (double)ice[y * W + W / 2], b);
        assert_true(b > 1.4 && b < 2.5);
    }
    free(height);
    free(ice);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Where ice would float it breaks off. So beyond the front there is next to none. */
static void ice_ends_where_it_floats(void **state) {
    (void)state;
    enum { W = 60 };
    scene scene = snowfield(W, 5);
    choose(&scene, "sea", "on");
    set(&scene, "sea_level", 300);
    set(&scene, "lambda", 500);
    set(&scene, "K_g", 1e-6);
    tilt(&scene, 0.1);
    wadi_sim *sim = run(&scene, 1500);
    float *ice = field_of(sim, "ice"), *height = field_of(sim, "height");
    float *change = field_of(sim, "change");
    double afloat = 0, most = 0;
    for (int x = 0; x < W; x++) {
        const double deep = 300 - (double)height[2 * W + x], h = (double)ice[2 * W + x];
        if (deep <= 0 && x > 0) assert_true(h > 5);
        if (h < 1.117 * deep) afloat = fmax(afloat, h);
        most = fmax(most, h);
        if (x > 0 && x < 25) assert_true(change[2 * W + x] < 0);
        if (x > 45) assert_true(change[2 * W + x] >= 0); /* and does not wear its bed */
    }
    free(change);
    print_message("%.1f m of ice, %.1f m afloat, %g at the end\n", most, afloat, (double)ice[3 * W - 1]);
    assert_true(most > 30 && afloat < 0.2 * most && ice[3 * W - 1] < 1);
    free(ice);
    free(height);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

static void a_line_above_the_terrain_is_said(void **state) {
    (void)state;
    scene scene = snowfield(20, 20);
    make_hills(&scene, 50, 3);
    for (int above = 0; above < 2; above++) {
        set(&scene, "ela", above ? 100 : 20);
        wadi_sim *sim = run(&scene, 20);
        const char *warning = wadi_sim_safety(sim).warning;
        assert_true((warning != NULL) == above);
        if (above) assert_non_null(strstr(warning, "no ice"));
        float *ice = field_of(sim, "ice");
        double most = 0;
        for (int i = 0; i < 400; i++) most = fmax(most, (double)ice[i]);
        assert_true((most > 0) == !above);
        free(ice);
        wadi_sim_destroy(sim);
    }
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ice_flows_on_as_it_falls),
        cmocka_unit_test(a_dome_spreads_as_halfar_says),
        cmocka_unit_test(a_step_wears_as_fast_as_ice_slides),
        cmocka_unit_test(a_rising_bed_is_worn_less),
        cmocka_unit_test(ice_digs_no_pits),
        cmocka_unit_test(a_valley_becomes_a_trough),
        cmocka_unit_test(ice_ends_where_it_floats),
        cmocka_unit_test(a_line_above_the_terrain_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
