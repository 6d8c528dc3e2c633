/* opencl_find.c: finds OpenCL's devices through the system's ICD loader (libOpenCL). Where the loader is missing or
 * does not know NVIDIA's driver, that driver is loaded directly. Each of its objects begins with a pointer to a table
 * of its functions (extension cl_khr_icd). The loader finds them the same way. */
#include "engine/gpu/driver/opencl_find.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };

typedef struct library {
    opencl_api api;
    cl_uint count;
    cl_platform_id platforms[MOST_PLATFORMS];
} library;

static struct {
    bool tried;
    library loader, nvidia;
} found;

static void *open_first(const char *const *names) {
    void *opened = NULL;
    for (; *names != NULL && opened == NULL; names++) opened = platform_library_open(*names);
    return opened;
}

/* Libraries stay open, because OpenCL drivers often fail when they are unloaded. */
static bool load_loader(opencl_api *api) {
    static const char *const names[] = {"libOpenCL.so.1", "OpenCL.dll",
                                        "/System/Library/Frameworks/OpenCL.framework/OpenCL", NULL};
    void *const opened = open_first(names);
    bool whole = opened != NULL;
#define LOAD(place, result, name, arguments) \
    if (whole) { \
        api->name = (result(*) arguments)platform_library_symbol(opened, #name); \
        whole = api->name != NULL; \
    }
    OPENCL_FUNCTIONS(LOAD)
#undef LOAD
    return whole;
}

static void find_by_loader(library *loader) {
    if (!load_loader(&loader->api)) return;
    cl_uint count = 0;
    if (loader->api.clGetPlatformIDs(MOST_PLATFORMS, loader->platforms, &count) != CL_SUCCESS) return;
    loader->count = count < MOST_PLATFORMS ? count : MOST_PLATFORMS;
}

static bool has_nvidia(const library *loader) {
    for (cl_uint i = 0; i < loader->count; i++) {
        char vendor[64] = "";
        loader->api.clGetPlatformInfo(loader->platforms[i], CL_PLATFORM_VENDOR, sizeof vendor - 1, vendor, NULL);
        if (strncmp(vendor, "NVIDIA", 6) == 0) return true;
    }
    return false;
}

static bool take_table(const platform_function *table, opencl_api *api) {
    bool whole = table != NULL;
#define TAKE(place, result, name, arguments) \
    if (whole) { \
        api->name = (result(*) arguments)table[place]; \
        whole = api->name != NULL; \
    }
    OPENCL_FUNCTIONS(TAKE)
#undef TAKE
    return whole;
}

typedef cl_int platforms_function(cl_uint, cl_platform_id *, cl_uint *);

static platforms_function *platforms_of(const char *name) {
    void *const opened = platform_library_open(name);
    if (opened == NULL) return NULL;
    void *(*const address_of)(const char *) =
        (void *(*)(const char *))platform_library_symbol(opened, "clGetExtensionFunctionAddress");
    void *const address = address_of != NULL ? address_of("clIcdGetPlatformIDsKHR") : NULL;
    platforms_function *function;
    memcpy(&function, &address, sizeof function);
    return function;
}

static void find_driver(library *driver, const char *name) {
    platforms_function *const platforms = platforms_of(name);
    cl_uint count = 0;
    if (platforms == NULL || platforms(1, driver->platforms, &count) != CL_SUCCESS || count == 0) return;
    const platform_function *table;
    memcpy(&table, driver->platforms[0], sizeof table);
    if (take_table(table, &driver->api)) driver->count = 1;
}

static void find_once(void) {
    platform_lock();
    if (!found.tried) {
        find_by_loader(&found.loader);
        if (!has_nvidia(&found.loader)) find_driver(&found.nvidia, "libnvidia-opencl.so.1");
        found.tried = true;
    }
    platform_unlock();
}

/* PoCL ends the process where it cannot inspect the processors, such as in a bare chroot. It does not where a variable
 * of hwloc describes them. */
static bool would_end_us(const opencl_api *api, cl_platform_id platform) {
    char name[64] = "";
    api->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    return strstr(name, "Portable Computing Language") != NULL && platform_is_folder("/proc/self") &&
           !platform_is_folder("/sys/devices/system/cpu") && getenv("HWLOC_SYNTHETIC") == NULL &&
           getenv("HWLOC_XMLFILE") == NULL;
}

static size_t add_devices(const library *library, size_t count, opencl_place *places, size_t most) {
    for (cl_uint i = 0; i < library->count; i++) {
        cl_device_id devices[MOST_DEVICES];
        cl_uint here = 0;
        if (would_end_us(&library->api, library->platforms[i])) continue;
        if (library->api.clGetDeviceIDs(library->platforms[i], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &here) !=
            CL_SUCCESS)
            continue;
        for (cl_uint j = 0; j < here && j < MOST_DEVICES; j++, count++)
            if (count < most) places[count] = (opencl_place){&library->api, library->platforms[i], devices[j]};
    }
    return count;
}

size_t wadi_opencl_find(opencl_place *places, size_t most) {
    find_once();
    const size_t count = add_devices(&found.loader, 0, places, most);
    return add_devices(&found.nvidia, count, places, most);
}
