/* against_gdal.c: reads rasters by libwadi_io and by GDAL, and compares. For corpus.sh.
 *
 *     against_gdal <LIST
 *
 * Each line of the list is a raster's name, then options after tabs: band=N, nodata=V. For each it prints
 *
 *     right NAME                  size, place, cell size and each cell are GDAL's
 *     refused NAME: MESSAGE
 *     wrong NAME: WHAT
 *
 * GDAL's reading: the samples as float64, without data where the mask band is 0, times scale plus offset, times the
 * unit of the heights. */
#include <gdal.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdlib.h>
#include <string.h>

#include "wadi/io.h"

/* What GDAL says of a raster. */
typedef struct truth {
    int width, height, band;
    bool named; /* the band was asked for: not the colours of a palette */
    double *samples;
    unsigned char *mask;
    double scale, offset, unit_m; /* unit_m: 0 if nothing is said */
    double transform[6];
    bool placed, geographic, has_crs;
    double ground_unit_m;
    char code[16]; /* of EPSG; "" if none */
} truth;

static void free_truth(truth *t) {
    free(t->samples);
    free(t->mask);
}

/* --- GDAL's side ----------------------------------------------------------------------------------------------- */

static double unit_of(const char *name) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"m", 1},
                 {"metre", 1},
                 {"meter", 1},
                 {"metres", 1},
                 {"meters", 1},
                 {"ft", 0.3048},
                 {"foot", 0.3048},
                 {"feet", 0.3048},
                 {"cm", 0.01},
                 {"mm", 0.001},
                 {"km", 1000},
                 {"US survey foot", 1200.0 / 3937},
                 {"ftUS", 1200.0 / 3937},
                 {"fathom", 1.8288}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0) return units[i].metres;
    return 0;
}

static void take_crs(GDALDatasetH from, truth *t) {
    const OGRSpatialReferenceH crs = GDALGetSpatialRef(from);
    char *name = NULL;
    t->ground_unit_m = 1;
    t->has_crs = crs != NULL;
    if (crs == NULL) return;
    t->geographic = OSRIsGeographic(crs) != 0;
    t->ground_unit_m = OSRGetLinearUnits(crs, NULL);
    const double vertical = OSRIsVertical(crs) ? OSRGetTargetLinearUnits(crs, "VERT_CS", &name) : 0;
    if (t->unit_m == 0) t->unit_m = vertical;
    OGRSpatialReferenceH flat = OSRClone(crs);
    OSRDemoteTo2D(flat, NULL);
    const char *kind = t->geographic ? "GEOGCS" : "PROJCS", *code = OSRGetAuthorityCode(flat, kind);
    const char *of = OSRGetAuthorityName(flat, kind);
    if (code != NULL && of != NULL && strcmp(of, "EPSG") == 0) snprintf(t->code, sizeof t->code, "%s", code);
    OSRRelease(flat);
}

static bool take_band(GDALDatasetH from, GDALRasterBandH band, truth *t) {
    const size_t cells = (size_t)t->width * (size_t)t->height;
    int has_scale = 0, has_offset = 0;
    const double scale = GDALGetRasterScale(band, &has_scale), offset = GDALGetRasterOffset(band, &has_offset);
    t->scale = has_scale && scale != 0 ? scale : 1;
    t->offset = has_offset ? offset : 0;
    t->unit_m = unit_of(GDALGetRasterUnitType(band));
    take_crs(from, t);
    t->placed = GDALGetGeoTransform(from, t->transform) == CE_None;
    t->samples = malloc(cells * sizeof *t->samples);
    t->mask = malloc(cells);
    const int w = t->width, h = t->height;
    if (t->samples == NULL || t->mask == NULL) return false;
    if (GDALRasterIO(band, GF_Read, 0, 0, w, h, t->samples, w, h, GDT_Float64, 0, 0) != CE_None) return false;
    GDALRasterBandH mask = GDALGetMaskBand(band);
    if (GDALRasterIO(mask, GF_Read, 0, 0, w, h, t->mask, w, h, GDT_Byte, 0, 0) != CE_None) return false;
    const GDALColorTableH table = t->named ? NULL : GDALGetRasterColorTable(band);
    const char *bits = GDALGetMetadataItem(band, "NBITS", "IMAGE_STRUCTURE");
    const char *white = GDALGetMetadataItem(from, "MINISWHITE", "IMAGE_STRUCTURE");
    for (size_t i = 0; i < cells && table != NULL && bits == NULL && white == NULL; i++) { /* a grey palette */
        const GDALColorEntry *entry = GDALGetColorEntry(table, (int)t->samples[i]);
        if (entry != NULL) t->samples[i] = entry->c1;
    }
    const char *pixels = GDALGetMetadataItem(band, "PIXELTYPE", "IMAGE_STRUCTURE"); /* before GDAL 3.7 */
    const bool is_signed = pixels != NULL && strcmp(pixels, "SIGNEDBYTE") == 0;
    for (size_t i = 0; i < cells && is_signed; i++)
        if (t->samples[i] > 127) t->samples[i] -= 256;
    return true;
}

