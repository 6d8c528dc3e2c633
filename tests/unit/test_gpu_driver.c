/* test_gpu_driver.c: the base of the GPU engine, on every OpenCL and CUDA device: memory, transfers, kernels, their
 * bits, errors; and the cache of built kernels. Without a device it skips, unless WADI_NEED_OPENCL or WADI_NEED_CUDA is
 * set. WADI_TEST_LARGE also fills the devices' memory. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/gpu/driver/cache.h"
#include "engine/gpu/driver/driver.h"
#include "gpu_devices.h"
#include "platform/platform.h"

static const wadi_driver *driver;
static wadi_device about;

/* ---- One source for both languages ---- */

static const char in_opencl[] = "#define KERNEL __kernel void\n"
                                "#define GLOBAL __global\n"
                                "#define WIDE ulong\n"
                                "#define ITEM get_local_id(0)\n"
                                "#define ITEMS get_local_size(0)\n"
                                "#define GROUP (get_group_id(1) * get_num_groups(0) + get_group_id(0))\n"
                                "#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)\n"
                                "#define LOCAL_ARGUMENT(type, name) , __local type *name\n"
                                "#define LOCAL_MEMORY(type, name)\n"
                                "#define ROOT sqrt\n";

static const char in_cuda[] = "#define KERNEL extern \"C\" __global__ void\n"
                              "#define GLOBAL\n"
                              "#define WIDE unsigned long long\n"
                              "#define ITEM threadIdx.x\n"
                              "#define ITEMS blockDim.x\n"
                              "#define GROUP ((size_t)blockIdx.y * gridDim.x + blockIdx.x)\n"
                              "#define BARRIER __syncthreads()\n"
                              "#define LOCAL_ARGUMENT(type, name)\n"
                              "#define LOCAL_MEMORY(type, name) extern __shared__ type name[];\n"
                              "#define ROOT sqrtf\n";

typedef struct mixture {
    int32_t add;
    float scale;
    uint64_t first;
} mixture;

static const char kernels[] =
    "typedef struct { int add; float scale; WIDE first; } mixture;\n"
    "KERNEL reverse(GLOBAL const float *from, GLOBAL float *to, mixture m, int count LOCAL_ARGUMENT(float, held)) {\n"
    "    LOCAL_MEMORY(float, held)\n"
    "    const size_t start = GROUP * ITEMS;\n"
    "    if (start + ITEM < count) held[ITEM] = from[m.first + start + ITEM];\n"
    "    BARRIER;\n"
    "    if (start + ITEM < count) to[start + ITEM] = held[ITEMS - 1 - ITEM] * m.scale + (float)m.add;\n"
    "}\n"
    "KERNEL arithmetic(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *sum, GLOBAL float *ratio,\n"
    "                  GLOBAL float *root) {\n"
    "    const size_t i = GROUP * ITEMS + ITEM;\n"
    "    sum[i] = a[i] * b[i] + b[i];\n"
    "    ratio[i] = a[i] / b[i];\n"
    "    root[i] = ROOT(a[i]);\n"
    "}\n";

static void text_of(const char *body, char *text, size_t size) {
    snprintf(text, size, "%s%s", driver == &wadi_driver_cuda ? in_cuda : in_opencl, body);
}

/* ---- Tools ---- */

static void ok(wadi_status status) {
    if (status != WADI_OK) fail_msg("%s", wadi_error_message());
}

/* Asserts one line of message that names the device. */
static void fails(wadi_status status, wadi_status expected) {
    assert_int_equal(status, expected);
    assert_true(wadi_error_message()[0] != '\0');
    assert_null(strchr(wadi_error_message(), '\n'));
    assert_non_null(strstr(wadi_error_message(), about.name));
}

static wadi_gpu *opened(bool relaxed) {
    wadi_gpu *gpu = NULL;
    ok(driver->open(about.number, relaxed, &gpu));
    assert_non_null(gpu);
    return gpu;
}

static wadi_gpu_memory *taken(wadi_gpu *gpu, size_t bytes) {
    wadi_gpu_memory *memory = NULL;
    ok(driver->allocate(gpu, bytes, &memory));
    assert_non_null(memory);
    return memory;
}

static wadi_gpu_program *built(wadi_gpu *gpu, const char *body) {
    char text[4096];
    text_of(body, text, sizeof text);
    wadi_gpu_program *program = NULL;
    ok(driver->build(gpu, text, &program));
    assert_non_null(program);
    return program;
}

