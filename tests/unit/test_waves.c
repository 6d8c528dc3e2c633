/* Water without erosion: waves, dam breaks, the longest stable step, sub-steps, and basins that fill. labels: physics
 */
#include "scene.h"

#include "core/inside.h"

static scene water_only(const char *model, int width, int height, double l) {
    scene made = scene_of(model, width, height, l);
    made.def.allow_out_of_range = true;
    set(&made, "g", 9.81);
    set_rain(&made, 0);
    set(&made, "Ke", 0);
    set(&made, "cf", 0);
    set(&made, "Ks", 0);
    set(&made, "Kd", 0);
    choose_if(&made, "thermal", "off");
    return made;
}

/* --- dam breaks: high water left of the middle of a channel of LENGTH metres, low water right of it --- */

#define LENGTH 200.0

typedef struct dam {
    double left, right; /* m: depths */
    double time_s;
    double middle, front; /* Stoker: depth behind the bore, its speed */
} dam;

/* Finds the depth between the two waves, at which rarefaction and bore give the same speed. */
static void solve_stoker(dam *dam) {
    double low = dam->right, high = dam->left;
    for (int i = 0; i < 100; i++) {
        const double h = 0.5 * (low + high), r = dam->right > 0 ? dam->right : 1e-12;
        const double behind = 2 * (sqrt(9.81 * dam->left) - sqrt(9.81 * h));
        const double ahead = (h - r) * sqrt(0.5 * 9.81 * (1 / h + 1 / r));
        *(behind > ahead ? &low : &high) = h;
    }
    dam->middle = low;
    dam->front = dam->right > 0 ? sqrt(9.81 * low * (low + dam->right) / (2 * dam->right)) : 0;
}

static double stoker(const dam *dam, double x) {
    const double c = sqrt(9.81 * dam->left), v = x / dam->time_s;
    const double speed = dam->right > 0 ? 2 * (c - sqrt(9.81 * dam->middle)) : 2 * c;
    if (v <= -c) return dam->left;
    if (dam->right > 0 && v > dam->front) return dam->right;
    if (dam->right > 0 && v > speed - sqrt(9.81 * dam->middle)) return dam->middle;
    return v >= 2 * c ? 0 : (2 * c - v) * (2 * c - v) / (9 * 9.81);
}

/* The linear wave of speed c: the two halves of the step move apart. */
static double linear(const dam *dam, double x, double c) {
    return dam->right + 0.5 * (dam->left - dam->right) * ((x < c * dam->time_s) + (x < -c * dam->time_s));
}

typedef struct errors {
    double linear, stoker; /* mean |depth - exact|, as a fraction of the step */
} errors;

static errors break_dam(const char *model, int cells, double left, double right, bool depth_area) {
    const double l = LENGTH / cells, c = sqrt(9.81 * left);
    dam dam = {.left = left, .right = right, .time_s = 0.2 * LENGTH / c};
    solve_stoker(&dam);
    scene scene = water_only(model, cells, 2, l);
    if (depth_area) choose(&scene, "pipe_area", "depth");
    set(&scene, "A", left * l);
    double dt = 0.899 / sqrt(2 * left * l * 9.81 * 2 / (l * l * l));
    const int64_t steps = (int64_t)ceil(dam.time_s / dt);
    dt = dam.time_s / (double)steps;
    set(&scene, "dt", dt);
    assert_int_equal(wadi_def_safety(&scene.def).substeps, 1);
    float *water = scene_field(&scene, "water");
    for (int i = 0; i < 2 * cells; i++) water[i] = (float)(i % cells < cells / 2 ? left : right);
    wadi_sim *sim = run(&scene, steps);
    float *after = field_of(sim, "water");
    errors errors = {0, 0};
    for (int x = 0; x < cells; x++) {
        const double at = (x + 0.5 - 0.5 * cells) * l, depth = (double)after[x];
        errors.linear += fabs(depth - linear(&dam, at, c)) / (cells * (left - right));
        errors.stoker += fabs(depth - stoker(&dam, at)) / (cells * (left - right));
    }
    free(after);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return errors;
}

