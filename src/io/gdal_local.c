/* gdal_local.c: restricts GDAL to local files, and to drivers that read only local files.
 *
 * A file may name other files: the sources of a VRT. GDAL opens those with every registered driver, so the driver list
 * of the outer file does not restrict them. Two checks keep them local. First, only the drivers listed here are
 * registered, unless the program has registered GDAL's drivers itself. Second, this file reads a VRT before GDAL does.
 * Each name in it must be that of an ordinary file. A pipe would hang; a device or a web address is not a file. */
#include "gdal_local.h"
#include "gdal_calls.h"

#include <string.h>

#include "platform/platform.h"

/* --- names ----------------------------------------------------------------------------------------------------- */

enum { PATH_BYTES = 4096 };

static const char *after(const char *text, const char *start) {
    const size_t length = strlen(start);
    return strncmp(text, start, length) == 0 ? text + length : NULL;
}

static bool is_ordinary(const char *path) {
    return platform_exists(path) && !platform_is_folder(path) && !platform_is_special(path);
}

/* "C:\..." has a colon; elsewhere a colon follows the name of a driver or a protocol. */
static bool has_prefix(const char *name) {
    const char *colon = strchr(name, ':');
    return colon != NULL && colon != name + 1;
}

static bool copy(char *to, const char *from, size_t length) {
    if (length == 0 || length >= PATH_BYTES) return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static const char *in_archive(const char *name) {
    static const char *const archives[] = {"/vsizip/", "/vsigzip/", "/vsitar/"};
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
        const char *rest = after(name, archives[i]);
        if (rest != NULL) return rest;
    }
    return NULL;
}

/* An image of several: GTIFF_DIR:2:file, NITF_IM:0:file. */
static bool in_pages(const char *name, char file[PATH_BYTES]) {
    const char *rest = after(name, "GTIFF_DIR:");
    if (rest == NULL) rest = after(name, "NITF_IM:");
    const size_t digits = rest != NULL ? strspn(rest, "0123456789") : 0;
    return digits > 0 && digits < 6 && rest[digits] == ':' &&
           copy(file, rest + digits + 1, strlen(rest + digits + 1)) && !has_prefix(file);
}

/* FORMAT:"file":what or FORMAT:file:what. */
static bool in_container(const char *name, char file[PATH_BYTES]) {
    static const char *const formats[] = {
        "NETCDF:", "HDF5:", "BAG:", "S102:", "GPKG:", "HDF4_SDS:UNKNOWN:", "HDF4_EOS:EOS_GRID:", "HDF4_EOS:EOS_SWATH:"};
    if (in_pages(name, file)) return true;
    const char *rest = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof *formats && rest == NULL; i++) rest = after(name, formats[i]);
    if (rest == NULL) return false;
    const bool quoted = *rest == '"';
    if (quoted) rest++;
    const char *end = quoted ? strchr(rest, '"') : strrchr(rest, ':');
    if (end == NULL || end == rest || !copy(file, rest, (size_t)(end - rest))) return false;
    return !has_prefix(file) && strpbrk(end + 1, quoted ? "\"" : "\":") == NULL && file[strlen(file) - 1] != '\\';
}

/* The first part of the path that is not a folder. It contains the rest. */
static bool cut_at_file(char *path) {
    for (char *c = path + 1; *c != '\0'; c++) {
        if (*c != '/') continue;
        *c = '\0';
        if (platform_exists(path) && !platform_is_folder(path)) return true;
        *c = '/';
    }
    return true;
}

/* The local file that a name refers to; false: none. */
static bool local_file(const char *name, char file[PATH_BYTES]) {
    const char *archive = in_archive(name);
    if (archive != NULL) {
        const bool plain = after(archive, "vsi") == NULL && after(archive, "/vsi") == NULL && *archive != '{';
        return plain && !has_prefix(archive) && copy(file, archive, strlen(archive)) && cut_at_file(file) &&
               is_ordinary(file);
    }
    if (in_container(name, file)) return after(file, "/vsi") == NULL && is_ordinary(file);
    return after(name, "/vsi") == NULL && copy(file, name, strlen(name)) && is_ordinary(file);
}

