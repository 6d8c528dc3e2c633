/* absent.c: replaces the landscape in a build without libepoxy. */
#include "wadi/landscape.h"

static wadi_status absent(void) {
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "this build draws no landscapes: install libepoxy-dev and build it again");
}

wadi_status wadi_landscape_create(int width, int height, double lx, double ly, wadi_landscape **landscape) {
    (void)width, (void)height, (void)lx, (void)ly;
    *landscape = NULL;
    return absent();
}
void wadi_landscape_destroy(wadi_landscape *landscape) { (void)landscape; }
wadi_status wadi_landscape_set(wadi_landscape *landscape, wadi_layer layer, int x, int y, int width, int height,
                               const float *values) {
    (void)landscape, (void)layer, (void)x, (void)y, (void)width, (void)height, (void)values;
    return absent();
}
wadi_status wadi_landscape_clear(wadi_landscape *landscape, wadi_layer layer) {
    (void)landscape, (void)layer;
    return absent();
}
int wadi_landscape_update(wadi_landscape *landscape, wadi_layer layer, const float *values) {
    (void)landscape, (void)layer, (void)values;
    absent();
    return -1;
}
int wadi_landscape_update_some(wadi_landscape *landscape, wadi_layer layer, const float *values, int most, bool *all) {
    (void)landscape, (void)layer, (void)values, (void)most;
    *all = true;
    absent();
    return -1;
}
bool wadi_landscape_settled(const wadi_landscape *landscape, const wadi_look *look) {
    (void)landscape, (void)look;
    return true;
}
wadi_status wadi_landscape_set_buffer(wadi_landscape *landscape, wadi_layer layer, unsigned buffer) {
    (void)landscape, (void)layer, (void)buffer;
    return absent();
}
wadi_status wadi_landscape_settle(wadi_landscape *landscape, wadi_look *look) {
    (void)landscape, (void)look;
    return absent();
}
wadi_status wadi_landscape_draw(wadi_landscape *landscape, const wadi_camera *camera, const wadi_look *look, int width,
                                int height) {
    (void)landscape, (void)camera, (void)look, (void)width, (void)height;
    return absent();
}
bool wadi_landscape_legend(wadi_landscape *landscape, const wadi_look *look, wadi_legend *legend) {
    (void)landscape, (void)look;
    *legend = (wadi_legend){.unit = ""};
    return false;
}
wadi_status wadi_landscape_decorate(wadi_landscape *landscape, const wadi_look *look, wadi_picture *picture) {
    (void)landscape, (void)look, (void)picture;
    return absent();
}
void wadi_landscape_fit(const wadi_landscape *landscape, wadi_camera *camera, const wadi_look *look, int width,
                        int height) {
    (void)landscape, (void)camera, (void)look, (void)width, (void)height;
}
wadi_camera wadi_landscape_camera(const wadi_landscape *landscape) {
    (void)landscape;
    return (wadi_camera){0};
}
bool wadi_landscape_pick(const wadi_landscape *landscape, const wadi_camera *camera, const wadi_look *look, int width,
                         int height, double pixel_x, double pixel_y, double *x, double *y) {
    (void)landscape, (void)camera, (void)look, (void)width, (void)height, (void)pixel_x, (void)pixel_y, (void)x,
        (void)y;
    return false;
}
wadi_status wadi_offscreen_open(int width, int height, wadi_offscreen **screen) {
    (void)width, (void)height;
    *screen = NULL;
    return absent();
}
const char *wadi_offscreen_renderer(const wadi_offscreen *screen) {
    (void)screen;
    return "";
}
wadi_status wadi_offscreen_read(wadi_offscreen *screen, wadi_picture **picture) {
    (void)screen;
    *picture = NULL;
    return absent();
}
wadi_status wadi_offscreen_share(wadi_offscreen **screen) {
    *screen = NULL;
    return absent();
}
wadi_status wadi_offscreen_use(wadi_offscreen *screen) {
    (void)screen;
    return absent();
}
void wadi_offscreen_close(wadi_offscreen *screen) { (void)screen; }