static wadi_gpu_kernel *found(wadi_gpu *gpu, wadi_gpu_program *program, const char *name) {
    wadi_gpu_kernel *kernel = NULL;
    ok(driver->find(gpu, program, name, &kernel));
    return kernel;
}

static void write_all(wadi_gpu *gpu, wadi_gpu_memory *to, const void *from, size_t bytes) {
    ok(driver->write(gpu, to, &(wadi_gpu_rows){.bytes = bytes, .rows = 1}, from));
}

static void read_all(wadi_gpu *gpu, const wadi_gpu_memory *from, void *to, size_t bytes) {
    ok(driver->read(gpu, from, &(wadi_gpu_rows){.bytes = bytes, .rows = 1}, to));
}

static void *room(size_t bytes) {
    void *memory = malloc(bytes);
    assert_non_null(memory);
    return memory;
}

static uint64_t random_bits(uint64_t *state) { /* splitmix64 */
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* ---- Devices ---- */

static void test_devices_are_described(void **state) {
    (void)state;
    wadi_device again;
    assert_true(wadi_devices(about.engine, NULL, 0, NULL) > 0);
    assert_true(about.name[0] != '\0' && about.driver[0] != '\0');
    assert_true(about.memory_bytes > (uint64_t)64 << 20);
    assert_true(about.free_bytes > 0 && about.free_bytes <= about.memory_bytes);
    assert_true(about.largest_bytes > 0 && about.largest_bytes <= about.memory_bytes);
    assert_true(about.local_bytes >= 16384 && about.units > 0 && about.clock_hz > 0.0);
    if (about.number == 0) {
        assert_true(wadi_devices(about.engine, &again, 1, NULL) > 0);
        assert_string_equal(again.name, about.name);
    }
    wadi_gpu *gpu = NULL;
    assert_int_equal(driver->open(-1, false, &gpu), WADI_ERROR_ARGUMENT);
    assert_int_equal(driver->open(10000, false, &gpu), WADI_ERROR_ARGUMENT);
    assert_null(gpu);
    if (!about.strict) fails(driver->open(about.number, false, &gpu), WADI_ERROR_UNSUPPORTED);
}

static void test_cpu_engines_have_no_devices(void **state) {
    (void)state;
    const char *missing = "unset";
    assert_int_equal(wadi_devices(WADI_ENGINE_CPU, NULL, 0, &missing), 0);
    assert_null(missing);
    assert_null(wadi_driver_of(WADI_ENGINE_REFERENCE));
}

/* ---- Memory ---- */

enum { PITCH = 1031, HOST_PITCH = 757, BYTES = 709, ROWS = 67, OFFSET = 2 * PITCH + 13, ALL = PITCH * (ROWS + 3) };

static void fill(unsigned char *bytes, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)random_bits(&seed);
}

static void test_rows_are_written_and_read_back(void **state) {
    (void)state;
    wadi_gpu *gpu = opened(true);
    wadi_gpu_memory *memory = taken(gpu, ALL);
    unsigned char *expected = room(ALL), *host = room(HOST_PITCH * ROWS), *back = room(ALL);
    fill(expected, ALL, 1);
    fill(host, HOST_PITCH * ROWS, 2);
    write_all(gpu, memory, expected, ALL);
    const wadi_gpu_rows rows = {
        .offset = OFFSET, .pitch = PITCH, .host_pitch = HOST_PITCH, .bytes = BYTES, .rows = ROWS};
    ok(driver->write(gpu, memory, &rows, host));
    for (size_t y = 0; y < ROWS; y++) memcpy(expected + OFFSET + y * PITCH, host + y * HOST_PITCH, BYTES);
    read_all(gpu, memory, back, ALL);
    assert_memory_equal(back, expected, ALL);

    /* Bytes between the rows on the host stay unchanged. */
    memset(back, 0xa5, HOST_PITCH * ROWS);
    ok(driver->read(gpu, memory, &rows, back));
    for (size_t y = 0; y < ROWS; y++) {
        assert_memory_equal(back + y * HOST_PITCH, host + y * HOST_PITCH, BYTES);
        for (size_t x = BYTES; x < HOST_PITCH && y + 1 < ROWS; x++) assert_int_equal(back[y * HOST_PITCH + x], 0xa5);
    }
    driver->free(gpu, memory);
    driver->free(gpu, NULL);
    driver->close(gpu);
    free(expected), free(host), free(back);
}