bool io_gdal_is_inside(const char *name) {
    char file[PATH_BYTES];
    return (in_archive(name) != NULL || in_container(name, file)) && local_file(name, file);
}

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

#include <stdlib.h>

/* --- drivers --------------------------------------------------------------------------------------------------- */

/* They read the given file, and side files whose names begin like its name. */
static const char *const local_drivers[] = {
    "GTiff",     "HFA",      "AIG",         "AAIGrid",   "GRASSASCIIGrid",
    "ISG",       "DTED",     "SRTMHGT",     "USGSDEM",   "GXF",
    "EHdr",      "ENVI",     "GenBin",      "GSAG",      "GSBG",
    "GS7BG",     "Terragen", "Leveller",    "BT",        "SAGA",
    "RST",       "PCRaster", "XYZ",         "HF2",       "ZMap",
    "LCP",       "GTX",      "CTable2",     "BYN",       "NGSGEOID",
    "SIGDEM",    "ROI_PAC",  "ACE2",        "JDEM",      "NWT_GRD",
    "RRASTER",   "netCDF",   "HDF5",        "HDF5Image", "HDF4",
    "HDF4Image", "BAG",      "S102",        "GRIB",      "GPKG",
    "VICAR",     "PNG",      "JPEG",        "GIF",       "BMP",
    "PNM",       "WEBP",     "TGA",         "SGI",       "JP2ECW",
    "JP2KAK",    "JP2MrSID", "JP2OpenJPEG", "ECW",       "MrSID",
    "JPEGXL",    "HEIF",     "ERS",         "NITF",      "RMF",
};
/* Drivers that a VRT needs as well. */
static const char *const inner_drivers[] = {"VRT", "MEM"};
static const char *const vector_drivers[] = {"GeoJSON", "GPKG", "FlatGeobuf", "ESRI Shapefile"};
/* They write, and read nothing that others could have made. */
static const char *const writing_drivers[] = {"COG", "Zarr"};

static bool is_one_of(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}
#define IS_ONE_OF(name, names) is_one_of(name, names, sizeof(names) / sizeof *(names))

static bool is_foreign(GDALDriverH driver) {
    const char *name = GDALGetDriverShortName(driver);
    return !IS_ONE_OF(name, local_drivers) && !IS_ONE_OF(name, inner_drivers) && !IS_ONE_OF(name, vector_drivers) &&
           !IS_ONE_OF(name, writing_drivers);
}

static void register_local_drivers(void) {
    GDALAllRegister();
    for (int i = GDALGetDriverCount() - 1; i >= 0; i--) {
        GDALDriverH driver = GDALGetDriver(i);
        if (!is_foreign(driver)) continue;
        GDALDeregisterDriver(driver);
        GDALDestroyDriver(driver);
    }
    OSRSetPROJEnableNetwork(FALSE); /* grids of datum shifts */
}

bool io_gdal_begin(void) {
    bool closed = true;
    platform_lock(); /* two threads may be first at the same time */
    if (GDALGetDriverCount() == 0) register_local_drivers();
    for (int i = 0; i < GDALGetDriverCount() && closed; i++) closed = !is_foreign(GDALGetDriver(i));
    platform_unlock();
    return closed;
}

char **io_gdal_drivers(bool closed) {
    char **names = NULL;
    for (size_t i = 0; i < sizeof local_drivers / sizeof *local_drivers; i++)
        if (GDALGetDriverByName(local_drivers[i]) != NULL) names = CSLAddString(names, local_drivers[i]);
    return closed ? CSLAddString(names, "VRT") : names;
}

char **io_gdal_vector_drivers(void) {
    char **names = NULL;
    for (size_t i = 0; i < sizeof vector_drivers / sizeof *vector_drivers; i++)
        names = CSLAddString(names, vector_drivers[i]);
    return names;
}

/* --- GDAL without messages -------------------------------------------------------------------------------------- */

