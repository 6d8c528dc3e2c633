/* Bad files and bad disks: truncated files, wrong sizes, files that are no rasters, full disks, unwritable places. Each
 * gives an error with a message and leaves no new file. The existing file is unchanged. */
#define _DEFAULT_SOURCE /* setrlimit */

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/io_files.h"

static bytes file, samples;

static wadi_raster *make_raster(int width, int height) {
    wadi_raster *raster;
    assert_int_equal(wadi_raster_create(width, height, &raster), WADI_OK);
    uint32_t random = 1;
    for (int i = 0; i < width * height; i++) { /* noise, which deflate cannot compress */
        random = random * 1664525u + 1013904223u;
        raster->values[i] = (float)(random >> 8);
    }
    return raster;
}

static void load(const char *path) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    file.count = fread(file.at, 1, sizeof file.at, in);
    fclose(in);
}

static int files_here(const char *beginning) {
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += strncmp(entry->d_name, beginning, strlen(beginning)) == 0;
    closedir(folder);
    return count;
}

static const struct {
    const char *name;
    wadi_sample sample;
} outputs[] = {{"out.tif", WADI_SAMPLE_FLOAT32}, {"out.png", WADI_SAMPLE_UINT16},  {"out.exr", WADI_SAMPLE_FLOAT32},
               {"out.r16", WADI_SAMPLE_UINT16},  {"out.r32", WADI_SAMPLE_FLOAT32}, {"out.npy", WADI_SAMPLE_FLOAT32}};
#define OUTPUTS (sizeof outputs / sizeof *outputs)

static bool built(size_t output) { return wadi_format_available(wadi_format_of_name(outputs[output].name), NULL); }

/* --- reading --------------------------------------------------------------------------------------------------- */

static void files_cut_off_anywhere(void **state) {
    (void)state;
    for (size_t f = 0; f < OUTPUTS; f++) {
        if (!built(f)) continue;
        wadi_raster *raster = make_raster(37, 29);
        wadi_write_options out = {.sample = outputs[f].sample};
        assert_int_equal(wadi_raster_write(outputs[f].name, raster, &out), WADI_OK);
        wadi_raster_destroy(raster);
        load(outputs[f].name);
        static bytes cut;
        for (size_t tenth = 0; tenth < 10; tenth++) {
            memcpy(cut.at, file.at, file.count);
            cut.count = file.count * tenth / 10;
            save("cut", &cut); /* recognised by content, where enough of it is there */
            const wadi_read_options size = {.width = 37, .height = 29};
            const wadi_status whole = read_bytes(&cut, outputs[f].name, &size, &raster);
            assert_true(whole == WADI_ERROR_FORMAT);
            assert_null(raster);
            assert_true(wadi_raster_read("cut", &size, &raster) != WADI_OK);
            assert_null(raster);
            assert_null(strchr(wadi_error_message(), '\n'));
        }
    }
}

/* All rows are there, but the end chunk is missing. */
static void png_without_an_end_chunk(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_PNG, NULL)) skip();
    wadi_raster *raster = make_raster(5, 4);
    assert_int_equal(wadi_raster_write("end.png", raster, NULL), WADI_OK);
    wadi_raster_destroy(raster);
    load("end.png");
    file.count -= 6;
    assert_int_equal(read_bytes(&file, "end.png", NULL, &raster), WADI_ERROR_FORMAT);
}

static long most_memory_kib(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* libpng allocates and clears the size that a chunk states, before it checks that the data are there. */
static void png_chunk_longer_than_the_file(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_PNG, NULL)) skip();
    wadi_raster *raster = make_raster(5, 4);
    assert_int_equal(wadi_raster_write("chunk.png", raster, NULL), WADI_OK);
    wadi_raster_destroy(raster);
    load("chunk.png");
    static bytes longer;
    const size_t head = 8 + 25; /* the signature and IHDR */
    longer.count = 0;
    put(&longer, file.at, head);
    put_be(&longer, 0x60000000, 4);
    put(&longer, "tEXt", 4);
    put(&longer, file.at + head, file.count - head);
    const long before = most_memory_kib();
    const wadi_status status = read_bytes(&longer, "chunk.png", NULL, &raster);
    assert_true(status == WADI_OK || status == WADI_ERROR_FORMAT); /* versions of libpng differ */
    wadi_raster_destroy(raster);
    assert_true(most_memory_kib() - before < 100 << 10);
}

