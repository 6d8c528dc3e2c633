/* Georeferences are understood, turned north up, and survive every operation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/io_files.h"

static bytes file;
static int16_t heights[4 * 3];

static int set_up(void **state) {
    (void)state;
    for (int16_t i = 0; i < 12; i++) heights[i] = (int16_t)(100 + i);
    return 0;
}

/* 4 x 3 cells of int16 with these tags. */
static void make(const tiff_tag *tags) {
    make_tiff(&file, &(tiff_image){.width = 4, .height = 3, .bits = 16, .format = 2, .samples = heights, .tags = tags});
}

static wadi_raster *read_made(void) {
    wadi_raster *raster;
    if (read_bytes(&file, "made.tif", NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    return raster;
}

static void refuses(wadi_status expected, const char *says) {
    wadi_raster *raster;
    assert_int_equal(read_bytes(&file, "made.tif", NULL, &raster), expected);
    assert_null(raster);
    if (strstr(wadi_error_message(), says) == NULL) fail_msg("'%s' says not '%s'", wadi_error_message(), says);
}

/* Writes and reads a file. Values agree within `tolerance`, all else is equal. */
static wadi_raster *assert_survives(const wadi_raster *raster, wadi_sample sample, double scale, double tolerance) {
    wadi_raster *back;
    wadi_write_options out = {.sample = sample, .scale = scale};
    if (wadi_raster_write("through.tif", raster, &out) != WADI_OK) fail_msg("%s", wadi_error_message());
    if (wadi_raster_read("through.tif", NULL, &back) != WADI_OK) fail_msg("%s", wadi_error_message());
    assert_true(back->has_georef && !back->flipped);
    for (int i = 0; i < 6; i++) assert_true(fabs(back->georef.transform[i] - raster->georef.transform[i]) <= 1e-9);
    assert_string_equal(back->georef.name, raster->georef.name);
    assert_true(back->georef.geographic == raster->georef.geographic);
    assert_int_equal(back->georef.crs_bytes, raster->georef.crs_bytes);
    assert_true(fabs(back->lx / raster->lx - 1) < 1e-12 && fabs(back->ly / raster->ly - 1) < 1e-12);
    for (int i = 0; i < raster->width * raster->height; i++) {
        if (isnan(raster->values[i]))
            assert_true(isnan(back->values[i]));
        else
            assert_true(fabs((double)back->values[i] - (double)raster->values[i]) <= tolerance);
    }
    return back;
}

static const double scale_30[3] = {30, 30, 0}, tie_500[6] = {0, 0, 0, 500000, 4000000, 0};
static const uint16_t utm_11[16] = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32611};
static const uint16_t wgs_84[16] = {1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326};

static void projected_in_metres(void **state) {
    (void)state;
    make((tiff_tag[]){
        {33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 16, utm_11}, {42113, 2, 4, "105"}, {0}});
    wadi_raster *raster = read_made();
    assert_true(raster->has_georef && !raster->georef.geographic && !raster->flipped && !raster->scale_assumed);
    assert_true(raster->lx == 30 && raster->ly == 30 && raster->lx_variation == 0 && raster->scale == 1);
    const double expected[6] = {500000, 30, 0, 4000000, 0, -30};
    assert_memory_equal(raster->georef.transform, expected, sizeof expected);
    assert_non_null(strstr(raster->georef.name, "UTM zone 11N"));
    assert_true(isnan(raster->values[5]) && raster->values[6] == 106);
    wadi_raster *back = assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0);
    assert_memory_equal(back->georef.transform, expected, sizeof expected);
    assert_memory_equal(back->georef.crs, raster->georef.crs, raster->georef.crs_bytes);
    assert_true(back->has_nodata && back->nodata == 105);
    wadi_raster_destroy(back);
    back = assert_survives(raster, WADI_SAMPLE_INT16, 1, 0);
    assert_memory_equal(back->georef.crs, raster->georef.crs, raster->georef.crs_bytes);
    wadi_raster_destroy(back);
    wadi_raster_destroy(raster);
}

static void a_given_cell_size_overrides_the_file(void **state) {
    (void)state;
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 16, utm_11}, {0}});
    const wadi_read_options options = {.lx = 10, .ly = 20};
    wadi_raster *raster;
    assert_int_equal(read_bytes(&file, "made.tif", &options, &raster), WADI_OK);
    assert_true(raster->lx == 10 && raster->ly == 20 && raster->georef.transform[1] == 30);
    wadi_raster_destroy(raster);
}

