/* cuda.c: NVIDIA's devices through CUDA's driver API, with kernels built by NVRTC. The device's primary context is
 * shared with other CUDA code of this process. It is current only during a call. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/driver/cache.h"
#include "engine/gpu/driver/cuda_compile.h"
#include "engine/gpu/driver/cuda_devices.h"
#include "engine/gpu/driver/cuda_share.h"
#include "engine/gpu/driver/driver_errors.h"

enum { MOST_ARGUMENTS = 64, MOST_GROUPS_Y = 65535 };

struct wadi_gpu_kernel {
    CUfunction function;
    size_t granted; /* limit of shared memory per launch, in bytes */
    wadi_gpu_kernel *next;
};

struct wadi_gpu_program {
    CUmodule module;
    wadi_gpu_kernel *kernels;
};

/* ---- Opening ---- */

static void close_gpu(wadi_gpu *gpu) {
    if (gpu == NULL) return;
    if (gpu->stream != NULL && wadi_cuda_enter_quietly(gpu)) {
        gpu->cu->cuStreamSynchronize(gpu->stream);
        wadi_cuda_forget_buffers(gpu);
        gpu->cu->cuStreamDestroy_v2(gpu->stream);
        wadi_cuda_leave(gpu, WADI_OK);
    }
    if (gpu->context != NULL) gpu->cu->cuDevicePrimaryCtxRelease_v2(gpu->device);
    free(gpu);
}

static wadi_status start(wadi_gpu *gpu) {
    wadi_status status = wadi_cuda_compiler_choose(&gpu->compiler);
    if (status != WADI_OK) return status;
    const CUresult error = gpu->cu->cuDevicePrimaryCtxRetain(&gpu->context, gpu->device);
    if (error == CUDA_ERROR_OUT_OF_MEMORY)
        return wadi_fail(WADI_ERROR_MEMORY, "%s: not enough memory there to open it", gpu->about.name);
    status = wadi_cuda_checked(gpu, error, "opening it");
    if (status != WADI_OK) {
        gpu->context = NULL;
        return status;
    }
    status = wadi_cuda_enter(gpu);
    if (status != WADI_OK) return status;
    return wadi_cuda_leave(
        gpu, wadi_cuda_checked(gpu, gpu->cu->cuStreamCreate(&gpu->stream, CU_STREAM_NON_BLOCKING), "making a stream"));
}

static wadi_status open_gpu(int number, bool relaxed, wadi_gpu **gpu) {
    const char *missing = NULL;
    const cuda_api *const cu = wadi_cuda_load(&missing);
    const int count = cu != NULL ? wadi_cuda_count(cu) : 0;
    *gpu = NULL;
    if (number < 0 || number >= count) return wadi_gpu_no_device("CUDA", number, (size_t)count, missing);
    wadi_gpu *opened = malloc(sizeof *opened);
    if (opened == NULL) return wadi_fail(WADI_ERROR_MEMORY, "no memory to open CUDA device %d", number);
    *opened = (wadi_gpu){.cu = cu, .compiler = {.cu = cu, .about = &opened->about, .relaxed = relaxed}};
    CUresult error = cu->cuDeviceGet(&opened->device, number);
    opened->about = wadi_cuda_describe(cu, opened->device, number);
    opened->most_pitch = (size_t)wadi_cuda_attribute(cu, opened->device, CU_DEVICE_ATTRIBUTE_MAX_PITCH);
    wadi_status status = wadi_cuda_checked(opened, error, "looking for it");
    if (status == WADI_OK) status = start(opened);
    if (status == WADI_OK)
        *gpu = opened;
    else
        close_gpu(opened);
    return status;
}

/* ---- Memory ---- */

static wadi_status no_memory(const wadi_gpu *gpu, size_t bytes) {
    size_t left = 0, all = 0;
    if (gpu->cu->cuMemGetInfo_v2(&left, &all) != CUDA_SUCCESS) left = 0;
    return wadi_gpu_no_memory(&gpu->about, bytes, left);
}

