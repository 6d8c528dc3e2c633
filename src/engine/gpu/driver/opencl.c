/* opencl.c: devices through OpenCL 1.2. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/driver/cache.h"
#include "engine/gpu/driver/driver.h"
#include "engine/gpu/driver/driver_errors.h"
#include "engine/gpu/driver/opencl_devices.h"
#include "platform/platform.h"

struct wadi_gpu {
    const opencl_api *cl;
    wadi_device about;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    bool relaxed;
    uint64_t allocated;
    unsigned launches;
};

struct wadi_gpu_memory {
    cl_mem buffer;
    size_t bytes;
};

struct wadi_gpu_kernel {
    cl_kernel kernel;
    wadi_gpu_kernel *next;
};

struct wadi_gpu_program {
    cl_program program;
    wadi_gpu_kernel *kernels;
};

/* ---- Errors ---- */

static const char *error_name(cl_int error) {
    static const struct {
        cl_int error;
        const char *name;
    } names[] = {
#define NAMED(name) {name, #name}
        NAMED(CL_DEVICE_NOT_AVAILABLE),
        NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        NAMED(CL_OUT_OF_RESOURCES),
        NAMED(CL_OUT_OF_HOST_MEMORY),
        NAMED(CL_BUILD_PROGRAM_FAILURE),
        NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        NAMED(CL_INVALID_VALUE),
        NAMED(CL_INVALID_DEVICE),
        NAMED(CL_INVALID_CONTEXT),
        NAMED(CL_INVALID_COMMAND_QUEUE),
        NAMED(CL_INVALID_MEM_OBJECT),
        NAMED(CL_INVALID_BUILD_OPTIONS),
        NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
        NAMED(CL_INVALID_KERNEL_NAME),
        NAMED(CL_INVALID_KERNEL),
        NAMED(CL_INVALID_ARG_INDEX),
        NAMED(CL_INVALID_ARG_VALUE),
        NAMED(CL_INVALID_ARG_SIZE),
        NAMED(CL_INVALID_KERNEL_ARGS),
        NAMED(CL_INVALID_WORK_GROUP_SIZE),
        NAMED(CL_INVALID_WORK_ITEM_SIZE),
        NAMED(CL_INVALID_OPERATION),
        NAMED(CL_INVALID_BUFFER_SIZE),
        NAMED(CL_INVALID_GLOBAL_WORK_SIZE),
#undef NAMED
    };
    static _Thread_local char number[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].error == error) return names[i].name;
    snprintf(number, sizeof number, "OpenCL error %d", error);
    return number;
}

static wadi_status checked(const wadi_gpu *gpu, cl_int error, const char *doing) {
    return error == CL_SUCCESS ? WADI_OK : wadi_gpu_lost(&gpu->about, doing, error_name(error));
}

/* ---- Opening ---- */

static void close_gpu(wadi_gpu *gpu) {
    if (gpu == NULL) return;
    if (gpu->queue != NULL) gpu->cl->clFinish(gpu->queue);
    if (gpu->queue != NULL) gpu->cl->clReleaseCommandQueue(gpu->queue);
    if (gpu->context != NULL) gpu->cl->clReleaseContext(gpu->context);
    free(gpu);
}

static wadi_status start(wadi_gpu *gpu, const opencl_place *place) {
    const cl_property properties[] = {CL_CONTEXT_PLATFORM, (cl_property)place->platform, 0};
    cl_int error = CL_SUCCESS;
    gpu->context = gpu->cl->clCreateContext(properties, 1, &place->device, NULL, NULL, &error);
    if (error == CL_OUT_OF_HOST_MEMORY || error == CL_MEM_OBJECT_ALLOCATION_FAILURE)
        return wadi_fail(WADI_ERROR_MEMORY, "%s: not enough memory there to open it", gpu->about.name);
    if (error != CL_SUCCESS) return checked(gpu, error, "opening it");
    gpu->queue = gpu->cl->clCreateCommandQueue(gpu->context, place->device, 0, &error);
    return checked(gpu, error, "making a queue of commands");
}