static void every_byte_changed(void **state) {
    (void)state;
    for (size_t f = 0; f < OUTPUTS; f++) {
        if (!built(f)) continue;
        wadi_raster *raster = make_raster(5, 4);
        wadi_write_options out = {.sample = outputs[f].sample};
        assert_int_equal(wadi_raster_write(outputs[f].name, raster, &out), WADI_OK);
        wadi_raster_destroy(raster);
        load(outputs[f].name);
        const wadi_read_options options = {.width = 5, .height = 4, .memory_limit = 1 << 20};
        for (size_t i = 0; i < file.count; i++) { /* an error or not, but no crash and no leak */
            file.at[i] ^= 0xff;
            if (read_bytes(&file, outputs[f].name, &options, &raster) != WADI_OK) assert_null(raster);
            wadi_raster_destroy(raster);
            file.at[i] ^= 0xff;
        }
    }
}

/* The libraries must print nothing: stderr belongs to the command. */
static void nothing_is_printed(void **state) {
    (void)state;
    static const double scale[3] = {30, 30, 0}, tie[6] = {0, 0, 0, 5, 6, 0};
    static const uint16_t keys[] = {1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 12345, 2057, 34736, 1, 0};
    const tiff_tag tags[] = {
        {33550, 12, 3, scale}, {33922, 12, 6, tie}, {34735, 3, 20, keys}, {34736, 12, 1, scale}, {0}};
    static const uint16_t heights[12] = {1};
    fflush(stderr);
    const int kept = dup(2), into = dup2(fileno(fopen("printed", "wb")), 2);
    assert_true(kept >= 0 && into == 2);
    const wadi_read_options options = {.memory_limit = 1 << 20};
    make_tiff(&file, &(tiff_image){.width = 4, .height = 3, .bits = 16, .format = 1, .samples = heights, .tags = tags});
    for (size_t i = 4; i < file.count; i++)
        for (int bit = 0; bit < 8; bit++) {
            wadi_raster *raster;
            file.at[i] ^= (uint8_t)(1 << bit);
            read_bytes(&file, "a.tif", &options, &raster);
            wadi_raster_destroy(raster);
            file.at[i] ^= (uint8_t)(1 << bit);
        }
    files_cut_off_anywhere(NULL);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    load("printed");
    if (file.count > 0) fail_msg("%.*s", (int)file.count, (const char *)file.at);
}

static void refused(const char *name) {
    const wadi_read_options options = {.memory_limit = UINT64_MAX};
    wadi_raster *raster;
    assert_int_equal(read_bytes(&file, name, &options, &raster), WADI_ERROR_FORMAT);
    assert_null(raster);
    if (strstr(wadi_error_message(), "annot hold") == NULL) fail_msg("%s", wadi_error_message());
}

/* Declared sizes are compared with the file's size before any allocation. */
static void huge_sizes(void **state) {
    (void)state;
    samples.count = 0;
    for (int i = 0; i < 16; i++) put_float(&samples, 1);
    make_npy(&file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2000000000, 2000000000), }", &samples);
    refused("a.npy");
    make_npy(&file, 1, "{'descr': '<f4', 'fortran_order': True, 'shape': (4, 5), }", &samples);
    refused("a.npy");
    if (wadi_format_available(WADI_FORMAT_PNG, NULL)) {
        make_png(&file, 0x7fffffff, 0x7fffffff, 16, 0, 0, NULL, &samples);
        refused("a.png");
    }
    if (wadi_format_available(WADI_FORMAT_TIFF, NULL)) {
        make_tiff(
            &file,
            &(tiff_image){.width = 0x7fffffff, .height = 0x10000, .bits = 16, .format = 1, .rows_per_strip = 0x8000});
        refused("a.tif");
        make_tiff(&file, &(tiff_image){.width = 100000, .height = 100000, .bits = 32, .format = 3, .compression = 8});
        refused("a.tif");
    }
    if (!wadi_format_available(WADI_FORMAT_EXR, NULL)) return;
    make_exr(&file, 4, 4, 2, "Y", false, &samples);
    wadi_raster *raster;
    assert_int_equal(read_bytes(&file, "a.exr", NULL, &raster), WADI_OK);
    wadi_raster_destroy(raster);
    for (size_t i = 0; i + 8 < file.count; i++) /* the right ends of windows: 3 becomes 0x30000003 */
        if (memcmp(file.at + i, "box2i", 6) == 0) file.at[i + 6 + 4 + 11] = 0x30;
    const wadi_read_options options = {.memory_limit = UINT64_MAX};
    assert_int_equal(read_bytes(&file, "a.exr", &options, &raster), WADI_ERROR_FORMAT);
}