static wadi_status take(wadi_gpu *gpu, wadi_gpu_memory *memory) {
    /* On Windows the driver would continue with the host's memory, a hundred times slower. */
    if (memory->bytes > gpu->about.memory_bytes || gpu->allocated + memory->bytes > gpu->about.memory_bytes)
        return no_memory(gpu, memory->bytes);
    const CUresult error = gpu->cu->cuMemAlloc_v2(&memory->start, memory->bytes);
    if (error == CUDA_ERROR_OUT_OF_MEMORY) return no_memory(gpu, memory->bytes);
    if (error == CUDA_SUCCESS) gpu->allocated += memory->bytes;
    return wadi_cuda_checked(gpu, error, "taking memory there");
}

static wadi_status allocate(wadi_gpu *gpu, size_t bytes, wadi_gpu_memory **memory) {
    *memory = NULL;
    wadi_status status = wadi_cuda_enter(gpu);
    if (status != WADI_OK) return status;
    wadi_gpu_memory *made = malloc(sizeof *made);
    if (made == NULL)
        return wadi_cuda_leave(gpu, wadi_fail(WADI_ERROR_MEMORY, "%s: no memory on the host", gpu->about.name));
    *made = (wadi_gpu_memory){.bytes = bytes > 0 ? bytes : 1};
    status = take(gpu, made);
    if (status == WADI_OK)
        *memory = made;
    else
        free(made);
    return wadi_cuda_leave(gpu, status);
}

static void free_memory(wadi_gpu *gpu, wadi_gpu_memory *memory) {
    if (memory == NULL) return;
    if (wadi_cuda_enter_quietly(gpu)) {
        gpu->cu->cuMemFree_v2(memory->start); /* waits for commands that still use it */
        wadi_cuda_leave(gpu, WADI_OK);
    }
    gpu->allocated -= memory->bytes;
    free(memory);
}

/* ---- Transfers ---- */

/* Copies in one direction: `from` or `to` is the host's memory, and the other one is NULL. */
static CUresult move_piece(const wadi_gpu *gpu, CUdeviceptr there, const char *from, char *to, size_t bytes) {
    return from != NULL ? gpu->cu->cuMemcpyHtoDAsync_v2(there, from, bytes, gpu->stream)
                        : gpu->cu->cuMemcpyDtoHAsync_v2(to, there, bytes, gpu->stream);
}

static CUresult move_rectangle(const wadi_gpu *gpu, CUdeviceptr there, const char *from, char *to,
                               const wadi_gpu_rows *rows) {
    CUDA_MEMCPY2D move = {.WidthInBytes = rows->bytes, .Height = rows->rows};
    if (from != NULL) {
        move.srcMemoryType = CU_MEMORYTYPE_HOST, move.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        move.srcHost = from, move.srcPitch = rows->host_pitch;
        move.dstDevice = there, move.dstPitch = rows->pitch;
    } else {
        move.srcMemoryType = CU_MEMORYTYPE_DEVICE, move.dstMemoryType = CU_MEMORYTYPE_HOST;
        move.srcDevice = there, move.srcPitch = rows->pitch;
        move.dstHost = to, move.dstPitch = rows->host_pitch;
    }
    return gpu->cu->cuMemcpy2DAsync_v2(&move, gpu->stream);
}

static CUresult move_one_by_one(const wadi_gpu *gpu, CUdeviceptr there, const char *from, char *to,
                                const wadi_gpu_rows *rows) {
    CUresult error = CUDA_SUCCESS;
    for (size_t y = 0; y < rows->rows && error == CUDA_SUCCESS; y++) {
        const size_t here = y * rows->host_pitch;
        error = move_piece(gpu, there + y * rows->pitch, from != NULL ? from + here : NULL,
                           to != NULL ? to + here : NULL, rows->bytes);
    }
    return error;
}