static wadi_status open_gpu(int number, bool relaxed, wadi_gpu **gpu) {
    opencl_place places[OPENCL_MOST_DEVICES];
    const size_t count = wadi_opencl_usable(places, OPENCL_MOST_DEVICES);
    *gpu = NULL;
    if (number < 0 || (size_t)number >= count) return wadi_gpu_no_device("OpenCL", number, count, wadi_opencl_none);
    const wadi_device about = wadi_opencl_describe(&places[number], number);
    if (!relaxed && !about.strict)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s does not round as IEEE asks; it takes relaxed arithmetic alone",
                         about.name);
    wadi_gpu *opened = malloc(sizeof *opened);
    if (opened == NULL) return wadi_fail(WADI_ERROR_MEMORY, "%s: no memory to open it", about.name);
    *opened = (wadi_gpu){.cl = places[number].api, .about = about, .device = places[number].device, .relaxed = relaxed};
    const wadi_status status = start(opened, &places[number]);
    if (status == WADI_OK)
        *gpu = opened;
    else
        close_gpu(opened);
    return status;
}

/* ---- Memory ---- */

static wadi_status no_memory(const wadi_gpu *gpu, size_t bytes) {
    const uint64_t all = gpu->about.free_bytes;
    return wadi_gpu_no_memory(&gpu->about, bytes, all > gpu->allocated ? all - gpu->allocated : 0);
}

/* "Out of resources" may also come from a broken device. Then waiting for the device fails too. */
static bool is_want_of_memory(const wadi_gpu *gpu, cl_int error) {
    return error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_HOST_MEMORY ||
           (error == CL_OUT_OF_RESOURCES && gpu->cl->clFinish(gpu->queue) == CL_SUCCESS);
}

/* Drivers allocate memory at its first use, so it is used at once. */
static cl_int touch(const wadi_gpu *gpu, cl_mem buffer, size_t bytes) {
    const char zero = 0;
    const cl_int error = gpu->cl->clEnqueueWriteBuffer(gpu->queue, buffer, 1, bytes - 1, 1, &zero, 0, NULL, NULL);
    return error != CL_SUCCESS ? error : gpu->cl->clFinish(gpu->queue);
}

static wadi_status make_buffer(wadi_gpu *gpu, wadi_gpu_memory *memory) {
    cl_int error = CL_SUCCESS;
    cl_mem buffer = gpu->cl->clCreateBuffer(gpu->context, CL_MEM_READ_WRITE, memory->bytes, NULL, &error);
    if (error == CL_SUCCESS) {
        error = touch(gpu, buffer, memory->bytes);
        if (error != CL_SUCCESS) gpu->cl->clReleaseMemObject(buffer);
    }
    if (is_want_of_memory(gpu, error)) return no_memory(gpu, memory->bytes);
    if (error != CL_SUCCESS) return checked(gpu, error, "taking memory there");
    memory->buffer = buffer;
    gpu->allocated += memory->bytes;
    return WADI_OK;
}

static wadi_status allocate(wadi_gpu *gpu, size_t bytes, wadi_gpu_memory **memory) {
    *memory = NULL;
    if (bytes > gpu->about.largest_bytes)
        return wadi_fail(WADI_ERROR_MEMORY,
                         "%s: %.3f GB are asked for in one allocation, which may have %.3f GB; take a smaller grid",
                         gpu->about.name, 1e-9 * (double)bytes, 1e-9 * (double)gpu->about.largest_bytes);
    /* Beyond the device's memory some drivers would continue with the host's, a hundred times slower. */
    if (gpu->allocated + bytes > gpu->about.memory_bytes) return no_memory(gpu, bytes);
    wadi_gpu_memory *made = malloc(sizeof *made);
    if (made == NULL) return wadi_fail(WADI_ERROR_MEMORY, "%s: no memory on the host", gpu->about.name);
    *made = (wadi_gpu_memory){.bytes = bytes > 0 ? bytes : 1};
    const wadi_status status = make_buffer(gpu, made);
    if (status == WADI_OK)
        *memory = made;
    else
        free(made);
    return status;
}

static void free_memory(wadi_gpu *gpu, wadi_gpu_memory *memory) {
    if (memory == NULL) return;
    gpu->cl->clReleaseMemObject(memory->buffer);
    gpu->allocated -= memory->bytes;
    free(memory);
}

/* ---- Transfers ---- */

/* Copies in one direction: `from` or `to` is the host's memory, and the other one is NULL. */
static cl_int move_piece(const wadi_gpu *gpu, cl_mem buffer, size_t offset, size_t bytes, const char *from, char *to) {
    return from != NULL ? gpu->cl->clEnqueueWriteBuffer(gpu->queue, buffer, 1, offset, bytes, from, 0, NULL, NULL)
                        : gpu->cl->clEnqueueReadBuffer(gpu->queue, buffer, 1, offset, bytes, to, 0, NULL, NULL);
}

