/* opencl_api.h (internal): declares what opencl.c calls of OpenCL 1.2, so the build needs none of its headers. The
 * functions are found at run time. Names and numbers are the standard's. */
#ifndef WADI_GPU_OPENCL_API_H
#define WADI_GPU_OPENCL_API_H

#include <stddef.h>
#include <stdint.h>

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_bits;
typedef intptr_t cl_property;

enum {
    CL_SUCCESS = 0,
    CL_DEVICE_NOT_AVAILABLE = -2,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    CL_OUT_OF_RESOURCES = -5,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_BUILD_PROGRAM_FAILURE = -11,
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
    CL_INVALID_VALUE = -30,
    CL_INVALID_DEVICE = -33,
    CL_INVALID_CONTEXT = -34,
    CL_INVALID_COMMAND_QUEUE = -36,
    CL_INVALID_MEM_OBJECT = -38,
    CL_INVALID_BINARY = -42,
    CL_INVALID_BUILD_OPTIONS = -43,
    CL_INVALID_PROGRAM_EXECUTABLE = -45,
    CL_INVALID_KERNEL_NAME = -46,
    CL_INVALID_KERNEL = -48,
    CL_INVALID_ARG_INDEX = -49,
    CL_INVALID_ARG_VALUE = -50,
    CL_INVALID_ARG_SIZE = -51,
    CL_INVALID_KERNEL_ARGS = -52,
    CL_INVALID_WORK_GROUP_SIZE = -54,
    CL_INVALID_WORK_ITEM_SIZE = -55,
    CL_INVALID_OPERATION = -59,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_INVALID_GLOBAL_WORK_SIZE = -63,

    CL_PLATFORM_NAME = 0x0902,
    CL_PLATFORM_VENDOR = 0x0903,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100C, /* MHz */
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102B,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000, /* other devices answer these with an error, without harm */
    CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV = 0x4001,
    CL_DEVICE_GLOBAL_FREE_MEMORY_AMD = 0x4039, /* KiB */
    CL_CONTEXT_PLATFORM = 0x1084,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,

    CL_DEVICE_TYPE_CPU = 1 << 1,
    CL_DEVICE_TYPE_GPU = 1 << 2,
    CL_MEM_READ_WRITE = 1 << 0,
    CL_FP_DENORM = 1 << 0,
    CL_FP_INF_NAN = 1 << 1,
    CL_FP_ROUND_TO_NEAREST = 1 << 2,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7,
};
#define CL_DEVICE_TYPE_ALL ((cl_bits)0xFFFFFFFF)

/* F(index, return type, name, arguments). The index is the function's place in the dispatch table, by which the ICD
 * loader finds it in a driver. */
#define OPENCL_FUNCTIONS(F) \
    F(0, cl_int, clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *)) \
    F(1, cl_int, clGetPlatformInfo, (cl_platform_id, cl_uint, size_t, void *, size_t *)) \
    F(2, cl_int, clGetDeviceIDs, (cl_platform_id, cl_bits, cl_uint, cl_device_id *, cl_uint *)) \
    F(3, cl_int, clGetDeviceInfo, (cl_device_id, cl_uint, size_t, void *, size_t *)) \
    F(4, cl_context, clCreateContext, \
      (const cl_property *, cl_uint, const cl_device_id *, void (*)(const char *, const void *, size_t, void *), \
       void *, cl_int *)) \
    F(7, cl_int, clReleaseContext, (cl_context)) \
    F(9, cl_command_queue, clCreateCommandQueue, (cl_context, cl_device_id, cl_bits, cl_int *)) \
    F(11, cl_int, clReleaseCommandQueue, (cl_command_queue)) \
    F(14, cl_mem, clCreateBuffer, (cl_context, cl_bits, size_t, void *, cl_int *)) \
    F(18, cl_int, clReleaseMemObject, (cl_mem)) \
    F(26, cl_program, clCreateProgramWithSource, (cl_context, cl_uint, const char **, const size_t *, cl_int *)) \
    F(27, cl_program, clCreateProgramWithBinary, \
      (cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **, cl_int *, cl_int *)) \
    F(29, cl_int, clReleaseProgram, (cl_program)) \
    F(30, cl_int, clBuildProgram, \
      (cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *), void *)) \
    F(32, cl_int, clGetProgramInfo, (cl_program, cl_uint, size_t, void *, size_t *)) \
    F(33, cl_int, clGetProgramBuildInfo, (cl_program, cl_device_id, cl_uint, size_t, void *, size_t *)) \
    F(34, cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *)) \
    F(37, cl_int, clReleaseKernel, (cl_kernel)) \
    F(38, cl_int, clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *)) \
    F(40, cl_int, clGetKernelWorkGroupInfo, (cl_kernel, cl_device_id, cl_uint, size_t, void *, size_t *)) \
    F(47, cl_int, clFinish, (cl_command_queue)) \
    F(48, cl_int, clEnqueueReadBuffer, \
      (cl_command_queue, cl_mem, cl_uint, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *)) \
    F(49, cl_int, clEnqueueWriteBuffer, \
      (cl_command_queue, cl_mem, cl_uint, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *)) \
    F(50, cl_int, clEnqueueCopyBuffer, \
      (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *)) \
    F(59, cl_int, clEnqueueNDRangeKernel, \
      (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, \
       const cl_event *, cl_event *)) \
    F(86, cl_int, clEnqueueReadBufferRect, \
      (cl_command_queue, cl_mem, cl_uint, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, \
       size_t, void *, cl_uint, const cl_event *, cl_event *)) \
    F(87, cl_int, clEnqueueWriteBufferRect, \
      (cl_command_queue, cl_mem, cl_uint, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, \
       size_t, const void *, cl_uint, const cl_event *, cl_event *))

#define OPENCL_MEMBER(place, result, name, arguments) result(*name) arguments;
typedef struct opencl_api {
    OPENCL_FUNCTIONS(OPENCL_MEMBER)
} opencl_api;
#undef OPENCL_MEMBER

#endif
