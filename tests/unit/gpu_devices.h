/* gpu_devices.h: runs tests on each OpenCL and CUDA device of the machine. Without a device a test skips, unless
 * WADI_NEED_OPENCL or WADI_NEED_CUDA is set. WADI_TEST_ENGINE=opencl or cuda selects one engine. Include cmocka.h
 * before it. */
#ifndef WADI_TESTS_GPU_DEVICES_H
#define WADI_TESTS_GPU_DEVICES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wadi/device.h"

/* Sets an environment variable; NULL removes it. */
static inline void put_environment(const char *name, const char *value) {
#ifdef _WIN32
    _putenv_s(name, value != NULL ? value : "");
#else
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
#endif
}

typedef int device_tests(const wadi_device *device); /* returns the number of failures */

enum { SKIPPED = 77 };
static int devices_seen;

static inline int each_device_of(wadi_engine engine, const char *name, const char *needed, device_tests *run) {
    enum { MOST = 16 };
    wadi_device devices[MOST];
    const char *missing = NULL, *only = getenv("WADI_TEST_ENGINE");
    if (only != NULL && strcmp(only, name) != 0) {
        print_message("skipped: %s: WADI_TEST_ENGINE=%s\n", name, only);
        return 0;
    }
    const size_t count = wadi_devices(engine, devices, MOST, &missing);
    if (count == 0) {
        print_message("%s: %s: %s\n", getenv(needed) != NULL ? "FAILED" : "skipped", name,
                      missing != NULL ? missing : "no reason given");
        return getenv(needed) != NULL || missing == NULL;
    }
    int failed = 0;
    for (size_t i = 0; i < count && i < MOST; i++, devices_seen++) failed += run(&devices[i]);
    return failed;
}

/* The test's exit code: 1 for any failure, SKIPPED without a device. `failed` counts earlier failures. */
static inline int each_device(int failed, device_tests *run) {
    const char *only = getenv("WADI_TEST_ENGINE");
    if (only != NULL && strcmp(only, "opencl") != 0 && strcmp(only, "cuda") != 0) {
        print_message("FAILED: WADI_TEST_ENGINE=%s: take opencl or cuda\n", only);
        return 1;
    }
    failed += each_device_of(WADI_ENGINE_OPENCL, "opencl", "WADI_NEED_OPENCL", run);
    failed += each_device_of(WADI_ENGINE_CUDA, "cuda", "WADI_NEED_CUDA", run);
    return failed > 0 ? 1 : devices_seen == 0 ? SKIPPED : 0;
}

#endif
