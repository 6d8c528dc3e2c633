/* Eight pipes: water that flows alike in every direction, and as the kinematic wave says. labels: physics */
#include "scene.h"

#include "engine/reference/reference_cell.h"

#include "models/pipes_cell.h"

static scene eight(const char *model, int width, int height, double l) {
    scene made = scene_of(model, width, height, l);
    made.def.boundary = WADI_OPEN;
    made.def.allow_out_of_range = true;
    choose(&made, "pipes", "8");
    choose(&made, "pipe_area", "depth");
    set(&made, "Fr", 100);
    set(&made, "g", 9.81);
    set(&made, "A", 2 * l * l);
    set(&made, "dt", 0.05);
    set(&made, "Ke", 0);
    set(&made, "Ks", 0);
    set(&made, "Kd", 0);
    choose_if(&made, "thermal", "off");
    return made;
}

/* A plane of slope S that falls in the direction of `angle`; how far it rises from a cell to the border, in metres. */
typedef struct plane {
    double slope, angle;
} plane;

static double along(const plane *plane, double x, double y) { return x * cos(plane->angle) + y * sin(plane->angle); }

static void tilt(scene *scene, const plane *plane) {
    const int width = scene->def.width;
    for (size_t i = 0; i < cells_of(&scene->def); i++)
        scene->field[0][i] = (float)(-plane->slope * scene->def.lx *
                                     along(plane, (double)(i % (size_t)width), (double)(i / (size_t)width)));
}

#define PI 3.14159265358979

static double uphill(const plane *plane, double x, double y) {
    const double to_x = cos(plane->angle) > 1e-9 ? x / cos(plane->angle) : INFINITY;
    const double to_y = sin(plane->angle) > 1e-9 ? y / sin(plane->angle) : INFINITY;
    return fmin(to_x, to_y);
}

/* Under steady rain r the discharge at L metres from the ridge is r*L, and the depth (cf*q^2/(g*S))^(1/3), as long as
 * the slope is far above the depth's own gradient. */