static void files_that_are_no_rasters(void **state) {
    (void)state;
    wadi_raster *raster;
    file.count = 0;
    save("empty.tif", &file);
    assert_int_equal(wadi_raster_read("empty.tif", NULL, &raster), WADI_ERROR_FORMAT);
    assert_non_null(strstr(wadi_error_message(), "empty"));
    put_text(&file, "a shopping list: flour, eggs, sugar, two litres of milk, and something for the cat");
    const char *const names[] = {"list.tif", "list.png", "list.exr", "list.npy", "list.asc", "list"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        save(names[i], &file);
        const wadi_status status = wadi_raster_read(names[i], NULL, &raster);
        assert_true(status == WADI_ERROR_FORMAT || status == WADI_ERROR_UNSUPPORTED);
        assert_ptr_equal(strstr(wadi_error_message(), names[i]), wadi_error_message());
        assert_null(raster);
        assert_int_equal(read_bytes(&file, names[i], NULL, &raster), WADI_ERROR_UNSUPPORTED);
    }
    assert_int_equal(wadi_raster_read("no such file.tif", NULL, &raster), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_raster_read(".", NULL, &raster), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_raster_read("/dev/zero", NULL, &raster), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_raster_read("list/inside.tif", NULL, &raster), WADI_ERROR_ARGUMENT);
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static void unwritable_places(void **state) {
    (void)state;
    wadi_raster *raster = make_raster(4, 3);
    file.count = 0;
    put_text(&file, "x");
    save("plain", &file);
    mkdir("folder.npy", 0777);
    const char *const places[] = {"no/such/folder/a.npy", "plain/a.npy", "folder.npy"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(wadi_raster_write(places[i], raster, NULL), WADI_ERROR_IO);
        assert_ptr_equal(strstr(wadi_error_message(), places[i]), wadi_error_message());
    }
    wadi_write_options npy = {.format = WADI_FORMAT_NPY};
    assert_int_equal(wadi_raster_write("/dev/full", raster, &npy), WADI_ERROR_IO); /* remains a device */
    assert_true(access("/dev/full", F_OK) == 0);
    assert_int_equal(wadi_raster_write("a.unknown", raster, NULL), WADI_ERROR_ARGUMENT);
    assert_int_equal(files_here(".wadi-"), 0);
    assert_int_equal(files_here("a.unknown"), 0);
    wadi_raster_destroy(raster);
}

/* A limit on file sizes acts as a full disk: in the middle, at the last bytes, or at once. */
static void full_disks(void **state) {
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    wadi_raster *raster = make_raster(200, 150);
    for (size_t f = 0; f < OUTPUTS; f++) {
        if (!built(f)) continue;
        wadi_write_options out = {.sample = outputs[f].sample};
        file.count = 0;
        put_text(&file, "the good file");
        save(outputs[f].name, &file);
        const rlim_t limits[] = {0, 1, 4096, 20000, 50000};
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            struct rlimit old;
            assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){limits[i], old.rlim_max}), 0);
            const wadi_status status = wadi_raster_write(outputs[f].name, raster, &out);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
            assert_int_equal(status, WADI_ERROR_IO);
            if (strstr(wadi_error_message(), "File too large") == NULL) fail_msg("%s", wadi_error_message());
            assert_int_equal(files_here(".wadi-"), 0);
            load(outputs[f].name);
            assert_string_equal((const char *)file.at, "the good file");
        }
        assert_int_equal(wadi_raster_write(outputs[f].name, raster, &out), WADI_OK);
    }
    assert_int_equal(files_here(".wadi-"), 0);
    wadi_raster_destroy(raster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_cut_off_anywhere),
        cmocka_unit_test(every_byte_changed),
        cmocka_unit_test(huge_sizes),
        cmocka_unit_test(png_without_an_end_chunk),
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(files_that_are_no_rasters),
        cmocka_unit_test(unwritable_places),
        cmocka_unit_test(full_disks),
        cmocka_unit_test(png_chunk_longer_than_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
