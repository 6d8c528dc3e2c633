/* neidhold2005: the engines agree, mass is kept, lakes rest, mirrored scenes give mirrored results, water on a plane
 * reaches the speed that friction gives, the step hardly matters, and showers fall where they should.
 */
#include "scene.h"

#include "platform/platform.h"

/* The paper's friction, and more rain than the preset has. */
static void use_preset(scene *scene, wadi_boundary boundary) {
    const wadi_model *model = scene->def.model;
    OK(wadi_def_preset(&scene->def, wadi_preset_find("runnels", &model)));
    scene->def.boundary = boundary;
    scene->def.values[wadi_model_parameter_index(model, "rain_peak")] *= 15;
}

static scene plain_scene(int width, int height, double l, wadi_boundary boundary) {
    scene made = scene_of("neidhold2005", width, height, l);
    use_preset(&made, boundary);
    return made;
}

static void draw_choices(scene *scene, uint32_t *seed) {
    for (size_t p = 0; p < scene->def.model->parameter_count; p++)
        if (scene->def.model->parameters[p].choices != NULL)
            scene->def.values[p] = draw_below(seed, (int)scene->def.model->parameters[p].maximum + 1);
}

static void draw_maps(scene *scene, uint32_t *seed) {
    static const char *const rasters[] = {"rain", "KC", "KD", "KS", "KE", "rain_peak"};
    const char *name = rasters[draw_below(seed, COUNT(rasters))];
    const float value = (float)scene->def.values[wadi_model_parameter_index(scene->def.model, name)];
    fill_random(scene_field(scene, name), &scene->def, 0.5f * value, value, draw(seed));
    if (draw_below(seed, 2) == 0) return;
    float *mask = scene_field(scene, "mask");
    for (size_t i = 0; i < cells_of(&scene->def); i++) mask[i] = draw_below(seed, 3) > 0 ? draw_unit(seed) : 0;
}

static scene draw_scene(wadi_boundary boundary, int width, int height, uint32_t seed) {
    scene made = plain_scene(width, height, 1 + draw_below(&seed, 3), boundary);
    made.def.ly *= draw_below(&seed, 2) ? 1.7 : 1;
    use_preset(&made, boundary); /* for these cells */
    made.def.seed = draw(&seed);
    set(&made, "rain_interval", 0.7 + draw_below(&seed, 3));
    set(&made, "dt", 0.1 + 0.3 * draw_below(&seed, 3));
    make_hills(&made, 20, draw(&seed));
    if (draw_below(&seed, 2)) draw_choices(&made, &seed);
    if (draw_below(&seed, 2)) fill_random(scene_field(&made, "water"), &made.def, 0.0f, 1.0f, draw(&seed));
    if (draw_below(&seed, 2)) fill_random(scene_field(&made, "sediment"), &made.def, 0.0f, 0.01f, draw(&seed));
    if (draw_below(&seed, 2)) draw_maps(&made, &seed);
    if (draw_below(&seed, 2)) add_source(&made, width * 0.6, height * 0.3, 2.2, 1);
    if (draw_below(&seed, 3) == 0) made.def.drops = (wadi_drops){1.4, 1.5, 0.3};
    if (draw_below(&seed, 3) == 0)
        for (int i = 0; i < 3; i++) scene_field(&made, "height")[draw_below(&seed, width * height / 2)] = NAN;
    return made;
}

/* --- the engines --- */

static void assert_engines_agree(scene *scene, int steps, uint32_t seed) {
    static const char *const isas[] = {"baseline", "avx2", "avx512"};
    char name[120];
    scene->def.engine = WADI_ENGINE_REFERENCE;
    wadi_sim *reference = run(scene, steps);
    scene->def.engine = WADI_ENGINE_CPU;
    scene->def.threads = 1 + (int)(seed % 3);
    scene->def.isa = isas[seed / 3 % 3];
    if (!platform_cpu_has(scene->def.isa)) scene->def.isa = NULL;
    wadi_sim *cpu = run(scene, steps);
    snprintf(name, sizeof name, "%s %d x %d, threads %d, isa %s, seed %u", scene_boundaries[scene->def.boundary],
             scene->def.width, scene->def.height, scene->def.threads, scene->def.isa ? scene->def.isa : "widest", seed);
    assert_same_state(reference, cpu, name);
    wadi_sim_destroy(reference);
    wadi_sim_destroy(cpu);
}