static void on_error(CPLErr kind, CPLErrorNum number, const char *text) {
    (void)number;
    char *message = CPLGetErrorHandlerUserData(); /* of 160 bytes; the first error counts */
    if (kind < CE_Failure || message[0] != '\0') return;
    snprintf(message, 160, "%s", text);
    for (char *c = message; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
}

/* Of this thread while GDAL is in use. */
static const struct {
    const char *name, *value;
} settings[] = {
    {"CPL_VSIL_CURL_ALLOWED_FILENAME", ""}, /* no address is empty */
    {"GDAL_HTTP_MAX_RETRY", "0"},
    {"GDAL_VRT_ENABLE_PYTHON", "NO"},
    {"CPL_VSIL_GZIP_WRITE_PROPERTIES", "NO"}, /* else GDAL would write a side file */
    {"GDAL_NUM_THREADS", "1"},                /* other threads would not know these settings */
    {"VRT_NUM_THREADS", "1"},
};

static void set_up(bool on, bool closed) {
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        CPLSetThreadLocalConfigOption(settings[i].name, on ? settings[i].value : NULL);
    /* Side files may name other files. */
    CPLSetThreadLocalConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", on && !closed ? "EMPTY_DIR" : NULL);
}

bool io_gdal_enter(char *message) {
    message[0] = '\0';
    CPLPushErrorHandlerEx(on_error, message);
    const bool closed = io_gdal_begin();
    set_up(true, closed);
    message[0] = '\0';
    return closed;
}

void io_gdal_leave(bool closed) {
    set_up(false, closed);
    CPLPopErrorHandler();
}

/* --- side files ------------------------------------------------------------------------------------------------ */

static bool is_large(const char *path) {
    FILE *file = platform_open(path, "r");
    const bool large = file != NULL && platform_file_bytes(file) > IO_SIDE_XML_BYTES;
    if (file != NULL) fclose(file);
    return large;
}

/* GDAL opens these if they exist. Pipes would hang. */
static wadi_status check_beside(const char *name, const char *file) {
    static const char *const endings[] = {"aux.xml", "msk", "ovr", "aux", "prj", "hdr", "wld", "tfw",
                                          "tifw",    "rrd", "clr", "stx", "rpb", "imd", "tab", "rsc",
                                          "shx",     "dbf", "cpg", "qix", "sbn", "sbx", "idm", "ind"};
    const char *dot = strrchr(file, '.'), *slash = strrchr(file, '/');
    const size_t stem = dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - file) : strlen(file);
    for (size_t i = 0; i < 2 * (sizeof endings / sizeof *endings); i++) {
        const char *beside = CPLSPrintf("%.*s.%s", (int)(i % 2 == 0 ? strlen(file) : stem), file, endings[i / 2]);
        if (platform_is_special(beside))
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s beside it is a device or a pipe; move it away", name, beside);
        if (i < 2 && is_large(beside))
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s beside it has more than %d MiB; move it away", name, beside,
                             IO_SIDE_XML_BYTES >> 20);
    }
    return WADI_OK;
}

/* --- VRT ------------------------------------------------------------------------------------------------------- */