static void test_rows_at_the_end_and_beyond(void **state) {
    (void)state;
    wadi_gpu *gpu = opened(true);
    enum { PIECE = 4 * 100 + 7 };
    wadi_gpu_memory *memory = taken(gpu, PIECE);
    unsigned char host[PIECE], back[PIECE] = {0};
    fill(host, PIECE, 3);
    /* The last row ends with the memory; its pitch would extend beyond. */
    wadi_gpu_rows rows = {.offset = 7, .pitch = 99, .host_pitch = 50, .bytes = 4, .rows = 5};
    ok(driver->write(gpu, memory, &rows, host));
    ok(driver->read(gpu, memory, &rows, back));
    for (size_t y = 0; y < 5; y++) assert_memory_equal(back + 50 * y, host + 50 * y, 4);
    rows.offset = 8;
    assert_int_equal(driver->write(gpu, memory, &rows, host), WADI_ERROR_ARGUMENT);
    assert_int_equal(driver->read(gpu, memory, &rows, back), WADI_ERROR_ARGUMENT);
    rows.rows = SIZE_MAX;
    assert_int_equal(driver->read(gpu, memory, &rows, back), WADI_ERROR_ARGUMENT);
    rows.rows = 0;
    ok(driver->read(gpu, memory, &rows, back));
    driver->free(gpu, memory);
    driver->close(gpu);
}

static void test_memory_is_copied(void **state) {
    (void)state;
    wadi_gpu *gpu = opened(true);
    wadi_gpu_memory *a = taken(gpu, ALL), *b = taken(gpu, ALL + 5);
    unsigned char *host = room(ALL), *back = room(ALL);
    fill(host, ALL, 4);
    write_all(gpu, a, host, ALL);
    memset(back, 0, ALL);
    write_all(gpu, b, back, ALL);
    ok(driver->copy(gpu, b, a, ALL - 3));
    read_all(gpu, b, back, ALL);
    assert_memory_equal(back, host, ALL - 3);
    assert_int_equal(back[ALL - 1], 0);
    assert_int_equal(driver->copy(gpu, b, a, ALL + 1), WADI_ERROR_ARGUMENT);
    driver->free(gpu, a);
    driver->free(gpu, b);
    driver->close(gpu);
    free(host), free(back);
}

static void test_too_much_memory_is_refused(void **state) {
    (void)state;
    wadi_gpu *gpu = opened(true);
    wadi_gpu_memory *memory = NULL;
    fails(driver->allocate(gpu, (size_t)about.memory_bytes + 4096, &memory), WADI_ERROR_MEMORY);
    fails(driver->allocate(gpu, SIZE_MAX, &memory), WADI_ERROR_MEMORY);
    assert_null(memory);
    driver->free(gpu, taken(gpu, 4096));
    driver->close(gpu);
}

/* Takes all memory, in ever smaller parts. The failure must come from an allocation, not from a later call. */
static int take_all(wadi_gpu *gpu, wadi_gpu_memory **pieces, int most) {
    const size_t least = (size_t)16 << 20;
    int count = 0;
    for (size_t bytes = (size_t)about.largest_bytes / 10 * 9; bytes >= least && count < most;) {
        const wadi_status status = driver->allocate(gpu, bytes, &pieces[count]);
        if (status == WADI_OK) {
            write_all(gpu, pieces[count++], "abc", 3);
        } else {
            fails(status, WADI_ERROR_MEMORY);
            bytes /= 2;
        }
    }
    return count;
}

/* Rows more than 2 GiB apart. */
static void check_far_rows(wadi_gpu *gpu, wadi_gpu_memory *memory, size_t bytes) {
    enum { FAR_ROWS = 16, FAR_BYTES = 101 };
    unsigned char host[FAR_ROWS * FAR_BYTES], back[FAR_ROWS * FAR_BYTES] = {0};
    const size_t pitch = bytes / FAR_ROWS | 1;
    const wadi_gpu_rows rows = {.offset = bytes - (FAR_ROWS - 1) * pitch - FAR_BYTES,
                                .pitch = pitch,
                                .host_pitch = FAR_BYTES,
                                .bytes = FAR_BYTES,
                                .rows = FAR_ROWS};
    fill(host, sizeof host, 5);
    ok(driver->write(gpu, memory, &rows, host));
    ok(driver->read(gpu, memory, &rows, back));
    assert_memory_equal(back, host, sizeof host);
    memset(back, 0, sizeof back);
    for (size_t y = 0; y < FAR_ROWS; y++) {
        const wadi_gpu_rows row = {.offset = rows.offset + y * pitch, .bytes = FAR_BYTES, .rows = 1};
        ok(driver->read(gpu, memory, &row, back + FAR_BYTES * y));
    }
    assert_memory_equal(back, host, sizeof host);
}