static wadi_status move(const wadi_gpu *gpu, const wadi_gpu_memory *memory, const char *from, char *to,
                        const wadi_gpu_rows *rows) {
    wadi_status status = wadi_gpu_check_rows(rows, memory->bytes);
    if (status != WADI_OK || rows->rows == 0 || rows->bytes == 0) return status;
    status = wadi_cuda_enter(gpu);
    if (status != WADI_OK) return status;
    const CUdeviceptr there = memory->start + rows->offset;
    CUresult error;
    if (wadi_gpu_rows_are_contiguous(rows))
        error = move_piece(gpu, there, from, to, rows->rows * rows->bytes);
    else if (rows->pitch <= gpu->most_pitch && rows->host_pitch <= gpu->most_pitch)
        error = move_rectangle(gpu, there, from, to, rows);
    else
        error = move_one_by_one(gpu, there, from, to, rows);
    /* Waits for all copies, so that the caller may use the host's memory again. */
    const CUresult end = gpu->cu->cuStreamSynchronize(gpu->stream);
    if (error == CUDA_SUCCESS) error = end;
    return wadi_cuda_leave(
        gpu, wadi_cuda_checked(gpu, error, from != NULL ? "writing to its memory" : "reading its memory"));
}

static wadi_status write_rows(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu_rows *rows, const void *from) {
    return move(gpu, to, from, NULL, rows);
}

static wadi_status read_rows(wadi_gpu *gpu, const wadi_gpu_memory *from, const wadi_gpu_rows *rows, void *to) {
    return move(gpu, from, NULL, to, rows);
}

static wadi_status copy(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu_memory *from, size_t bytes) {
    const wadi_gpu_rows whole = {.bytes = bytes, .rows = 1};
    wadi_status status = wadi_gpu_check_rows(&whole, to->bytes < from->bytes ? to->bytes : from->bytes);
    if (status != WADI_OK || bytes == 0) return status;
    status = wadi_cuda_enter(gpu);
    if (status != WADI_OK) return status;
    return wadi_cuda_leave(
        gpu, wadi_cuda_checked(gpu, gpu->cu->cuMemcpyDtoDAsync_v2(to->start, from->start, bytes, gpu->stream),
                               "copying in its memory"));
}

/* Without access by NVLink or PCIe, CUDA copies through the host. */
static wadi_status copy_from(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu *other, const wadi_gpu_memory *from,
                             size_t bytes) {
    const wadi_gpu_rows whole = {.bytes = bytes, .rows = 1};
    wadi_status status = wadi_gpu_check_rows(&whole, to->bytes < from->bytes ? to->bytes : from->bytes);
    if (status == WADI_OK) status = wadi_cuda_enter(gpu);
    if (status != WADI_OK) return status;
    gpu->cu->cuCtxEnablePeerAccess(other->context, 0); /* once is enough; more do no harm */
    return wadi_cuda_leave(gpu, wadi_cuda_checked(gpu,
                                                  gpu->cu->cuMemcpyPeerAsync(to->start, gpu->context, from->start,
                                                                             other->context, bytes, gpu->stream),
                                                  "copying from another device's memory"));
}

/* ---- Programs ---- */

static bool from_cache(const wadi_gpu *gpu, const char *key, CUmodule *module) {
    size_t bytes = 0;
    void *image = wadi_cache_load(key, &bytes);
    const bool loaded = image != NULL && gpu->cu->cuModuleLoadData(module, image) == CUDA_SUCCESS;
    free(image);
    return loaded;
}

static wadi_status from_source(const wadi_gpu *gpu, const char *key, const char *source, CUmodule *module) {
    char *image = NULL;
    size_t bytes = 0;
    wadi_status status = wadi_cuda_compile(&gpu->compiler, source, &image, &bytes);
    if (status != WADI_OK) return status;
    status = wadi_cuda_checked(gpu, gpu->cu->cuModuleLoadData(module, image), "loading its kernels");
    if (status == WADI_OK) wadi_cache_save(key, image, bytes);
    free(image);
    return status;
}

