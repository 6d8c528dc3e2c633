/* gdal_calls.c: loads GDAL, see gdal_calls.h. */
#define WADI_GDAL_OWN_NAMES
#include "gdal_calls.h"

#include "formats.h"

#include "platform/platform.h"

#ifdef WADI_GDAL_LIBRARY

gdal_calls io_gdal;

/* The name of a function that is missing; NULL: none. */
static const char *find_calls(void *library) {
#define GDAL_CALL(name) \
    { \
        const platform_function found = platform_library_symbol(library, #name); \
        if (found == NULL) return #name; \
        io_gdal.name = (__typeof__(io_gdal.name))found; \
    }
#include "gdal_calls.def"
    return NULL;
}

wadi_status io_gdal_load(void) {
    static bool loaded;
    wadi_status status = WADI_OK;
    platform_lock(); /* two threads may be first at the same time */
    void *library = loaded ? NULL : platform_library_open(WADI_GDAL_LIBRARY);
    const char *missing = library != NULL ? find_calls(library) : NULL;
    if (!loaded && library == NULL)
        status = wadi_fail(WADI_ERROR_UNSUPPORTED,
                           "GDAL is not there: %s cannot be loaded; install the GDAL that Wadi was built with",
                           WADI_GDAL_LIBRARY);
    else if (missing != NULL)
        status = wadi_fail(WADI_ERROR_UNSUPPORTED, "%s has no %s; install the version that Wadi was built with",
                           WADI_GDAL_LIBRARY, missing);
    loaded = loaded || status == WADI_OK; /* it stays to the end */
    platform_unlock();
    return status;
}

#else

wadi_status io_gdal_load(void) { return WADI_OK; }

#endif
