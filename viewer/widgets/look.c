#include "look.h"

static const char style[] = ".wadi-params { font-size: 0.92em; }"
                            ".wadi-params .wadi-head { padding: 6px 8px; }"
                            ".wadi-params .wadi-rows { padding: 0 8px 8px 8px; }"
                            ".wadi-params entry { min-height: 22px; padding: 0 5px; font-feature-settings: 'tnum'; }"
                            ".wadi-params dropdown > button { min-height: 22px; padding: 0 6px; }"
                            ".wadi-params menubutton > button { min-height: 22px; min-width: 24px; padding: 0 3px; }"
                            ".wadi-params .wadi-row dropdown { min-width: 136px; }"
                            ".wadi-params button.wadi-reset { min-height: 20px; min-width: 20px; padding: 0; }"
                            ".wadi-params button.wadi-reset:disabled { opacity: 0.25; }"
                            ".wadi-params scale { padding: 0 6px 0 1px; min-height: 14px; }"
                            ".wadi-params scale > trough { min-height: 3px; outline: none; }"
                            ".wadi-params scale:focus-visible > trough > slider {"
                            " box-shadow: 0 0 0 3px alpha(@theme_selected_bg_color, 0.6); }"
                            ".wadi-params scale > trough > slider { min-width: 12px; min-height: 12px; margin: -6px; }"
                            ".wadi-knob scale > marks.top { margin-bottom: 0; margin-top: 0; }"
                            ".wadi-knob scale > marks.bottom { margin-top: 0; margin-bottom: 0; }"
                            ".wadi-knob scale mark indicator { min-height: 3px; }"
                            ".wadi-params switch { min-height: 0; }"
                            ".wadi-params switch > slider { min-width: 16px; min-height: 16px; }"
                            ".wadi-params expander-widget > box > title { padding: 3px 0; }"
                            ".wadi-params .wadi-group { font-weight: bold; }"
                            ".wadi-params .wadi-summary { font-size: 0.92em; }";

void look_install(GdkDisplay *display) {
    if (g_object_get_data(G_OBJECT(display), "wadi-look") != NULL) return;
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, style, -1);
    gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(provider),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_set_data_full(G_OBJECT(display), "wadi-look", provider, g_object_unref);
}