/* A constant A in proportion to l makes the pipes a linear wave equation, c = sqrt(g*A/l). */
static void a_small_step_matches_the_linear_wave_and_stoker(void **state) {
    (void)state;
    for (int m = 0; m < pipe_models(); m++) {
        errors before = {1, 1};
        for (int cells = 200; cells <= 3200; cells *= 4) {
            const errors now = break_dam(pipe_model(m), cells, 10, 9, false);
            print_message("%s, 10 m to 9 m, %4d cells: %.4f of the linear wave, %.4f of Stoker\n", pipe_model(m), cells,
                          now.linear, now.stoker);
            assert_true(now.linear < 0.6 * before.linear && now.stoker < before.stoker);
            before = now;
        }
        assert_true(before.linear < 0.003 && before.stoker < 0.01);
    }
}

static void the_error_of_a_large_step_against_stoker_is_bounded(void **state) {
    (void)state;
    for (int cells = 200; cells <= 1600; cells *= 8) {
        const errors wet = break_dam("mei2007", cells, 10, 1, false), dry = break_dam("mei2007", cells, 10, 0, false);
        print_message("%4d cells: 10 m to 1 m %.4f of Stoker, 10 m to 0 %.4f of Ritter; ", cells, wet.stoker,
                      dry.stoker);
        const errors wet2 = break_dam("mei2007", cells, 10, 1, true), dry2 = break_dam("mei2007", cells, 10, 0, true);
        print_message("pipe_area = depth: %.4f and %.4f\n", wet2.stoker, dry2.stoker);
        assert_true(wet.stoker > 0.05 && wet.stoker < 0.08 && dry.stoker > 0.08 && dry.stoker < 0.1);
        assert_true(wet2.stoker > 0.05 && wet2.stoker < 0.085 && dry2.stoker > 0.06 && dry2.stoker < 0.085);
    }
}

/* --- the longest stable step --- */

/* The largest deviation from 10 m relative to the initial one, after 1500 steps of `factor` times the longest step. */
static double growth(const char *pipes, double factor, double A, double lx, double ly, bool open_y) {
    scene scene = water_only("mei2007", 12, open_y ? 11 : 12, lx);
    scene.def.ly = ly;
    scene.def.boundary = WADI_WRAP;
    scene.def.engine = WADI_ENGINE_REFERENCE;
    set(&scene, "A", A);
    choose(&scene, "pipes", pipes);
    set(&scene, "Fr", 100);
    float *water = scene_field(&scene, "water");
    for (int i = 0; i < 12 * scene.def.height; i++)
        water[i] = 10 + ((i % 12 + i / 12) % 2 ? 0.001f : -0.001f) * (1 + 0.1f * (float)(i % 7));
    wadi_sim *sim = start(&scene);
    sim->domain->substeps = 1; /* without the factor of 0.9 and sub-steps */
    sim->domain->dt_s = factor * (strcmp(pipes, "4") == 0 ? 1 / sqrt(2 * A * 9.81 * (1 / lx + 1 / ly) / (lx * ly))
                                                          : wadi_def_safety(&scene.def).longest_dt_s / 0.9);
    const wadi_setup setup = {.values = sim->domain->def.values,
                              .dt_s = sim->domain->dt_s,
                              .substeps = 1,
                              .lx = lx,
                              .ly = ly,
                              .width = sim->domain->def.width,
                              .height = sim->domain->def.height,
                              .mask = 1,
                              .boundary = WADI_WRAP};
    sim->domain->model->prepare(&setup, sim->domain->constants);
    OK(wadi_sim_step(sim, 400));
    float *after = field_of(sim, "water");
    double most = 0;
    for (size_t i = 0; i < cells_of(&scene.def); i++) most = fmax(most, fabs((double)after[i] - 10));
    free(after);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return most / 0.0016;
}