/* California zone 5 uses US survey feet, horizontally and, with 6360, vertically. */
static void feet(void **state) {
    (void)state;
    static const uint16_t keys[20] = {1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 2229, 4096, 0, 1, 6360};
    const double foot = 1200.0 / 3937.0;
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 20, keys}, {0}});
    wadi_raster *raster = read_made();
    assert_true(fabs(raster->lx - 30 * foot) < 1e-9);
    assert_string_equal(raster->georef.vertical_unit, "US survey foot");
    assert_true(fabs((double)raster->values[11] - 111 * foot) < 1e-4);
    wadi_raster *back = assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0); /* in metres, and the file says so */
    assert_true(back->scale == 1);
    wadi_raster_destroy(back);
    back = assert_survives(raster, WADI_SAMPLE_INT16, foot, 1e-4); /* in feet, as in the source */
    assert_true(back->scale == foot);
    assert_memory_equal(back->georef.crs, raster->georef.crs, raster->georef.crs_bytes);
    wadi_raster_destroy(back);
    back = assert_survives(raster, WADI_SAMPLE_UINT16, 0.001, 0.0006); /* in another scale, which the file states */
    assert_true(fabs(back->scale - 0.001) < 1e-12);
    wadi_raster_destroy(back);
    wadi_raster_destroy(raster);
    const wadi_read_options metres = {.z_unit = "m"};
    assert_int_equal(read_bytes(&file, "made.tif", &metres, &raster), WADI_OK);
    assert_true(raster->values[11] == 111);
    wadi_raster_destroy(assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0));
    wadi_raster_destroy(raster);
}

static void vertical_unit_key(void **state) {
    (void)state;
    static const uint16_t keys[20] = {1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32611, 4099, 0, 1, 9002};
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 20, keys}, {0}});
    wadi_raster *raster = read_made();
    assert_string_equal(raster->georef.vertical_unit, "foot");
    assert_true(fabsf(raster->values[0] - 30.48f) < 1e-4f);
    wadi_raster_destroy(assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0));
    wadi_raster_destroy(raster);
}

/* One degree on WGS 84 at latitude 45: 111131.78 m along the meridian, 78846.81 m along the parallel. */
static void geographic(void **state) {
    (void)state;
    static const double scale[3] = {0.01, 0.02, 0}, tie[6] = {0, 0, 0, 10, 45.03, 0};
    make((tiff_tag[]){{33550, 12, 3, scale}, {33922, 12, 6, tie}, {34735, 3, 16, wgs_84}, {0}});
    wadi_raster *raster = read_made();
    assert_true(raster->georef.geographic);
    assert_true(fabs(raster->lx - 788.4681) < 1e-2 && fabs(raster->ly - 2222.6356) < 1e-2);
    assert_true(fabs(raster->lx_variation - 0.06 * acos(-1.0) / 180) < 1e-5); /* tan(45 degrees) a radian */
    wadi_raster_destroy(assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0));
    wadi_raster_destroy(raster);
    static const double beyond[6] = {0, 0, 0, 10, 95, 0};
    make((tiff_tag[]){{33550, 12, 3, scale}, {33922, 12, 6, beyond}, {34735, 3, 16, wgs_84}, {0}});
    refuses(WADI_ERROR_FORMAT, "pole");
}

static void pixel_is_point_means_the_middle_of_a_cell(void **state) {
    (void)state;
    static const uint16_t keys[16] = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 32611};
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 16, keys}, {0}});
    wadi_raster *raster = read_made();
    assert_true(raster->georef.transform[0] == 500000 - 15 && raster->georef.transform[3] == 4000000 + 15);
    wadi_raster_destroy(assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0));
    wadi_raster_destroy(raster);
}

static void tie_point_in_the_middle(void **state) {
    (void)state;
    static const double tie[6] = {2, 1, 0, 500000, 4000000, 0};
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie}, {34735, 3, 16, utm_11}, {0}});
    wadi_raster *raster = read_made();
    assert_true(raster->georef.transform[0] == 500000 - 60 && raster->georef.transform[3] == 4000000 + 30);
    wadi_raster_destroy(raster);
}

