/* cuda_share.c: memory of other processes and of OpenGL. */
#include "engine/gpu/driver/cuda_share.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory of other processes ---- */

/* Linux makes a name at each start of the machine. Elsewhere processes do not share memory. */
static bool name_machine(char name[40]) {
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    const size_t count = file != NULL ? fread(name, 1, 36, file) : 0;
    if (file != NULL) fclose(file);
    return count == 36;
}

bool wadi_cuda_offer(wadi_gpu *gpu, const wadi_gpu_memory *memory, wadi_gpu_name *name) {
    CUipcMemHandle handle;
    *name = (wadi_gpu_name){.bytes = memory->bytes};
    if (!name_machine(name->machine) || !wadi_cuda_enter_quietly(gpu)) return false;
    const CUresult error = gpu->cu->cuIpcGetMemHandle(&handle, memory->start);
    wadi_cuda_leave(gpu, WADI_OK);
    memcpy(name->handle, handle.reserved, sizeof name->handle);
    return error == CUDA_SUCCESS;
}

wadi_gpu_memory *wadi_cuda_reach(wadi_gpu *gpu, const wadi_gpu_name *name) {
    char machine[40] = "";
    CUipcMemHandle handle;
    if (!name_machine(machine) || memcmp(machine, name->machine, sizeof machine) != 0) return NULL;
    wadi_gpu_memory *memory = malloc(sizeof *memory);
    if (memory == NULL || !wadi_cuda_enter_quietly(gpu)) {
        free(memory);
        return NULL;
    }
    *memory = (wadi_gpu_memory){.bytes = (size_t)name->bytes};
    memcpy(handle.reserved, name->handle, sizeof handle.reserved);
    const CUresult error = gpu->cu->cuIpcOpenMemHandle_v2(&memory->start, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    wadi_cuda_leave(gpu, WADI_OK);
    if (error == CUDA_SUCCESS) return memory;
    free(memory);
    return NULL;
}

void wadi_cuda_forget(wadi_gpu *gpu, wadi_gpu_memory *memory) {
    if (memory == NULL) return;
    if (wadi_cuda_enter_quietly(gpu)) {
        gpu->cu->cuStreamSynchronize(gpu->stream);
        gpu->cu->cuIpcCloseMemHandle(memory->start);
        wadi_cuda_leave(gpu, WADI_OK);
    }
    free(memory);
}

/* Some MPIs look for the current context, where they get an address. */
bool wadi_cuda_lend(const wadi_gpu *gpu, const wadi_gpu_memory *const *memory, int count, void **addresses) {
    for (int i = 0; i < count; i++) addresses[i] = (void *)(size_t)memory[i]->start;
    return wadi_cuda_enter_quietly(gpu);
}

void wadi_cuda_take_back(const wadi_gpu *gpu) { wadi_cuda_leave(gpu, WADI_OK); }

/* ---- OpenGL's memory ---- */

void wadi_cuda_forget_buffers(wadi_gpu *gpu) {
    for (int i = 0; i < gpu->borrowed; i++) gpu->cu->cuGraphicsUnregisterResource(gpu->resource[i]);
    gpu->borrowed = 0;
}

static wadi_status not_shared(const wadi_gpu *gpu, CUresult error) {
    const char *name = NULL;
    if (gpu->cu->cuGetErrorName(error, &name) != CUDA_SUCCESS || name == NULL) name = "an error that has no name";
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: shares no memory with OpenGL as it is here (%s)", gpu->about.name,
                     name);
}

/* Registering a buffer takes a millisecond, so buffers stay registered. */
static CUresult know_buffers(wadi_gpu *gpu, const unsigned *buffers, int count) {
    CUresult error = CUDA_SUCCESS;
    if (gpu->borrowed == count && memcmp(gpu->buffer, buffers, (size_t)count * sizeof *buffers) == 0) return error;
    wadi_cuda_forget_buffers(gpu);
    for (int i = 0; i < count && error == CUDA_SUCCESS; i++) {
        error = gpu->cu->cuGraphicsGLRegisterBuffer(&gpu->resource[i], buffers[i],
                                                    CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD);
        gpu->buffer[i] = buffers[i];
        if (error == CUDA_SUCCESS) gpu->borrowed++;
    }
    return error;
}

static CUresult map_buffers(wadi_gpu *gpu, size_t bytes) {
    const unsigned count = (unsigned)gpu->borrowed;
    CUresult error = gpu->cu->cuGraphicsMapResources(count, gpu->resource, gpu->stream);
    if (error != CUDA_SUCCESS) return error;
    for (int i = 0; i < gpu->borrowed && error == CUDA_SUCCESS; i++) {
        wadi_gpu_memory *memory = &gpu->lent[i];
        error = gpu->cu->cuGraphicsResourceGetMappedPointer_v2(&memory->start, &memory->bytes, gpu->resource[i]);
        if (error == CUDA_SUCCESS && memory->bytes < bytes) error = CUDA_ERROR_INVALID_VALUE;
    }
    if (error != CUDA_SUCCESS) gpu->cu->cuGraphicsUnmapResources(count, gpu->resource, gpu->stream);
    return error;
}

wadi_status wadi_cuda_borrow(wadi_gpu *gpu, const unsigned *buffers, int count, size_t bytes,
                             wadi_gpu_memory **memory) {
    const wadi_status status = wadi_cuda_enter(gpu);
    if (status != WADI_OK) return status;
    CUresult error = know_buffers(gpu, buffers, count);
    if (error == CUDA_SUCCESS) error = map_buffers(gpu, bytes);
    if (error != CUDA_SUCCESS) wadi_cuda_forget_buffers(gpu);
    for (int i = 0; i < count; i++) memory[i] = &gpu->lent[i];
    return wadi_cuda_leave(gpu, error == CUDA_SUCCESS ? WADI_OK : not_shared(gpu, error));
}

/* Waits for the commands, so that OpenGL contexts of other threads see the result. */
wadi_status wadi_cuda_give_back(wadi_gpu *gpu) {
    const wadi_status status = wadi_cuda_enter(gpu);
    if (status != WADI_OK) return status;
    const CUresult error = gpu->cu->cuGraphicsUnmapResources((unsigned)gpu->borrowed, gpu->resource, gpu->stream);
    const CUresult end = gpu->cu->cuStreamSynchronize(gpu->stream);
    return wadi_cuda_leave(gpu, wadi_cuda_checked(gpu, error != CUDA_SUCCESS ? error : end, "giving OpenGL a map"));
}