static void the_longest_stable_step_matches_the_formula(void **state) {
    (void)state;
    static const double cases[][3] = {{20, 1, 1}, {0.1, 1, 1}, {900, 1, 1}, {20, 1, 2.5}, {20, 3, 1}, {5000, 30, 30}};
    for (int i = 0; i < 2 * COUNT(cases); i++) {
        const double *it = cases[i / 2];
        const char *pipes = i % 2 ? "8" : "4";
        const double stable = growth(pipes, 0.99, it[0], it[1], it[2], false);
        const double sloshing = growth(pipes, 1.03, it[0], it[1], it[2], false);
        if (stable > 20 || sloshing < 200)
            fail_msg("%s pipes, A %g, l %g x %g: %g times at 0.99, %g at 1.03", pipes, it[0], it[1], it[2], stable,
                     sloshing);
    }
}

/* With a step far too long, water sloshes but never becomes NaN or negative. */
static void too_long_a_step_makes_no_nan(void **state) {
    (void)state;
    const double strayed = growth("4", 3, 20, 1, 1, true);
    assert_true(isfinite(strayed) && strayed > 1000);
}

static void a_step_too_long_is_split_into_substeps(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        scene scene = scene_of(pipe_model(i), 17, 14, 1);
        scene.def.engine = scene_engines[i / 2];
        make_hills(&scene, 12, 3);
        add_source(&scene, 4.5, 4.5, 1, 1);
        set(&scene, "A", 60);
        set(&scene, "dt", 0.04);
        const wadi_safety safety = wadi_def_safety(&scene.def);
        assert_true(safety.substeps == 3 && fabs(safety.longest_dt_s - 0.9 / sqrt(4 * 60 * 9.81)) < 1e-12);
        set(&scene, "A", 20);
        set(&scene, "dt", 0.046875); /* exact halves */
        assert_int_equal(wadi_def_safety(&scene.def).substeps, 2);
        wadi_sim *long_steps = run(&scene, 50);
        set(&scene, "dt", 0.0234375);
        assert_int_equal(wadi_def_safety(&scene.def).substeps, 1);
        if (!by_second(&scene, "Ks")) { /* these models give Ks and Kd per step */
            set(&scene, "Ks", 0.005);
            set(&scene, "Kd", 0.005);
        }
        wadi_sim *short_steps = run(&scene, 100);
        const char *names[STATE_FIELDS];
        const int count = state_fields(long_steps, names);
        for (int f = 0; f < count; f++) {
            float *one = field_of(long_steps, names[f]), *two = field_of(short_steps, names[f]);
            for (size_t c = 0; c < cells_of(&scene.def); c++)
                if (bits_of(one[c]) != bits_of(two[c]))
                    fail_msg("%s: %s: %g and %g", pipe_model(i), names[f], (double)one[c], (double)two[c]);
            free(one);
            free(two);
        }
        assert_true(fabs(wadi_sim_time(long_steps) - wadi_sim_time(short_steps)) < 1e-12);
        wadi_sim_destroy(long_steps);
        wadi_sim_destroy(short_steps);
        scene_free(&scene);
    }
}

/* On a slope S friction balances gravity at v = sqrt(A*g*S/(cf*width)). Subtract half of a step's acceleration, which
 * depends on dt. */