static cl_int move_rectangle(const wadi_gpu *gpu, cl_mem buffer, const wadi_gpu_rows *rows, const char *from,
                             char *to) {
    const size_t here[3] = {0, 0, 0}, there[3] = {rows->offset % rows->pitch, rows->offset / rows->pitch, 0};
    const size_t size[3] = {rows->bytes, rows->rows, 1};
    return from != NULL ? gpu->cl->clEnqueueWriteBufferRect(gpu->queue, buffer, 1, there, here, size, rows->pitch, 0,
                                                            rows->host_pitch, 0, from, 0, NULL, NULL)
                        : gpu->cl->clEnqueueReadBufferRect(gpu->queue, buffer, 1, there, here, size, rows->pitch, 0,
                                                           rows->host_pitch, 0, to, 0, NULL, NULL);
}

/* The last row is copied separately: NVIDIA's driver requires memory for its whole pitch. */
static cl_int move_rows(const wadi_gpu *gpu, cl_mem buffer, const wadi_gpu_rows *rows, const char *from, char *to) {
    const size_t last = rows->rows - 1;
    wadi_gpu_rows others = *rows;
    others.rows = last;
    if (wadi_gpu_rows_are_contiguous(rows))
        return move_piece(gpu, buffer, rows->offset, rows->rows * rows->bytes, from, to);
    const cl_int error = move_rectangle(gpu, buffer, &others, from, to);
    if (error != CL_SUCCESS) return error;
    const size_t here = last * rows->host_pitch;
    return move_piece(gpu, buffer, rows->offset + last * rows->pitch, rows->bytes, from != NULL ? from + here : NULL,
                      to != NULL ? to + here : NULL);
}

static wadi_status write_rows(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu_rows *rows, const void *from) {
    const wadi_status status = wadi_gpu_check_rows(rows, to->bytes);
    if (status != WADI_OK || rows->rows == 0 || rows->bytes == 0) return status;
    return checked(gpu, move_rows(gpu, to->buffer, rows, from, NULL), "writing to its memory");
}

static wadi_status read_rows(wadi_gpu *gpu, const wadi_gpu_memory *from, const wadi_gpu_rows *rows, void *to) {
    const wadi_status status = wadi_gpu_check_rows(rows, from->bytes);
    if (status != WADI_OK || rows->rows == 0 || rows->bytes == 0) return status;
    return checked(gpu, move_rows(gpu, from->buffer, rows, NULL, to), "reading its memory");
}

static wadi_status copy(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu_memory *from, size_t bytes) {
    const wadi_gpu_rows whole = {.bytes = bytes, .rows = 1};
    const wadi_status status = wadi_gpu_check_rows(&whole, to->bytes < from->bytes ? to->bytes : from->bytes);
    if (status != WADI_OK || bytes == 0) return status;
    return checked(gpu, gpu->cl->clEnqueueCopyBuffer(gpu->queue, from->buffer, to->buffer, 0, 0, bytes, 0, NULL, NULL),
                   "copying in its memory");
}

/* Through the host: devices of different platforms share no memory. */
static wadi_status copy_from(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu *other, const wadi_gpu_memory *from,
                             size_t bytes) {
    const wadi_gpu_rows whole = {.pitch = bytes, .host_pitch = bytes, .bytes = bytes, .rows = 1};
    void *host = malloc(bytes);
    if (host == NULL) return wadi_fail(WADI_ERROR_MEMORY, "%s: no memory on the host", gpu->about.name);
    wadi_status status = checked(other, move_rows(other, from->buffer, &whole, NULL, host), "reading its memory");
    if (status == WADI_OK) status = write_rows(gpu, to, &whole, host);
    free(host);
    return status;
}

/* ---- Programs ---- */

static const char *options_of(const wadi_gpu *gpu) {
    /* Relaxed arithmetic still keeps NaN. */
    return gpu->relaxed ? "-cl-std=CL1.2 -cl-mad-enable -cl-no-signed-zeros"
                        : "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";
}

/* Contraction is the compiler's choice unless a program forbids it. */
static const char *preamble_of(const wadi_gpu *gpu) {
    return gpu->relaxed ? "" : "#pragma OPENCL FP_CONTRACT OFF\n#line 1\n";
}

static void key_of(const wadi_gpu *gpu, const char *source, char key[65]) {
    const char *const texts[] = {"OpenCL",        wadi_version(),   gpu->about.name, gpu->about.driver,
                                 options_of(gpu), preamble_of(gpu), source};
    wadi_cache_key(key, texts, sizeof texts / sizeof *texts);
}