static void engines_agree(void **state) {
    (void)state;
    static const int sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {15, 17}, {16, 16}, {17, 33}, {33, 5}, {49, 6}};
    uint32_t seed = 1;
    for (int border = 0; border < 3; border++)
        for (int size = 0; size < COUNT(sizes); size++)
            for (int i = 0; i < 4; i++) {
                scene scene = draw_scene((wadi_boundary)border, sizes[size][0], sizes[size][1], ++seed);
                assert_engines_agree(&scene, 9, seed);
                scene_free(&scene);
            }
}

static void engines_agree_on_every_choice(void **state) {
    (void)state;
    uint32_t seed = 1000;
    for (size_t p = 0; p < wadi_model_find("neidhold2005")->parameter_count; p++)
        for (int i = 0; i < 12; i++) {
            scene scene = draw_scene((wadi_boundary)(i % 3), 37, 9, ++seed);
            const wadi_parameter *parameter = &scene.def.model->parameters[p];
            if (parameter->choices == NULL) {
                scene_free(&scene);
                break;
            }
            scene.def.values[p] = i / 3 % ((int)parameter->maximum + 1);
            assert_engines_agree(&scene, 9, seed);
            scene_free(&scene);
        }
}

static void pieces_of_a_run_do_not_matter(void **state) {
    (void)state;
    for (uint32_t seed = 40; seed < 46; seed++) {
        scene scene = draw_scene((wadi_boundary)(seed % 3), 23, 11, seed);
        wadi_sim *whole = run(&scene, 60), *pieces = run(&scene, 1);
        OK(wadi_sim_step(pieces, 7));
        OK(wadi_sim_step(pieces, 52));
        assert_same_state(whole, pieces, "60 = 1 + 7 + 52");
        wadi_sim_destroy(whole);
        wadi_sim_destroy(pieces);
        scene_free(&scene);
    }
}

/* --- mass --- */

static double part_of(double residual, double whole) { return fabs(residual) / (whole > 0 ? whole : 1); }