static bool read_truth(const char *name, truth *t) {
    static const char *const also_gzip = "/vsigzip/";
    char opened[4096];
    const size_t length = strlen(name);
    const bool packed = length > 3 && strcmp(name + length - 3, ".gz") == 0 && strncmp(name, also_gzip, 9) != 0;
    snprintf(opened, sizeof opened, "%s%s", packed ? also_gzip : "", name);
    GDALDatasetH from = GDALOpenEx(opened, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    if (from == NULL) return false;
    t->width = GDALGetRasterXSize(from);
    t->height = GDALGetRasterYSize(from);
    const bool there = t->band <= GDALGetRasterCount(from);
    const bool good = there && take_band(from, GDALGetRasterBand(from, t->band), t);
    GDALClose(from);
    return good;
}

/* --- the comparison -------------------------------------------------------------------------------------------- */

static bool close_to(double a, double b, double part) { return fabs(a - b) <= part * fmax(fabs(a), fabs(b)); }

static const char *differs_in_place(const wadi_raster *raster, const truth *t) {
    const double *p = raster->georef.transform, *q = t->transform;
    if (raster->has_georef != t->placed) return t->placed ? "its place is lost" : "a place is made up";
    if (!t->placed) return NULL;
    const double top = q[5] > 0 ? q[3] + t->height * q[5] : q[3];
    const double slack = 1e-6 * fmax(fabs(q[1]), fabs(q[5]));
    if (fabs(p[0] - q[0]) > slack || fabs(p[3] - top) > slack) return "its corner is elsewhere";
    if (!close_to(p[1], q[1], 1e-9) || !close_to(-p[5], fabs(q[5]), 1e-9)) return "its cells differ";
    if (t->has_crs && raster->georef.crs_bytes == 0) return "its CRS is lost";
    if (raster->georef.geographic != t->geographic) return "its CRS is of another kind";
    char code[32];
    snprintf(code, sizeof code, "EPSG:%s", t->code);
    const char *named = strstr(raster->georef.name, "EPSG:");
    if (*t->code && named != NULL && strncmp(named, code, strlen(code)) != 0) return "its CRS is another";
    if (t->geographic || !t->has_crs) return NULL;
    const bool same = close_to(raster->lx, q[1] * t->ground_unit_m, 1e-9);
    return same && close_to(raster->ly, fabs(q[5]) * t->ground_unit_m, 1e-9) ? NULL : "its cell size in metres differs";
}

static const char *differs_in_scale(const wadi_raster *raster, const truth *t) {
    if (raster->scale_assumed) return t->scale != 1 || t->offset != 0 || t->unit_m > 0 ? "its scale is lost" : NULL;
    const double unit = t->unit_m > 0 ? t->unit_m : 1;
    if (!close_to(raster->scale, t->scale * unit, 1e-9)) return "its scale or unit differs";
    return close_to(raster->offset, t->offset * unit, 1e-9) ? NULL : "its offset differs";
}

static bool is_nodata(double value, const wadi_read_options *options) {
    bool found = false;
    for (int i = 0; i < options->nodata_count; i++) found = found || value == options->nodata[i];
    return found || value != value;
}

static bool differs_in_cells(const wadi_raster *raster, const truth *t, const wadi_read_options *options, char *what,
                             size_t size) {
    for (int y = 0; y < t->height; y++)
        for (int x = 0; x < t->width; x++) {
            const int row = raster->flipped ? t->height - 1 - y : y;
            const size_t at = (size_t)row * (size_t)t->width + (size_t)x;
            const double sample = t->samples[at];
            const bool missing = t->mask[at] == 0 || is_nodata(sample, options);
            const double wanted = (double)(float)(raster->scale * (double)(float)sample + raster->offset);
            const double found = (double)raster->values[(size_t)y * (size_t)t->width + (size_t)x];
            if (missing ? isnan(found) : found == wanted) continue;
            snprintf(what, size, "row %d, column %d is %.9g, not %.9g%s", y, x, found, wanted,
                     missing ? ", which is no data" : "");
            return true;
        }
    return false;
}

static void compare(const char *name, const wadi_raster *raster, const wadi_read_options *options, int band) {
    truth t = {.band = band, .named = options->band != NULL};
    char what[160] = "";
    if (!read_truth(name, &t)) {
        snprintf(what, sizeof what, "GDAL cannot read it");
    } else if (raster->width != t.width || raster->height != t.height) {
        snprintf(what, sizeof what, "%d x %d cells, not %d x %d", raster->width, raster->height, t.width, t.height);
    } else {
        const char *place = differs_in_place(raster, &t), *scale = differs_in_scale(raster, &t);
        if (place != NULL || scale != NULL)
            snprintf(what, sizeof what, "%s", place != NULL ? place : scale);
        else
            differs_in_cells(raster, &t, options, what, sizeof what);
    }
    printf("%s %s%s%s\n", *what ? "wrong" : "right", name, *what ? ": " : "", what);
    free_truth(&t);
}

static void try(char *line) {
    wadi_read_options options = {0};
    int band = 1;
    char *name = strtok(line, "\t");
    for (char *option; (option = strtok(NULL, "\t")) != NULL;) {
        if (sscanf(option, "band=%d", &band) == 1) options.band = option + strlen("band=");
        if (sscanf(option, "nodata=%lf", &options.nodata[0]) == 1) options.nodata_count = 1;
    }
    wadi_raster *raster = NULL;
    const wadi_status status = wadi_raster_read(name, &options, &raster);
    if (status == WADI_OK)
        compare(name, raster, &options, band);
    else
        printf("refused %s\n", wadi_error_message());
    wadi_raster_destroy(raster);
}

int main(int argc, char **argv) {
    char line[8192];
    (void)argc;
    wadi_raster *none = NULL;
    wadi_raster_read(argv[0], NULL, &none); /* not a raster: the library registers its GDAL drivers */
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (*line != '\0') try(line);
        fflush(stdout);
    }
    return 0;
}