static void rain_on_a_plane_matches_the_kinematic_wave(void **state) {
    (void)state;
    static const double cases[][2] = {{0.1, 0.3}, {1, 0.3}, {0.1, 0.03}, {0.1, 3}}; /* S, cf */
    enum { SIDE = 72 };
    const double rain = 2e-4;
    for (int i = 0; i < COUNT(cases) * 3; i++) {
        const plane plane = {cases[i / 3][0], i % 3 * 0.3926990817};
        const double cf = cases[i / 3][1];
        scene scene = eight(pipe_model(i), SIDE, SIDE, 1);
        tilt(&scene, &plane);
        set(&scene, "cf", cf);
        set_rain(&scene, rain);
        /* well inside, and away from the diagonal, on which two borders are equally near */
        const int x = SIDE * 3 / 4, y = plane.angle > 0.7 ? SIDE / 3 : SIDE / 2;
        const double length = uphill(&plane, x + 0.5, y + 0.5) + 0.5, q = rain * length; /* to the cell's lower side */
        const double expected = cbrt(cf * q * q / (9.81 * plane.slope)), wave_s = length / (q / expected);
        wadi_sim *sim = run(&scene, (int64_t)(1.8 * wave_s / 0.05));
        float *water = field_of(sim, "water");
        const double found = (double)water[y * SIDE + x];
        print_message("S %g, cf %g, %2.0f degrees: %+.2f %%\n", plane.slope, cf, plane.angle * 57.3,
                      100 * (found / expected - 1));
        if (fabs(found / expected - 1) > 0.015)
            fail_msg("%s, S %g, cf %g, %.0f degrees: %g m, %g expected", pipe_model(i), plane.slope, cf,
                     plane.angle * 57.3, found, expected);
        free(water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void cube_roots_are_accurate(void **state) {
    (void)state;
    double worst = 0;
    for (double x = 0x1p-33; x <= 0x1p15; x *= 1.0003) {
        const double root = (double)inverse_cube_root((float)x);
        worst = fmax(worst, fabs(root * cbrt((double)(float)x) - 1));
    }
    print_message("inverse cube roots: off by %.1e\n", worst);
    assert_true(worst < 1e-6);
    assert_true(isfinite(inverse_cube_root(0)) && isfinite(inverse_cube_root(1e9f)));
}

/* With Manning's friction v = h^(2/3) * sqrt(S) / n, in all directions. Four pipes, of which the last case is one, take
 * the friction of the flow before gravity's push, so they are a little slow. */
static void manning_friction_holds(void **state) {
    (void)state;
    enum { SIDE = 72 };
    const double rain = 2e-5, n = 0.05, slope = 0.05;
    for (int i = 0; i < 4; i++) {
        const plane plane = {slope, i % 3 * 0.3926990817};
        scene scene = eight(pipe_model(i), SIDE, SIDE, 1);
        tilt(&scene, &plane);
        if (i == 3) choose(&scene, "pipes", "4");
        choose(&scene, "friction_law", "manning");
        set(&scene, "d_floor", 1e-6);
        set(&scene, "d_cf", 2);
        set(&scene, "cf", 9.81 * n * n / cbrt(2));
        set_rain(&scene, rain);
        const int x = SIDE * 3 / 4, y = plane.angle > 0.7 ? SIDE / 3 : SIDE / 2;
        const double q = rain * (uphill(&plane, x + 0.5, y + 0.5) + 0.5);
        const double expected = pow(q * n / sqrt(slope), 0.6);
        wadi_sim *sim = run(&scene, (int64_t)(1.8 * expected / rain / 0.05));
        float *water = field_of(sim, "water");
        const double found = (double)water[y * SIDE + x];
        if (fabs(found / expected - 1) > (i == 3 ? 0.05 : 0.02))
            fail_msg("case %d, %.0f degrees: %g m, %g expected", i, plane.angle * 57.3, found, expected);
        free(water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* The Froude number of a film down a steep plane is at most the limit. */
static void nothing_flows_faster_than_the_limit(void **state) {
    (void)state;
    scene scene = eight("mei2007", 64, 5, 1);
    const plane plane = {1, 0};
    tilt(&scene, &plane);
    set(&scene, "cf", 0.02);
    set(&scene, "Fr", 0.8);
    set(&scene, "d_floor", 1e-9);
    set_rain(&scene, 1e-3);
    wadi_sim *sim = run(&scene, 1500);
    float *water = field_of(sim, "water"), *speed = field_of(sim, "velocity");
    for (int x = 8; x < 60; x++) {
        const double froude = (double)speed[2 * 64 + x] / sqrt(9.81 * (double)water[2 * 64 + x]);
        if (!(froude > 0.5 && froude < 1.05)) fail_msg("cell %d: Froude number %g", x, froude);
    }
    free(water);
    free(speed);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* A hump on deep water spreads as a circle: as far along the diagonal as along the axis. */
static void waves_are_round(void **state) {
    (void)state;
    enum { SIDE = 121, MIDDLE = 60 };
    for (int stretched = 0; stretched < 2; stretched++) {
        scene scene = eight("jako2011", SIDE, SIDE, 1);
        scene.def.boundary = WADI_CLOSED;
        scene.def.ly = stretched ? 1.3 : 1;
        choose(&scene, "pipe_area", "constant");
        set(&scene, "cf", 0);
        set(&scene, "A", 1);
        set_rain(&scene, 0);
        float *water = scene_field(&scene, "water");
        for (int i = 0; i < SIDE * SIDE; i++) {
            const double x = i % SIDE - MIDDLE, y = (i / SIDE - MIDDLE) * scene.def.ly;
            water[i] = (float)(10 + 0.1 * exp(-(x * x + y * y) / 18));
        }
        wadi_sim *sim = run(&scene, 250);
        float *after = field_of(sim, "water");
        double moment[3] = {0}, all = 0; /* second moments of the energy: xx, yy, and the two diagonals' difference */
        for (int i = 0; i < SIDE * SIDE; i++) {
            const double x = i % SIDE - MIDDLE, y = (i / SIDE - MIDDLE) * scene.def.ly;
            const double energy = pow((double)after[i] - 10, 2), r2 = x * x + y * y;
            all += energy * r2 * r2;
            moment[0] += energy * x * x * r2, moment[1] += energy * y * y * r2;
            moment[2] += energy * (x * x * x * x - 6 * x * x * y * y + y * y * y * y);
        }
        print_message("ly %.1f: x %.4f, y %.4f, fourfold %.4f\n", scene.def.ly, moment[0] / all, moment[1] / all,
                      moment[2] / all);
        assert_true(fabs(moment[0] / all - 0.5) < 0.01 && fabs(moment[2] / all) < 0.02);
        free(after);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Ground that rises outwards holds water in; where it falls, all leaves. */
static void an_open_border_continues_the_terrain(void **state) {
    (void)state;
    for (int falls = 0; falls < 2; falls++) {
        scene scene = eight("mei2007", 40, 40, 1);
        for (int i = 0; i < 1600; i++) {
            const double r = hypot(i % 40 - 19.5, (double)(i / 40) - 19.5);
            scene.field[0][i] = (float)((falls ? -0.2 : 0.2) * r);
        }
        set(&scene, "cf", 0.1);
        set_rain(&scene, 0);
        fill(scene_field(&scene, "water"), &scene.def, 0.05f);
        wadi_sim *sim = run(&scene, 6000);
        const wadi_mass mass = mass_of(sim);
        assert_true(fabs(mass.water.residual) < 1e-5 * mass.water.before);
        if (falls ? mass.water.after > 0.02 * mass.water.before : mass.water.out > 0.02 * mass.water.before)
            fail_msg("falls %d: %g of %g m3 are left", falls, mass.water.after, mass.water.before);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Waves across a steady sheet of water that carries sediment: they decay as by diffusion with D = Kl*s*v, in all
 * directions. The sum of a cell's outflows is v*d times 1 at 0 and 45 degrees, and times 1.08 between. Some of the
 * water leaves at the sides. Cells that are not square are less even. */
static void moving_sediment_rolls_down_the_bed(void **state) {
    (void)state;
    enum { SIDE = 72, FROM = 28, TO = 44, STEPS = 20 };
    static const double cases[][2] = {{0, 1}, {PI / 8, 1}, {PI / 4, 1}, {0, 1.5}, {PI / 2, 1.5}}; /* angle, ly */
    const double slope = 0.01, rain = 1.8e-3, Kl = 0.5, s = 0.02, height = 1e-3, length = 8;
    for (int i = 0; i < COUNT(cases); i++) {
        const plane plane = {slope, cases[i][0]};
        const double ly = cases[i][1];
        const double k = 2 * PI / length, kx = -k * sin(plane.angle), ky = k * cos(plane.angle);
        scene scene = eight(pipe_model(i), SIDE, SIDE, 1);
        scene.def.ly = ly;
        tilt(&scene, &plane);
        for (int c = 0; c < SIDE * SIDE; c++)
            scene.field[0][c] += (float)(height * cos(kx * (c % SIDE) + ky * (double)(c / SIDE)));
        set(&scene, "cf", 0.1);
        set(&scene, "d_floor", 1e-6);
        set(&scene, "Kl", Kl);
        set_rain(&scene, rain);
        wadi_sim *sim = run(&scene, 5000);
        float *sediment = calloc(SIDE * SIDE, sizeof *sediment), *before = field_of(sim, "change");
        assert_non_null(sediment);
        fill(sediment, &scene.def, (float)s);
        OK(wadi_sim_set(sim, "sediment", sediment, SIDE * SIDE));
        OK(wadi_sim_step(sim, STEPS));
        float *after = field_of(sim, "change"), *speed = field_of(sim, "velocity");
        double found = 0, expected = 0;
        for (int y = FROM; y < TO; y++)
            for (int x = FROM; x < TO; x++) {
                const int c = y * SIDE + x;
                const double wave = cos(kx * x + ky * y), D = Kl * s * (double)speed[c];
                found += wave * ((double)after[c] - (double)before[c]);
                expected -= wave * wave * height * D * 0.05 * STEPS * 2 * (1 - cos(kx) + (1 - cos(ky)) / (ly * ly));
            }
        print_message("%2.0f degrees, ly %g: %.3f of the analytic decay\n", plane.angle * 57.3, ly, found / expected);
        const double outflow = i == 1 ? 1.08 : 1;
        if (fabs(found / expected / outflow - 1) > (ly > 1 ? 0.12 : 0.05))
            fail_msg("%s, %.0f degrees: %g of the decay, %g expected", pipe_model(i), plane.angle * 57.3,
                     found / expected, outflow);
        free(sediment);
        free(before);
        free(after);
        free(speed);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Steep ground far below its first height, so that db has few digits left for what rolls; the largest Kl. */
static void what_rolls_is_neither_lost_nor_made(void **state) {
    (void)state;
    enum { SIDE = 48 };
    for (int i = 0; i < 2; i++) {
        scene scene = eight(pipe_model(i), SIDE, SIDE, 1);
        scene.def.boundary = WADI_CLOSED;
        uint64_t seed = 5;
        float *mask = scene_field(&scene, "mask"), *Kl = scene_field(&scene, "Kl");
        for (int c = 0; c < SIDE * SIDE; c++) {
            const int x = c % SIDE, y = c / SIDE;
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            scene.field[0][c] = (float)(40 * sin(x * 0.15) * cos(y * 0.2) + 2 * (double)(seed >> 40) * 0x1p-24);
            mask[c] = x >= 10 && x < 14 ? 0 : 1;
            Kl[c] = y >= 30 && y < 34 ? 0 : 2;
        }
        set(&scene, "cf", 0.3);
        set(&scene, "Fr", 0.7);
        set(&scene, "Kc", 3);
        set(&scene, "Ks", i == 0 ? 0.12 : 0.012);
        set(&scene, "Kd", i == 0 ? 0.2 : 0.02);
        set_rain(&scene, 0.002);
        wadi_sim *sim = run(&scene, 3000);
        const wadi_mass mass = mass_of(sim);
        print_message("%s: %g of %g m3\n", pipe_model(i), mass.solid.residual, mass.moved);
        assert_true(mass.moved > 1000 && fabs(mass.solid.residual) < 2e-8 * mass.moved);
        float *change = field_of(sim, "change");
        for (int c = 0; c < SIDE * SIDE; c++)
            if (mask[c] == 0 && change[c] != 0) fail_msg("a masked cell changed by %g m", (double)change[c]);
        free(change);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static double checkerboard(const float *heights, int side) {
    double sum = 0;
    for (int c = 0; c < side * side; c++) sum += (double)heights[c] * ((c % side + c / side) % 2 == 0 ? 1 : -1);
    return fabs(sum) / (side * side);
}

/* However much sediment moves, a step evens out half of a height difference at most. */
static void much_sediment_grows_no_checkerboard(void **state) {
    (void)state;
    enum { SIDE = 48 };
    for (int i = 0; i < 4; i++) {
        const plane plane = {0.2, 0.3};
        scene scene = eight(pipe_model(i), SIDE, SIDE, 0.5);
        scene.def.ly = i < 2 ? 0.5 : 0.8;
        tilt(&scene, &plane);
        for (int c = 0; c < SIDE * SIDE; c++) scene.field[0][c] += (c % SIDE + c / SIDE) % 2 == 0 ? 0.01f : -0.01f;
        set(&scene, "cf", 0.1);
        set(&scene, "Kl", 2);
        set_rain(&scene, 0);
        fill(scene_field(&scene, "water"), &scene.def, 0.5f);
        fill(scene_field(&scene, "sediment"), &scene.def, 5);
        const double before = checkerboard(scene.field[0], SIDE);
        wadi_sim *sim = run(&scene, 60);
        float *height = field_of(sim, "height");
        const double after = checkerboard(height, SIDE);
        if (!(after < 0.5 * before)) fail_msg("%s: a checkerboard of %g m became %g m", pipe_model(i), before, after);
        free(height);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rain_on_a_plane_matches_the_kinematic_wave),
        cmocka_unit_test(cube_roots_are_accurate),
        cmocka_unit_test(manning_friction_holds),
        cmocka_unit_test(nothing_flows_faster_than_the_limit),
        cmocka_unit_test(waves_are_round),
        cmocka_unit_test(moving_sediment_rolls_down_the_bed),
        cmocka_unit_test(what_rolls_is_neither_lost_nor_made),
        cmocka_unit_test(much_sediment_grows_no_checkerboard),
        cmocka_unit_test(an_open_border_continues_the_terrain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