static void mass_is_kept_over_a_thousand_steps(void **state) {
    (void)state;
    for (int border = 0; border < 3; border++)
        for (int variant = 0; variant < 3; variant++) {
            scene scene = plain_scene(40, 33, 1, (wadi_boundary)border);
            make_hills(&scene, 25, 5 + (uint32_t)variant);
            fill(scene_field(&scene, "water"), &scene.def, 0.1f);
            if (variant == 1) choose(&scene, "mixing", "as-printed");
            if (variant == 1) choose(&scene, "gradient", "average");
            if (variant == 2) choose(&scene, "evaporation", "altitude");
            if (variant == 2) set(&scene, "dt", 0.05); /* no sub-steps */
            add_source(&scene, 20, 12, 3, 0.5);
            wadi_sim *sim = run(&scene, 1000);
            const wadi_mass mass = wadi_sim_mass(sim);
            const double solid = part_of(mass.solid.residual, mass.moved),
                         water = part_of(mass.water.residual, mass.water.in);
            if (getenv("WADI_SHOW") != NULL)
                printf("%s %d: moved %.4g m3, solid %.2g, water %.2g\n", scene_boundaries[border], variant, mass.moved,
                       solid, water);
            if (!(solid < 1e-6 && water < 1e-6))
                fail_msg("%s %d: solid %g of what moved, water %g of what came", scene_boundaries[border], variant,
                         solid, water);
            assert_true(mass.moved > 1);
            if (border == WADI_OPEN) assert_true(mass.water_over_border > 0 && mass.solid_over_border > 0);
            if (border != WADI_OPEN) assert_true(mass.water_over_border <= 0);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
}

/* --- rest, symmetry, scaling --- */

static void no_rain(scene *scene) {
    set(scene, "rain_interval", 0);
    set(scene, "KE", 0);
}

static void a_lake_rests(void **state) {
    (void)state;
    for (int border = 0; border < 3; border += 2) {
        scene scene = plain_scene(21, 17, 2, (wadi_boundary)border);
        no_rain(&scene);
        float *height = scene_field(&scene, "height"), *water = scene_field(&scene, "water");
        for (size_t i = 0; i < cells_of(&scene.def); i++) {
            height[i] = 0.125f * (float)((i * 7919) % 64);
            water[i] = 8 - height[i];
        }
        wadi_sim *still = run(&scene, 1000), *before = start(&scene);
        float *now = field_of(still, "water"), *change = field_of(still, "change"),
              *velocity = field_of(still, "velocity");
        for (size_t i = 0; i < cells_of(&scene.def); i++) {
            assert_int_equal(bits_of(now[i]), bits_of(water[i]));
            assert_true(change[i] <= 0 && change[i] >= 0 && velocity[i] <= 0 && velocity[i] >= 0);
        }
        free(now), free(change), free(velocity);
        wadi_sim_destroy(still);
        wadi_sim_destroy(before);
        scene_free(&scene);
    }
}

/* bit 0 mirrors x, bit 1 mirrors y, bit 2 swaps x and y first */
static void lay_point(int way, double width, double height, double *x, double *y) {
    if (way & 4) {
        const double kept = *x;
        *x = *y, *y = kept;
    }
    if (way & 1) *x = (way & 4 ? height : width) - *x;
    if (way & 2) *y = (way & 4 ? width : height) - *y;
}

static float *lay(const float *values, int width, int height, int way) {
    float *laid = malloc((size_t)width * (size_t)height * sizeof *laid);
    assert_non_null(laid);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double to_x = x + 0.5, to_y = y + 0.5;
            lay_point(way, width, height, &to_x, &to_y);
            laid[(int)to_y * (way & 4 ? height : width) + (int)to_x] = values[y * width + x];
        }
    return laid;
}

static scene lay_scene(const scene *from, int way) {
    scene to = *from;
    const int width = from->def.width, height = from->def.height;
    if (way & 4) {
        to.def.width = height, to.def.height = width;
        to.def.lx = from->def.ly, to.def.ly = from->def.lx;
    }
    for (int i = 0; i < from->fields; i++) to.field[i] = lay(from->field[i], width, height, way);
    for (size_t i = 0; i < from->sources; i++) lay_point(way, width, height, &to.source[i].x, &to.source[i].y);
    return to;
}

static void laid_scenes_give_laid_results(void **state) {
    (void)state;
    static const char *const fields[] = {"height", "water", "sediment", "flow", "velocity"};
    uint32_t seed = 300;
    for (int i = 0; i < 24; i++) {
        scene scene = draw_scene((wadi_boundary)(i % 3), 18, 13, ++seed);
        set(&scene, "rain_interval", 0);
        scene.def.drops.count = 0;
        if (i % 2) fill_random(scene_field(&scene, "rain"), &scene.def, 0.0f, 0.02f, seed);
        wadi_sim *plain = run(&scene, 15);
        for (int way = 1; way < 8; way++) {
            struct scene turned = lay_scene(&scene, way);
            wadi_sim *laid = run(&turned, 15);
            for (int f = 0; f < COUNT(fields); f++) {
                float *one = field_of(plain, fields[f]), *two = field_of(laid, fields[f]);
                float *expected = lay(one, scene.def.width, scene.def.height, way);
                for (size_t c = 0; c < cells_of(&scene.def); c++)
                    if (bits_of(expected[c] + 0.0f) != bits_of(two[c] + 0.0f))
                        fail_msg("scene %d, way %d: %s at %d: %.9g and %.9g", i, way, fields[f], (int)c,
                                 (double)expected[c], (double)two[c]);
                free(one), free(two), free(expected);
            }
            wadi_sim_destroy(laid);
            scene_free(&turned);
        }
        wadi_sim_destroy(plain);
        scene_free(&scene);
    }
}