static void south_up_is_turned(void **state) {
    (void)state;
    static const double matrix[16] = {30, 0, 0, 500000, 0, 30, 0, 4000000, 0, 0, 0, 0, 0, 0, 0, 1};
    make((tiff_tag[]){{34264, 12, 16, matrix}, {34735, 3, 16, utm_11}, {0}});
    wadi_raster *raster = read_made();
    assert_true(raster->flipped && raster->georef.transform[3] == 4000090 && raster->georef.transform[5] == -30);
    for (int i = 0; i < 12; i++) assert_true(raster->values[i] == (float)(100 + (2 - i / 4) * 4 + i % 4));
    wadi_raster_destroy(assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0));
    wadi_raster_destroy(raster);
    heights[0] = 9999; /* the error gives the row as in the file */
    static const double scale[3] = {30, -30, 0};
    make((tiff_tag[]){{33550, 12, 3, scale}, {33922, 12, 6, tie_500}, {0}});
    raster = read_made();
    assert_true(raster->flipped && raster->values[8] == 9999 && raster->georef.transform[3] == 4000090);
    wadi_raster_destroy(raster);
    heights[0] = 100;
}

static void rotated_is_refused_with_the_command(void **state) {
    (void)state;
    static const double matrix[16] = {30, 1, 0, 500000, 1, -30, 0, 4000000, 0, 0, 0, 0, 0, 0, 0, 1};
    make((tiff_tag[]){{34264, 12, 16, matrix}, {34735, 3, 16, utm_11}, {0}});
    refuses(WADI_ERROR_UNSUPPORTED, "gdalwarp -r cubic 'made.tif' north-up.tif");
    static const double ties[18] = {0, 0, 0, 1, 1, 0, 4, 0, 0, 2, 1, 0, 0, 3, 0, 1, 0, 0};
    make((tiff_tag[]){{33922, 12, 18, ties}, {34735, 3, 16, utm_11}, {0}});
    refuses(WADI_ERROR_UNSUPPORTED, "gdalwarp");
    static const double mirrored[3] = {-30, 30, 0};
    make((tiff_tag[]){{33550, 12, 3, mirrored}, {33922, 12, 6, tie_500}, {0}});
    refuses(WADI_ERROR_UNSUPPORTED, "gdalwarp");
}

static void damaged_georeferences(void **state) {
    (void)state;
    static const double none[3] = {0, 0, 0}, infinite[3] = {INFINITY, 30, 0}, tiny[3] = {1e-200, 1e-200, 0};
    const double *const scales[] = {none, infinite, tiny};
    for (size_t i = 0; i < 3; i++) {
        make((tiff_tag[]){{33550, 12, 3, scales[i]}, {33922, 12, 6, tie_500}, {34735, 3, 16, utm_11}, {0}});
        refuses(WADI_ERROR_FORMAT, "georeference");
    }
    static const uint16_t keys[][8] = {{1, 1, 0, 9, 1024, 0, 1, 1},
                                       {1, 1, 0, 1, 1024, 34736, 1, 5},
                                       {1, 1, 0, 1, 1026, 34737, 9, 9},
                                       {1, 1, 0, 1, 1024, 12, 1, 1},
                                       {1, 1, 0, 1, 1024, 0, 7, 1}};
    for (size_t i = 0; i < 5; i++) {
        make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 8, keys[i]}, {0}});
        refuses(WADI_ERROR_FORMAT, "GeoKeys");
    }
}

/* Numbers after the keys that the header counts are no keys: here a text far outside the file. */
static void numbers_after_the_keys(void **state) {
    (void)state;
    static const uint16_t hidden[8] = {1, 1, 0, 0, 4097, 34737, 60000, 65000};
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 8, hidden}, {0}});
    wadi_raster *raster = read_made();
    assert_string_equal(raster->vertical_crs, "");
    wadi_raster_destroy(raster);
}

static void place_without_crs_and_unknown_crs(void **state) {
    (void)state;
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {0}});
    wadi_raster *raster = read_made();
    assert_true(raster->has_georef && raster->georef.crs_bytes == 0 && raster->lx == 30 && raster->scale == 1);
    wadi_raster_destroy(assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0));
    wadi_raster_destroy(raster);
    static const uint16_t unknown[16] = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 12345};
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 16, unknown}, {0}});
    raster = read_made();
    assert_string_equal(raster->georef.name, "EPSG:12345");
    wadi_raster_destroy(assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0));
    wadi_raster_destroy(raster);
}

