/* The caller's rounding mode does not matter: all calls that promise bits give the same bits in every mode. */
#include "scene.h"

#include <fenv.h>

#include "wadi/derive.h"
#include "wadi/io.h"
#include "wadi/mesh.h"
#include "wadi/paint.h"
#include "wadi/realism.h"
#include "wadi/render.h"
#include "wadi/terrain.h"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum { W = 48, H = 36, MODES = 5 };
static const int rounding_of[MODES] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};

/* Sets the mode in this thread and its team. */
static void set_mode(int mode) {
#pragma omp parallel num_threads(2)
    {
        fesetround(rounding_of[mode]);
#if defined(__x86_64__)
        _mm_setcsr((_mm_getcsr() & ~0x8040u) | (mode == 4 ? 0x8040u : 0)); /* denormals flushed on input and output */
#endif
    }
}

static void add(wadi_sha256 *hash, const void *bytes, size_t count) { wadi_sha256_add(hash, bytes, count); }

static void add_derived(wadi_sha256 *hash, const float *heights) {
    static float map[W * H];
    const wadi_derive_def def = wadi_default_derive(W, H, 1.3, 1.7, heights);
    wadi_derivation *derivation;
    const wadi_map_facts *facts;
    OK(wadi_derive_create(&def, &derivation));
    for (size_t i = 0; (facts = wadi_derived_facts_at(i)) != NULL; i++) {
        OK(wadi_derive_map(derivation, facts->name, map, W * H));
        add(hash, map, sizeof map);
    }
    wadi_derive_destroy(derivation);
}

static void add_terrains(wadi_sha256 *hash, float *heights) {
    static const float mask[16] = {0, 1, 1, 0, 0, 1};
    size_t kinds = 0;
    const wadi_terrain_kind *all = wadi_terrain_kinds(&kinds);
    for (size_t k = 0; k < kinds; k++) {
        wadi_terrain terrain = wadi_default_terrain(all[k].name, W, H);
        terrain.threads = 2, terrain.lx = 1.3, terrain.ly = 1.7, terrain.roughness = 0.47, terrain.base_m = 0.1;
        terrain.mask = mask, terrain.mask_width = terrain.mask_height = 4;
        OK(wadi_terrain_generate(&terrain, heights));
        add(hash, heights, W * H * sizeof *heights);
    }
}

static void add_figures(wadi_sha256 *hash, const float *heights) {
    static float hardness[W * H];
    wadi_slopes slopes;
    wadi_hypsometric_curve curve;
    wadi_drainage drainage;
    wadi_realism realism;
    const wadi_hardness how = wadi_default_hardness(W, H);
    const double score = wadi_erosion_score(heights, W, H, true), mean = wadi_range_of(heights, W * H).mean;
    OK(wadi_hardness_from_height(&how, heights, hardness));
    OK(wadi_slope_histogram(heights, W, H, 1.3, 1.7, &slopes));
    OK(wadi_hypsometry(heights, W, H, &curve));
    OK(wadi_drainage_density(heights, W, H, 1.3, 1.7, 0, &drainage));
    OK(wadi_realism_of(heights, W, H, 1.3, 1.7, 5, 0, &realism));
    add_derived(hash, heights);
    add(hash, hardness, sizeof hardness);
    add(hash, &slopes, sizeof slopes);
    add(hash, &curve, sizeof curve);
    add(hash, &drainage, sizeof drainage);
    add(hash, &realism, sizeof realism);
    add(hash, &score, sizeof score);
    add(hash, &mean, sizeof mean);
}

static void add_run(wadi_sha256 *hash, int m, const float *heights) {
    wadi_def def = wadi_default_def(wadi_model_at((size_t)m), W, H, 1.3, 1.7);
    double low, high;
    def.threads = 2;
    OK(wadi_def_set_text(&def, "dt", "0.0123"));
    wadi_def_bounds(&def, 0, &low, &high);
    add(hash, def.values, def.model->parameter_count * sizeof *def.values);
    add(hash, &low, sizeof low);
    add(hash, &high, sizeof high);
    wadi_sim *sim;
    OK(wadi_sim_create(&def, &sim));
    OK(wadi_sim_set(sim, "height", heights, W * H));
    const wadi_source source = {9.3, 8.1, 3.7, 0.3, 0.01, 0.03};
    OK(wadi_sim_set_sources(sim, &source, 1));
    OK(wadi_sim_step(sim, 3));
    const wadi_dab dabs[] = {{WADI_BRUSH_RAISE, 20.2, 11.7, 9, 0.7, 0.3, 0}, {WADI_BRUSH_WATER, 12, 9, 7, 0.7, 1, 0}};
    OK(wadi_sim_paint(sim, dabs, 2));
    OK(wadi_sim_step(sim, 3));
    const wadi_mass mass = mass_of(sim);
    const double time_s = wadi_sim_time(sim);
    float *values = field_of(sim, "height");
    add(hash, values, W * H * sizeof *values);
    add(hash, &mass, sizeof mass);
    add(hash, &time_s, sizeof time_s);
    free(values);
    wadi_sim_destroy(sim);
}

static void add_picture(wadi_sha256 *hash, const float *heights) {
    wadi_view view = wadi_default_view(W, H, 1.3, 1.7, heights);
    wadi_picture *picture;
    view.threads = 2;
    view.scale = 2.3;
    OK(wadi_render_map(&view, &picture));
    add(hash, picture->rgb, 3 * (size_t)picture->width * (size_t)picture->height);
    wadi_picture_destroy(picture);
}

