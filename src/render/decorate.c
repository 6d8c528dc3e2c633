/* decorate.c: the margins: a title above, scale bar and legend below. The map itself stays free. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "canvas.h"
#include "palette.h"
#include "scene.h"

#define PAPER 0xfaf9f6
#define INK 0x2b2e31
#define SOFT_INK 0x686b6d
#define LINE 0x8b8a85
#define UNDER 0xd9d7cf /* the ground under transparent colours of the legend */
#define MOST_ITEMS 7
#define TEXT 160

typedef struct sizes {
    double text; /* height of a capital; all other sizes are multiples */
    int margin, gap, item_width, item_height, title_height;
    int columns, rows, items;
} sizes;

/* One entry of the legend: its position and its picture. */
typedef struct item {
    const render_scene *scene;
    wadi_picture *picture;
    double text;
    int x, y, width;
} item;

typedef void draw_item(const item *item);

static int rounded(double v) { return (int)floor(v + 0.5); }

static void text_left(const item *item, double y, uint32_t ink, const char *text) {
    render_text(item->picture, item->x, y, item->text, ink, text);
}

static int heading_base(const item *item) { return item->y + rounded(item->text); }
static int bar_top(const item *item) { return item->y + rounded(1.75 * item->text); }
static int bar_height(const item *item) { return rounded(1.1 * item->text); }
static double label_base(const item *item) { return bar_top(item) + bar_height(item) + 1.75 * item->text; }

/* Writes "m3/s" as it is written by hand. */
static void unit_text(const char *unit, char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (const char *p = unit; p != NULL && *p != '\0' && used + 3 < size; p++) {
        const bool power = p > unit && p[-1] == 'm' && (*p == '2' || *p == '3');
        used += (size_t)snprintf(out + used, size - used, power ? "\xc2%c" : "%c", power ? *p + 0x80 : *p);
    }
}

static void value_text(double value, char *out, size_t size) {
    const double a = fabs(value);
    snprintf(out, size, a >= 100.0 && a < 1e6 ? "%.0f" : "%.3g", value);
}

static void heading(const item *item, const char *name, const char *unit) {
    char written[32], text[TEXT];
    unit_text(unit, written, sizeof written);
    if (written[0] != '\0') {
        snprintf(text, sizeof text, "%s (%s)", name, written);
    } else {
        snprintf(text, sizeof text, "%s", name);
    }
    text_left(item, heading_base(item), INK, text);
}

/* Leaves out labels that would touch the one before. */
static void ticks(const item *item, const render_scale *scale) {
    double values[RENDER_TICKS], free_from = -1e9;
    const int count = render_scale_ticks(scale, 5, values);
    for (int i = 0; i < count; i++) {
        char label[32];
        const double at = item->x + render_scale_position(scale, values[i]) * (item->width - 1);
        snprintf(label, sizeof label, "%.6g", values[i] + 0.0);
        const double width = render_text_width(item->text, label);
        const double left = fmin(fmax(at - 0.5 * width, item->x), item->x + item->width - width);
        if (left < free_from) continue;
        render_fill(item->picture, rounded(at), bar_top(item) + bar_height(item), 1, rounded(0.4 * item->text), LINE);
        render_text(item->picture, left, label_base(item), item->text, SOFT_INK, label);
        free_from = left + width + 0.8 * item->text;
    }
}

static void bar_column(const item *item, int x, render_colour colour) {
    render_fill(item->picture, item->x + x, bar_top(item), 1, bar_height(item), render_to_srgb(colour));
}

static void bar_frame(const item *item) {
    render_frame(item->picture, item->x, bar_top(item), item->width, bar_height(item), LINE);
}

static void length_text(double metres, char *out, size_t size) {
    snprintf(out, size, metres >= 1000.0 ? "%.6g km" : "%.6g m", metres >= 1000.0 ? metres / 1000.0 : metres);
}