static void larger_cells_scale_exactly(void **state) {
    (void)state;
    const float k = 4, t = 2;
    static const char *const fields[] = {"height", "water", "sediment", "velocity"};
    const float factors[] = {k, k, k, k / t};
    for (int variant = 0; variant < 4; variant++) {
        scene one = plain_scene(20, 15, 1, WADI_OPEN), two = plain_scene(20, 15, (double)k, WADI_OPEN);
        make_hills(&one, 16, 3);
        make_hills(&two, 16, 3);
        for (size_t i = 0; i < cells_of(&one.def); i++) scene_field(&two, "height")[i] *= k;
        if (variant & 1) choose(&one, "evaporation", "altitude"), choose(&two, "evaporation", "altitude");
        if (variant & 2) choose(&one, "mixing", "as-printed"), choose(&two, "mixing", "as-printed");
        wadi_sim *small = run(&one, 30), *large = run(&two, 30);
        for (int f = 0; f < COUNT(fields); f++) {
            float *a = field_of(small, fields[f]), *b = field_of(large, fields[f]);
            for (size_t i = 0; i < cells_of(&one.def); i++)
                if (bits_of(a[i] * factors[f] + 0.0f) != bits_of(b[i] + 0.0f))
                    fail_msg("%s at %d: %.9g times %g, %.9g", fields[f], (int)i, (double)a[i], (double)factors[f],
                             (double)b[i]);
            free(a), free(b);
        }
        wadi_sim_destroy(small);
        wadi_sim_destroy(large);
        scene_free(&one);
        scene_free(&two);
    }
}

/* --- the physics --- */

/* Uniform water on a plane: from rest to g*m/(1 + m^2)/KA along it, and m times that down. */
static void water_on_a_plane_reaches_its_speed(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++)
        for (int steep = 0; steep < 6; steep++) {
            const bool split =
                steep >= 3; /* slow water goes to the sides too, and over the border: what is left is stirred */
            const double slope = steep % 3 == 0 ? 0.1 : steep % 3 == 1 ? 0.4 : 1, tolerance = split ? 0.03 : 0.002;
            scene scene = plain_scene(turned ? 8 : 500, turned ? 500 : 8, 1, WADI_OPEN);
            no_rain(&scene);
            set(&scene, "KC", 0);
            if (!split) set(&scene, "v_split", 0);
            float *height = scene_field(&scene, "height"), *water = scene_field(&scene, "water");
            for (int i = 0; i < 4000; i++) {
                height[i] = (float)(-slope * (turned ? i / 8 : i % 500));
                water[i] = 1e-4f; /* thin: an open border draws deep water sideways */
            }
            wadi_sim *sim = run(&scene, 22);
            const double along = 9.81 * slope / (1 + slope * slope) / 0.3;
            float *u = field_of(sim, turned ? "v" : "u"), *w = field_of(sim, "w"), *d = field_of(sim, "d");
            const int middle = turned ? 450 * 8 + 4 : 4 * 500 + 450; /* the upper end is not felt here yet */
            if (getenv("WADI_SHOW") != NULL)
                printf("slope %g: %.5f for %.5f m/s, down %.5f, depth %.6f\n", slope, (double)u[middle], along,
                       (double)w[middle], (double)d[middle]);
            assert_true(fabs((double)u[middle] / along - 1) < tolerance);
            assert_true(fabs((double)w[middle] / (along * slope) + 1) < tolerance);
            if (!split) assert_true(fabs((double)d[middle] / 1e-4 - 1) < 0.02);
            free(u), free(w), free(d);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
}