/* As the command does: the height's description is copied to a map, and through a checkpoint. */
static void copies_and_packed_rasters_keep_the_georeference(void **state) {
    (void)state;
    make((tiff_tag[]){
        {33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 16, utm_11}, {42113, 2, 4, "105"}, {0}});
    wadi_raster *raster = read_made(), *map, *unpacked;
    assert_int_equal(wadi_raster_like(raster, &map), WADI_OK);
    assert_true(map->lx == 30 && map->has_nodata && map->nodata == 105 && map->values[0] == 0);
    void *packed;
    size_t count;
    assert_int_equal(wadi_raster_pack(map, &packed, &count), WADI_OK);
    assert_int_equal(wadi_raster_unpack(packed, count, map->width, map->height, &unpacked), WADI_OK);
    free(packed);
    memcpy(unpacked->values, raster->values, 12 * sizeof(float));
    wadi_raster *back = assert_survives(unpacked, WADI_SAMPLE_FLOAT32, 0, 0);
    assert_memory_equal(back->georef.crs, raster->georef.crs, raster->georef.crs_bytes);
    wadi_raster_destroy(back);
    wadi_raster_destroy(unpacked);
    wadi_raster_destroy(map);
    wadi_raster_destroy(raster);
}

static void the_bundled_terrain(void **state) {
    (void)state;
    const char *folder = getenv("WADI_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/jacksboro.tif", folder != NULL ? folder : ".");
    FILE *there = fopen(path, "rb");
    if (there == NULL) skip();
    fclose(there);
    wadi_raster *raster;
    if (wadi_raster_read(path, NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    assert_true(raster->width == 403 && raster->height == 344 && raster->georef.geographic);
    assert_true(fabs(raster->lx - 74.57) < 0.1 && fabs(raster->ly - 92.47) < 0.1);
    wadi_raster_destroy(assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0));
    wadi_raster_destroy(raster);
}

static void gdal_gives_the_same_georeference(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_GDAL, NULL)) skip();
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 16, utm_11}, {0}});
    save("inner.tif", &file);
    FILE *out = fopen("outer.vrt", "w");
    fputs("<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\"><SRS>EPSG:32611</SRS>"
          "<GeoTransform>500000, 30, 0, 3999910, 0, 30</GeoTransform><VRTRasterBand dataType=\"Int16\" band=\"1\">"
          "<UnitType>ft</UnitType><SimpleSource><SourceFilename relativeToVRT=\"1\">inner.tif</SourceFilename>"
          "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>",
          out);
    fclose(out);
    wadi_raster *raster;
    if (wadi_raster_read("outer.vrt", NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    assert_true(raster->has_georef && raster->flipped && raster->lx == 30);
    assert_true(raster->georef.transform[3] == 4000000 && raster->georef.transform[5] == -30);
    assert_non_null(strstr(raster->georef.name, "UTM zone 11N"));
    assert_true(fabsf(raster->values[8] - 30.48f) < 1e-4f);
    wadi_raster_destroy(assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0));
    wadi_raster_destroy(raster);
}

/* A build without libgeotiff refuses GeoTIFF; then there is nothing to test. */
static bool geotiff_is_built(void) {
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 16, utm_11}, {0}});
    wadi_raster *raster;
    const bool built = read_bytes(&file, "made.tif", NULL, &raster) != WADI_ERROR_UNSUPPORTED;
    wadi_raster_destroy(raster);
    return built;
}

/* --- units, and doubtful cases --------------------------------------------------------------------------------- */

static void says(const wadi_raster *raster, const char *text) {
    if (strstr(raster->remarks, text) == NULL) fail_msg("'%s' says not '%s'", raster->remarks, text);
}

/* The EPSG register defines the unit of a vertical CRS. */
static void vertical_crs_in_feet(void **state) {
    (void)state;
    static const struct {
        uint16_t crs;
        double metres;
    } all[] = {{8052, 1200.0 / 3937}, {6130, 0.3048},        {6131, 0.3048}, {6132, 0.3048},
               {8050, 0.3048},        {6358, 1200.0 / 3937}, {5703, 1},      {3855, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const uint16_t keys[20] = {1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32617, 4096, 0, 1, all[i].crs};
        make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 20, keys}, {0}});
        wadi_raster *raster = read_made();
        if (fabs((double)raster->values[11] - 111 * all[i].metres) > 1e-4)
            fail_msg("EPSG:%d: %g m", all[i].crs, (double)raster->values[11]);
        assert_string_equal(raster->remarks, "");
        wadi_raster *back = assert_survives(raster, WADI_SAMPLE_FLOAT32, 0, 0); /* in metres, and the file says so */
        assert_true(back->scale == 1);
        wadi_raster_destroy(back);
        wadi_raster_destroy(raster);
    }
}