static void test_large_allocations(void **state) {
    (void)state;
    if (getenv("WADI_TEST_LARGE") == NULL || !about.gpu) skip();
    enum { MOST = 4096 };
    static wadi_gpu_memory *pieces[MOST];
    wadi_gpu *gpu = opened(true);
    const int count = take_all(gpu, pieces, MOST);
    print_message("%d pieces, then: %s\n", count, wadi_error_message());
    check_far_rows(gpu, pieces[0], (size_t)about.largest_bytes / 10 * 9);
    for (int i = 0; i < count; i++) driver->free(gpu, pieces[i]);
    driver->close(gpu);
}

/* ---- Kernels ---- */

enum { GROUP = 64, COUNT = 5 * GROUP };

/* The number of errors of the kernel `reverse`. */
static int wrong_in_reverse(wadi_gpu *gpu, wadi_gpu_program *program) {
    float from[COUNT + 3], to[COUNT];
    for (int i = 0; i < COUNT + 3; i++) from[i] = (float)i * 0.5f;
    wadi_gpu_memory *a = taken(gpu, sizeof from), *b = taken(gpu, sizeof to);
    write_all(gpu, a, from, sizeof from);
    const mixture numbers = {.add = -7, .scale = 3.0f, .first = 3};
    const int32_t count = COUNT;
    const wadi_gpu_argument arguments[] = {{.memory = a},
                                           {.memory = b},
                                           {.value = &numbers, .bytes = sizeof numbers},
                                           {.value = &count, .bytes = sizeof count}};
    const wadi_gpu_launch launch = {.groups = {5, 1}, .group_items = GROUP, .local_bytes = GROUP * sizeof(float)};
    ok(driver->launch(gpu, found(gpu, program, "reverse"), &launch, arguments, 4));
    read_all(gpu, b, to, sizeof to);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        const int mirrored = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
        wrong += to[i] != from[3 + mirrored] * 3.0f - 7.0f;
    }
    driver->free(gpu, a);
    driver->free(gpu, b);
    return wrong;
}

static void test_arguments_reach_a_kernel(void **state) {
    (void)state;
    for (int relaxed = !about.strict; relaxed <= 1; relaxed++) {
        wadi_gpu *gpu = opened(relaxed == 1);
        wadi_gpu_program *program = built(gpu, kernels);
        for (int i = 0; i < 3; i++) assert_int_equal(wrong_in_reverse(gpu, program), 0);
        wadi_gpu_kernel *kernel = NULL;
        fails(driver->find(gpu, program, "no_such_kernel", &kernel), WADI_ERROR_DEVICE);
        ok(driver->finish(gpu));
        driver->release(gpu, program);
        driver->release(gpu, NULL);
        driver->close(gpu);
    }
}

static void test_a_group_too_large_is_refused_and_breaks_nothing(void **state) {
    (void)state;
    wadi_gpu *gpu = opened(true);
    wadi_gpu_program *program = built(gpu, kernels);
    wadi_gpu_kernel *kernel = found(gpu, program, "reverse");
    wadi_gpu_memory *a = taken(gpu, 4096), *b = taken(gpu, 4096);
    const mixture numbers = {.scale = 1.0f};
    const int32_t count = 0;
    const wadi_gpu_argument arguments[] = {{.memory = a},
                                           {.memory = b},
                                           {.value = &numbers, .bytes = sizeof numbers},
                                           {.value = &count, .bytes = sizeof count}};
    wadi_gpu_launch launch = {.groups = {1, 1}, .group_items = 1 << 20, .local_bytes = 64};
    fails(driver->launch(gpu, kernel, &launch, arguments, 4), WADI_ERROR_UNSUPPORTED);
    launch.group_items = 32;
    launch.local_bytes = (size_t)about.local_bytes + 64;
    fails(driver->launch(gpu, kernel, &launch, arguments, 4), WADI_ERROR_UNSUPPORTED);
    launch.local_bytes = (size_t)about.local_bytes; /* all of it */
    ok(driver->launch(gpu, kernel, &launch, arguments, 4));
    launch.groups[0] = 0;
    ok(driver->launch(gpu, kernel, &launch, arguments, 4));
    ok(driver->finish(gpu));
    assert_int_equal(wrong_in_reverse(gpu, program), 0);
    driver->free(gpu, a);
    driver->free(gpu, b);
    driver->release(gpu, program);
    driver->close(gpu);
}