static wadi_status build_here(wadi_gpu *gpu, const char *source, wadi_gpu_program **program) {
    char key[65];
    wadi_gpu_program *made = malloc(sizeof *made);
    if (made == NULL) return wadi_fail(WADI_ERROR_MEMORY, "no memory to build kernels");
    *made = (wadi_gpu_program){0};
    wadi_cuda_compiler_key(&gpu->compiler, source, key);
    const wadi_status status =
        from_cache(gpu, key, &made->module) ? WADI_OK : from_source(gpu, key, source, &made->module);
    if (status == WADI_OK)
        *program = made;
    else
        free(made);
    return status;
}

static wadi_status build(wadi_gpu *gpu, const char *source, wadi_gpu_program **program) {
    *program = NULL;
    const wadi_status status = wadi_cuda_enter(gpu);
    return status == WADI_OK ? wadi_cuda_leave(gpu, build_here(gpu, source, program)) : status;
}

/* It needs no context. NVRTC compiles several programs at the same time. */
static void build_ahead(const wadi_gpu *gpu, const char *source) {
    char key[65], *image = NULL;
    size_t bytes = 0;
    wadi_cuda_compiler_key(&gpu->compiler, source, key);
    void *cached = wadi_cache_load(key, &bytes);
    if (cached == NULL && wadi_cuda_compile(&gpu->compiler, source, &image, &bytes) == WADI_OK)
        wadi_cache_save(key, image, bytes);
    free(cached);
    free(image);
}

static void release(wadi_gpu *gpu, wadi_gpu_program *program) {
    if (program == NULL) return;
    for (wadi_gpu_kernel *kernel = program->kernels; kernel != NULL;) {
        wadi_gpu_kernel *const next = kernel->next;
        free(kernel);
        kernel = next;
    }
    if (wadi_cuda_enter_quietly(gpu)) {
        gpu->cu->cuStreamSynchronize(gpu->stream); /* its kernels may still run */
        gpu->cu->cuModuleUnload(program->module);
        wadi_cuda_leave(gpu, WADI_OK);
    }
    free(program);
}

static wadi_status find_here(const wadi_gpu *gpu, const wadi_gpu_program *program, const char *name,
                             CUfunction *function) {
    char doing[128];
    snprintf(doing, sizeof doing, "looking for kernel %s", name);
    return wadi_cuda_checked(gpu, gpu->cu->cuModuleGetFunction(function, program->module, name), doing);
}

static wadi_status find(wadi_gpu *gpu, wadi_gpu_program *program, const char *name, wadi_gpu_kernel **kernel) {
    *kernel = NULL;
    wadi_status status = wadi_cuda_enter(gpu);
    if (status != WADI_OK) return status;
    CUfunction function = NULL;
    status = wadi_cuda_leave(gpu, find_here(gpu, program, name, &function));
    if (status != WADI_OK) return status;
    wadi_gpu_kernel *made = malloc(sizeof *made);
    if (made == NULL) return wadi_fail(WADI_ERROR_MEMORY, "no memory for a kernel");
    *made = (wadi_gpu_kernel){.function = function, .next = program->kernels};
    program->kernels = made;
    *kernel = made;
    return WADI_OK;
}

/* ---- Running ---- */

/* Without this attribute a kernel has at most 48 KiB of shared memory. */
static bool grant(const wadi_gpu *gpu, wadi_gpu_kernel *kernel, size_t bytes) {
    if (bytes <= kernel->granted) return true;
    if (bytes > gpu->about.local_bytes ||
        gpu->cu->cuFuncSetAttribute(kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes) !=
            CUDA_SUCCESS)
        return false;
    kernel->granted = bytes;
    return true;
}

static size_t most_items(const wadi_gpu *gpu, const wadi_gpu_kernel *kernel) {
    int most = 0;
    return gpu->cu->cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel->function) == CUDA_SUCCESS
               ? (size_t)most
               : SIZE_MAX;
}

