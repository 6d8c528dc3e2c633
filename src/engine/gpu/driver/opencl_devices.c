/* opencl_devices.c: describes OpenCL's devices without opening them. */
#include "engine/gpu/driver/opencl_devices.h"

#include <stdio.h>
#include <string.h>

#include "platform/platform.h"

static cl_bits opencl_number(const opencl_place *place, cl_uint what) {
    /* cl_uint, cl_ulong, size_t or a bit field: each is little-endian on every host that has OpenCL */
    cl_bits value = 0;
    return place->api->clGetDeviceInfo(place->device, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

/* Returns the text without surrounding blanks, which some drivers add. A text too long for `size` is left out. */
static void trim(char *text) {
    const size_t before = strspn(text, " \t");
    size_t length = strlen(text + before);
    while (length > 0 && text[before + length - 1] == ' ') length--;
    memmove(text, text + before, length);
    text[length] = '\0';
}

static void name_device(const opencl_place *place, wadi_device *device) {
    char platform[64] = "", version[56] = "";
    snprintf(device->name, sizeof device->name, "OpenCL device");
    place->api->clGetDeviceInfo(place->device, CL_DEVICE_NAME, sizeof device->name, device->name, NULL);
    place->api->clGetPlatformInfo(place->platform, CL_PLATFORM_NAME, sizeof platform, platform, NULL);
    place->api->clGetDeviceInfo(place->device, CL_DRIVER_VERSION, sizeof version, version, NULL);
    trim(device->name);
    snprintf(device->driver, sizeof device->driver, "%s %s", platform, version);
}

static bool is_strict(const opencl_place *place) {
    const cl_bits all = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    return (opencl_number(place, CL_DEVICE_SINGLE_FP_CONFIG) & all) == all;
}

/* OpenCL has no query for free memory. For a CPU the system knows it, and AMD has a query of its own. */
static uint64_t free_bytes(const opencl_place *place, uint64_t all, cl_bits type) {
    uint64_t left = 0;
    size_t kibibytes[2] = {0}; /* all, and the largest free block */
    if (type & CL_DEVICE_TYPE_CPU)
        left = platform_memory_bytes();
    else if (place->api->clGetDeviceInfo(place->device, CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, sizeof kibibytes, kibibytes,
                                         NULL) == CL_SUCCESS)
        left = (uint64_t)kibibytes[0] << 10;
    return left > 0 && left < all ? left : all;
}

/* NVIDIA's driver keeps a little for itself and does not report it: 49,136 of 49,152 bytes can be used. */
static uint64_t local_bytes(const opencl_place *place, const wadi_device *device) {
    const uint64_t bytes = opencl_number(place, CL_DEVICE_LOCAL_MEM_SIZE);
    return strncmp(device->driver, "NVIDIA", 6) == 0 && bytes > 16 ? bytes - 16 : bytes;
}

static int capability_of(const opencl_place *place, const char *driver) {
    const opencl_api *api = place->api;
    cl_uint major = 0, minor = 0;
    const bool told = strncmp(driver, "NVIDIA", 6) == 0 &&
                      api->clGetDeviceInfo(place->device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, sizeof major, &major,
                                           NULL) == CL_SUCCESS &&
                      api->clGetDeviceInfo(place->device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, sizeof minor, &minor,
                                           NULL) == CL_SUCCESS;
    return told ? (int)(10 * major + minor) : 0;
}

wadi_device wadi_opencl_describe(const opencl_place *place, int number) {
    wadi_device device = {.engine = WADI_ENGINE_OPENCL, .number = number};
    const cl_bits type = opencl_number(place, CL_DEVICE_TYPE);
    name_device(place, &device);
    device.gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    device.strict = is_strict(place);
    device.float64 = opencl_number(place, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    device.capability = capability_of(place, device.driver);
    device.memory_bytes = opencl_number(place, CL_DEVICE_GLOBAL_MEM_SIZE);
    device.free_bytes = free_bytes(place, device.memory_bytes, type);
    device.largest_bytes = opencl_number(place, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    device.local_bytes = local_bytes(place, &device);
    device.units = (int)opencl_number(place, CL_DEVICE_MAX_COMPUTE_UNITS);
    device.clock_hz = 1e6 * (double)opencl_number(place, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    return device;
}

const char wadi_opencl_none[] =
    "no OpenCL here: install ocl-icd-libopencl1 and your GPU's driver, or pocl-opencl-icd for "
    "this CPU; NVIDIA's needs a file nvidia.icd that says libnvidia-opencl.so.1, in "
    "/etc/OpenCL/vendors or in the folder that OCL_ICD_VENDORS names";

/* A device that is switched off or has no compiler is left out. */
size_t wadi_opencl_usable(opencl_place *places, size_t most) {
    const size_t all = wadi_opencl_find(places, most);
    size_t count = 0;
    for (size_t i = 0; i < all && i < most; i++)
        if (opencl_number(&places[i], CL_DEVICE_AVAILABLE) != 0 &&
            opencl_number(&places[i], CL_DEVICE_COMPILER_AVAILABLE) != 0)
            places[count++] = places[i];
    return count;
}

size_t wadi_opencl_list(wadi_device *devices, size_t most, const char **missing) {
    opencl_place places[OPENCL_MOST_DEVICES];
    const size_t count = wadi_opencl_usable(places, OPENCL_MOST_DEVICES);
    *missing = count == 0 ? wadi_opencl_none : NULL;
    for (size_t i = 0; i < count && i < most; i++) devices[i] = wadi_opencl_describe(&places[i], (int)i);
    return count;
}
