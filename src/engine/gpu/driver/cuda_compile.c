/* cuda_compile.c: compiles a source by NVRTC to an image that CUDA's driver loads. */
#include "engine/gpu/driver/cuda_compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/driver/cache.h"
#include "engine/gpu/driver/driver_errors.h"

enum { MOST_ARCHITECTURES = 64 };

/* The newest architecture up to this one for which NVRTC builds; 0 if it has none. */
static int newest_known(const cuda_api *cu, int capability) {
    int count = 0, known[MOST_ARCHITECTURES], newest = 0;
    if (cu->nvrtcGetNumSupportedArchs(&count) != 0 || count > MOST_ARCHITECTURES ||
        cu->nvrtcGetSupportedArchs(known) != 0)
        return 0;
    for (int i = 0; i < count; i++)
        if (known[i] <= capability && known[i] > newest) newest = known[i];
    return newest;
}

wadi_status wadi_cuda_compiler_choose(cuda_compiler *compiler) {
    const int capability = compiler->about->capability, known = newest_known(compiler->cu, capability);
    if (known == 0)
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "%s: NVRTC %d.%d does not build for its compute capability %d.%d; take another version of it",
                         compiler->about->name, compiler->cu->nvrtc_version / 1000,
                         compiler->cu->nvrtc_version % 1000 / 10, capability / 10, capability % 10);
    compiler->ptx = known < capability;
    snprintf(compiler->architecture, sizeof compiler->architecture, "--gpu-architecture=%s_%d",
             compiler->ptx ? "compute" : "sm", known);
    return WADI_OK;
}

enum { OPTIONS = 6 };

static void options_of(const cuda_compiler *compiler, const char *options[OPTIONS]) {
    static const char *const strict[] = {"--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"};
    static const char *const relaxed[] = {"--fmad=true", "--prec-div=false", "--prec-sqrt=false", "--ftz=true"};
    options[0] = compiler->architecture;
    options[1] = "--std=c++17";
    memcpy(options + 2, compiler->relaxed ? relaxed : strict, sizeof strict);
}

void wadi_cuda_compiler_key(const cuda_compiler *compiler, const char *source, char key[65]) {
    const char *texts[5 + OPTIONS] = {"CUDA", wadi_version(), compiler->about->name, compiler->about->driver, source};
    options_of(compiler, texts + 5);
    wadi_cache_key(key, texts, 5 + OPTIONS);
}

static wadi_status build_failed(const cuda_compiler *compiler, nvrtcProgram program, int error) {
    size_t bytes = 0;
    if (compiler->cu->nvrtcGetProgramLogSize(program, &bytes) != 0) bytes = 0;
    char *log = calloc(bytes + 1, 1);
    if (log != NULL && bytes > 0) compiler->cu->nvrtcGetProgramLog(program, log);
    const wadi_status status = wadi_gpu_build_failed(
        compiler->about, log != NULL && log[0] != '\0' ? log : compiler->cu->nvrtcGetErrorString(error));
    free(log);
    return status;
}

/* The image is malloc'ed. For an architecture that NVRTC does not know, it is PTX text with its final 0. */
static char *image_of(const cuda_compiler *compiler, nvrtcProgram program, size_t *bytes) {
    const cuda_api *const cu = compiler->cu;
    const int error = compiler->ptx ? cu->nvrtcGetPTXSize(program, bytes) : cu->nvrtcGetCUBINSize(program, bytes);
    char *image = error == 0 && *bytes > 0 ? malloc(*bytes) : NULL;
    if (image == NULL) return NULL;
    if ((compiler->ptx ? cu->nvrtcGetPTX(program, image) : cu->nvrtcGetCUBIN(program, image)) == 0) return image;
    free(image);
    return NULL;
}

wadi_status wadi_cuda_compile(const cuda_compiler *compiler, const char *source, char **image, size_t *bytes) {
    const char *options[OPTIONS];
    nvrtcProgram program = NULL;
    options_of(compiler, options);
    *image = NULL;
    int error = compiler->cu->nvrtcCreateProgram(&program, source, "wadi.cu", 0, NULL, NULL);
    if (error != 0) return wadi_gpu_build_failed(compiler->about, compiler->cu->nvrtcGetErrorString(error));
    wadi_status status = WADI_OK;
    error = compiler->cu->nvrtcCompileProgram(program, OPTIONS, options);
    if (error != 0)
        status = build_failed(compiler, program, error);
    else if ((*image = image_of(compiler, program, bytes)) == NULL)
        status = wadi_fail(WADI_ERROR_MEMORY, "no memory for what NVRTC built");
    compiler->cu->nvrtcDestroyProgram(&program);
    return status;
}