/* ---- Bits ---- */

enum { OPERANDS = 1 << 20, BATCHES = 6 };

static float from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? 0x7fc00000u : bits;
}

/* Any bits; values near 1; denormals and values near them. */
static float operand(int batch, uint64_t *seed) {
    const uint32_t bits = (uint32_t)(random_bits(seed) >> 32);
    if (batch % 3 == 0) return from_bits(bits);
    if (batch % 3 == 1) return from_bits((bits & 0x83ffffffu) + 0x3d800000u);
    return from_bits(bits & 0x81ffffffu);
}

typedef struct results {
    float *a, *b, *values[3]; /* of the kernel: sum, ratio, root */
} results;

static void compare(const results *r, size_t wrong[3]) {
    for (size_t i = 0; i < OPERANDS; i++) {
        const float a = r->a[i], b = r->b[i];
        const float expected[3] = {a * b + b, a / b, sqrtf(a)};
        for (int k = 0; k < 3; k++) wrong[k] += bits_of(expected[k]) != bits_of(r->values[k][i]);
    }
}

static void test_strict_arithmetic_has_the_hosts_bits(void **state) {
    (void)state;
    if (!about.strict) skip();
    wadi_gpu *gpu = opened(false);
    wadi_gpu_program *program = built(gpu, kernels);
    wadi_gpu_kernel *kernel = found(gpu, program, "arithmetic");
    const size_t bytes = OPERANDS * sizeof(float);
    results r = {room(bytes), room(bytes), {room(bytes), room(bytes), room(bytes)}};
    wadi_gpu_memory *memories[5];
    wadi_gpu_argument arguments[5];
    for (int k = 0; k < 5; k++) {
        memories[k] = taken(gpu, bytes);
        arguments[k] = (wadi_gpu_argument){.memory = memories[k]};
    }
    size_t wrong[3] = {0};
    uint64_t seed = 6;
    for (int batch = 0; batch < BATCHES; batch++) {
        for (size_t i = 0; i < OPERANDS; i++) {
            r.a[i] = operand(batch, &seed);
            r.b[i] = operand(batch, &seed);
        }
        write_all(gpu, memories[0], r.a, bytes);
        write_all(gpu, memories[1], r.b, bytes);
        const wadi_gpu_launch launch = {.groups = {OPERANDS / 128 / 16, 16}, .group_items = 128};
        ok(driver->launch(gpu, kernel, &launch, arguments, 5));
        for (int k = 0; k < 3; k++) read_all(gpu, memories[2 + k], r.values[k], bytes);
        compare(&r, wrong);
    }
    if (wrong[0] + wrong[1] + wrong[2] > 0)
        fail_msg("%s: of %d, a * b + b differs in %zu, a / b in %zu, sqrt(a) in %zu", about.name, BATCHES * OPERANDS,
                 wrong[0], wrong[1], wrong[2]);
    for (int k = 0; k < 5; k++) driver->free(gpu, memories[k]);
    driver->release(gpu, program);
    driver->close(gpu);
    free(r.a), free(r.b), free(r.values[0]), free(r.values[1]), free(r.values[2]);
}

/* ---- Errors ---- */

static void test_a_build_error_is_one_line(void **state) {
    (void)state;
    char text[4096];
    text_of("KERNEL wrong(GLOBAL float *a) {\n    a[0] = no_such_name;\n}\n", text, sizeof text);
    wadi_gpu *gpu = opened(true);
    wadi_gpu_program *program = NULL;
    put_environment("WADI_GPU_LOG", "build.log");
    fails(driver->build(gpu, text, &program), WADI_ERROR_DEVICE);
    put_environment("WADI_GPU_LOG", NULL);
    assert_null(program);
    assert_non_null(strstr(wadi_error_message(), "no_such_name"));
    assert_true(platform_exists("build.log"));
    assert_int_equal(platform_remove_file("build.log"), 0);
    driver->close(gpu);
}

