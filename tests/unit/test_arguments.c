/* Invalid arguments: every public call gets NULL for each of its pointers, numbers outside enums, and excessive sizes.
 * It must return an error with a message. */
#include "scene.h"

#include "wadi/bench.h"
#include "wadi/derive.h"
#include "wadi/device.h"
#include "wadi/io.h"
#include "wadi/landscape.h"
#include "wadi/levels.h"
#include "wadi/mesh.h"
#include "wadi/paint.h"
#include "wadi/realism.h"
#include "wadi/team.h"
#include "wadi/terrain.h"
#include "wadi/warp.h"

static char seen[32768]; /* the names of all calls that were made */

static void note(const char *call) {
    assert_true(strlen(seen) + strlen(call) + 2 < sizeof seen);
    strcat(strcat(seen, call), "\n");
}

#define NULL_REFUSED(call) \
    do { \
        note(#call); \
        REFUSED(call, WADI_ERROR_ARGUMENT, "NULL"); \
    } while (0)
#define GIVES(condition) \
    do { \
        note(#condition); \
        if (!(condition)) fail_msg("%s", #condition); \
    } while (0)
#define TAKES(call) \
    do { \
        note(#call); \
        call; \
    } while (0)

enum { W = 8, H = 6, CELLS = W * H };
static float values[CELLS];

static wadi_status discard(void *context, const void *bytes, size_t count) {
    (void)context, (void)bytes, (void)count;
    return WADI_OK;
}

static void calls_with_definitions(void **state) {
    (void)state;
    const wadi_model *model = wadi_model_at(0);
    wadi_def def = wadi_default_def(model, W, H, 1, 1), none = wadi_default_def(NULL, W, H, 1, 1);
    const wadi_preset *preset = wadi_model_presets(model, NULL);
    double low = 1, high = 1;
    GIVES(wadi_default_def(NULL, -1, -1, NAN, INFINITY).model == NULL);
    NULL_REFUSED(wadi_def_preset(NULL, preset));
    NULL_REFUSED(wadi_def_preset(&def, NULL));
    NULL_REFUSED(wadi_def_preset(&none, preset));
    NULL_REFUSED(wadi_def_preset_scaled(&def, NULL, WADI_SCALE_CELL));
    REFUSED(wadi_def_preset_scaled(&def, preset, (wadi_scale)7), WADI_ERROR_ARGUMENT, "no scale 7");
    NULL_REFUSED(wadi_def_set(NULL, "dt", 1));
    NULL_REFUSED(wadi_def_set(&def, NULL, 1));
    NULL_REFUSED(wadi_def_set(&none, "dt", 1));
    NULL_REFUSED(wadi_def_set_text(NULL, "dt", "1"));
    NULL_REFUSED(wadi_def_set_text(&def, NULL, "1"));
    NULL_REFUSED(wadi_def_set_text(&def, "dt", NULL));
    TAKES(wadi_def_bounds(NULL, 0, &low, &high));
    assert_true(low <= 0 && high <= 0);
    TAKES(wadi_def_bounds(&def, 1000, &low, &high));
    TAKES(wadi_def_bounds(&def, -1, &low, &high));
    TAKES(wadi_def_bounds(&def, 0, NULL, NULL));
    GIVES(wadi_engine_name((wadi_engine)-1) == NULL);
    GIVES(wadi_engine_name((wadi_engine)(WADI_ENGINE_AUTO + 1)) == NULL);
    GIVES(!wadi_engine_is_gpu((wadi_engine)-1));
    GIVES(!wadi_engine_is_gpu((wadi_engine)(WADI_ENGINE_AUTO + 1)));
    GIVES(wadi_def_memory(NULL) == 0);
    GIVES(wadi_def_memory(&none) == 0);
    GIVES(wadi_def_safety(NULL).substeps == 0);
    GIVES(wadi_def_safety(&none).substeps == 0);
    GIVES(!wadi_def_substeps_follow(NULL) && !wadi_def_substeps_follow(&none));
    GIVES(!wadi_def_sea_stands(NULL) && !wadi_def_sea_stands(&none));
    GIVES(!(wadi_def_cost(NULL).bytes > 0));
    GIVES(wadi_def_device_memory(NULL) == 0);
    TAKES(wadi_build_ahead(NULL, 3));
    TAKES(wadi_def_choose_engine(NULL));
    TAKES(wadi_def_choose_engine(&none));
    NULL_REFUSED(wadi_measure_machine(1, NULL));
    GIVES(wadi_devices(WADI_ENGINE_CPU, NULL, 5, NULL) == 0);
    GIVES(wadi_devices((wadi_engine)99, NULL, 5, NULL) == 0);
    NULL_REFUSED(wadi_device_bandwidth(WADI_ENGINE_OPENCL, 0, NULL));
}

static void calls_with_tables(void **state) {
    (void)state;
    char text[] = "--steps is missing";
    TAKES(wadi_free(NULL));
    TAKES(wadi_name_options(false));
    TAKES(wadi_rename_options(text));
    assert_string_equal(text, "steps is missing");
    const wadi_model *model = wadi_model_at(0);
    const char *names[] = {"a", NULL};
    GIVES(wadi_model_count() > 0);
    GIVES(wadi_model_at(SIZE_MAX) == NULL);
    GIVES(wadi_model_find(NULL) == NULL);
    GIVES(wadi_model_id(NULL) == NULL);
    GIVES(wadi_model_title(NULL) == NULL);
    GIVES(wadi_model_citation(NULL) == NULL);
    GIVES(wadi_model_boundary(NULL) == WADI_CLOSED);
    GIVES(!wadi_model_has_hardness(NULL));
    GIVES(!wadi_model_has_sea(NULL));
    GIVES(!wadi_model_has_ice(NULL));
    GIVES(!wadi_model_has_uplift(NULL));
    GIVES(wadi_model_knobs(NULL, NULL) == NULL);
    GIVES(wadi_model_knob_index(NULL, "age") == -1);
    GIVES(wadi_model_knob_index(model, NULL) == -1);
    GIVES(wadi_model_parameters(NULL, NULL) == NULL);
    GIVES(wadi_model_parameters(model, NULL) != NULL);
    GIVES(wadi_model_parameter_index(NULL, "dt") == -1);
    GIVES(wadi_model_parameter_index(model, NULL) == -1);
    GIVES(wadi_model_presets(NULL, NULL) == NULL);
    GIVES(wadi_preset_find(NULL, &model) == NULL);
    GIVES(wadi_preset_find("default", NULL) == NULL);
    GIVES(wadi_def_preset_steps(NULL, NULL) == 0);
    NULL_REFUSED(wadi_def_knob(NULL, "age", 0.7));
    NULL_REFUSED(wadi_def_knobs(NULL, NULL, NULL));
    GIVES(!wadi_def_sea(NULL, NULL));
    int64_t reach = 0;
    const wadi_def none = {0};
    NULL_REFUSED(wadi_def_reach(NULL, 1, &reach));
    NULL_REFUSED(wadi_def_reach(&none, 1, NULL));
    GIVES(wadi_def_reach(&none, 1, &reach) == WADI_ERROR_ARGUMENT);
    GIVES(wadi_level_cells(0, 3) == 0);
    GIVES(wadi_def_level(NULL, 1).model == NULL);
    GIVES(wadi_level_steps(NULL, 7, 1) == 7);
    GIVES(wadi_preset_georeferenced(NULL) == NULL);
    GIVES(wadi_nearest_name(NULL, names, 1) == NULL);
    GIVES(wadi_nearest_name("xyz", NULL, 1) == NULL);
    GIVES(wadi_nearest_name("xyz", names, 2) == NULL);
    GIVES(wadi_brush_name((wadi_brush)99) == NULL);
    GIVES(wadi_terrain_kinds(NULL) != NULL);
    GIVES(wadi_error_message() != NULL);
    GIVES(wadi_version() != NULL);
    GIVES(wadi_fail(WADI_ERROR_IO, "%s", "x") == WADI_ERROR_IO);
}

static void calls_with_simulations(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", W, H, 1);
    wadi_sim *sim = run(&scene, 1), *made = NULL;
    void *none = NULL;
    size_t bytes;
    const size_t cell = 0;
    double flow = 0;
    const char *const fields[] = {NULL};
    const unsigned buffers[] = {1};
    const wadi_drops drops = {0, 0, 0};
    tape tape = {0};
    NULL_REFUSED(wadi_sim_create(NULL, &made));
    GIVES(wadi_sim_flow_samples(NULL) == 0);
    NULL_REFUSED(wadi_sim_gather_flow(NULL, &cell, &flow, 1));
    NULL_REFUSED(wadi_sim_gather_flow(sim, NULL, &flow, 1));
    NULL_REFUSED(wadi_sim_set_gathered_flow(NULL, &cell, &flow, 1));
    NULL_REFUSED(wadi_sim_set_gathered_flow(sim, &cell, NULL, 1));
    NULL_REFUSED(wadi_sim_create(&scene.def, NULL));
    TAKES(wadi_sim_destroy(NULL));
    NULL_REFUSED(wadi_sim_set(NULL, "water", values, CELLS));
    NULL_REFUSED(wadi_sim_set(sim, NULL, values, CELLS));
    NULL_REFUSED(wadi_sim_set(sim, "water", NULL, CELLS));
    NULL_REFUSED(wadi_sim_get(NULL, "water", values, CELLS));
    NULL_REFUSED(wadi_sim_get(sim, NULL, values, CELLS));
    NULL_REFUSED(wadi_sim_get(sim, "water", NULL, CELLS));
    const wadi_rect rect = {0, 0, W, H};
    const float *borrowed;
    size_t stride;
    NULL_REFUSED(wadi_sim_get_rect(NULL, "water", &rect, values, W));
    NULL_REFUSED(wadi_sim_get_rect(sim, NULL, &rect, values, W));
    NULL_REFUSED(wadi_sim_get_rect(sim, "water", NULL, values, W));
    NULL_REFUSED(wadi_sim_get_rect(sim, "water", &rect, NULL, W));
    NULL_REFUSED(wadi_sim_borrow(NULL, "water", &borrowed, &stride));
    NULL_REFUSED(wadi_sim_borrow(sim, NULL, &borrowed, &stride));
    NULL_REFUSED(wadi_sim_borrow(sim, "water", NULL, &stride));
    NULL_REFUSED(wadi_sim_borrow(sim, "water", &borrowed, NULL));
    GIVES(wadi_sim_fields(NULL, NULL, 0) == 0 && wadi_sim_fields(sim, NULL, 0) > 0);
    GIVES(!wadi_sim_has(sim, NULL) && wadi_sim_has(sim, "water"));
    GIVES(!wadi_sim_has_map(sim, NULL) && !wadi_sim_has_map(sim, "rain"));
    NULL_REFUSED(wadi_sim_get_gl(NULL, fields, buffers, 1));
    NULL_REFUSED(wadi_sim_get_gl(sim, NULL, buffers, 1));
    NULL_REFUSED(wadi_sim_get_gl(sim, fields, buffers, 1));
    NULL_REFUSED(wadi_sim_get_gl(sim, fields, NULL, 1));
    TAKES(wadi_sim_trim(NULL));
    NULL_REFUSED(wadi_sim_set_sources(NULL, NULL, 0));
    NULL_REFUSED(wadi_sim_set_sources(sim, NULL, 1));
    GIVES(wadi_sim_sources(NULL, NULL) == NULL);
    GIVES(wadi_sim_sources(NULL, &bytes) == NULL && bytes == 0);
    NULL_REFUSED(wadi_sim_take(NULL, sim));
    NULL_REFUSED(wadi_sim_settle(NULL));
    NULL_REFUSED(wadi_sim_take(sim, NULL));
    NULL_REFUSED(wadi_sim_set_parameter(NULL, "dt", 1));
    NULL_REFUSED(wadi_sim_set_parameter(sim, NULL, 1));
    NULL_REFUSED(wadi_sim_set_drops(NULL, &drops));
    NULL_REFUSED(wadi_sim_set_drops(sim, NULL));
    NULL_REFUSED(wadi_sim_step(NULL, 1));
    NULL_REFUSED(wadi_sim_step_with(NULL, 1, NULL, NULL));
    NULL_REFUSED(wadi_sim_mass(NULL, &(wadi_mass){0}));
    NULL_REFUSED(wadi_sim_mass(sim, NULL));
    NULL_REFUSED(wadi_sim_paint(NULL, NULL, 0));
    NULL_REFUSED(wadi_sim_paint(sim, NULL, 1));
    NULL_REFUSED(wadi_sim_check_dabs(NULL, NULL, 0));
    NULL_REFUSED(wadi_sim_check_dabs(sim, NULL, 1));
    NULL_REFUSED(wadi_sim_paint_area(NULL, NULL, 0));
    NULL_REFUSED(wadi_sim_paint_area(sim, NULL, 1));
    NULL_REFUSED(wadi_sim_check_area(NULL, NULL, 0));
    NULL_REFUSED(wadi_sim_check_area(sim, NULL, 1));
    NULL_REFUSED(wadi_sim_check_map(NULL, "mask", NULL, 0));
    NULL_REFUSED(wadi_sim_check_map(sim, NULL, NULL, 0));
    NULL_REFUSED(wadi_sim_check_map(sim, "mask", NULL, 0));
    NULL_REFUSED(wadi_sim_save(NULL, NULL, 0, discard, NULL));
    NULL_REFUSED(wadi_sim_save(sim, NULL, 1, discard, NULL));
    NULL_REFUSED(wadi_sim_save(sim, NULL, 0, NULL, NULL));
    NULL_REFUSED(wadi_sim_restore(NULL, &tape, NULL, &made, &none, &bytes));
    NULL_REFUSED(wadi_sim_restore(play, &tape, NULL, NULL, &none, &bytes));
    NULL_REFUSED(wadi_sim_restore(play, &tape, NULL, &made, NULL, &bytes));
    NULL_REFUSED(wadi_sim_restore(play, &tape, NULL, &made, &none, NULL));
    GIVES(wadi_sim_safety(NULL).substeps == 0);
    GIVES(wadi_sim_steps(NULL) == 0);
    GIVES(!wadi_sim_has(NULL, "water"));
    GIVES(!wadi_sim_has_map(NULL, "rain"));

    GIVES(!(wadi_sim_time(NULL) > 0));
    GIVES(wadi_sim_def(NULL) == NULL);
    GIVES(wadi_sim_threads(NULL) == 0);
    GIVES(wadi_sim_parts(NULL) == 0);
    GIVES(wadi_sim_substeps(NULL) == 0);
    GIVES(wadi_sim_substeps_per_pass(NULL) == 0);
    GIVES(wadi_sim_steps_at_once(NULL) == 1);
    GIVES(!(wadi_sim_idle_share(NULL) > 0));
    GIVES(wadi_sim_device(NULL) == NULL);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

static void invalid_enums_and_impossible_sizes_are_refused(void **state) {
    (void)state;
    const wadi_def good = wadi_default_def(wadi_model_at(0), W, H, 1, 1);
    wadi_def bad[20];
    int count = 0;
    for (int i = 0; i < COUNT(bad); i++) bad[i] = good;
    const wadi_team nobody = {.processes = 0}, silent = {.processes = 2, .on_host = 1, .share = 1};
    bad[count++].team = &nobody;
    bad[count++].team = &silent;
    REFUSED(wadi_team_lead(&nobody), WADI_ERROR_ARGUMENT, "team");
    REFUSED(wadi_team_serve(&silent), WADI_ERROR_ARGUMENT, "team");
    REFUSED(wadi_team_dismiss(&silent), WADI_ERROR_ARGUMENT, "team");
    bad[count++].parts = -1;
    bad[count++].substeps_per_exchange = 17;
    bad[count++].boundary = (wadi_boundary)3;
    bad[count++].boundary = (wadi_boundary)-1;
    bad[count++].engine = (wadi_engine)99;
    bad[count++].arithmetic = (wadi_arithmetic)2;
    bad[count++].threads = -1;
    bad[count++].threads = WADI_MOST_THREADS + 1;
    bad[count++].threads = 100000;
    bad[count++].device = -2;
    bad[count++].lx = NAN;
    bad[count++].ly = INFINITY;
    bad[count++].lx = -1;
    bad[count++].width = -5;
    bad[count].width = 1 << 20, bad[count++].height = (1 << 20) + 1;
    bad[count++].drops.count = NAN;
    bad[count++].tile_columns = -16;
    for (int i = 0; i < count; i++) {
        wadi_sim *sim = NULL;
        if (wadi_sim_create(&bad[i], &sim) != WADI_ERROR_ARGUMENT) fail_msg("definition %d is taken", i);
        assert_null(sim);
    }
    wadi_sim *sim;
    OK(wadi_sim_create(&good, &sim));
    OK(wadi_sim_step(sim, 2));
    REFUSED(wadi_sim_step(sim, -1), WADI_ERROR_ARGUMENT, "steps");
    REFUSED(wadi_sim_step(sim, INT64_MIN), WADI_ERROR_ARGUMENT, "steps");
    REFUSED(wadi_sim_step(sim, INT64_MAX), WADI_ERROR_ARGUMENT, "steps");
    assert_true(wadi_sim_steps(sim) == 2);
    wadi_sim_destroy(sim);
    wadi_machine machine;
    REFUSED(wadi_measure_machine(100000, &machine), WADI_ERROR_ARGUMENT, "threads");
    wadi_terrain terrain = wadi_default_terrain("noise", W, H);
    terrain.threads = 100000;
    REFUSED(wadi_terrain_generate(&terrain, values), WADI_ERROR_ARGUMENT, "threads");
}

static void calls_that_derive(void) {
    wadi_derivation *derivation = NULL;
    wadi_streams *streams = NULL;
    GIVES(wadi_derived_facts_at(1000) == NULL);
    GIVES(wadi_derived_facts_of(NULL) == NULL);
    const wadi_derive_def good = wadi_default_derive(W, H, 1, 1, values);
    wadi_derive_def none = good;
    none.heights = NULL;
    GIVES(wadi_default_derive(-1, -1, NAN, NAN, NULL).heights == NULL);
    NULL_REFUSED(wadi_derive_create(NULL, &derivation));
    NULL_REFUSED(wadi_derive_create(&good, NULL));
    NULL_REFUSED(wadi_derive_create(&none, &derivation));
    GIVES(wadi_derive_create(&good, &derivation) == WADI_OK);
    NULL_REFUSED(wadi_derive_map(NULL, "slope", values, CELLS));
    NULL_REFUSED(wadi_derive_map(derivation, NULL, values, CELLS));
    NULL_REFUSED(wadi_derive_map(derivation, "slope", NULL, CELLS));
    NULL_REFUSED(wadi_derive_streams(NULL, &streams));
    NULL_REFUSED(wadi_derive_streams(derivation, NULL));
    TAKES(wadi_streams_destroy(NULL));
    TAKES(wadi_derive_destroy(NULL));
    wadi_derive_destroy(derivation);
}

static void calls_with_terrains_and_figures(void **state) {
    (void)state;
    wadi_terrain terrain = wadi_default_terrain("noise", W, H), nameless = wadi_default_terrain(NULL, W, H);
    wadi_hardness hardness = wadi_default_hardness(W, H);
    wadi_sha256 hash;
    char hex[65] = "x";
    GIVES(wadi_default_terrain(NULL, 1, 1).kind == NULL);
    GIVES(wadi_default_hardness(1, 1).width == 1);
    NULL_REFUSED(wadi_terrain_generate(NULL, values));
    NULL_REFUSED(wadi_terrain_generate(&terrain, NULL));
    NULL_REFUSED(wadi_terrain_generate(&nameless, values));
    NULL_REFUSED(wadi_terrain_warp(NULL, values));
    NULL_REFUSED(wadi_terrain_warp(&terrain, NULL));
    NULL_REFUSED(wadi_breach(NULL, values, NULL));
    NULL_REFUSED(wadi_flood_sea(NULL, W, H, 1, values));
    NULL_REFUSED(wadi_flood_sea(values, W, H, 1, NULL));
    NULL_REFUSED(wadi_average(NULL, W, H, values, 2, 2));
    NULL_REFUSED(wadi_average(values, W, H, NULL, 2, 2));
    NULL_REFUSED(wadi_carry_up(NULL, 2, 2, false, values, W, H));
    NULL_REFUSED(wadi_carry_up(values, 2, 2, false, NULL, W, H));
    NULL_REFUSED(wadi_warp_level(NULL, W, H, 2, 2, false, 0.5, 1, values));
    NULL_REFUSED(wadi_warp_level(values, W, H, 2, 2, false, 0.5, 1, NULL));
    NULL_REFUSED(wadi_hardness_from_height(NULL, values, values));
    NULL_REFUSED(wadi_hardness_from_height(&hardness, NULL, values));
    NULL_REFUSED(wadi_hardness_from_height(&hardness, values, NULL));
    GIVES(!(wadi_erosion_score(NULL, W, H, false) > 0));
    GIVES(wadi_range_of(NULL, 4).missing == 0);
    NULL_REFUSED(wadi_slope_histogram(values, W, H, 1, 1, NULL));
    NULL_REFUSED(wadi_slope_histogram(NULL, W, H, 1, 1, &(wadi_slopes){0}));
    NULL_REFUSED(wadi_hypsometry(values, W, H, NULL));
    NULL_REFUSED(wadi_hypsometry(NULL, W, H, &(wadi_hypsometric_curve){0}));
    NULL_REFUSED(wadi_drainage_density(values, W, H, 1, 1, 0, NULL));
    NULL_REFUSED(wadi_drainage_density(NULL, W, H, 1, 1, 0, &(wadi_drainage){0}));
    NULL_REFUSED(wadi_realism_of(values, W, H, 1, 1, 0, 0, NULL));
    NULL_REFUSED(wadi_realism_of(NULL, W, H, 1, 1, 0, 0, &(wadi_realism){.drainage = {0}}));
    GIVES(wadi_measure_about((wadi_measure)-1) == NULL);
    calls_that_derive();
    TAKES(wadi_sha256_begin(NULL));
    wadi_sha256_begin(&hash);
    TAKES(wadi_sha256_add(NULL, values, 4));
    TAKES(wadi_sha256_add(&hash, NULL, 4));
    TAKES(wadi_sha256_end(NULL, hex));
    assert_string_equal(hex, "");
    TAKES(wadi_sha256_end(&hash, NULL));
    TAKES(wadi_field_sha256(NULL, 4, hex));
    TAKES(wadi_field_sha256(values, 4, NULL));
    assert_string_equal(hex, "");
}

static void calls_with_files(void **state) {
    (void)state;
    wadi_raster *raster = NULL, *made = NULL;
    void *bytes = NULL;
    size_t count = 0;
    wadi_write_options how = {0};
    const wadi_mesh mesh = {0};
    OK(wadi_raster_create(W, H, &raster));
    NULL_REFUSED(wadi_raster_read(NULL, NULL, &made));
    NULL_REFUSED(wadi_raster_read("x.png", NULL, NULL));
    NULL_REFUSED(wadi_raster_read_memory(NULL, 4, "x.png", NULL, &made));
    NULL_REFUSED(wadi_raster_read_memory(values, 4, NULL, NULL, &made));
    NULL_REFUSED(wadi_raster_read_memory(values, 4, "x.png", NULL, NULL));
    NULL_REFUSED(wadi_raster_write(NULL, raster, &how));
    NULL_REFUSED(wadi_raster_write("x.npy", NULL, &how));
    TAKES(wadi_raster_write("x.npy", raster, NULL)); /* the defaults */
    NULL_REFUSED(wadi_raster_create(W, H, NULL));
    TAKES(wadi_raster_destroy(NULL));
    TAKES(wadi_raster_scratch(NULL, 0)); /* in memory, as before */
    NULL_REFUSED(wadi_raster_like(NULL, &made));
    NULL_REFUSED(wadi_raster_like(raster, NULL));
    const wadi_warp warp = {.width = 4, .height = 4};
    NULL_REFUSED(wadi_raster_warp(NULL, &warp, &made));
    NULL_REFUSED(wadi_raster_warp(raster, NULL, &made));
    NULL_REFUSED(wadi_raster_warp(raster, &warp, NULL));
    NULL_REFUSED(wadi_raster_clip(NULL, 0, 0, 2, 2, &made));
    NULL_REFUSED(wadi_raster_clip(raster, 0, 0, 2, 2, NULL));
    NULL_REFUSED(wadi_raster_pack(NULL, &bytes, &count));
    NULL_REFUSED(wadi_raster_pack(raster, NULL, &count));
    NULL_REFUSED(wadi_raster_pack(raster, &bytes, NULL));
    NULL_REFUSED(wadi_raster_unpack(NULL, 4, 2, 2, &made));
    NULL_REFUSED(wadi_raster_unpack(values, 4, 2, 2, NULL));
    GIVES(wadi_format_of_name(NULL) == WADI_FORMAT_UNKNOWN);
    GIVES(wadi_format_facts_of((wadi_format)99) == NULL);
    GIVES(wadi_format_facts_of((wadi_format)-1) == NULL);
    TAKES(wadi_format_extension((wadi_format)99));
    TAKES(wadi_sample_name((wadi_sample)99));
    GIVES(wadi_sample_full_scale((wadi_sample)99) == 0);
    GIVES(wadi_raster_metadata(NULL, NULL) == NULL);
    TAKES(wadi_format_available(WADI_FORMAT_PNG, NULL));
    GIVES(!wadi_format_available((wadi_format)99, NULL));
    const wadi_image image = {1, 1, 1, {values}};
    NULL_REFUSED(wadi_image_write(NULL, &image, WADI_SAMPLE_UINT8));
    NULL_REFUSED(wadi_image_write("x.png", NULL, WADI_SAMPLE_UINT8));
    NULL_REFUSED(wadi_picture_write(NULL, (const uint8_t *)values, 1, 1));
    NULL_REFUSED(wadi_picture_write("x.png", NULL, 1, 1));
    NULL_REFUSED(wadi_picture_write_placed(NULL, (const uint8_t *)values, 1, 1, NULL));
    NULL_REFUSED(wadi_picture_write_placed("x.tif", NULL, 1, 1, NULL));
    NULL_REFUSED(wadi_picture_write_placed("x.tif", (const uint8_t *)values, 1, 1, NULL));
    const wadi_image bare = {.width = 1, .height = 1, .channels = 1};
    NULL_REFUSED(wadi_image_write("x.png", &bare, WADI_SAMPLE_UINT8));
    NULL_REFUSED(wadi_mesh_write(NULL, &mesh));
    NULL_REFUSED(wadi_mesh_write("x.ply", NULL));
    wadi_raster_destroy(raster);
}

static void calls_with_pictures(void **state) {
    (void)state;
    wadi_picture *picture = NULL;
    wadi_view view = wadi_default_view(W, H, 1, 1, values);
    double film;
    GIVES(wadi_default_view(W, H, 1, 1, NULL).heights == NULL);
    NULL_REFUSED(wadi_view_film(&view, &film)); /* no water */
    NULL_REFUSED(wadi_view_settle(NULL));
    NULL_REFUSED(wadi_view_film(NULL, &film));
    NULL_REFUSED(wadi_view_film(&view, NULL));
    NULL_REFUSED(wadi_render_map(NULL, &picture));
    NULL_REFUSED(wadi_render_map(&view, NULL));
    NULL_REFUSED(wadi_render_sheet(NULL, NULL, 1, &picture));
    NULL_REFUSED(wadi_render_sheet(&(const wadi_picture *){NULL}, NULL, 1, &picture));
    NULL_REFUSED(wadi_render_sheet(&(const wadi_picture *){NULL}, NULL, 1, NULL));
    NULL_REFUSED(wadi_render_plots(NULL, 1, NULL, &picture));
    NULL_REFUSED(wadi_render_plots(&(wadi_plot){0}, 1, NULL, NULL));
    TAKES(wadi_picture_destroy(NULL));
}

/* Without a context, and in a build without a renderer. */
#define LANDSCAPE_REFUSED(call) \
    do { \
        note(#call); \
        const wadi_status refused = (call); \
        if (refused != WADI_ERROR_ARGUMENT && refused != WADI_ERROR_UNSUPPORTED) fail_msg("%s", #call); \
    } while (0)

static void calls_with_landscapes(void **state) {
    (void)state;
    wadi_camera camera = {0};
    wadi_legend legend;
    wadi_picture *picture = NULL;
    const wadi_look look = wadi_default_look();
    double x, y;
    bool all;
    GIVES(wadi_default_look().mark_count == 0);
    LANDSCAPE_REFUSED(wadi_landscape_create(W, H, 1, 1, NULL));
    TAKES(wadi_landscape_destroy(NULL));
    LANDSCAPE_REFUSED(wadi_landscape_set(NULL, WADI_LAYER_HEIGHT, 0, 0, W, H, values));
    GIVES(wadi_landscape_update(NULL, WADI_LAYER_HEIGHT, values) == -1);
    GIVES(wadi_landscape_update_some(NULL, WADI_LAYER_HEIGHT, values, 1, &all) == -1);
    LANDSCAPE_REFUSED(wadi_landscape_set_buffer(NULL, WADI_LAYER_HEIGHT, 0));
    LANDSCAPE_REFUSED(wadi_landscape_clear(NULL, WADI_LAYER_WATER));
    LANDSCAPE_REFUSED(wadi_landscape_settle(NULL, NULL));
    LANDSCAPE_REFUSED(wadi_landscape_draw(NULL, &camera, &look, 9, 9));
    GIVES(wadi_landscape_settled(NULL, &look));
    GIVES(!wadi_landscape_legend(NULL, &look, &legend));
    LANDSCAPE_REFUSED(wadi_landscape_decorate(NULL, &look, picture));
    TAKES(wadi_landscape_fit(NULL, &camera, &look, 9, 9));
    GIVES(!(wadi_landscape_camera(NULL).distance > 0));
    GIVES(!wadi_landscape_pick(NULL, &camera, &look, 9, 9, 1, 1, &x, &y));
    LANDSCAPE_REFUSED(wadi_offscreen_open(9, 9, NULL));
    GIVES(wadi_offscreen_renderer(NULL) == NULL || *wadi_offscreen_renderer(NULL) == '\0');
    LANDSCAPE_REFUSED(wadi_offscreen_read(NULL, &picture));
    LANDSCAPE_REFUSED(wadi_offscreen_share(NULL));
    LANDSCAPE_REFUSED(wadi_offscreen_use(NULL));
    TAKES(wadi_offscreen_close(NULL));
}

/* Finds calls that a header declares and that no test above has made. */
static void look_through(const char *header) {
    char path[1024], line[1024], rest[1024];
    snprintf(path, sizeof path, "%s/../include/wadi/%s.h", getenv("WADI_DATA"), header);
    FILE *file = fopen(path, "r");
    if (file == NULL) fail_msg("%s cannot be read", path);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *name = strncmp(line, "WADI_API", 8) == 0 ? strstr(line, "wadi_") : NULL;
        while (name != NULL && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '(')
            name = strstr(name + 5, "wadi_");
        if (name == NULL) continue;
        snprintf(rest, sizeof rest, "%.*s", (int)(strcspn(name, "(") + 1), name);
        if (strstr(seen, rest) == NULL) fail_msg("%s.h: %s...) is not tried with NULL", header, rest);
    }
    fclose(file);
}

static void every_public_call_is_tried(void **state) {
    (void)state;
    static const char *const headers[] = {"analysis",  "bench",  "derive", "device",  "io",
                                          "landscape", "levels", "mesh",   "model",   "paint",
                                          "render",    "sim",    "status", "terrain", "warp"};
    if (getenv("WADI_DATA") == NULL) skip();
    for (int i = 0; i < COUNT(headers); i++) look_through(headers[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_with_definitions),
                                       cmocka_unit_test(calls_with_tables),
                                       cmocka_unit_test(calls_with_simulations),
                                       cmocka_unit_test(invalid_enums_and_impossible_sizes_are_refused),
                                       cmocka_unit_test(calls_with_terrains_and_figures),
                                       cmocka_unit_test(calls_with_files),
                                       cmocka_unit_test(calls_with_pictures),
                                       cmocka_unit_test(calls_with_landscapes),
                                       cmocka_unit_test(every_public_call_is_tried)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