/* The bytes of a file, not only its values: scales and cell sizes are in there, as text or as numbers. */
static void add_file(wadi_sha256 *hash, const char *name) {
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    add(hash, bytes, count);
}

static void add_raster(wadi_sha256 *hash, const char *name, const wadi_read_options *how) {
    wadi_raster *raster;
    OK(wadi_raster_read(name, how, &raster));
    add(hash, raster->values, (size_t)raster->width * (size_t)raster->height * sizeof(float));
    add(hash, &raster->lx, sizeof raster->lx);
    add(hash, &raster->lx_variation, sizeof raster->lx_variation);
    wadi_raster_destroy(raster);
}

static void add_read_back(wadi_sha256 *hash, const char *name) {
    wadi_read_options how = {.width = W, .height = H};
    add_raster(hash, name, &how);
    if (strcmp(name, "r.png") == 0 || strcmp(name, "r.r16") == 0) /* their integers have no scale of their own */
        how.has_range = true, how.low = -0.1, how.high = 1733.3;
    how.lx = 1.1, how.ly = 0.7, how.z_unit = "us-ft";
    add_raster(hash, name, &how);
}

static void add_written(wadi_sha256 *hash, const char *name, const wadi_raster *raster, wadi_sample sample) {
    wadi_write_options how = {.sample = sample};
    if (!wadi_format_available(wadi_format_of_name(name), NULL)) return;
    OK(wadi_raster_write(name, raster, &how));
    add_file(hash, name);
    add_read_back(hash, name);
}

static void make_text(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Numbers as text, cells in degrees. */
static void add_text_grid(wadi_sha256 *hash) {
    if (!wadi_format_available(WADI_FORMAT_GDAL, NULL)) return;
    make_text("grid.asc", "ncols 3\nnrows 2\nxllcorner 8.1\nyllcorner 47.3\ncellsize 0.00027\n"
                          "0.1 0.2 1e-3\n123.456 0.7 -0.3\n");
    make_text("grid.prj", "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
                          "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]\n");
    add_raster(hash, "grid.asc", NULL);
}

static void add_mesh(wadi_sha256 *hash, const char *name, const float *heights) {
    const wadi_mesh mesh = {W, H, 1.3, 1.7, heights, heights, 0.3, 1.1, 2};
    OK(wadi_mesh_write(name, &mesh));
    add_file(hash, name);
}

static void add_files(wadi_sha256 *hash, const float *heights) {
    static const struct {
        const char *name;
        wadi_sample sample;
    } files[] = {{"r.png", WADI_SAMPLE_UINT16},
                 {"r.png", WADI_SAMPLE_UINT8},
                 {"r.tif", WADI_SAMPLE_FLOAT32},
                 {"r.tif", WADI_SAMPLE_INT16},
                 {"r.exr", 0},
                 {"r.r16", 0},
                 {"r.r32", 0},
                 {"r.npy", 0}};
    wadi_raster *raster;
    OK(wadi_raster_create(W, H, &raster));
    for (int i = 0; i < W * H; i++) raster->values[i] = fabsf(heights[i]);
    raster->values[7] = 1e-41f; /* a denormal */
    raster->lx = 1.3, raster->ly = 1.7;
    for (int f = 0; f < COUNT(files); f++) add_written(hash, files[f].name, raster, files[f].sample);
    raster->has_georef = true;
    memcpy(raster->georef.transform, (double[6]){500000.1, 1.3, 0, 5200000.7, 0, -1.7}, sizeof(double[6]));
    add_written(hash, "r.tif", raster, WADI_SAMPLE_UINT16);
    add_mesh(hash, "m.obj", raster->values);
    add_mesh(hash, "m.ply", raster->values);
    add_mesh(hash, "m.glb", raster->values);
    wadi_raster_destroy(raster);
    add_text_grid(hash);
}

enum { PARTS = 4 };

static void hashes_in(int mode, const float *heights, char (*hex)[65]) {
    static float values[W * H];
    int part = 0;
    set_mode(mode);
    for (int p = 0; p < PARTS + MODELS; p++) {
        wadi_sha256 hash;
        wadi_sha256_begin(&hash);
        if (p == 0) add_terrains(&hash, values);
        if (p == 1) add_figures(&hash, heights);
        if (p == 2) add_picture(&hash, heights);
        if (p == 3) add_files(&hash, heights);
        if (p >= PARTS) add_run(&hash, p - PARTS, heights);
        wadi_sha256_end(&hash, hex[part++]);
    }
    const int rounding = fegetround();
    set_mode(0);
    assert_int_equal(rounding, rounding_of[mode]); /* the caller's mode is restored */
}

static void every_rounding_mode_gives_the_same_bits(void **state) {
    (void)state;
    static float heights[W * H];
    char one[32][65], other[32][65];
    wadi_terrain terrain = wadi_default_terrain("noise", W, H);
    OK(wadi_terrain_generate(&terrain, heights));
    hashes_in(0, heights, one);
    for (int mode = 1; mode < MODES; mode++) {
        hashes_in(mode, heights, other);
        for (int p = 0; p < PARTS + MODELS; p++)
            if (strcmp(one[p], other[p]) != 0) fail_msg("mode %d: part %d has other bits", mode, p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_rounding_mode_gives_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