static wadi_status launch_here(const wadi_gpu *gpu, wadi_gpu_kernel *kernel, const wadi_gpu_launch *launch,
                               const void *const *values) {
    if (launch->groups[0] > INT_MAX || launch->groups[1] > MOST_GROUPS_Y || launch->group_items > INT_MAX ||
        !grant(gpu, kernel, launch->local_bytes))
        return wadi_gpu_too_large(&gpu->about, launch, SIZE_MAX);
    const unsigned x = (unsigned)launch->groups[0], y = (unsigned)launch->groups[1];
    const unsigned items = (unsigned)launch->group_items, bytes = (unsigned)launch->local_bytes;
    const CUresult error =
        launch->together
            ? gpu->cu->cuLaunchCooperativeKernel(kernel->function, x, y, 1, items, 1, 1, bytes, gpu->stream, values)
            : gpu->cu->cuLaunchKernel(kernel->function, x, y, 1, items, 1, 1, bytes, gpu->stream, values, NULL);
    const size_t most = error == CUDA_SUCCESS ? SIZE_MAX : most_items(gpu, kernel);
    if (error == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES || launch->group_items > most)
        return wadi_gpu_too_large(&gpu->about, launch, most);
    return wadi_cuda_checked(gpu, error, "running a kernel");
}

static wadi_status launch(wadi_gpu *gpu, wadi_gpu_kernel *kernel, const wadi_gpu_launch *launch,
                          const wadi_gpu_argument *arguments, int count) {
    const void *values[MOST_ARGUMENTS];
    if (launch->groups[0] == 0 || launch->groups[1] == 0) return WADI_OK;
    if (wadi_gpu_fails_on_purpose(&gpu->launches))
        return wadi_cuda_checked(gpu, CUDA_ERROR_LAUNCH_FAILED, "running a kernel");
    if (count > MOST_ARGUMENTS) return wadi_fail(WADI_ERROR_ARGUMENT, "a kernel has %d arguments", count);
    for (int i = 0; i < count; i++) {
        values[i] = arguments[i].memory != NULL ? &arguments[i].memory->start : arguments[i].value;
        if (values[i] == NULL) return wadi_fail(WADI_ERROR_ARGUMENT, "a kernel's argument %d is not there", i);
    }
    const wadi_status status = wadi_cuda_enter(gpu);
    return status == WADI_OK ? wadi_cuda_leave(gpu, launch_here(gpu, kernel, launch, values)) : status;
}

static size_t most_together(wadi_gpu *gpu, wadi_gpu_kernel *kernel, const wadi_gpu_launch *launch) {
    int groups = 0;
    if (wadi_cuda_attribute(gpu->cu, gpu->device, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 0 ||
        !wadi_cuda_enter_quietly(gpu))
        return 1;
    const bool known = grant(gpu, kernel, launch->local_bytes) &&
                       gpu->cu->cuOccupancyMaxActiveBlocksPerMultiprocessor(
                           &groups, kernel->function, (int)launch->group_items, launch->local_bytes) == CUDA_SUCCESS;
    wadi_cuda_leave(gpu, WADI_OK);
    return known && groups > 0 && gpu->about.units > 0 ? (size_t)groups * (size_t)gpu->about.units : 1;
}

static wadi_status finish(wadi_gpu *gpu) {
    const wadi_status status = wadi_cuda_enter(gpu);
    if (status != WADI_OK) return status;
    return wadi_cuda_leave(gpu, wadi_cuda_checked(gpu, gpu->cu->cuStreamSynchronize(gpu->stream), "waiting for it"));
}

const wadi_driver wadi_driver_cuda = {
    .name = "cuda",
    .list = wadi_cuda_list,
    .open = open_gpu,
    .close = close_gpu,
    .allocate = allocate,
    .free = free_memory,
    .write = write_rows,
    .read = read_rows,
    .copy = copy,
    .copy_from = copy_from,
    .offer = wadi_cuda_offer,
    .reach = wadi_cuda_reach,
    .forget = wadi_cuda_forget,
    .lend = wadi_cuda_lend,
    .take_back = wadi_cuda_take_back,
    .borrow = wadi_cuda_borrow,
    .give_back = wadi_cuda_give_back,
    .build = build,
    .build_ahead = build_ahead,
    .release = release,
    .find = find,
    .launch = launch,
    .most_together = most_together,
    .finish = finish,
};