/* Allowed elements of a VRT. Raw files, Python, open options and transformers that read files are not allowed. */
static const char *const elements[] = {
    "?xml",
    "VRTDataset",
    "VRTRasterBand",
    "SRS",
    "GeoTransform",
    "GCPList",
    "GCP",
    "BlockXSize",
    "BlockYSize",
    "Description",
    "NoDataValue",
    "NodataValue",
    "HideNoDataValue",
    "ColorInterp",
    "ColorTable",
    "Entry",
    "UnitType",
    "Offset",
    "Scale",
    "CategoryNames",
    "Category",
    "Histograms",
    "HistItem",
    "HistMin",
    "HistMax",
    "BucketCount",
    "IncludeOutOfRange",
    "Approximate",
    "HistCounts",
    "MaskBand",
    "Overview",
    "OverviewList",
    "SourceBand",
    /* sources */
    "SimpleSource",
    "ComplexSource",
    "AveragedSource",
    "NoDataFromMaskSource",
    "KernelFilteredSource",
    "SourceFilename",
    "SourceProperties",
    "SrcRect",
    "DstRect",
    "NODATA",
    "ScaleOffset",
    "ScaleRatio",
    "Exponent",
    "SrcMin",
    "SrcMax",
    "DstMin",
    "DstMax",
    "LUT",
    "ColorTableComponent",
    "UseMaskBand",
    "MaskValueThreshold",
    "RemappedValue",
    "Kernel",
    "Size",
    "Coefs",
    "SourceTransferType",
    "PixelFunctionType",
    "PixelFunctionArguments",
    "SkipNonContributingSources",
    /* warped */
    "GDALWarpOptions",
    "WarpMemoryLimit",
    "ResampleAlg",
    "WorkingDataType",
    "Option",
    "SourceDataset",
    "Transformer",
    "ApproxTransformer",
    "MaxError",
    "MaxErrorForward",
    "MaxErrorReverse",
    "BaseTransformer",
    "GenImgProjTransformer",
    "SrcGeoTransform",
    "SrcInvGeoTransform",
    "DstGeoTransform",
    "DstInvGeoTransform",
    "SrcGCPTransformer",
    "GCPTransformer",
    "Order",
    "Reversed",
    "ReprojectTransformer",
    "ReprojectionTransformer",
    "SourceCRS",
    "TargetCRS",
    "SourceSRS",
    "TargetSRS",
    "SourceCoordinateEpoch",
    "TargetCoordinateEpoch",
    "Options",
    "BandList",
    "BandMapping",
    "SrcNoDataReal",
    "SrcNoDataImag",
    "DstNoDataReal",
    "DstNoDataImag",
    "SrcAlphaBand",
    "DstAlphaBand",
    "Cutline",
    "CutlineBlendDist",
    "MultiThread",
};
static const char *const kinds[] = {"VRTSourcedRasterBand", "VRTDerivedRasterBand", "VRTWarpedDataset",
                                    "VRTWarpedRasterBand"};

typedef struct vrt_check {
    const char *outer; /* the name that the user gave, for messages */
    const char *path;  /* of the current VRT */
    int depth;         /* VRTs within VRTs */
    int *left;         /* remaining number of names, in all VRTs together */
} vrt_check;

static wadi_status check_file(const vrt_check *check, const char *name);

static wadi_status refuse(const vrt_check *check, const char *what, const char *named) {
    return wadi_fail(WADI_ERROR_FORMAT,
                     "%s: names '%.200s' as its %s, which is not read here; make a GeoTIFF of it with gdal_translate",
                     check->outer, named, what);
}

static wadi_status refuse_missing(const vrt_check *check, const char *named) {
    return wadi_fail(WADI_ERROR_FORMAT, "%s: names '%.200s' as its source, and there is no such file; bring it along",
                     check->outer, named);
}

static const char *text_of(const CPLXMLNode *node) {
    for (const CPLXMLNode *child = node->psChild; child != NULL; child = child->psNext)
        if (child->eType == CXT_Text) return child->pszValue;
    return "";
}

/* Resolves a name as GDAL does. */
static wadi_status check_source(const vrt_check *check, const CPLXMLNode *node) {
    const char *name = text_of(node);
    const bool relative =
        atoi(CPLGetXMLValue(node, "relativeToVRT", "0")) != 0 || atoi(CPLGetXMLValue(node, "relativetoVRT", "0")) != 0;
    char file[PATH_BYTES];
    if (name[0] == '\0') return WADI_OK;
    if (--*check->left < 0) return refuse(check, "source", "too many files");
    const bool inside = io_gdal_is_inside(name);
    if (!inside && (has_prefix(name) || in_archive(name) != NULL)) return refuse(check, "source", name);
    char *full = CPLStrdup(relative && !inside ? CPLProjectRelativeFilename(CPLGetPath(check->path), name) : name);
    const wadi_status status = local_file(full, file)            ? check_file(check, full)
                               : inside || platform_exists(full) ? refuse(check, "source", name)
                                                                 : refuse_missing(check, name);
    CPLFree(full);
    return status;
}