static cl_int compile(const wadi_gpu *gpu, cl_program program) {
    return gpu->cl->clBuildProgram(program, 1, &gpu->device, options_of(gpu), NULL, NULL);
}

/* Returns NULL if the program is not in the cache, or if the driver refuses it. */
static cl_program from_cache(const wadi_gpu *gpu, const char *key) {
    size_t bytes = 0;
    unsigned char *binary = wadi_cache_load(key, &bytes);
    if (binary == NULL) return NULL;
    const unsigned char *content = binary;
    cl_int taken = CL_SUCCESS, error = CL_SUCCESS;
    cl_program program =
        gpu->cl->clCreateProgramWithBinary(gpu->context, 1, &gpu->device, &bytes, &content, &taken, &error);
    free(binary);
    if (error != CL_SUCCESS) return NULL;
    if (taken == CL_SUCCESS && compile(gpu, program) == CL_SUCCESS) return program;
    gpu->cl->clReleaseProgram(program);
    return NULL;
}

/* PoCL has a cache of its own. When asked for a binary, it compiles all kernels a second time. */
static bool driver_has_cache(const wadi_gpu *gpu) {
    const char *cache = getenv("POCL_KERNEL_CACHE");
    return strstr(gpu->about.driver, "Portable Computing Language") != NULL &&
           (cache == NULL || strcmp(cache, "0") != 0);
}