static void draw_scale_bar(const item *item) {
    const wadi_view *view = item->scene->view;
    char text[TEXT], cell[48];
    if (fabs(view->lx - view->ly) <= 1e-6 * view->lx) {
        snprintf(cell, sizeof cell, "%.4g m", view->lx);
    } else {
        snprintf(cell, sizeof cell, "%.4g \xc3\x97 %.4g m", view->lx, view->ly);
    }
    snprintf(text, sizeof text, "%d \xc3\x97 %d cells of %s", view->width, view->height, cell);
    text_left(item, heading_base(item), INK, text);
    const double metres = render_round_down(0.92 * item->width * item->scene->pixel_m);
    const double pixels = metres / item->scene->pixel_m;
    const int height = rounded(0.5 * item->text), top = bar_top(item) + (bar_height(item) - height) / 2;
    for (int part = 0; part < 4; part++) {
        const int left = rounded(pixels * part / 4.0), right = rounded(pixels * (part + 1) / 4.0);
        render_fill(item->picture, item->x + left, top, right - left, height, part % 2 == 0 ? INK : PAPER);
    }
    render_frame(item->picture, item->x, top, rounded(pixels), height, INK);
    text_left(item, label_base(item), SOFT_INK, "0");
    length_text(metres, text, sizeof text);
    const double width = render_text_width(item->text, text);
    render_text(item->picture, item->x + fmin(pixels - 0.3 * width, item->width - width), label_base(item), item->text,
                SOFT_INK, text);
    snprintf(text, sizeof text, "Relief \xc3\x97 %.2g", item->scene->exaggeration);
    text_left(item, label_base(item) + 1.9 * item->text, SOFT_INK, text);
}

static void draw_no_data(const item *item) {
    const double base = label_base(item) + 1.9 * item->text;
    const int side = rounded(item->text);
    render_fill(item->picture, item->x, rounded(base) - side, 2 * side, side, RENDER_NO_DATA);
    for (int i = 0; i < 2 * side * side; i++)
        if ((i % (2 * side) + i / (2 * side)) % RENDER_HATCH == 0)
            render_fill(item->picture, item->x + i % (2 * side), rounded(base) - side + i / (2 * side), 1, 1,
                        RENDER_NO_DATA_LINE);
    render_frame(item->picture, item->x, rounded(base) - side, 2 * side, side, LINE);
    render_text(item->picture, item->x + 2.8 * item->text, base, item->text, SOFT_INK, "no data");
}

static void draw_heights(const item *item) {
    const render_scene *scene = item->scene;
    char low[32], high[32], text[TEXT];
    value_text(scene->lowest, low, sizeof low);
    value_text(scene->highest, high, sizeof high);
    if (scene->highest > scene->lowest) {
        snprintf(text, sizeof text, "%s \xe2\x80\x93 %s m", low, high);
    } else {
        snprintf(text, sizeof text, "%s m", low);
    }
    text_left(item, heading_base(item), INK, "Height");
    const double width = render_text_width(item->text, text);
    render_text(item->picture, item->x + item->width - width, heading_base(item), item->text, SOFT_INK, text);
    const bool flat = !(scene->highest > scene->lowest);
    for (int x = 0; x < item->width; x++) {
        const float at = flat ? 0.0f : (float)x / (float)(item->width - 1);
        bar_column(item, x, render_ramp_at(&scene->height_ramp, at));
    }
    bar_frame(item);
    const render_scale scale = {.low = scene->lowest, .high = scene->highest};
    if (!flat) ticks(item, &scale);
    if (scene->holes) draw_no_data(item);
}

void render_map_title(const char *name, char *title, size_t size) {
    const wadi_map_facts *map = render_map_facts(name);
    snprintf(title, size, "%s", map != NULL ? map->title : name != NULL ? name : "Value");
    if (title[0] >= 'a' && title[0] <= 'z') title[0] = (char)(title[0] - 'a' + 'A');
}

const char *render_map_unit(const char *name) {
    const wadi_map_facts *map = render_map_facts(name);
    return map != NULL && strcmp(map->unit, "1") != 0 ? map->unit : "";
}

static void map_heading(const item *item, const char *name) {
    char title[TEXT];
    render_map_title(name, title, sizeof title);
    heading(item, title, render_map_unit(name));
}