static wadi_status check_nodes(const vrt_check *check, const CPLXMLNode *node, int depth) {
    wadi_status status = WADI_OK;
    for (; node != NULL && status == WADI_OK; node = node->psNext) {
        const char *name = node->pszValue;
        if (node->eType == CXT_Attribute && strcmp(name, "subClass") == 0 && !IS_ONE_OF(text_of(node), kinds))
            return refuse(check, "kind", text_of(node));
        if (node->eType != CXT_Element) continue;
        if (strcmp(name, "Metadata") == 0) {
            const char *domain = CPLGetXMLValue(node, "domain", "");
            if (strcmp(domain, "OVERVIEWS") == 0 || strcmp(domain, "GEOLOCATION") == 0)
                return refuse(check, "metadata", domain);
            continue;
        }
        if (depth > 32 || !IS_ONE_OF(name, elements)) return refuse(check, "element", name);
        if (strcmp(name, "SourceFilename") == 0 || strcmp(name, "SourceDataset") == 0)
            status = check_source(check, node);
        if (strstr(name, "SRS") != NULL && strstr(text_of(node), "://") != NULL)
            return refuse(check, "CRS", text_of(node));
        if (status == WADI_OK) status = check_nodes(check, node->psChild, depth + 1);
    }
    return status;
}

static bool is_vrt(const char *name) {
    static const char *const vrt[] = {"VRT", NULL};
    return GDALIdentifyDriverEx(name, GDAL_OF_RASTER, vrt, NULL) != NULL;
}

/* The header of an ERS raster may name a data file of any name. Else it is that of the header without ".ers". */
static wadi_status check_ers(const vrt_check *check, const char *name, const char *file) {
    static const char *const ers[] = {"ERS", NULL};
    if (GDALIdentifyDriverEx(name, GDAL_OF_RASTER, ers, NULL) == NULL) return WADI_OK;
    GByte *bytes = NULL;
    vsi_l_offset size = 0;
    const bool read = VSIIngestFile(NULL, name, &bytes, &size, 1 << 20) != 0;
    const bool named = !read || strstr((const char *)bytes, "DataFile") != NULL;
    VSIFree(bytes);
    const char *data = CPLSPrintf("%.*s", (int)(strlen(file) - (strlen(file) > 4 ? 4 : 0)), file);
    return named || platform_is_special(data) ? refuse(check, "data file", name) : WADI_OK;
}

static wadi_status check_netcdf(const vrt_check *check, const char *file) {
    io_input input = {0};
    if (io_input_open(&input, file) != WADI_OK) return WADI_OK; /* GDAL says why */
    const bool sound = io_netcdf_is_sound(&input);
    io_input_close(&input);
    return sound
               ? WADI_OK
               : wadi_fail(WADI_ERROR_FORMAT, "%s: the header of %s is damaged; get a whole copy", check->outer, file);
}

/* Checks that a name refers to a local file. */
static wadi_status check_file(const vrt_check *check, const char *name) {
    char file[PATH_BYTES], mask[PATH_BYTES];
    if (!local_file(name, file)) return refuse(check, "source", name);
    wadi_status status = check_beside(check->outer, file);
    if (status == WADI_OK) status = check_netcdf(check, file);
    if (status != WADI_OK) return status;
    if (snprintf(mask, sizeof mask, "%s.msk", file) < (int)sizeof mask && is_ordinary(mask) && is_vrt(mask))
        return refuse(check, "mask", mask);
    if (!is_vrt(name)) return check_ers(check, name, file);
    if (check->depth > 8) return refuse(check, "source", "VRTs within VRTs");
    CPLXMLNode *tree = CPLParseXMLFile(name);
    const vrt_check inner = {check->outer, name, check->depth + 1, check->left};
    status = tree != NULL ? check_nodes(&inner, tree, 0)
                          : wadi_fail(WADI_ERROR_FORMAT, "%s: is no XML as a VRT must be; mend it", name);
    CPLDestroyXMLNode(tree);
    return status;
}

wadi_status io_gdal_check(const char *given, const char *name, bool closed) {
    int left = 100000;
    const vrt_check check = {given, name, 0, &left};
    if (!closed && is_vrt(name))
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "%s: is a VRT, and this program has GDAL drivers that read from networks; make a GeoTIFF of it"
                         " with gdal_translate",
                         given);
    return check_file(&check, name);
}

#endif
