/* Want of memory in files: the n-th allocation fails, for every n, in the library or in the libraries of formats. The
 * call says so, no file is left half written, nothing leaks, and the next call is as usual. The functions below stand
 * before libc's, so that libpng, zlib and OpenEXR call them, too. */
#define _GNU_SOURCE
#include "scene.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include "unit/failing_memory.h"
#include "wadi/io.h"
#include "wadi/mesh.h"

/* --- allocations that fail --- */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

/* GDAL and OpenMP end the process without memory, and libtiff crashes when it lacks memory for a tag. So none of their
 * own calls fails. Nor does any of libc's while GDAL reads: own_calls. */
static bool own_calls;

static bool may_fail(void *caller) {
    static const char *const who[] = {"test_io_memory", "libpng", "libOpenEXR", "libz.", "libc."};
    Dl_info info;
    if ((atomic_load(&before_failure) < 0 && !atomic_load(&failed)) || dladdr(caller, &info) == 0 ||
        info.dli_fname == NULL)
        return false;
    for (int i = 0; i < (own_calls ? 1 : COUNT(who)); i++)
        if (strstr(info.dli_fname, who[i]) != NULL) return true;
    return false;
}

static bool fails_for(void *caller) {
    const int before = errno;
    const bool fail = may_fail(caller) && fails();
    errno = fail ? ENOMEM : before;
    return fail;
}
#define FAILS fails_for(__builtin_return_address(0))

#pragma GCC visibility push(default)
void *malloc(size_t bytes) { return FAILS ? NULL : counted(__libc_malloc(bytes)); }
void *calloc(size_t count, size_t bytes) { return FAILS ? NULL : counted(__libc_calloc(count, bytes)); }
void *realloc(void *memory, size_t bytes) {
    if (FAILS) return NULL;
    return memory == NULL ? counted(__libc_realloc(memory, bytes)) : __libc_realloc(memory, bytes);
}
void free(void *memory) { __libc_free(gone(memory)); }
void *memalign(size_t alignment, size_t bytes) { return FAILS ? NULL : counted(__libc_memalign(alignment, bytes)); }
void *aligned_alloc(size_t alignment, size_t bytes) {
    return FAILS ? NULL : counted(__libc_memalign(alignment, bytes));
}
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = FAILS ? NULL : counted(__libc_memalign(alignment, bytes));
    return *memory != NULL ? 0 : ENOMEM;
}
#pragma GCC visibility pop

/* --- what is asked --- */

enum { W = 40, H = 30 };

typedef struct job {
    const char *name;
    wadi_sample sample;
    const wadi_raster *raster; /* to be written */
    wadi_raster *back;         /* NULL, or what was read */
} job;
typedef wadi_status task(job *job);

static wadi_status write_raster(job *job) {
    wadi_write_options how = {.sample = job->sample};
    return wadi_raster_write(job->name, job->raster, &how);
}
static wadi_status read_raster(job *job) {
    const wadi_read_options how = {.width = W, .height = H};
    return wadi_raster_read(job->name, &how, &job->back);
}
static wadi_status write_mesh(job *job) {
    const float *heights = job->raster->values;
    const wadi_mesh mesh = {W, H, 1.3, 1.7, heights, heights, 0.3, 1.1, 1};
    return wadi_mesh_write(job->name, &mesh);
}
static wadi_status write_picture(job *job) {
    static uint8_t rgb[3 * W * H];
    return wadi_picture_write(job->name, rgb, W, H);
}
static wadi_status pack(job *job) {
    void *bytes = NULL;
    size_t count;
    wadi_status status = wadi_raster_pack(job->raster, &bytes, &count);
    if (status == WADI_OK) status = wadi_raster_unpack(bytes, count, W, H, &job->back);
    free(bytes);
    return status;
}

