/* Cells without data: by a nodata value, a mask or alpha; or by a suspicious value, which gives a warning. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/io_files.h"

static bytes file, other;

/* 4 x 3 floats: 100 to 111. */
static void make(const float *heights, const tiff_tag *tags) {
    static const float standard[12] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111};
    make_tiff(&file, &(tiff_image){.width = 4,
                                   .height = 3,
                                   .bits = 32,
                                   .format = 3,
                                   .samples = heights != NULL ? heights : standard,
                                   .tags = tags});
}

static wadi_raster *read_with(const wadi_read_options *options) {
    wadi_raster *raster;
    if (read_bytes(&file, "made.tif", options, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    return raster;
}

/* Bit i of `cells`: cell i has no data. */
static void assert_missing(const wadi_raster *raster, unsigned cells) {
    for (int i = 0; i < 12; i++)
        if (isnan(raster->values[i]) != ((cells >> i & 1) != 0)) fail_msg("cell %d: %g", i, (double)raster->values[i]);
}

static void spellings_of_nodata(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } texts[] = {{"105", 105},      {" 105 ", 105},    {"1.05e2", 105},        {"105,0", 105},      {"105.", 105},
                 {"nan", NAN},      {"-nan", NAN},     {"NaN", NAN},           {"-1.#IND", NAN},    {"1.#QNAN", NAN},
                 {"-1.#QNAN", NAN}, {"inf", INFINITY}, {"-1.#INF", -INFINITY}, {"1.#INF", INFINITY}};
    const float heights[12] = {100, -1, 1, 103, 104, 105, 106, 107, 108, 109, 110, 111};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        make(heights, (tiff_tag[]){{42113, 2, strlen(texts[i].text) + 1, texts[i].text}, {0}});
        wadi_raster *raster = read_with(NULL);
        const double expected = texts[i].value;
        if (!raster->has_nodata || !(raster->nodata == expected || (isnan(raster->nodata) && isnan(expected))))
            fail_msg("'%s' is %g", texts[i].text, raster->nodata);
        assert_missing(raster, expected == 105 ? 1u << 5 : 0);
        wadi_raster_destroy(raster);
    }
    static const char *const wrong[] = {"none", "-1.#", "105 m", "1.0.5", "--105", "0x69"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        make(heights, (tiff_tag[]){{42113, 2, strlen(wrong[i]) + 1, wrong[i]}, {0}});
        wadi_raster *raster = read_with(NULL);
        assert_missing(raster, 0);
        if (raster->has_nodata || strstr(raster->remarks, "is no number") == NULL)
            fail_msg("'%s' is %g", wrong[i], raster->nodata);
        wadi_raster_destroy(raster);
    }
}

static void values_that_look_like_nodata(void **state) {
    (void)state;
    static const float usual[] = {-9999, -32768, -32767, -99999, 32767, -3.4028235e38f, 3.4028235e38f, 1e20f};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        const float heights[12] = {usual[i], usual[i], 102, 103, 104, 105, 106, 107, 108, 109, 110, 111};
        make(heights, NULL);
        wadi_raster *raster = read_with(NULL);
        assert_missing(raster, 0);
        if (strstr(raster->remarks, "far from all others") == NULL) fail_msg("%g is not said", (double)usual[i]);
        wadi_raster_destroy(raster);
        const wadi_read_options given = {.nodata_count = 2, .nodata = {(double)usual[i], 107}};
        raster = read_with(&given);
        assert_missing(raster, 3 | 1u << 7);
        assert_true(raster->has_nodata && raster->nodata == (double)usual[i]);
        assert_string_equal(raster->remarks, "");
        wadi_raster_destroy(raster);
    }
    const float trench[12] = {-9999, -9998, -8000, -5000, -100, 10, 20, 30, 40, 50, 60, 70}; /* a sea floor */
    make(trench, NULL);
    wadi_raster *raster = read_with(NULL);
    assert_string_equal(raster->remarks, "");
    wadi_raster_destroy(raster);
}

static const uint8_t mask_rows[3] = {0xd0, 0xf0, 0x70}; /* cells 2 and 8 are masked */

static void inner_mask(void **state) {
    (void)state;
    make(NULL, NULL);
    add_mask(&file, 4, 3, mask_rows);
    wadi_raster *raster = read_with(NULL);
    assert_missing(raster, 1u << 2 | 1u << 8);
    assert_true(raster->values[3] == 103);
    wadi_raster_destroy(raster);
    make(NULL, NULL);
    add_mask(&file, 3, 3, mask_rows);
    assert_int_equal(read_bytes(&file, "made.tif", NULL, &raster), WADI_ERROR_FORMAT);
    assert_non_null(strstr(wadi_error_message(), "its mask has 3 x 3 cells"));
    for (size_t cut = 1; cut < 60; cut++) { /* an error or not, but no crash */
        make(NULL, NULL);
        add_mask(&file, 4, 3, mask_rows);
        file.count -= cut;
        read_bytes(&file, "made.tif", NULL, &raster);
        wadi_raster_destroy(raster);
    }
}