static double change_after(double dt_s, double seconds, bool printed) {
    scene scene = scene_of("neidhold2005", 64, 64, 30);
    static const char *const names[] = {"r",  "rain_interval", "rain_peak", "KA", "KF", "KC", "KD", "KS",
                                        "KE", "v_split",       "k",         "kv", "g"};
    scene.def.boundary = WADI_OPEN;
    scene.def.allow_out_of_range = true;
    for (int i = 0; i < COUNT(names); i++) { /* as for cells of 1 m: what they are in the world */
        const int p = wadi_model_parameter_index(scene.def.model, names[i]);
        scene.def.values[p] = scene.def.model->parameters[p].standard;
    }
    set(&scene, "dt", dt_s);
    if (printed) choose(&scene, "scaling", "as-printed");
    make_hills(&scene, 300, 4);
    wadi_sim *sim = run(&scene, (int64_t)(seconds / dt_s));
    float *change = field_of(sim, "change");
    const double rms = rms_of(change, cells_of(&scene.def));
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return rms;
}

static void the_step_hardly_matters(void **state) {
    (void)state;
    const double whole = change_after(1, 300, false), half = change_after(0.5, 300, false);
    const double quarter = change_after(0.25, 300, false);
    if (getenv("WADI_SHOW") != NULL) {
        printf("rms change: %.4f %.4f %.4f\n", whole, half, quarter);
        printf("as printed: %.4f %.4f %.4f\n", change_after(1, 300, true), change_after(0.5, 300, true),
               change_after(0.25, 300, true));
    }
    assert_true(whole > 0);
    assert_true(fabs(half / whole - 1) < 0.15 && fabs(quarter / whole - 1) < 0.15);
}

static void assert_sane(const wadi_sim *sim, uint32_t seed) {
    static const char *const fields[] = {"d", "s", "u", "v", "w", "db"};
    for (int f = 0; f < COUNT(fields); f++) {
        float *values = field_of(sim, fields[f]);
        for (size_t i = 0; i < cells_of(wadi_sim_def(sim)); i++)
            if (!isfinite(values[i]) || (f < 2 && values[i] < 0))
                fail_msg("seed %u: %s at %d is %g", seed, fields[f], (int)i, (double)values[i]);
        free(values);
    }
}