static void test_a_device_can_be_lost(void **state) {
    (void)state;
    put_environment("WADI_GPU_FAIL", "2");
    wadi_gpu *gpu = opened(true);
    wadi_gpu_program *program = built(gpu, kernels);
    wadi_gpu_kernel *kernel = found(gpu, program, "arithmetic");
    wadi_gpu_memory *memory = taken(gpu, 4096);
    wadi_gpu_argument arguments[5];
    for (int k = 0; k < 5; k++) arguments[k] = (wadi_gpu_argument){.memory = memory};
    const wadi_gpu_launch launch = {.groups = {1, 1}, .group_items = 32};
    ok(driver->launch(gpu, kernel, &launch, arguments, 5));
    fails(driver->launch(gpu, kernel, &launch, arguments, 5), WADI_ERROR_DEVICE);
    fails(driver->launch(gpu, kernel, &launch, arguments, 5), WADI_ERROR_DEVICE);
    put_environment("WADI_GPU_FAIL", NULL);
    driver->free(gpu, memory);
    driver->release(gpu, program);
    driver->close(gpu);
}

/* ---- The cache ---- */

typedef struct files {
    int count;
    char last[256];
} files;

static void note(void *context, const char *name) {
    files *files = context;
    files->count++;
    snprintf(files->last, sizeof files->last, "%s", name);
}

static int count_files(const char *folder, char last[1024]) {
    files files = {0};
    platform_list(folder, note, &files);
    if (last != NULL) snprintf(last, 1024, "%s/%s", folder, files.last);
    return files.count;
}

static void begin_cache(void) {
    platform_remove_tree("cache");
    put_environment("WADI_CACHE", "cache/in/here");
}

static void end_cache(void) {
    platform_remove_tree("cache");
    put_environment("WADI_CACHE", "");
}

/* The file's first `bytes` bytes, with one bit flipped in the byte `at`. */
static void damage(const char *path, size_t bytes, size_t at) {
    static char content[1 << 22];
    FILE *file = platform_open(path, "r");
    assert_non_null(file);
    size_t size = fread(content, 1, sizeof content, file);
    fclose(file);
    if (size > bytes) size = bytes;
    if (at < size) content[at] ^= 4;
    file = platform_open(path, "w");
    assert_int_equal(fwrite(content, 1, size, file), size);
    fclose(file);
}

static void build_and_run(void) {
    wadi_gpu *gpu = opened(true);
    wadi_gpu_program *program = built(gpu, kernels);
    assert_int_equal(wrong_in_reverse(gpu, program), 0);
    driver->release(gpu, program);
    driver->close(gpu);
}

static void test_kernels_come_from_the_cache(void **state) {
    (void)state;
    char path[1024];
    const bool pocl = strstr(about.driver, "Portable Computing Language") != NULL;
    begin_cache();
    build_and_run();
    assert_int_equal(count_files("cache/in/here/kernels", NULL), pocl ? 0 : 1);
    put_environment("POCL_KERNEL_CACHE", "0"); /* PoCL has a cache of its own otherwise */
    build_and_run();
    assert_int_equal(count_files("cache/in/here/kernels", path), 1);
    build_and_run();
    assert_int_equal(count_files("cache/in/here/kernels", path), 1);
    const size_t kept[] = {SIZE_MAX, SIZE_MAX, SIZE_MAX, 0, 50, 300};
    const size_t turned[] = {3, 30, 500, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        damage(path, kept[i], turned[i]);
        build_and_run();
    }
    assert_int_equal(count_files("cache/in/here/kernels", path), 1);
    put_environment("POCL_KERNEL_CACHE", "1");
    end_cache();
}

static void test_cache_keeps_bytes(void **state) {
    (void)state;
    char key[65], other[65], path[1024];
    const char *const texts[] = {"ab", "c"}, *const shifted[] = {"a", "bc"};
    wadi_cache_key(key, texts, 2);
    wadi_cache_key(other, shifted, 2);
    assert_string_not_equal(key, other);
    begin_cache();
    size_t bytes = 0;
    assert_null(wadi_cache_load(key, &bytes));
    wadi_cache_save(key, "\0x\n", 3);
    char *content = wadi_cache_load(key, &bytes);
    assert_non_null(content);
    assert_int_equal(bytes, 3);
    assert_memory_equal(content, "\0x\n", 3);
    free(content);
    assert_null(wadi_cache_load(other, &bytes));
    assert_int_equal(count_files("cache/in/here/kernels", path), 1);
    damage(path, SIZE_MAX, 78);
    assert_null(wadi_cache_load(key, &bytes));
    wadi_cache_save(key, "", 0);
    content = wadi_cache_load(key, &bytes);
    assert_non_null(content);
    assert_int_equal(bytes, 0);
    free(content);
    end_cache();
    wadi_cache_save(key, "x", 1); /* it is disabled now */
    assert_null(wadi_cache_load(key, &bytes));
}