static void long_metadata(void **state) {
    (void)state;
    static char text[60000];
    memset(text, 'x', sizeof text);
    const int head = sprintf(text, "<GDALMetadata><Item name=\"LINEAGE\">");
    text[head] = 'x';
    strcpy(text + sizeof text - 300,
           "</Item><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">100</Item><Item name=\"SCALE\" sample=\"0\" "
           "role=\"scale\">0.1</Item><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">ft</Item></GDALMetadata>");
    make((tiff_tag[]){{33550, 12, 3, scale_30},
                      {33922, 12, 6, tie_500},
                      {34735, 3, 16, utm_11},
                      {42112, 2, strlen(text) + 1, text},
                      {0}});
    wadi_raster *raster = read_made();
    assert_true(fabs((double)raster->values[11] - 111.1 * 0.3048) < 1e-4);
    wadi_raster_destroy(raster);
}

static void unknown_units(void **state) {
    (void)state;
    static const char cubits[] = "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">cubit</Item>"
                                 "</GDALMetadata>";
    make((tiff_tag[]){{33550, 12, 3, scale_30},
                      {33922, 12, 6, tie_500},
                      {34735, 3, 16, utm_11},
                      {42112, 2, sizeof cubits, cubits},
                      {0}});
    wadi_raster *raster = read_made();
    says(raster, "unit 'cubit' is not known here");
    wadi_raster_destroy(raster);
    static const uint16_t keys[16] = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 2229};
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 16, keys}, {0}});
    raster = read_made();
    says(raster, "counts in units of 0.304801 m, and heights without a unit are taken as metres");
    wadi_raster_destroy(raster);
    const wadi_read_options feet_said = {.z_unit = "us-ft"};
    assert_int_equal(read_bytes(&file, "made.tif", &feet_said, &raster), WADI_OK);
    assert_string_equal(raster->remarks, "");
    wadi_raster_destroy(raster);
}

/* Web Mercator uses metres at the equator: at 60 degrees north two of them are one metre on the ground. */
static void a_projection_that_stretches_is_reported(void **state) {
    (void)state;
    static const double tie[6] = {0, 0, 0, 1000000, 8399738 + 45, 0};
    static const uint16_t keys[16] = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 3857};
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie}, {34735, 3, 16, keys}, {0}});
    wadi_raster *raster = read_made();
    says(raster, "stretches the ground 2 times here: a cell of 30 x 30 m is 15 x 15 m of ground");
    wadi_raster_destroy(raster);
    make((tiff_tag[]){{33550, 12, 3, scale_30}, {33922, 12, 6, tie_500}, {34735, 3, 16, utm_11}, {0}});
    raster = read_made();
    assert_string_equal(raster->remarks, "");
    wadi_raster_destroy(raster);
}

static void degrees_without_a_crs(void **state) {
    (void)state;
    static const double scale[3] = {0.001, 0.001, 0}, tie[6] = {0, 0, 0, 20, 70, 0}, origin[6] = {0, 0, 0, 0, 0.003, 0};
    make((tiff_tag[]){{33550, 12, 3, scale}, {33922, 12, 6, tie}, {0}});
    refuses(WADI_ERROR_ARGUMENT, "made.tif: has no CRS, and its cells of 0.001 x 0.001 at (20, 70) are likely degrees");
    const wadi_read_options said = {.lx = 30}, map = {.plain_values = true};
    wadi_raster *raster;
    assert_int_equal(read_bytes(&file, "made.tif", &said, &raster), WADI_OK);
    assert_true(raster->lx == 30 && raster->ly == 30);
    wadi_raster_destroy(raster);
    assert_int_equal(read_bytes(&file, "made.tif", &map, &raster), WADI_OK);
    wadi_raster_destroy(raster);
    make((tiff_tag[]){{33550, 12, 3, scale}, {33922, 12, 6, origin}, {0}}); /* millimetres of a flume */
    raster = read_made();
    assert_true(raster->lx == 0.001);
    wadi_raster_destroy(raster);
    if (!wadi_format_available(WADI_FORMAT_GDAL, NULL)) return;
    file.count = 0;
    put_text(&file, "ncols 2\nnrows 2\nxllcorner 20\nyllcorner 70\ncellsize 0.001\n1 2\n3 4\n");
    file.count--;
    save("degrees.asc", &file);
    assert_int_equal(wadi_raster_read("degrees.asc", NULL, &raster), WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_message(), "likely degrees"));
}