static void mask_in_a_file_of_its_own(void **state) {
    (void)state;
    static const uint8_t mask[12] = {255, 255, 0, 255, 255, 255, 255, 255, 0, 255, 255, 255};
    make(NULL, NULL);
    save("beside.tif", &file);
    make_tiff(&other, &(tiff_image){.width = 4, .height = 3, .bits = 8, .format = 1, .samples = mask});
    save("beside.tif.msk", &other);
    wadi_raster *raster;
    if (wadi_raster_read("beside.tif", NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    assert_missing(raster, 1u << 2 | 1u << 8);
    wadi_raster_destroy(raster);
    other.count = 0;
    put_text(&other, "no mask");
    save("beside.tif.msk", &other);
    assert_int_equal(wadi_raster_read("beside.tif", NULL, &raster), WADI_ERROR_FORMAT);
    assert_non_null(strstr(wadi_error_message(), "beside.tif.msk"));
    remove("beside.tif.msk");
}

static void alpha(void **state) {
    (void)state;
    static const uint8_t bytes8[24] = {0, 255, 1, 0,   2, 1, 3, 255, 4,  255, 5,  255,
                                       6, 255, 7, 255, 8, 0, 9, 255, 10, 255, 11, 255};
    static const uint16_t words[24] = {0, 256, 1, 0,   2, 1, 3, 255, 4,  255, 5,  255,
                                       6, 255, 7, 255, 8, 0, 9, 255, 10, 255, 11, 255};
    for (uint16_t kind = 0; kind <= 2; kind++)
        for (uint16_t bits = 8; bits <= 16; bits = (uint16_t)(bits + 8)) {
            make_tiff(&file, &(tiff_image){.width = 4,
                                           .height = 3,
                                           .bits = bits,
                                           .format = 1,
                                           .samples_per_pixel = 2,
                                           .extra = kind,
                                           .samples = bits == 8 ? (const void *)bytes8 : words});
            wadi_raster *raster;
            if (kind == 0) { /* another band, of which nothing is known */
                assert_int_equal(read_bytes(&file, "made.tif", NULL, &raster), WADI_ERROR_FORMAT);
                assert_non_null(strstr(wadi_error_message(), "band 1 or 2"));
                continue;
            }
            raster = read_with(NULL);
            assert_missing(raster, 1u << 1 | 1u << 8);
            wadi_raster_destroy(raster);
        }
}

static void write_vrt(const char *path, const char *type, const char *band, const char *after) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out,
            "<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\"><VRTRasterBand dataType=\"%s\" band=\"1\">%s"
            "<SimpleSource><SourceFilename relativeToVRT=\"1\">inner.tif</SourceFilename><SourceBand>1</SourceBand>"
            "</SimpleSource></VRTRasterBand>%s</VRTDataset>",
            type, band, after);
    assert_int_equal(fclose(out), 0);
}

static void masks_that_gdal_reads(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_GDAL, NULL)) skip();
    make(NULL, NULL);
    add_mask(&file, 4, 3, mask_rows);
    save("inner.tif", &file);
    write_vrt("masked.vrt", "Float32", "",
              "<MaskBand><VRTRasterBand dataType=\"Byte\"><SimpleSource><SourceFilename relativeToVRT=\"1\">inner.tif"
              "</SourceFilename><SourceBand>mask,1</SourceBand></SimpleSource></VRTRasterBand></MaskBand>");
    wadi_raster *raster;
    if (wadi_raster_read("masked.vrt", NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    assert_missing(raster, 1u << 2 | 1u << 8);
    wadi_raster_destroy(raster);
    static const int8_t bytes8[12] = {-128, -127, -1, 0, 1, 2, 3, 4, 5, 6, 7, 127};
    make_tiff(&file, &(tiff_image){.width = 4, .height = 3, .bits = 8, .format = 1, .samples = bytes8});
    save("inner.tif", &file);
    write_vrt("signed.vrt", "Byte",
              "<Metadata domain=\"IMAGE_STRUCTURE\"><MDI key=\"PIXELTYPE\">SIGNEDBYTE</MDI></Metadata>", "");
    if (wadi_raster_read("signed.vrt", NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    for (int i = 0; i < 12; i++) assert_true(raster->values[i] == (float)bytes8[i]);
    wadi_raster_destroy(raster);
}

int main(void) {
    if (!wadi_format_available(WADI_FORMAT_TIFF, NULL)) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_of_nodata),
        cmocka_unit_test(values_that_look_like_nodata),
        cmocka_unit_test(inner_mask),
        cmocka_unit_test(mask_in_a_file_of_its_own),
        cmocka_unit_test(alpha),
        cmocka_unit_test(masks_that_gdal_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