static void any_parameters_in_range_are_sane(void **state) {
    (void)state;
    for (uint32_t run_seed = 1; run_seed <= 60; run_seed++) {
        uint32_t seed = run_seed * 7777;
        scene scene = plain_scene(24, 17, 1, (wadi_boundary)(run_seed % 3));
        for (size_t p = 1; p < scene.def.model->parameter_count; p++) {
            const wadi_parameter *q = &scene.def.model->parameters[p];
            const double part = draw_below(&seed, 4) ? (double)draw_unit(&seed) : draw_below(&seed, 2);
            scene.def.values[p] =
                q->choices ? draw_below(&seed, (int)q->maximum + 1) : q->minimum + part * (q->maximum - q->minimum);
        }
        const double longest = wadi_def_safety(&scene.def).longest_dt_s;
        set(&scene, "dt", longest < 10 ? longest : 10); /* the longest that needs no sub-steps */
        make_hills(&scene, run_seed % 5 ? 30 : 3000, seed);
        fill_random(scene_field(&scene, "water"), &scene.def, 0.0f, run_seed % 2 ? 1.0f : 1e-6f, seed);
        add_source(&scene, 12, 8, 3, 5);
        wadi_sim *sim = run(&scene, 150);
        assert_sane(sim, run_seed);
        const wadi_mass mass = wadi_sim_mass(sim);
        if (!(part_of(mass.solid.residual, mass.moved + 1) < 1e-5 &&
              part_of(mass.water.residual, mass.water.in + mass.water.before) < 1e-5))
            fail_msg("seed %u: solid %g of %g, water %g of %g", run_seed, mass.solid.residual, mass.moved,
                     mass.water.residual, mass.water.in);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* --- rain and sources --- */

static wadi_sim *shower(const scene *scene) {
    wadi_sim *sim = start(scene);
    OK(wadi_sim_step(sim, 1));
    return sim;
}

static void showers_fall_evenly_and_on_the_heights(void **state) {
    (void)state;
    scene scene = plain_scene(64, 48, 1, WADI_CLOSED);
    set(&scene, "dt", 1e-6);
    set(&scene, "rain_points", 0.1);
    set(&scene, "KE", 0);
    set(&scene, "rain_peak", 0.5);
    float *height = scene_field(&scene, "height");
    for (int i = 0; i < 64 * 48; i++) height[i] = i % 64 < 32 ? 50 : 100; /* a wall: no water passes it in 1e-6 s */
    height[0] = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        scene.def.seed = seed;
        wadi_sim *sim = shower(&scene);
        float *water = field_of(sim, "water");
        int points[4][4] = {{0}}, all = 0;
        for (int y = 0; y < 48; y++)
            for (int x = 0; x < 64; x++) {
                const double peak = x < 32 ? 0.125 : 0.5, depth = (double)water[y * 64 + x];
                const int count = (int)floor(depth / peak + 0.5);
                if (y * 64 + x > 0) assert_true(fabs(depth - peak * count) < 1e-3);
                points[y / 12][x / 16] += count, all += count;
            }
        assert_true(all >= 300 && all <= 309); /* a tenth of 3072 */
        for (int i = 0; i < 16; i++)
            assert_true(points[i / 4][i % 4] >= 14 && points[i / 4][i % 4] <= 25); /* of 19.2 */
        free(water);
        OK(wadi_sim_step(sim, 5)); /* the next is 10 s away */
        const wadi_mass mass = wadi_sim_mass(sim);
        assert_true(mass.rained < 0.5 * all);
        wadi_sim_destroy(sim);
    }
    scene_free(&scene);
}

/* Every interval one, whatever the steps; over many the whole grid is rained on. */
static void showers_come_in_time(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        scene scene = plain_scene(30, 20, 1, WADI_CLOSED);
        set(&scene, "dt", i == 0 ? 1 : i == 1 ? 0.3 : 7);
        set(&scene, "rain_interval", 2);
        set(&scene, "KC", 0);
        set(&scene, "rain_peak", 0.5);
        set(&scene, "rain_points", 0.05); /* 30 points */
        float *height = scene_field(&scene, "height");
        fill(height, &scene.def, 1);
        height[7] = 0;
        wadi_sim *sim = run(&scene, i == 0 ? 42 : i == 1 ? 140 : 6); /* 42 s */
        const double showers = wadi_sim_mass(sim).rained / (0.5 * 30);
        if (!(showers > 20.4 && showers < 21.1)) fail_msg("%d: %g showers", i, showers); /* the low cell gets none */
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void a_source_gives_what_it_says(void **state) {
    (void)state;
    scene scene = plain_scene(40, 40, 1, WADI_CLOSED);
    no_rain(&scene);
    set(&scene, "dt", 1e-3);
    set(&scene, "eps", 1e-9);
    add_source(&scene, 20.5, 20.5, 6, 2);
    wadi_sim *sim = run(&scene, 1);
    float *water = field_of(sim, "water");
    const double rained = wadi_sim_mass(sim).rained, centre = (double)water[20 * 40 + 20];
    assert_true(fabs(rained / 2e-3 - 1) < 1e-5);
    assert_true(fabs((double)water[20 * 40 + 23] / centre - exp(-0.5)) < 0.01); /* 2 r^2 / R^2 */
    assert_true(water[20 * 40 + 29] > 0 && water[20 * 40 + 31] <= 0);
    free(water);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_agree),
        cmocka_unit_test(engines_agree_on_every_choice),
        cmocka_unit_test(pieces_of_a_run_do_not_matter),
        cmocka_unit_test(mass_is_kept_over_a_thousand_steps),
        cmocka_unit_test(a_lake_rests),
        cmocka_unit_test(laid_scenes_give_laid_results),
        cmocka_unit_test(larger_cells_scale_exactly),
        cmocka_unit_test(water_on_a_plane_reaches_its_speed),
        cmocka_unit_test(the_step_hardly_matters),
        cmocka_unit_test(any_parameters_in_range_are_sane),
        cmocka_unit_test(showers_fall_evenly_and_on_the_heights),
        cmocka_unit_test(showers_come_in_time),
        cmocka_unit_test(a_source_gives_what_it_says),
    };
    cmocka_set_test_filter(getenv("WADI_ONLY")); /* NULL: all */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