static void to_cache(const wadi_gpu *gpu, const char *key, cl_program program) {
    size_t bytes = 0;
    if (!wadi_cache_is_on() || driver_has_cache(gpu)) return;
    if (gpu->cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS ||
        bytes == 0)
        return;
    unsigned char *binary = malloc(bytes);
    if (binary == NULL) return;
    if (gpu->cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        wadi_cache_save(key, binary, bytes);
    free(binary);
}

static wadi_status build_failed(const wadi_gpu *gpu, cl_program program, cl_int error) {
    if (error == CL_OUT_OF_HOST_MEMORY) return wadi_fail(WADI_ERROR_MEMORY, "no memory to build kernels");
    size_t bytes = 0;
    gpu->cl->clGetProgramBuildInfo(program, gpu->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = calloc(bytes + 1, 1);
    if (log != NULL) gpu->cl->clGetProgramBuildInfo(program, gpu->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    const wadi_status status =
        wadi_gpu_build_failed(&gpu->about, log != NULL && log[0] != '\0' ? log : error_name(error));
    free(log);
    return status;
}

/* Tries twice: a signal, such as that of Ctrl-C, makes clang within PoCL remove its files and fail, once. */
static wadi_status from_source(const wadi_gpu *gpu, const char *source, cl_program *program) {
    const char *texts[] = {preamble_of(gpu), source};
    cl_int error = CL_SUCCESS;
    for (int attempt = 1; attempt <= 2; attempt++) {
        *program = gpu->cl->clCreateProgramWithSource(gpu->context, 2, texts, NULL, &error);
        if (error != CL_SUCCESS) return checked(gpu, error, "taking a program");
        error = compile(gpu, *program);
        if (error == CL_SUCCESS) return WADI_OK;
        if (attempt == 1) gpu->cl->clReleaseProgram(*program);
    }
    const wadi_status status = build_failed(gpu, *program, error);
    gpu->cl->clReleaseProgram(*program);
    return status;
}

static wadi_status build(wadi_gpu *gpu, const char *source, wadi_gpu_program **program) {
    char key[65];
    *program = NULL;
    wadi_gpu_program *made = malloc(sizeof *made);
    if (made == NULL) return wadi_fail(WADI_ERROR_MEMORY, "no memory to build kernels");
    key_of(gpu, source, key);
    *made = (wadi_gpu_program){.program = from_cache(gpu, key)};
    if (made->program == NULL) {
        const wadi_status status = from_source(gpu, source, &made->program);
        if (status != WADI_OK) {
            free(made);
            return status;
        }
        to_cache(gpu, key, made->program);
    }
    *program = made;
    return WADI_OK;
}

static void release(wadi_gpu *gpu, wadi_gpu_program *program) {
    if (program == NULL) return;
    for (wadi_gpu_kernel *kernel = program->kernels; kernel != NULL;) {
        wadi_gpu_kernel *const next = kernel->next;
        gpu->cl->clReleaseKernel(kernel->kernel);
        free(kernel);
        kernel = next;
    }
    gpu->cl->clReleaseProgram(program->program);
    free(program);
}

static wadi_status find(wadi_gpu *gpu, wadi_gpu_program *program, const char *name, wadi_gpu_kernel **kernel) {
    *kernel = NULL;
    wadi_gpu_kernel *made = malloc(sizeof *made);
    if (made == NULL) return wadi_fail(WADI_ERROR_MEMORY, "no memory for a kernel");
    cl_int error = CL_SUCCESS;
    made->kernel = gpu->cl->clCreateKernel(program->program, name, &error);
    if (error != CL_SUCCESS) {
        char doing[128];
        snprintf(doing, sizeof doing, "looking for kernel %s", name);
        free(made);
        return checked(gpu, error, doing);
    }
    made->next = program->kernels;
    program->kernels = made;
    *kernel = made;
    return WADI_OK;
}

/* ---- Running ---- */

static cl_int set_arguments(const wadi_gpu *gpu, cl_kernel kernel, const wadi_gpu_argument *arguments, int count,
                            size_t local_size) {
    cl_int error = CL_SUCCESS;
    for (int i = 0; i < count && error == CL_SUCCESS; i++) {
        const bool is_memory = arguments[i].memory != NULL;
        error = gpu->cl->clSetKernelArg(kernel, (cl_uint)i, is_memory ? sizeof(cl_mem) : arguments[i].bytes,
                                        is_memory ? (const void *)&arguments[i].memory->buffer : arguments[i].value);
    }
    if (error == CL_SUCCESS && local_size > 0)
        error = gpu->cl->clSetKernelArg(kernel, (cl_uint)count, local_size, NULL);
    return error;
}

/* Drivers report "out of resources" for a kernel that is too large and for a broken device. For a broken device,
 * waiting fails too. */
static wadi_status not_launched(const wadi_gpu *gpu, cl_kernel kernel, const wadi_gpu_launch *launch, cl_int error) {
    const wadi_status status = checked(gpu, gpu->cl->clFinish(gpu->queue), "running a kernel");
    if (status != WADI_OK) return status;
    size_t most = SIZE_MAX;
    gpu->cl->clGetKernelWorkGroupInfo(kernel, gpu->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    const bool too_large = error == CL_OUT_OF_RESOURCES || error == CL_INVALID_WORK_GROUP_SIZE ||
                           error == CL_INVALID_WORK_ITEM_SIZE || error == CL_INVALID_GLOBAL_WORK_SIZE;
    return too_large ? wadi_gpu_too_large(&gpu->about, launch, most) : checked(gpu, error, "running a kernel");
}

static wadi_status launch(wadi_gpu *gpu, wadi_gpu_kernel *kernel, const wadi_gpu_launch *launch,
                          const wadi_gpu_argument *arguments, int count) {
    if (launch->groups[0] == 0 || launch->groups[1] == 0) return WADI_OK;
    if (wadi_gpu_fails_on_purpose(&gpu->launches)) return checked(gpu, CL_DEVICE_NOT_AVAILABLE, "running a kernel");
    if (launch->local_bytes > gpu->about.local_bytes) return wadi_gpu_too_large(&gpu->about, launch, SIZE_MAX);
    cl_int error = set_arguments(gpu, kernel->kernel, arguments, count, launch->local_bytes);
    if (error != CL_SUCCESS) return checked(gpu, error, "giving a kernel its arguments");
    const size_t items[2] = {launch->groups[0] * launch->group_items, launch->groups[1]};
    const size_t group[2] = {launch->group_items, 1};
    error = gpu->cl->clEnqueueNDRangeKernel(gpu->queue, kernel->kernel, 2, NULL, items, group, 0, NULL, NULL);
    return error == CL_SUCCESS ? WADI_OK : not_launched(gpu, kernel->kernel, launch, error);
}

static wadi_status finish(wadi_gpu *gpu) { return checked(gpu, gpu->cl->clFinish(gpu->queue), "waiting for it"); }

const wadi_driver wadi_driver_opencl = {
    .name = "opencl",
    .list = wadi_opencl_list,
    .open = open_gpu,
    .close = close_gpu,
    .allocate = allocate,
    .free = free_memory,
    .write = write_rows,
    .read = read_rows,
    .copy = copy,
    .copy_from = copy_from,
    .build = build,
    .release = release,
    .find = find,
    .launch = launch,
    .finish = finish,
};