static void draw_water(const item *item) {
    const render_scene *scene = item->scene;
    const render_colour under = render_from_srgb(UNDER);
    const render_scale scale = {.low = 0.0, .high = 1.5 * scene->deep_m};
    for (int x = 0; x < item->width; x++) {
        const float at = render_water_position(1.5 * x / (item->width - 1));
        bar_column(item, x, render_mix(under, render_ramp_at(&scene->water_ramp, at), 0.72f + 0.25f * at));
    }
    map_heading(item, "water");
    bar_frame(item);
    ticks(item, &scale);
}

static void draw_ice(const item *item) {
    const render_scene *scene = item->scene;
    const render_scale scale = {.low = 0.0, .high = scene->ice_m};
    for (int x = 0; x < item->width; x++) {
        const float ice = (float)(scene->ice_m / scene->unit_m * x / (item->width - 1));
        bar_column(item, x,
                   render_mix(render_from_srgb(UNDER), render_ice_colour(scene, ice), render_ice_opacity(scene, ice)));
    }
    map_heading(item, "ice");
    bar_frame(item);
    ticks(item, &scale);
}

static void draw_layer(const item *item, const render_layer *layer, render_colour under, float most) {
    if (layer->scale.empty) {
        render_text(item->picture, item->x, bar_top(item) + bar_height(item), item->text, SOFT_INK, "none");
        return;
    }
    for (int x = 0; x < item->width; x++) {
        const float at = (float)x / (float)(item->width - 1);
        bar_column(item, x,
                   render_mix(under, render_ramp_at(&layer->ramp, at), most * render_layer_opacity(layer, at)));
    }
    bar_frame(item);
    ticks(item, &layer->scale);
}

/* Sediment in the water: the legend shows it over water of medium depth, as the map does. */
static void draw_sediment(const item *item) {
    const render_scene *scene = item->scene;
    const bool wet = scene->opacity != NULL;
    const render_colour under = wet ? render_ramp_at(&scene->water_ramp, 0.4f) : render_from_srgb(UNDER);
    map_heading(item, "sediment");
    draw_layer(item, &scene->sediment, under, wet ? RENDER_MOST_SEDIMENT : 1.0f);
}

static void draw_deposition(const item *item) {
    map_heading(item, "deposition");
    draw_layer(item, &item->scene->deposition, render_from_srgb(UNDER), RENDER_MOST_DEPOSITION);
}

render_colour render_layer_colour(const render_layer *layer, float at) {
    return render_mix(render_from_srgb(UNDER), render_ramp_at(&layer->ramp, at), render_layer_opacity(layer, at));
}

static void draw_overlay(const item *item) {
    const wadi_view *view = item->scene->view;
    char title[TEXT];
    render_map_title(view->overlay_name, title, sizeof title);
    heading(item, title, view->overlay_unit != NULL ? view->overlay_unit : render_map_unit(view->overlay_name));
    draw_layer(item, &item->scene->overlay, render_from_srgb(UNDER), 1.0f);
}

static double text_size(int width, int height) {
    const int longer = width > height ? width : height;
    return floor(fmin(fmax(longer / 120.0, 9.0), 40.0));
}

void render_legend(wadi_picture *picture, const render_layer *layer, const char *title, const char *unit) {
    const double text = text_size(picture->width, picture->height);
    const int margin = rounded(1.5 * text), pad = rounded(1.2 * text), room = picture->width - 2 * (margin + pad);
    const int width = room < rounded(24.0 * text) ? room : rounded(24.0 * text), height = rounded(4.7 * text) + 2 * pad;
    const item item = {NULL, picture, text, margin + pad, picture->height - margin - height + pad, width};
    if (width < rounded(10.0 * text) || item.y < pad) return;
    render_fill(picture, margin, item.y - pad, width + 2 * pad, height, PAPER);
    render_frame(picture, margin, item.y - pad, width + 2 * pad, height, LINE);
    heading(&item, title, unit);
    draw_layer(&item, layer, render_from_srgb(UNDER), 1.0f);
}

