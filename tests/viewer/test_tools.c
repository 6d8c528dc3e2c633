/* The table of tools: each row has all that buttons, keys and the list of keys need. Ids and keys are unique. */
#include "stage.h"

#include "viewer/tools/panel.h"

#include <string.h>

static void rows_are_whole(void **state) {
    (void)state;
    for (int i = 0; i < TOOLS; i++) {
        const tool *tool = tool_table[i];
        assert_true(tool->id[0] && tool->label[0] && tool->title[0] && tool->help[0]);
        assert_int_not_equal(gdk_keyval_to_unicode(gdk_keyval_from_name(tool->key)), 0);
        assert_true(tool->press || tool->drag || tool->hold);
        if (!tool_is_brush(tool)) continue;
        assert_true(0 < tool->least && tool->least < tool->usual && tool->usual < tool->most);
        assert_non_null(wadi_brush_name(tool->brush));
        assert_non_null(wadi_brush_name(tool->shifted));
    }
}

static void no_two_are_alike(void **state) {
    (void)state;
    for (int i = 0; i < TOOLS; i++)
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(tool_table[i]->id, tool_table[k]->id);
            assert_string_not_equal(tool_table[i]->label, tool_table[k]->label);
            assert_string_not_equal(tool_table[i]->key, tool_table[k]->key);
        }
}

/* Each tool has a button with its id, and its key in the tooltip. */
static void each_has_a_button(void **state) {
    (void)state;
    tools *tools = tools_new(NULL, NULL);
    GtkWidget *grid = gtk_widget_get_first_child(tools_widget(tools));
    int buttons = 0;
    for (GtkWidget *button = gtk_widget_get_first_child(grid); button; button = gtk_widget_get_next_sibling(button)) {
        const tool *tool = tool_table[buttons++];
        const char *tip = gtk_widget_get_tooltip_text(button);
        assert_string_equal(gtk_widget_get_name(button), tool->id);
        assert_non_null(tip);
        assert_memory_equal(tip, tool->help, strlen(tool->help));
        assert_int_equal(tip[strlen(tip) - 1], ')');
        assert_int_equal((gunichar)tip[strlen(tip) - 2], gdk_keyval_to_unicode(gdk_keyval_from_name(tool->key)));
    }
    assert_int_equal(buttons, TOOLS);
    g_object_ref_sink(tools_widget(tools));
    g_object_unref(tools_widget(tools));
    tools_free(tools);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_whole), cmocka_unit_test(no_two_are_alike),
                                       cmocka_unit_test(each_has_a_button)};
    if (!gtk_init_check()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
