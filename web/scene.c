/* scene.c: the picture: the library's landscape, drawn into the page's canvas by WebGL 2, and its camera. */
#include <emscripten/html5.h>
#include <math.h>

#include "web/page.h"

#define RADIANS (3.14159265358979323846 / 180)

static wadi_landscape *land;
static wadi_camera camera;
static wadi_look look;
static int width, height; /* cells */
static double lx, ly;

static bool good(wadi_status status) { return status == WADI_OK; }

/* The context of a canvas, which a selector names. */
PAGE_CALL bool scene_open(const char *canvas) {
    EmscriptenWebGLContextAttributes how;
    emscripten_webgl_init_context_attributes(&how);
    how.majorVersion = 2;
    how.antialias = how.depth = how.stencil = how.alpha = false;
    how.preserveDrawingBuffer = true; /* the picture can be read at any time */
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context(canvas, &how);
    if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS)
        return good(wadi_fail(WADI_ERROR_UNSUPPORTED, "this browser gives no WebGL 2, which the picture needs"));
    if (!emscripten_webgl_enable_extension(context, "EXT_color_buffer_float") ||
        !emscripten_webgl_enable_extension(context, "OES_texture_float_linear"))
        return good(wadi_fail(WADI_ERROR_UNSUPPORTED, "this browser's WebGL 2 has no float textures to draw into"));
    return true;
}

PAGE_CALL bool scene_size(int cells_x, int cells_y, double cell_x, double cell_y) {
    if (cells_x == width && cells_y == height && cell_x == lx && cell_y == ly) return true;
    wadi_landscape *made;
    if (!good(wadi_landscape_create(cells_x, cells_y, cell_x, cell_y, &made))) return false;
    wadi_landscape_destroy(land);
    land = made;
    width = cells_x, height = cells_y, lx = cell_x, ly = cell_y;
    return true;
}

/* all: what depends on the whole map is right in the next picture, too; else it follows. */
PAGE_CALL bool scene_set(int layer, const float *values, bool all) {
    if (all) return good(wadi_landscape_set(land, (wadi_layer)layer, 0, 0, width, height, values));
    return wadi_landscape_update(land, (wadi_layer)layer, values) >= 0;
}

PAGE_CALL bool scene_clear(int layer) { return good(wadi_landscape_clear(land, (wadi_layer)layer)); }

/* The first view, and scales that stay the same while the landscape changes. */
PAGE_CALL bool scene_reset(void) {
    const char *overlay = look.overlay_name;
    look = wadi_default_look();
    look.overlay_name = overlay;
    camera = wadi_landscape_camera(land);
    return good(wadi_landscape_settle(land, &look));
}

PAGE_CALL void scene_fit(int pixels_x, int pixels_y) {
    camera = wadi_landscape_camera(land);
    wadi_landscape_fit(land, &camera, &look, pixels_x, pixels_y);
}

PAGE_CALL bool scene_draw(int pixels_x, int pixels_y, double quality) {
    look.quality = quality;
    return good(wadi_landscape_draw(land, &camera, &look, pixels_x, pixels_y));
}
PAGE_CALL bool scene_settled(void) { return wadi_landscape_settled(land, &look); }

/* NULL or "": none. */
PAGE_CALL void scene_overlay(const char *name) {
    const wadi_map_facts *map = wadi_map_facts_of(name);
    look.overlay_name = map != NULL ? map->name : NULL;
}
PAGE_CALL void scene_dry(bool dry) { look.ground = dry ? WADI_GROUND_DRY : WADI_GROUND_GREEN; }
PAGE_CALL void scene_exaggerate(double factor) { look.exaggeration = factor; }
PAGE_CALL void scene_sun(double azimuth, double elevation) {
    look.sun_azimuth = azimuth;
    look.sun_elevation = elevation;
}
PAGE_CALL void scene_ring(double x, double y, double radius_m, double falloff) {
    look.ring_x = x, look.ring_y = y, look.ring_radius_m = radius_m, look.ring_falloff = falloff;
}

static double within(double value, double low, double high) { return fmin(fmax(value, low), high); }
static double reach(void) { return hypot(lx * width, ly * height); }

PAGE_CALL void scene_turn(double right_degrees, double up_degrees) {
    camera.azimuth = fmod(camera.azimuth + right_degrees + 360, 360);
    camera.elevation = within(camera.elevation + up_degrees, 3, 90);
}
PAGE_CALL void scene_zoom(double factor) {
    camera.distance = within(camera.distance * factor, 0.02 * reach(), 4 * reach());
}
/* By so many pictures' heights. */
PAGE_CALL void scene_pan(double right, double down) {
    const double m = 2 * camera.distance * tan(0.5 * camera.view * RADIANS);
    const double s = sin(camera.azimuth * RADIANS), c = cos(camera.azimuth * RADIANS);
    const double across = -right * m, ahead = down * m / fmax(sin(camera.elevation * RADIANS), 0.25);
    camera.x = within(camera.x + across * c + ahead * s, 0, lx * width);
    camera.y = within(camera.y + across * s - ahead * c, 0, ly * height);
}

static double picked[2];
/* The cell at a pixel, as two numbers; NULL: the sky. */
PAGE_CALL const double *scene_pick(int pixels_x, int pixels_y, double x, double y) {
    return wadi_landscape_pick(land, &camera, &look, pixels_x, pixels_y, x, y, &picked[0], &picked[1]) ? picked : NULL;
}

/* The colours of the overlay; "null": there is none. */
PAGE_CALL const char *scene_legend(void) {
    wadi_legend legend;
    json out = page_json_begin();
    const bool shown = wadi_landscape_legend(land, &look, &legend) && !legend.empty;
    run_json_object(&out, NULL);
    run_json_text(&out, "title", shown ? legend.title : NULL);
    run_json_text(&out, "unit", shown ? legend.unit : NULL);
    run_json_array(&out, "colours");
    for (int i = 0; shown && i < WADI_LEGEND_STOPS; i++) run_json_integer(&out, NULL, legend.rgb[i]);
    run_json_end(&out);
    run_json_array(&out, "ticks");
    for (int i = 0; shown && i < legend.tick_count; i++) {
        run_json_numbers(&out, NULL, legend.ticks[i], legend.tick_positions[i]);
    }
    run_json_end(&out);
    run_json_end(&out);
    return page_json_end();
}