/* --- sidecar files --------------------------------------------------------------------------------------------- */

static void write_text(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0 && fclose(out) == 0);
}

static void world_files(void **state) {
    (void)state;
    static const char *const names[] = {"world.tfw", "world.tifw", "world.wld"};
    make(NULL);
    save("world.tif", &file);
    wadi_raster *raster;
    for (size_t i = 0; i < 3; i++) {
        write_text(names[i], "30\n0\n0\n-30\n 500015.0 \n3999985\n");
        if (wadi_raster_read("world.tif", NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
        const double expected[6] = {500000, 30, 0, 4000000, 0, -30};
        assert_memory_equal(raster->georef.transform, expected, sizeof expected);
        assert_true(raster->has_georef && raster->lx == 30 && raster->ly == 30 && raster->values[1] == 101);
        wadi_raster_destroy(raster);
        write_text(names[i], "30\n0\n0\n30\n500015\n3999925\n"); /* south up */
        assert_int_equal(wadi_raster_read("world.tif", NULL, &raster), WADI_OK);
        assert_true(raster->flipped && raster->values[8] == 100 && raster->georef.transform[3] == 4000000);
        wadi_raster_destroy(raster);
        write_text(names[i], "30\n1\n1\n-30\n500015\n3999985\n");
        assert_int_equal(wadi_raster_read("world.tif", NULL, &raster), WADI_ERROR_UNSUPPORTED);
        assert_non_null(strstr(wadi_error_message(), "gdalwarp"));
        write_text(names[i], "30\n0\nnothing\n");
        assert_int_equal(wadi_raster_read("world.tif", NULL, &raster), WADI_OK);
        says(raster, "is no world file");
        assert_false(raster->has_georef);
        wadi_raster_destroy(raster);
        remove(names[i]);
    }
}

static void gdals_aux_xml_file(void **state) {
    (void)state;
    make(NULL);
    save("pam.tif", &file);
    write_text("pam.tif.aux.xml",
               "<PAMDataset><SRS>EPSG:32611</SRS><GeoTransform>500000,30,0,4000000,0,-30</GeoTransform>"
               "<PAMRasterBand band=\"1\"><NoDataValue>105</NoDataValue><UnitType>ft</UnitType>"
               "</PAMRasterBand></PAMDataset>");
    wadi_raster *raster;
    if (wadi_raster_read("pam.tif", NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    if (wadi_format_available(WADI_FORMAT_GDAL, NULL)) {
        assert_true(raster->has_georef && raster->lx == 30 && raster->has_nodata && raster->nodata == 105);
        assert_non_null(strstr(raster->georef.name, "UTM zone 11N"));
        assert_true(isnan(raster->values[5]) && fabsf(raster->values[0] - 30.48f) < 1e-4f);
        assert_int_equal(raster->format, WADI_FORMAT_TIFF);
    } else {
        says(raster, "reading through GDAL is not built");
    }
    wadi_raster_destroy(raster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projected_in_metres),
        cmocka_unit_test(a_given_cell_size_overrides_the_file),
        cmocka_unit_test(feet),
        cmocka_unit_test(vertical_unit_key),
        cmocka_unit_test(geographic),
        cmocka_unit_test(pixel_is_point_means_the_middle_of_a_cell),
        cmocka_unit_test(tie_point_in_the_middle),
        cmocka_unit_test(south_up_is_turned),
        cmocka_unit_test(rotated_is_refused_with_the_command),
        cmocka_unit_test(damaged_georeferences),
        cmocka_unit_test(numbers_after_the_keys),
        cmocka_unit_test(place_without_crs_and_unknown_crs),
        cmocka_unit_test(copies_and_packed_rasters_keep_the_georeference),
        cmocka_unit_test(the_bundled_terrain),
        cmocka_unit_test(gdal_gives_the_same_georeference),
        cmocka_unit_test(vertical_crs_in_feet),
        cmocka_unit_test(long_metadata),
        cmocka_unit_test(unknown_units),
        cmocka_unit_test(a_projection_that_stretches_is_reported),
        cmocka_unit_test(degrees_without_a_crs),
        cmocka_unit_test(world_files),
        cmocka_unit_test(gdals_aux_xml_file),
    };
    if (!geotiff_is_built()) return 77;
    return cmocka_run_group_tests(tests, set_up, NULL);
}
