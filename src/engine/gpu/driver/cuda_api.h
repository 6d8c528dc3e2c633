/* cuda_api.h (internal): declares what cuda.c calls of CUDA's driver, its run-time compiler NVRTC, and NVML. So the
 * build needs none of their headers. The functions are found at run time. Names and numbers are NVIDIA's. */
#ifndef WADI_GPU_CUDA_API_H
#define WADI_GPU_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUarray_st *CUarray;
typedef struct CUgraphicsResource_st *CUgraphicsResource;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_FAILED = 719,

    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13, /* kHz */
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,

    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,

    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_STREAM_NON_BLOCKING = 1,
    CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD = 2,
};

/* Names memory for other processes. It is passed by value. */
typedef struct CUipcMemHandle {
    char reserved[64];
} CUipcMemHandle;
enum { CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1 };

typedef struct CUDA_MEMCPY2D {
    size_t srcXInBytes, srcY;
    unsigned srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    unsigned dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

/* The arguments of a kernel are const here: CUDA copies them, and writes nothing. */
/* F(return type, name, arguments). Where there is a _v2, it is the version with 64-bit sizes and pointers. */
#define CUDA_FUNCTIONS(F) \
    F(CUresult, cuInit, (unsigned)) \
    F(CUresult, cuDriverGetVersion, (int *)) \
    F(CUresult, cuGetErrorName, (CUresult, const char **)) \
    F(CUresult, cuDeviceGetCount, (int *)) \
    F(CUresult, cuDeviceGet, (CUdevice *, int)) \
    F(CUresult, cuDeviceGetName, (char *, int, CUdevice)) \
    F(CUresult, cuDeviceGetPCIBusId, (char *, int, CUdevice)) \
    F(CUresult, cuDeviceGetAttribute, (int *, int, CUdevice)) \
    F(CUresult, cuDeviceTotalMem_v2, (size_t *, CUdevice)) \
    F(CUresult, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice)) \
    F(CUresult, cuDevicePrimaryCtxRelease_v2, (CUdevice)) \
    F(CUresult, cuCtxPushCurrent_v2, (CUcontext)) \
    F(CUresult, cuCtxPopCurrent_v2, (CUcontext *)) \
    F(CUresult, cuStreamCreate, (CUstream *, unsigned)) \
    F(CUresult, cuStreamDestroy_v2, (CUstream)) \
    F(CUresult, cuStreamSynchronize, (CUstream)) \
    F(CUresult, cuMemGetInfo_v2, (size_t *, size_t *)) \
    F(CUresult, cuMemAlloc_v2, (CUdeviceptr *, size_t)) \
    F(CUresult, cuMemFree_v2, (CUdeviceptr)) \
    F(CUresult, cuMemcpyHtoDAsync_v2, (CUdeviceptr, const void *, size_t, CUstream)) \
    F(CUresult, cuMemcpyDtoHAsync_v2, (void *, CUdeviceptr, size_t, CUstream)) \
    F(CUresult, cuMemcpyDtoDAsync_v2, (CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
    F(CUresult, cuMemcpyPeerAsync, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream)) \
    F(CUresult, cuCtxEnablePeerAccess, (CUcontext, unsigned)) \
    F(CUresult, cuIpcGetMemHandle, (CUipcMemHandle *, CUdeviceptr)) \
    F(CUresult, cuIpcOpenMemHandle_v2, (CUdeviceptr *, CUipcMemHandle, unsigned)) \
    F(CUresult, cuIpcCloseMemHandle, (CUdeviceptr)) \
    F(CUresult, cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *, CUstream)) \
    F(CUresult, cuGraphicsGLRegisterBuffer, (CUgraphicsResource *, unsigned, unsigned)) \
    F(CUresult, cuGraphicsUnregisterResource, (CUgraphicsResource)) \
    F(CUresult, cuGraphicsMapResources, (unsigned, CUgraphicsResource *, CUstream)) \
    F(CUresult, cuGraphicsUnmapResources, (unsigned, CUgraphicsResource *, CUstream)) \
    F(CUresult, cuGraphicsResourceGetMappedPointer_v2, (CUdeviceptr *, size_t *, CUgraphicsResource)) \
    F(CUresult, cuModuleLoadData, (CUmodule *, const void *)) \
    F(CUresult, cuModuleUnload, (CUmodule)) \
    F(CUresult, cuModuleGetFunction, (CUfunction *, CUmodule, const char *)) \
    F(CUresult, cuFuncGetAttribute, (int *, int, CUfunction)) \
    F(CUresult, cuFuncSetAttribute, (CUfunction, int, int)) \
    F(CUresult, cuLaunchKernel, \
      (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, \
       const void *const *, void **)) \
    F(CUresult, cuLaunchCooperativeKernel, \
      (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, \
       const void *const *)) \
    F(CUresult, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t))

/* NVRTC 11.2 or later. */
typedef struct _nvrtcProgram *nvrtcProgram;
#define NVRTC_FUNCTIONS(F) \
    F(int, nvrtcVersion, (int *, int *)) \
    F(int, nvrtcGetNumSupportedArchs, (int *)) \
    F(int, nvrtcGetSupportedArchs, (int *)) \
    F(int, nvrtcCreateProgram, \
      (nvrtcProgram *, const char *, const char *, int, const char *const *, const char *const *)) \
    F(int, nvrtcDestroyProgram, (nvrtcProgram *)) \
    F(int, nvrtcCompileProgram, (nvrtcProgram, int, const char *const *)) \
    F(int, nvrtcGetCUBINSize, (nvrtcProgram, size_t *)) \
    F(int, nvrtcGetCUBIN, (nvrtcProgram, char *)) \
    F(int, nvrtcGetPTXSize, (nvrtcProgram, size_t *)) \
    F(int, nvrtcGetPTX, (nvrtcProgram, char *)) \
    F(int, nvrtcGetProgramLogSize, (nvrtcProgram, size_t *)) \
    F(int, nvrtcGetProgramLog, (nvrtcProgram, char *)) \
    F(const char *, nvrtcGetErrorString, (int))

/* NVML describes a device without opening it. */
typedef struct nvmlDevice_st *nvmlDevice;
typedef struct nvmlMemory {
    unsigned long long total, free, used;
} nvmlMemory;
#define NVML_FUNCTIONS(F) \
    F(int, nvmlInit_v2, (void)) \
    F(int, nvmlSystemGetDriverVersion, (char *, unsigned)) \
    F(int, nvmlDeviceGetHandleByPciBusId_v2, (const char *, nvmlDevice *)) \
    F(int, nvmlDeviceGetMemoryInfo, (nvmlDevice, nvmlMemory *))

#define CUDA_MEMBER(result, name, arguments) result(*name) arguments;
typedef struct cuda_api {
    CUDA_FUNCTIONS(CUDA_MEMBER)
    NVRTC_FUNCTIONS(CUDA_MEMBER)
    NVML_FUNCTIONS(CUDA_MEMBER) /* all NULL without NVML, which is optional */
    int version, nvrtc_version; /* 12080 is 12.8 */
} cuda_api;
#undef CUDA_MEMBER

/* Returns NULL if something is missing, and a line that says what to install. */
const cuda_api *wadi_cuda_load(const char **missing);

#endif
