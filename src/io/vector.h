/* vector.h (internal): points, lines and areas from vector files, by GDAL: GeoJSON, GeoPackage, FlatGeobuf, Shapefile.
 * A GeoPackage may have several layers: GPKG:FILE:LAYER names one. */
#ifndef WADI_IO_VECTOR_H
#define WADI_IO_VECTOR_H

#include "formats.h"

/* Whether the name is that of a vector file; a GeoPackage may hold rasters all the same. */
WADI_API bool wadi_io_has_vector_name(const char *path);
/* Whether a map is to be made of the file's shapes: by its name, and of a GeoPackage by what it holds. */
WADI_API bool wadi_io_is_vector(const char *path);

/* A point, or a line of several places; a line of one place is a point. */
typedef struct io_shape {
    size_t first, points; /* its places in io_shapes.xy */
    int64_t id;           /* of its feature, for messages */
} io_shape;

typedef struct io_shapes {
    size_t count, places;
    io_shape *shapes;
    double (*xy)[2]; /* in cells from the terrain's top left corner */
    double *values;  /* of each shape the wanted attributes, NaN: none */
} io_shapes;

enum { IO_MOST_ATTRIBUTES = 8 };
/* The points and lines of a file, and their attributes of these names. `needed`: so many of them must be there, in each
 * feature. Free the shapes by wadi_io_shapes_free, after an error too. */
WADI_API wadi_status wadi_io_shapes_read(const char *path, const char *const *attributes, size_t count, size_t needed,
                                         const wadi_raster *terrain, io_shapes *shapes);
WADI_API void wadi_io_shapes_free(io_shapes *shapes);

/* What becomes of the areas, lines and points of a file: a map on the grid of `like`. Where several lie, the last one
 * counts. */
typedef struct io_burn {
    const char *const *attributes; /* the first of these that the layer has gives the values; ended by NULL */
    bool ones;                     /* without any of them the value is 1; else the file is refused */
    float outside;                 /* of cells with none of them */
    const char *used;              /* out: the attribute; NULL: none */
} io_burn;
WADI_API wadi_status wadi_io_rasterize(const char *path, io_burn *how, const wadi_raster *like, wadi_raster **made);

#endif