static void test_cache_is_bounded(void **state) {
    (void)state;
    const size_t bytes = (size_t)30 << 20;
    char *content = room(bytes);
    memset(content, 'x', bytes);
    begin_cache();
    wadi_cache_save("a", content, bytes);
    wadi_cache_save("b", content, bytes);
    assert_int_equal(count_files("cache/in/here/kernels", NULL), 2);
    wadi_cache_save("c", content, bytes);
    assert_int_equal(count_files("cache/in/here/kernels", NULL), 1);
    size_t got = 0;
    void *last = wadi_cache_load("c", &got);
    assert_non_null(last);
    assert_int_equal(got, bytes);
    free(last);
    free(content);
    end_cache();
}

static void test_cache_keeps_texts(void **state) {
    (void)state;
    char value[16] = "before", path[1024];
    const char *const key = "any key / at all: \"\xc3\xa4\" ..";
    begin_cache();
    assert_false(wadi_cache_get(key, value, sizeof value));
    assert_string_equal(value, "");
    wadi_cache_put(key, "16 x 8, 4");
    assert_true(wadi_cache_get(key, value, sizeof value));
    assert_string_equal(value, "16 x 8, 4");
    wadi_cache_put(key, "32");
    assert_true(wadi_cache_get(key, value, sizeof value));
    assert_string_equal(value, "32");
    wadi_cache_put(key, "this is too long for it");
    assert_false(wadi_cache_get(key, value, sizeof value));
    assert_int_equal(count_files("cache/in/here/tuned", path), 1);
    damage(path, SIZE_MAX, 79);
    char large[64];
    assert_false(wadi_cache_get(key, large, sizeof large));
    end_cache();
    /* Where no folder can be made, nothing is cached, and there is no message. */
    FILE *file = platform_open("cache", "w");
    fclose(file);
    put_environment("WADI_CACHE", "cache");
    wadi_cache_put(key, "x");
    assert_false(wadi_cache_get(key, value, sizeof value));
    platform_remove_file("cache");
    end_cache();
}

/* ---- All tests ---- */

static int run_on_device(const wadi_device *device) {
    about = *device;
    driver = wadi_driver_of(about.engine);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_are_described),
        cmocka_unit_test(test_rows_are_written_and_read_back),
        cmocka_unit_test(test_rows_at_the_end_and_beyond),
        cmocka_unit_test(test_memory_is_copied),
        cmocka_unit_test(test_too_much_memory_is_refused),
        cmocka_unit_test(test_large_allocations),
        cmocka_unit_test(test_arguments_reach_a_kernel),
        cmocka_unit_test(test_a_group_too_large_is_refused_and_breaks_nothing),
        cmocka_unit_test(test_strict_arithmetic_has_the_hosts_bits),
        cmocka_unit_test(test_a_build_error_is_one_line),
        cmocka_unit_test(test_a_device_can_be_lost),
        cmocka_unit_test(test_kernels_come_from_the_cache),
    };
    print_message("%s: %s (%s), %s, %.1f of %.1f GB, %.1f GB in one piece\n", driver->name, about.name, about.driver,
                  about.strict ? "strict" : "relaxed", 1e-9 * (double)about.free_bytes,
                  1e-9 * (double)about.memory_bytes, 1e-9 * (double)about.largest_bytes);
    return cmocka_run_group_tests_name(about.name, tests, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu_engines_have_no_devices),
        cmocka_unit_test(test_cache_keeps_bytes),
        cmocka_unit_test(test_cache_is_bounded),
        cmocka_unit_test(test_cache_keeps_texts),
    };
    put_environment("WADI_CACHE", "");
    const int failed = cmocka_run_group_tests_name("cache", tests, NULL, NULL);
    return each_device(failed, run_on_device);
}
