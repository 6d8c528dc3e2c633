#include "vectors.h"

#include "fail.h"
#include "message.h"
#include "sources.h"

#include "io/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- sources ------------------------------------------------------------------------------------------------------ */

/* The attributes: the fields of a source after x and y, in another order: the only one that must be there is first. */
enum { RATE, RADIUS, START, END, ATTRIBUTES };

static double metres_between(const wadi_raster *terrain, const double a[2], const double b[2]) {
    return hypot((b[0] - a[0]) * terrain->lx, (b[1] - a[1]) * terrain->ly);
}

static wadi_source source_of(const wadi_raster *terrain, const double *values) {
    wadi_source source = {.radius_m = fmax(terrain->lx, terrain->ly), .rate_m3s = values[RATE], .end_s = INFINITY};
    if (!isnan(values[RADIUS])) source.radius_m = values[RADIUS];
    if (!isnan(values[START])) source.start_s = values[START];
    if (!isnan(values[END])) source.end_s = values[END];
    return source;
}

static wadi_status make_room(wadi_source **sources, size_t count, size_t more) {
    wadi_source *grown = realloc(*sources, (count + more) * sizeof *grown);
    if (!grown) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %zu sources", count + more);
    *sources = grown;
    return WADI_OK;
}

/* There is room for it. */
static void add_source(wadi_source *sources, size_t *count, wadi_source source, const double at[2]) {
    source.x = at[0];
    source.y = at[1];
    sources[(*count)++] = source;
}

/* Discs in the middle of equal pieces, which are no longer than a radius or a cell. */
static wadi_status add_line(const wadi_raster *terrain, const double (*xy)[2], size_t points, wadi_source source,
                            wadi_source **sources, size_t *count) {
    double length = 0, walked = 0;
    for (size_t i = 1; i < points; i++) length += metres_between(terrain, xy[i - 1], xy[i]);
    const double most = fmax(source.radius_m, fmax(terrain->lx, terrain->ly)), wanted = ceil(length / most);
    if (!((double)*count + wanted <= WADI_MOST_SOURCES))
        return wadi_fail(WADI_ERROR_ARGUMENT, "with it there are more than %d discs; make radius_m larger",
                         WADI_MOST_SOURCES);
    const size_t pieces = wanted < 1 ? 1 : (size_t)wanted;
    source.rate_m3s /= (double)pieces;
    const wadi_status status = make_room(sources, *count, pieces);
    size_t next = 0;
    for (size_t i = 1; i < points; i++) {
        const double part = metres_between(terrain, xy[i - 1], xy[i]);
        for (double at; next < pieces && status == WADI_OK; next++) {
            at = ((double)next + 0.5) / (double)pieces * length;
            if (at > walked + part && i + 1 < points) break;
            const double t = part > 0 ? fmin(1, (at - walked) / part) : 0;
            const double place[2] = {xy[i - 1][0] + t * (xy[i][0] - xy[i - 1][0]),
                                     xy[i - 1][1] + t * (xy[i][1] - xy[i - 1][1])};
            add_source(*sources, count, source, place);
        }
        walked += part;
    }
    return status;
}

static wadi_status check_inside(const wadi_raster *terrain, const io_shapes *shapes, const io_shape *shape) {
    for (size_t i = 0; i < shape->points; i++) {
        const double *xy = shapes->xy[shape->first + i];
        if (xy[0] >= 0 && xy[1] >= 0 && xy[0] < terrain->width && xy[1] < terrain->height) continue;
        return wadi_fail(WADI_ERROR_ARGUMENT, "it lies outside the terrain (cell %.6g, %.6g of %d x %d)", xy[0], xy[1],
                         terrain->width, terrain->height);
    }
    return WADI_OK;
}

static wadi_status add_shape(const wadi_raster *terrain, const io_shapes *shapes, size_t index, wadi_source **sources,
                             size_t *count) {
    const io_shape *shape = &shapes->shapes[index];
    const double(*xy)[2] = (const double(*)[2])shapes->xy + shape->first;
    const wadi_source source = source_of(terrain, shapes->values + index * ATTRIBUTES);
    wadi_status status = check_inside(terrain, shapes, shape);
    if (status == WADI_OK) status = run_source_check(&source);
    if (status != WADI_OK) return status;
    if (shape->points > 1) return add_line(terrain, xy, shape->points, source, sources, count);
    status = make_room(sources, *count, 1);
    if (status == WADI_OK) add_source(*sources, count, source, xy[0]);
    return status;
}

wadi_status run_vector_sources(const char *path, const wadi_raster *terrain, wadi_source **sources, size_t *count) {
    static const char *const attributes[ATTRIBUTES] = {"rate_m3s", "radius_m", "start_s", "end_s"};
    io_shapes shapes;
    *sources = NULL;
    *count = 0;
    wadi_status status =
        run_fail_as_input(wadi_io_shapes_read(path, attributes, ATTRIBUTES, RATE + 1, terrain, &shapes));
    for (size_t i = 0; i < shapes.count && status == WADI_OK; i++) {
        status = add_shape(terrain, &shapes, i, sources, count);
        if (status == WADI_ERROR_ARGUMENT)
            wadi_fail(status, "%s: feature %lld: %s", path, (long long)shapes.shapes[i].id, wadi_error_message());
    }
    wadi_io_shapes_free(&shapes);
    return status;
}

/* --- maps --------------------------------------------------------------------------------------------------------- */

wadi_status run_vector_map(const char *option, const char *path, const wadi_def *def, const char *field,
                           const wadi_raster *height, wadi_raster **map) {
    const int index = wadi_model_parameter_index(def->model, field);
    const wadi_parameter *parameter = index >= 0 ? &wadi_model_parameters(def->model, NULL)[index] : NULL;
    /* hardness, mask and water are fields, though a choice or an alias may have such a name */
    if (parameter && (!parameter->per_cell || strcmp(parameter->name, field) != 0)) parameter = NULL;
    const char *names[] = {field, "value", NULL, NULL};
    if (parameter) names[0] = parameter->alias, names[1] = parameter->name, names[2] = "value";
    const bool everywhere = parameter && strcmp(parameter->alias, "rain") != 0;
    io_burn how = {.attributes = names, .ones = strcmp(field, "mask") == 0};
    how.outside = everywhere ? (float)NAN : 0;
    const wadi_status status = run_fail_as_input(wadi_io_rasterize(path, &how, height, map));
    if (status != WADI_OK) return wadi_fail(status, "%s: %s", option, wadi_error_message());
    run_message_note("%s: %s: the map has %s%s where its shapes lie, and %s elsewhere", option, path,
                     how.used ? "their " : "1", how.used ? how.used : "", everywhere ? "no value" : "0");
    return WADI_OK;
}