static int files_here(void) {
    DIR *folder = opendir(".");
    int count = 0;
    assert_non_null(folder);
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

static void assert_same(const wadi_raster *a, const wadi_raster *b, const char *name, long n) {
    if (a == NULL && b == NULL) return;
    if (a->has_georef != b->has_georef || a->georef.crs_bytes != b->georef.crs_bytes || a->lx != b->lx ||
        a->scale != b->scale || memcmp(a->values, b->values, W * H * sizeof(float)) != 0)
        fail_msg("%s, allocation %ld: done, but otherwise than with memory", name, n);
}

/* false: there is no n-th allocation. */
static bool fail_once(task *task, job *job, const wadi_raster *whole, long n, bool all_further) {
    const int files = files_here();
    const long lived = atomic_load(&living);
    job->back = NULL;
    arm(n, all_further);
    const wadi_status status = task(job);
    const bool met = disarm();
    if (status != WADI_OK && !(met && status == WADI_ERROR_MEMORY))
        fail_msg("%s, allocation %ld%s: %s", job->name, n, all_further ? " and all further" : "", wadi_error_message());
    if (status != WADI_OK) assert_null(job->back);
    if (status == WADI_OK) assert_same(whole, job->back, job->name, n);
    wadi_raster_destroy(job->back);
    if (atomic_load(&living) != lived)
        fail_msg("%s, allocation %ld: %ld leak", job->name, n, atomic_load(&living) - lived);
    assert_int_equal(files_here(), files);
    return met;
}

static void fail_each(task *task, const char *name, wadi_sample sample, const wadi_raster *raster) {
    job job = {name, sample, raster, NULL};
    for (int i = 0; i < 2; i++) { /* twice: libraries keep what they make once */
        wadi_raster_destroy(job.back);
        job.back = NULL;
        if (task(&job) != WADI_OK) fail_msg("%s: %s", name, wadi_error_message());
    }
    wadi_raster *whole = job.back;
    for (int all_further = 0; all_further < 2; all_further++)
        for (long n = 0; fail_once(task, &job, whole, n, all_further); n++) assert_true(n < 5000);
    wadi_raster_destroy(whole);
}

static wadi_raster *make_raster(void) {
    wadi_raster *raster;
    OK(wadi_raster_create(W, H, &raster));
    for (int i = 0; i < W * H; i++) raster->values[i] = (float)(i * 7919 % 1013);
    raster->values[5] = NAN;
    raster->lx = 1.3, raster->ly = 1.7;
    return raster;
}

static void rasters(void **state) {
    (void)state;
    static const struct {
        const char *name;
        wadi_sample sample;
    } files[] = {{"r.png", WADI_SAMPLE_UINT16},
                 {"r.tif", WADI_SAMPLE_FLOAT32},
                 {"r.tif", WADI_SAMPLE_INT16},
                 {"r.exr", 0},
                 {"r.r16", 0},
                 {"r.r32", 0},
                 {"r.npy", 0}};
    wadi_raster *raster = make_raster();
    for (int f = 0; f < COUNT(files); f++) {
        if (!wadi_format_available(wadi_format_of_name(files[f].name), NULL)) continue;
        fail_each(write_raster, files[f].name, files[f].sample, raster);
        fail_each(read_raster, files[f].name, files[f].sample, raster);
    }
    wadi_raster_destroy(raster);
}

static void make_text(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A raster that GDAL reads, and what has a CRS, which is then written as a GeoTIFF, read and packed. */
static void through_gdal(void **state) {
    (void)state;
    if (!wadi_format_available(WADI_FORMAT_GDAL, NULL)) skip();
    char text[8 * W * H + 200] = "ncols 40\nnrows 30\nxllcorner 500000\nyllcorner 5200000\ncellsize 10\n";
    for (int i = 0; i < W * H; i++) snprintf(strchr(text, '\0'), 8, "%d ", i * 7919 % 1013);
    make_text("grid.asc", text);
    make_text("grid.prj",
              "PROJCS[\"UTM 32N\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,"
              "298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],"
              "PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"central_meridian\",9],"
              "PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],UNIT[\"metre\",1]]\n");
    own_calls = true;
    fail_each(read_raster, "grid.asc", 0, NULL);
    wadi_raster *raster;
    OK(wadi_raster_read("grid.asc", NULL, &raster));
    fail_each(pack, "pack", 0, raster);
    fail_each(write_raster, "geo.tif", WADI_SAMPLE_UINT16, raster);
    fail_each(read_raster, "geo.tif", WADI_SAMPLE_UINT16, raster);
    wadi_raster_destroy(raster);
    own_calls = false;
}

static void meshes_and_pictures(void **state) {
    (void)state;
    static const char *const names[] = {"m.obj", "m.ply", "m.gltf", "m.glb"};
    wadi_raster *raster = make_raster();
    for (int i = 0; i < COUNT(names); i++) fail_each(write_mesh, names[i], 0, raster);
    if (wadi_format_available(WADI_FORMAT_PNG, NULL)) fail_each(write_picture, "picture.png", 0, raster);
    wadi_raster_destroy(raster);
}

/* --- rasters in files --- */

enum { WIDE = 8192, LOW = 4096, SPARE = 160 << 20 }; /* the raster takes 128 MiB, of which there are 3/4 of 160 */

static void set_address_space(rlim_t bytes) {
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

static rlim_t address_space_used(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void a_raster_in_a_file_may_be_larger_than_memory(void **state) {
    (void)state;
    wadi_read_options how = {.width = WIDE, .height = LOW};
    wadi_raster *raster;
    const int file = open("wide.r32", O_CREAT | O_RDWR, 0600);
    assert_true(file >= 0 && ftruncate(file, (off_t)WIDE * LOW * 4) == 0);
    const float last = 7;
    assert_int_equal(pwrite(file, &last, 4, (off_t)WIDE * LOW * 4 - 4), 4);
    close(file);
    set_address_space(address_space_used() + SPARE);
    REFUSED(wadi_raster_read("wide.r32", &how, &raster), WADI_ERROR_MEMORY, "take a smaller raster");
    wadi_raster_scratch(".", 1 << 20);
    OK(wadi_raster_read("wide.r32", &how, &raster));
    assert_true(raster->values[(size_t)WIDE * LOW - 1] == 7);
    wadi_raster_destroy(raster);
    how.memory_limit = 100 << 20; /* the caller's counts in any case */
    REFUSED(wadi_raster_read("wide.r32", &how, &raster), WADI_ERROR_MEMORY, "100.0 MiB are to be had");
    wadi_raster_scratch(NULL, 0);
    set_address_space(RLIM_INFINITY);
    unlink("wide.r32");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_raster_in_a_file_may_be_larger_than_memory),
                                       cmocka_unit_test(rasters), cmocka_unit_test(through_gdal),
                                       cmocka_unit_test(meshes_and_pictures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
