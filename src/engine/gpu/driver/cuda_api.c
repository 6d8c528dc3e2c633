/* cuda_api.c: finds NVIDIA's driver, NVRTC and NVML. The driver comes with the GPU. NVRTC comes with the CUDA toolkit
 * or as a package of its own, in one of several places. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/gpu/driver/cuda_api.h"
#include "platform/platform.h"

/* Looks up each function of a list in the table `api`. `whole` says whether all were found. */
#define LOAD(result, name, arguments) \
    if (whole) { \
        api->name = (result(*) arguments)platform_library_symbol(library, #name); \
        whole = api->name != NULL; \
    }

static bool load_driver(cuda_api *api) {
    void *library = platform_library_open("libcuda.so.1");
    if (library == NULL) library = platform_library_open("nvcuda.dll");
    bool whole = library != NULL;
    CUDA_FUNCTIONS(LOAD)
    return whole;
}

static bool load_nvml(cuda_api *api) {
    void *library = platform_library_open("libnvidia-ml.so.1");
    if (library == NULL) library = platform_library_open("nvml.dll");
    bool whole = library != NULL;
    NVML_FUNCTIONS(LOAD)
    return whole && api->nvmlInit_v2() == 0;
}

static bool take_nvrtc(cuda_api *api, const char *path) {
    void *library = platform_library_open(path);
    bool whole = library != NULL;
    NVRTC_FUNCTIONS(LOAD)
    int major = 0, minor = 0;
    whole = whole && api->nvrtcVersion(&major, &minor) == 0;
    if (!whole) platform_library_close(library);
    api->nvrtc_version = 1000 * major + 10 * minor;
    return whole;
}

static bool take_nvrtc_in_folders(cuda_api *api, const char *name) {
    static const struct {
        const char *variable, *folder;
    } places[] = {{"CUDA_HOME", "/lib64/"},
                  {"CUDA_PATH", "/lib64/"},
                  {NULL, "/usr/local/cuda/lib64/"},
                  {"CUDA_PATH", "/bin/"},
                  {"CUDA_PATH", "/bin/x64/"}};
    if (take_nvrtc(api, name)) return true;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *const root = places[i].variable != NULL ? getenv(places[i].variable) : "";
        char path[1024];
        if (root == NULL) continue;
        const int length = snprintf(path, sizeof path, "%s%s%s", root, places[i].folder, name);
        if (length > 0 && (size_t)length < sizeof path && take_nvrtc(api, path)) return true;
    }
    return false;
}

/* An older driver may refuse what a newer toolkit builds. So a newer toolkit comes last. */
static bool load_nvrtc(cuda_api *api) {
    static const struct {
        const char *name;
        int major; /* 0: any */
    } names[] = {{"libnvrtc.so.13", 13},    {"libnvrtc.so.12", 12},    {"libnvrtc.so.11.2", 11}, {"libnvrtc.so", 0},
                 {"nvrtc64_130_0.dll", 13}, {"nvrtc64_120_0.dll", 12}, {"nvrtc64_112_0.dll", 11}};
    const char *const given = getenv("WADI_NVRTC");
    if (given != NULL && given[0] != '\0') return take_nvrtc(api, given);
    for (int newer = 0; newer <= 1; newer++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if ((names[i].major > api->version / 1000) == (newer == 1) && take_nvrtc_in_folders(api, names[i].name))
                return true;
    return false;
}

static const char *load(cuda_api *api) {
    if (!load_driver(api)) return "no CUDA here: there is no NVIDIA driver (libcuda.so.1, nvcuda.dll)";
    if (api->cuDriverGetVersion(&api->version) != CUDA_SUCCESS) api->version = 0;
    CUresult error = CUDA_SUCCESS;
    bool compiler = false;
    /* Each load takes a large part of a second when its files have not been read before. */
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        error = api->cuInit(0);
#pragma omp section
        compiler = load_nvrtc(api);
    }
    if (error == CUDA_ERROR_NO_DEVICE) return "no CUDA here: NVIDIA's driver finds no GPU";
    if (error != CUDA_SUCCESS || api->version == 0)
        return "no CUDA here: NVIDIA's driver does not start; nvidia-smi may say why";
    if (!compiler)
        return "no CUDA here: NVIDIA's driver is there, but not its compiler NVRTC (11.2 or later): install "
               "cuda-nvrtc or the CUDA toolkit, or name the library's file in WADI_NVRTC";
    if (!load_nvml(api)) api->nvmlDeviceGetMemoryInfo = NULL;
    return NULL;
}

const cuda_api *wadi_cuda_load(const char **missing) {
    static struct {
        bool tried;
        const char *missing;
        cuda_api api;
    } loaded;
    platform_lock();
    if (!loaded.tried) {
        loaded.missing = load(&loaded.api);
        loaded.tried = true;
    }
    platform_unlock();
    *missing = loaded.missing;
    return loaded.missing == NULL ? &loaded.api : NULL;
}