static void friction_limits_the_speed_down_a_slope(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        const double slope = i & 1 ? 0.2 : 0.05, cf = i & 2 ? 4 : 1, dt = i & 4 ? 0.02 : 0.005;
        const int along_x = i / 8;
        scene scene = water_only(pipe_model(i), along_x ? 120 : 3, along_x ? 3 : 120, 1);
        *(along_x ? &scene.def.ly : &scene.def.lx) = 1.25; /* the channel's width is 3 cells of this */
        set(&scene, "cf", cf);
        set(&scene, "dt", dt);
        for (int c = 0; c < 360; c++) scene.field[0][c] = (float)(slope * (along_x ? 120 - c % 120 : c / 3));
        fill(scene_field(&scene, "water"), &scene.def, 1.5f);
        wadi_sim *sim = run(&scene, (int64_t)floor(2 / dt + 0.5));
        float *speed = field_of(sim, "velocity");
        const double found = (double)speed[180], v2 = 20 * 9.81 * slope / (cf * 1.25);
        const double push =
            0.5 * dt * 20 * 9.81 * slope / (1.25 * 1.5); /* half of what a step adds: friction is implicit */
        const double expected = sqrt(v2 + push * push) - push;
        assert_true(fabs(expected / sqrt(v2) - 1) < 0.1);
        if (fabs(found / expected - 1) > 0.01)
            fail_msg("S %g, cf %g, dt %g: %.4f m/s, %.4f expected", slope, cf, dt, found, expected);
        free(speed);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Rain r and evaporation Ke in an uneven basin: the water obeys V' = r - Ke*V, so V = r/Ke*(1 - exp(-Ke*t)). */
static void a_basin_fills_at_the_exact_rate(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        scene scene = scene_of(pipe_model(i), 20, 16, 1);
        scene.def.engine = scene_engines[i / 2 % 2];
        const double Ke = i & 4 ? 0.03 : 0, r = 0.02, steps = 1000, dt = 0.02, t = steps * dt;
        make_hills(&scene, 5, 4);
        set_rain(&scene, r);
        set(&scene, "Ke", Ke);
        wadi_sim *sim = run(&scene, (int64_t)steps);
        float *water = field_of(sim, "water");
        const double mean = sum_of(water, cells_of(&scene.def)) / (20 * 16);
        const double discrete = Ke > 0 ? r * (1 / Ke - dt) * (1 - pow(1 - Ke * dt, steps)) : r * t;
        const double exact = Ke > 0 ? r / Ke * (1 - exp(-Ke * t)) : r * t;
        if (fabs(mean / discrete - 1) > 3e-5 || fabs(mean / exact - 1) > 1e-3)
            fail_msg("%d: %.7f m of water, %.7f expected, %.7f in the limit of short steps", i, mean, discrete, exact);
        const wadi_mass mass = mass_of(sim);
        assert_true(fabs(mass.rained / (r * t * 20 * 16) - 1) < 3e-5);
        assert_true(Ke > 0 ? fabs(mass.evaporated / ((r * t - exact) * 20 * 16) - 1) < 3e-3 : mass.evaporated <= 1e-4);
        free(water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* A source brings its rate within its times, whatever cells its disc covers. */
static void sources_give_their_rate(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        scene scene = water_only(pipe_model(i), 20, 16, 2);
        scene.def.boundary = (wadi_boundary)(i % 3 == 1 ? WADI_CLOSED : WADI_WRAP);
        set(&scene, "dt", 0.02);
        scene.source[scene.sources++] = (wadi_source){0.4 + i, 1.2 * i, 1.5 * i, 0.7, 1, 3};
        scene.source[scene.sources++] = (wadi_source){9.5, 9.5, 6, 0.2, 2, 1e9};
        wadi_sim *sim = run(&scene, 200); /* 4 s */
        const double expected = 0.7 * 2 + 0.2 * 2;
        if (fabs(mass_of(sim).rained / expected - 1) > 0.011) /* a step at the end of an interval, more or less */
            fail_msg("%d: %g m3, %g expected", i, mass_of(sim).rained, expected);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_step_matches_the_linear_wave_and_stoker),
        cmocka_unit_test(the_error_of_a_large_step_against_stoker_is_bounded),
        cmocka_unit_test(the_longest_stable_step_matches_the_formula),
        cmocka_unit_test(too_long_a_step_makes_no_nan),
        cmocka_unit_test(a_step_too_long_is_split_into_substeps),
        cmocka_unit_test(friction_limits_the_speed_down_a_slope),
        cmocka_unit_test(a_basin_fills_at_the_exact_rate),
        cmocka_unit_test(sources_give_their_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
