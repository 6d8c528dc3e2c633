#include "description.h"

#include "report.h"
#include "run/read_args.h"
#include "run/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- text ------------------------------------------------------------------------------------------------------- */

/* Indexed by wadi_origin. */
static const char *const origins[] = {
    "", " (from the file)", " (from a file beside it)", " (from its CRS)", " (from the options)", " (assumed)"};

static void print_place(const wadi_raster *raster) {
    const wadi_georef *georef = &raster->georef;
    if (raster->has_georef)
        printf("crs      %s%s; top left corner %.12g, %.12g%s\n", *georef->name ? as_shown(georef->name) : "not named",
               georef->geographic ? " (degrees)" : "", georef->transform[0], georef->transform[3],
               raster->from.crs == WADI_ORIGIN_BESIDE ? origins[WADI_ORIGIN_BESIDE] : "");
    else
        printf("crs      none\n");
    if (*raster->vertical_crs) printf("vertical %s\n", as_shown(raster->vertical_crs));
}

/* The name of the unit that was applied. */
static const char *unit_name(const wadi_raster *raster) {
    const bool named = raster->from.unit != WADI_ORIGIN_OPTION && *raster->georef.vertical_unit;
    return named ? raster->georef.vertical_unit : raster->unit_m == 1 ? "metre" : "";
}

static void print_unit(double metres, const char *name, const char *origin) {
    if (metres == 1)
        printf("unit     metre%s\n", origin);
    else
        printf("unit     %s%s%.9g m%s\n", as_shown(name), *name ? ", " : "", metres, origin);
}

static void print_samples(const wadi_raster *raster) {
    const double unit = raster->unit_m > 0 ? raster->unit_m : 1;
    if (*raster->map_unit)
        printf("map      its values are in %s, and no heights\n", raster->map_unit);
    else if (raster->from.unit != WADI_ORIGIN_NONE)
        print_unit(unit, unit_name(raster), origins[raster->from.unit]);
    if (raster->from.scale != WADI_ORIGIN_NONE)
        printf("scale    %.9g a sample, from %.9g%s\n", raster->scale / unit, raster->offset / unit,
               origins[raster->from.scale]);
    if (raster->from.nodata != WADI_ORIGIN_NONE)
        printf("no data  samples of %.15g%s\n", raster->nodata, origins[raster->from.nodata]);
    if (raster->from.mask != WADI_ORIGIN_NONE) printf("no data  by a mask%s\n", origins[raster->from.mask]);
}

/* The start of each item: some are whole documents. */
static void print_metadata(const wadi_raster *raster) {
    enum { MOST = 72 };
    for (const char *item = NULL; (item = wadi_raster_metadata(raster, item)) != NULL;) {
        char text[MOST + 4];
        const size_t all = strlen(item), most = all < MOST ? all : MOST;
        size_t length = most;
        while (length > 0 && (item[length] & 0xc0) == 0x80) length--; /* no part of a character */
        if (length == 0) length = most;
        snprintf(text, sizeof text, "%.*s%s", (int)length, item, item[length] != '\0' ? "..." : "");
        printf("metadata %s\n", as_shown(text));
    }
}

void description_print(const wadi_raster *raster) {
    char format[64];
    printf("format   %s\n", run_format_text(raster, format));
    if (raster->band > 0 && (raster->bands > 1 || *raster->band_name))
        printf("band     %d of %d%s%s\n", raster->band, raster->bands, *raster->band_name ? ", " : "",
               as_shown(raster->band_name));
    printf("size     %d x %d cells of %.6g x %.6g m%s\n", raster->width, raster->height, raster->lx, raster->ly,
           origins[raster->from.cell]);
    print_place(raster);
    print_samples(raster);
    print_metadata(raster);
}

/* --- JSON ------------------------------------------------------------------------------------------------------- */

static void put_origin(json *json, const char *key, wadi_origin origin) {
    static const char *const names[] = {NULL, "file", "beside", "crs", "option", "assumed"};
    run_json_text(json, key, names[origin]);
}

static void put_band(const wadi_raster *raster, json *json) {
    run_json_object(json, "band");
    run_json_integer(json, "number", raster->band);
    run_json_integer(json, "of", raster->bands);
    run_json_text(json, "name", *raster->band_name ? raster->band_name : NULL);
    run_json_end(json);
}

static void put_samples(const wadi_raster *raster, json *json) {
    const double unit = raster->unit_m > 0 ? raster->unit_m : 1;
    run_json_text(json, "map_unit", *raster->map_unit ? raster->map_unit : NULL);
    run_json_text(json, "unit", *unit_name(raster) ? unit_name(raster) : NULL);
    run_json_number(json, "unit_m", unit);
    put_origin(json, "unit_from", raster->from.unit);
    run_json_number(json, "scale", raster->scale / unit);
    run_json_number(json, "offset", raster->offset / unit);
    put_origin(json, "scale_from", raster->from.scale);
    if (raster->has_nodata)
        run_json_number(json, "nodata", raster->nodata);
    else
        run_json_text(json, "nodata", NULL);
    put_origin(json, "nodata_from", raster->from.nodata);
    put_origin(json, "mask_from", raster->from.mask);
}

static void put_metadata(const wadi_raster *raster, json *json) {
    run_json_object(json, "metadata");
    for (const char *item = NULL; (item = wadi_raster_metadata(raster, item)) != NULL;) {
        char *name = must_have(run_text_format("%.*s", (int)strcspn(item, "="), item));
        run_json_text(json, name, item + strlen(name) + 1);
        free(name);
    }
    run_json_end(json);
}

void description_json(const wadi_raster *raster, json *json) {
    char format[64];
    run_json_text(json, "format", run_format_text(raster, format));
    put_band(raster, json);
    run_json_integers(json, "size", raster->width, raster->height);
    run_json_numbers(json, "cell_size", raster->lx, raster->ly);
    put_origin(json, "cell_size_from", raster->from.cell);
    run_json_text(json, "crs", raster->has_georef && *raster->georef.name ? raster->georef.name : NULL);
    put_origin(json, "crs_from", raster->from.crs);
    run_json_bool(json, "degrees", raster->georef.geographic);
    run_json_bool(json, "south_up", raster->flipped);
    run_json_text(json, "vertical_crs", *raster->vertical_crs ? raster->vertical_crs : NULL);
    put_samples(raster, json);
    put_metadata(raster, json);
}
