/* dialect.h: what OpenCL C and CUDA C spell differently. Kernels use what the two have in common. */
#ifdef __OPENCL_VERSION__
#ifndef RELAXED
#pragma OPENCL FP_CONTRACT OFF
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define KERNEL(name) __kernel void name
#define KERNEL_OF(items, groups, name) __kernel __attribute__((reqd_work_group_size(items, 1, 1))) void name
#define GLOBAL __global
#define LOCAL __local
#define LOCAL_ARRAY(type, name, size) __local type name[size]
#define DYNAMIC_LOCAL , __local float4 *dynamic_
#define DYNAMIC_ARRAY __local float *const dynamic = (__local float *)dynamic_;
#define ITEM ((int)get_local_id(0))
#define ITEMS ((int)get_local_size(0))
#define GROUP_X ((int)get_group_id(0))
#define GROUP_Y ((int)get_group_id(1))
#define GROUPS_X ((int)get_num_groups(0))
#define GROUPS_Y ((int)get_num_groups(1))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define BARRIER_OF_ALL barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE) /* device memory too */
#define CELL static inline __attribute__((always_inline))
#define sqrtf sqrt
#define bits_of(x) as_uint(x)
#define float_of(bits) as_float(bits)
#define ASM __asm__
/* OpenCL has fma and fabs */
typedef long wide;
typedef ulong uwide;
#else
#define KERNEL(name) extern "C" __global__ void name
#define KERNEL_OF(items, groups, name) extern "C" __global__ void __launch_bounds__(items, groups) name
#define GLOBAL
#define LOCAL
#define LOCAL_ARRAY(type, name, size) __shared__ type name[size]
#define DYNAMIC_LOCAL
#define DYNAMIC_ARRAY extern __shared__ __align__(16) float dynamic[];
#define ITEM ((int)threadIdx.x)
#define ITEMS ((int)blockDim.x)
#define GROUP_X ((int)blockIdx.x)
#define GROUP_Y ((int)blockIdx.y)
#define GROUPS_X ((int)gridDim.x)
#define GROUPS_Y ((int)gridDim.y)
#define BARRIER __syncthreads()
#define BARRIER_OF_ALL __syncthreads()
#define CELL static __device__ __forceinline__
#define bits_of(x) __float_as_uint(x)
#define float_of(bits) __uint_as_float(bits)
#define ASM asm
#define fma(a, b, c) __fmaf_rn(a, b, c)
#define fabs(x) fabsf(x)
typedef unsigned int uint;
typedef long long wide;
typedef unsigned long long uwide;
#endif

#define WALL 1e30f