/* Sediment in water that is not drawn is not in the picture either. A film of pictures keeps its legend. */
static int list_items(const render_scene *scene, draw_item *items[MOST_ITEMS]) {
    const bool wet = scene->wet || (scene->view->water != NULL && scene->view->deep_m > 0.0);
    int count = 0;
    items[count++] = draw_scale_bar;
    items[count++] = draw_heights;
    if (scene->ice != NULL && scene->ice_m > 0.0) items[count++] = draw_ice;
    if (wet) items[count++] = draw_water;
    if (scene->sediment.cells != NULL && (scene->opacity == NULL || wet)) items[count++] = draw_sediment;
    if (scene->deposition.cells != NULL) items[count++] = draw_deposition;
    if (scene->overlay.cells != NULL) items[count++] = draw_overlay;
    return count;
}

static bool titled(const render_scene *scene) { return scene->view->title != NULL && scene->view->title[0] != '\0'; }

static sizes plan_sizes(const render_scene *scene) {
    draw_item *items[MOST_ITEMS];
    sizes s = {.text = text_size(scene->width, scene->height), .items = list_items(scene, items)};
    s.margin = rounded(2.0 * s.text);
    s.gap = rounded(2.6 * s.text);
    s.title_height = titled(scene) ? rounded(3.6 * s.text) : 0;
    const int least = rounded(21.0 * s.text), most = rounded(27.0 * s.text);
    const int room = scene->width > least ? scene->width : least;
    s.columns = (room + s.gap) / (least + s.gap);
    if (s.columns > s.items) s.columns = s.items;
    s.rows = (s.items + s.columns - 1) / s.columns;
    s.columns = (s.items + s.rows - 1) / s.rows; /* rows of similar length */
    const int wide = (room + s.gap) / s.columns - s.gap;
    s.item_width = wide < most ? wide : most;
    s.item_height = rounded((s.rows > 1 ? 8.6 : 7.0) * s.text); /* below the scale bar stands the exaggeration */
    return s;
}

render_page render_page_plan(const render_scene *scene) {
    if (!scene->view->decorate) return (render_page){scene->width, scene->height, 0, 0};
    const sizes s = plan_sizes(scene);
    const int room = scene->width > s.item_width ? scene->width : s.item_width;
    render_page page;
    page.width = room + 2 * s.margin;
    page.left = (page.width - scene->width) / 2;
    page.top = s.margin + s.title_height;
    page.height = page.top + scene->height + s.margin + s.rows * s.item_height + s.margin / 4;
    return page;
}

/* A title that is too long for the picture is cut. */
static void draw_title(const render_scene *scene, const sizes *s, wadi_picture *picture) {
    char title[TEXT * 2];
    const double room = picture->width - 2.0 * s->margin, size = 1.6 * s->text;
    snprintf(title, sizeof title, "%s", scene->view->title);
    size_t length = strlen(title);
    while (length > 3 && render_text_width(size, title) > room) {
        length--;
        memcpy(title + length - 3, "...", 4);
    }
    render_text(picture, s->margin, s->margin + 1.7 * s->text, size, INK, title);
}

void render_decorate(const render_scene *scene, const render_page *page, wadi_picture *picture) {
    if (!scene->view->decorate) return;
    const sizes s = plan_sizes(scene);
    const int map_bottom = page->top + scene->height;
    draw_item *items[MOST_ITEMS];
    const int count = list_items(scene, items);
    render_fill(picture, 0, 0, page->width, page->top, PAPER);
    render_fill(picture, 0, map_bottom, page->width, page->height - map_bottom, PAPER);
    render_fill(picture, 0, page->top, page->left, scene->height, PAPER);
    render_fill(picture, page->left + scene->width, page->top, page->width, scene->height, PAPER);
    render_frame(picture, page->left, page->top, scene->width, scene->height, LINE);
    if (titled(scene)) draw_title(scene, &s, picture);
    for (int i = 0; i < count; i++) {
        const item item = {scene,
                           picture,
                           s.text,
                           s.margin + i % s.columns * (s.item_width + s.gap),
                           map_bottom + s.margin + i / s.columns * s.item_height,
                           s.item_width};
        items[i](&item);
    }
}
