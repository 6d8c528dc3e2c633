/* A mirrored or turned scene (terrain, maps, sources, lx and ly together) gives the mirrored or turned result, bit for
 * bit. labels: physics */
#include "scene.h"

/* The eight symmetries of a map: bit 0 mirrors x, bit 1 mirrors y, bit 2 swaps x and y first. */
enum { MIRROR_X = 1, MIRROR_Y = 2, SWAP = 4, WAYS = 8 };

static void lay_point(int way, double width, double height, double *x, double *y) {
    if (way & SWAP) {
        const double kept = *x;
        *x = *y, *y = kept;
    }
    if (way & MIRROR_X) *x = (way & SWAP ? height : width) - *x;
    if (way & MIRROR_Y) *y = (way & SWAP ? width : height) - *y;
}

/* values of a width x height grid, transformed by `way` */
static float *lay(const float *values, int width, int height, int way) {
    float *laid = malloc((size_t)width * (size_t)height * sizeof *laid);
    assert_non_null(laid);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double to_x = x + 0.5, to_y = y + 0.5;
            lay_point(way, width, height, &to_x, &to_y);
            laid[(int)to_y * (way & SWAP ? height : width) + (int)to_x] = values[y * width + x];
        }
    return laid;
}

static scene lay_scene(const scene *from, int way) {
    scene to = *from;
    const int width = from->def.width, height = from->def.height;
    if (way & SWAP) {
        to.def.width = height, to.def.height = width;
        to.def.lx = from->def.ly, to.def.ly = from->def.lx;
    }
    for (int i = 0; i < from->fields; i++) to.field[i] = lay(from->field[i], width, height, way);
    for (size_t i = 0; i < from->sources; i++) lay_point(way, width, height, &to.source[i].x, &to.source[i].y);
    return to;
}

/* In the form of that number, or with random choices. */
static scene lively_scene(const char *model, wadi_boundary boundary, int variant, uint32_t seed) {
    scene made = scene_of(model, 18, 13, 1);
    made.def.boundary = boundary;
    made.def.ly = variant % 2 ? 1.4 : 1;
    made.def.engine = scene_engines[variant / 2 % 2];
    make_hills(&made, 12, seed);
    choose_form(&made, variant);
    if (variant & 8) draw_choices(&made, &seed);
    set_even_rain(&made);
    fill_random(scene_field(&made, "rain"), &made.def, 0.005f, 0.02f, seed + 9);
    add_source(&made, 5.5, 4.25, 1.2, 0.5);
    add_source(&made, 12.5, 10.5, 0, 0.2);
    if (variant & 1) scene_field(&made, "height")[5 * 18 + 3] = NAN;
    if (variant & 2) fill_random(scene_field(&made, "mask"), &made.def, 0, 1, seed + 8);
    draw_hardness(&made, 0, 1, seed + 7);
    return made;
}

/* Fields whose names turn with the map are listed: fL, fR, fT, fB. */
static void assert_laid(const wadi_sim *plain, const wadi_sim *laid, const char *name, const char *laid_name, int way,
                        const char *what) {
    const wadi_def *def = wadi_sim_def(plain);
    float *one = field_of(plain, name), *two = field_of(laid, laid_name);
    float *expected = lay(one, def->width, def->height, way);
    for (size_t i = 0; i < cells_of(def); i++)
        if (bits_of(expected[i]) != bits_of(two[i]))
            fail_msg("%s, way %d: %s at %d: %.9g and %.9g", what, way, name, (int)i, (double)expected[i],
                     (double)two[i]);
    free(one);
    free(two);
    free(expected);
}

static void assert_pipes_laid(const wadi_sim *plain, const wadi_sim *laid, int way, const char *what) {
    static const char *const pipes[] = {"fL", "fR", "fT", "fB"};
    const wadi_def *def = wadi_sim_def(plain);
    if (scene_chosen(def, "pipes", "8")) return; /* a turned face may belong to another cell */
    for (int i = 0; i < 4; i++) {
        int to = way & SWAP ? i ^ 2 : i;
        if ((to < 2 && way & MIRROR_X) || (to >= 2 && way & MIRROR_Y)) to ^= 1;
        assert_laid(plain, laid, pipes[i], pipes[to], way, what);
    }
}

static void transformed_scenes_give_transformed_results(void **state) {
    (void)state;
    static const char *const fields[] = {"velocity", "height", "water", "sediment", "flow", "change"};
    uint32_t seed = 77;
    for (int m = 0; m < MODELS; m++)
        for (int border = 0; border < 3; border++)
            for (int variant = border % 2; variant < 32; variant += 2) {
                scene scene = lively_scene(model_id(m), (wadi_boundary)border, variant, ++seed);
                wadi_sim *plain = run(&scene, 20);
                char what[64];
                snprintf(what, sizeof what, "%s %s %d", model_id(m), scene_boundaries[border], variant);
                for (int way = 1; way < WAYS; way += variant % 3 + 1) {
                    struct scene turned = lay_scene(&scene, way);
                    wadi_sim *laid = run(&turned, 20);
                    for (int f = has_speed(&scene) ? 0 : 1; f < COUNT(fields); f++)
                        assert_laid(plain, laid, fields[f], fields[f], way, what);
                    if (has_pipes(scene.def.model)) assert_pipes_laid(plain, laid, way, what);
                    if (wadi_model_has_hardness(scene.def.model))
                        assert_laid(plain, laid, "hardness", "hardness", way, what);
                    wadi_sim_destroy(laid);
                    scene_free(&turned);
                }
                wadi_sim_destroy(plain);
                scene_free(&scene);
            }
}

/* On a periodic grid, a shifted scene gives the shifted result. */
static void a_shifted_periodic_grid_gives_shifted_results(void **state) {
    (void)state;
    for (int i = 0; i < SCENE_FORMS * MODELS; i++) {
        scene scene = lively_scene(model_id(i % MODELS), WADI_WRAP, i / MODELS, 5), moved = scene;
        const int width = scene.def.width, height = scene.def.height;
        scene.sources = moved.sources = 0;
        for (int f = 0; f < scene.fields; f++) {
            moved.field[f] = malloc(cells_of(&scene.def) * sizeof(float));
            assert_non_null(moved.field[f]);
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++)
                    moved.field[f][(y + 4) % height * width + (x + 7) % width] = scene.field[f][y * width + x];
        }
        wadi_sim *one = run(&scene, 30), *two = run(&moved, 30);
        float *here = field_of(one, "height"), *there = field_of(two, "height");
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                assert_int_equal(bits_of(here[y * width + x]),
                                 bits_of(there[(y + 4) % height * width + (x + 7) % width]));
        free(here);
        free(there);
        wadi_sim_destroy(one);
        wadi_sim_destroy(two);
        scene_free(&scene);
        scene_free(&moved);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transformed_scenes_give_transformed_results),
        cmocka_unit_test(a_shifted_periodic_grid_gives_shifted_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
