/* Anchors of recipes: a text with aliases gives the tree of the same text written out. */
#include "run/yaml.h"

#include "wadi/wadi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The tree as a text of one line. */
static void show(const yaml_node *node, char *text, size_t size) {
    const size_t used = strlen(text);
    if (node->kind == YAML_TEXT) {
        snprintf(text + used, size - used, "%s", node->text);
        return;
    }
    strncat(text, node->kind == YAML_MAP ? "{" : "[", size - used - 1);
    for (const yaml_node *child = node->first; child; child = child->next) {
        const size_t now = strlen(text);
        snprintf(text + now, size - now, "%s%s%s", child == node->first ? "" : " ", child->key ? child->key : "",
                 child->key ? "=" : "");
        show(child, text, size);
    }
    strncat(text, node->kind == YAML_MAP ? "}" : "]", size - strlen(text) - 1);
}

static void reads_as(const char *text, const char *wanted) {
    yaml_node *root = NULL;
    char shown[1024] = "";
    if (run_yaml_read("r.yaml", text, strlen(text), &root) != WADI_OK) fail_msg("%s: %s", text, wadi_error_message());
    show(root, shown, sizeof shown);
    run_yaml_free(root);
    assert_string_equal(shown, wanted);
}

static void fails_with(const char *text, const char *wanted) {
    yaml_node *root = NULL;
    assert_int_equal(run_yaml_read("r.yaml", text, strlen(text), &root), WADI_ERROR_FORMAT);
    assert_null(root);
    assert_string_equal(wadi_error_message(), wanted);
}

static void an_alias_is_a_copy(void **state) {
    (void)state;
    reads_as("{a: &x 1, b: *x}", "{a=1 b=1}");
    reads_as("{a: &x [1, {k: 2}], b: *x, c: [*x, *x]}", "{a=[1 {k=2}] b=[1 {k=2}] c=[[1 {k=2}] [1 {k=2}]]}");
    reads_as("{a: &x {k: &y 1}, b: {l: *y, m: *x}}", "{a={k=1} b={l=1 m={k=1}}}");
    reads_as("{a: &x 1, b: *x, c: &x 2, d: *x}", "{a=1 b=1 c=2 d=2}"); /* the last one above */
    reads_as("{a: &x, b: *x}", "{a= b=}");
    reads_as("[&a {k: &a 2}, *a]", "[{k=2} 2]"); /* that of the last one that began */
    reads_as("{a: &\xc3\xa9"
             "a 1, b: &\xc3\xa9"
             "b 2, c: *\xc3\xa9"
             "a}",
             "{a=1 b=2 c=1}");
}

/* Its own members come first; where they stand beside << does not matter. */
static void members_are_merged(void **state) {
    (void)state;
    reads_as("{a: &x {k: 1, l: [2]}, b: {<<: *x}}", "{a={k=1 l=[2]} b={k=1 l=[2]}}");
    reads_as("{a: &x {k: 1, l: 2}, b: {<<: *x, k: 3, m: 4}}", "{a={k=1 l=2} b={k=3 m=4 l=2}}");
    reads_as("{a: &x {k: 1, l: 2}, b: {k: 3, <<: *x}}", "{a={k=1 l=2} b={k=3 l=2}}");
    reads_as("{a: &x {k: 1}, b: &y {<<: *x, l: 2}, c: {<<: *y, m: 3}}", "{a={k=1} b={l=2 k=1} c={m=3 l=2 k=1}}");
    reads_as("{a: {<<: &x {k: 1}, l: 2}, b: {<<: *x, m: 3}, c: *x}", "{a={l=2 k=1} b={m=3 k=1} c={k=1}}");
    reads_as("{a: {<<: {<<: {k: 1}, l: 2}, m: 3}}", "{a={m=3 l=2 k=1}}");
}

/* The original has been read without error, so what is wrong in a copy is the alias's fault. */
static void a_copy_has_the_place_of_the_alias(void **state) {
    (void)state;
    const char text[] = "a: &x\n  key: 1\nb: *x\nc: {<<: *x}\n";
    const int places[][2] = {{2, 8}, {3, 4}, {4, 5}};
    yaml_node *root = NULL;
    assert_int_equal(run_yaml_read("r.yaml", text, strlen(text), &root), WADI_OK);
    for (int i = 0; i < 3; i++) {
        const char key[] = {(char)('a' + i), '\0'};
        const yaml_node *member = run_yaml_member(run_yaml_member(root, key), "key");
        assert_non_null(member);
        assert_int_equal(member->line, places[i][0]);
        assert_int_equal(member->column, places[i][1]);
        assert_int_equal(member->key_line, places[i][0]);
        assert_int_equal(member->key_column, i == 0 ? 3 : places[i][1]);
    }
    run_yaml_free(root);
}

static void wrong_anchors_are_named(void **state) {
    (void)state;
    fails_with("a: *x", "r.yaml:1:4: *x: nothing above it has the anchor &x");
    fails_with("a: *x\nb: &x 1", "r.yaml:1:4: *x: nothing above it has the anchor &x");
    fails_with("a: &x [*x]", "r.yaml:1:8: *x stands inside the value that &x names");
    fails_with("a: &x 1\nb: &x [*x]", "r.yaml:2:8: *x stands inside the value that &x names");
    fails_with("a: &x b\n*x : 1\n*x : 2", "r.yaml:3:1: b stands twice, first in line 2; leave one out");
    fails_with("a: {<<: *x}", "r.yaml:1:9: *x: nothing above it has the anchor &x");
    fails_with("&x a: 1", "r.yaml:1:4: an anchor (&name) goes before a value, not before a key");
    static const char merges[] = "<< takes one map, as in <<: *rock or <<: {m: 0.5}";
    char wanted[128];
    snprintf(wanted, sizeof wanted, "r.yaml:1:5: %s", merges);
    fails_with("a: {<<: 1}", wanted);
    snprintf(wanted, sizeof wanted, "r.yaml:2:5: %s", merges);
    fails_with("a: &x 1\nb: {<<: *x}", wanted);
    snprintf(wanted, sizeof wanted, "r.yaml:2:13: %s", merges);
    fails_with("a: &x {k: 1}\nb: {<<: *x, <<: *x}", wanted);
}

/* Short texts that would be huge when written out. */
static void copies_cannot_fill_memory(void **state) {
    (void)state;
    char text[4096] = "- &a0 [1,1,1,1,1,1,1,1,1,1]\n", line[64];
    for (int i = 1; i < 8; i++) { /* lists that hold the one above ten times */
        snprintf(line, sizeof line, "- &a%d [", i);
        strcat(text, line);
        for (int k = 0; k < 10; k++) {
            snprintf(line, sizeof line, "*a%d%s", i - 1, k < 9 ? "," : "]\n");
            strcat(text, line);
        }
    }
    yaml_node *root = NULL;
    assert_int_equal(run_yaml_read("r.yaml", text, strlen(text), &root), WADI_ERROR_FORMAT);
    assert_non_null(strstr(wadi_error_message(), "too much: copies of 16 MiB at most"));
    strcpy(text, "- &a0 [1]\n");
    for (int i = 1; i < 20; i++) { /* ever deeper ones */
        snprintf(line, sizeof line, "- &a%d [*a%d]\n", i, i - 1);
        strcat(text, line);
    }
    fails_with(text, "r.yaml:15:9: too deep: maps and lists in one another, 16 at most");
    strcpy(text, "");
    for (int i = 0; i < 257; i++) strcat(text, "- &a 1\n");
    fails_with(text, "r.yaml:257:4: too many anchors: 256 at most");
}

/* A long word and a long key, a hundred times. */
static void long_copies_cannot_fill_memory(void **state) {
    (void)state;
    enum { LONG = 200000 };
    char *text = malloc(LONG + 4096);
    assert_non_null(text);
    for (int key = 0; key < 2; key++) {
        strcpy(text, key ? "- &a {? " : "- &a ");
        const size_t begin = strlen(text);
        memset(text + begin, 'x', LONG);
        strcpy(text + begin + LONG, key ? " : 1}\n" : "\n");
        for (int i = 0; i < 100; i++) strcat(text, "- *a\n");
        fails_with(text, "r.yaml:85:3: too much: copies of 16 MiB at most");
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alias_is_a_copy),
        cmocka_unit_test(members_are_merged),
        cmocka_unit_test(a_copy_has_the_place_of_the_alias),
        cmocka_unit_test(wrong_anchors_are_named),
        cmocka_unit_test(copies_cannot_fill_memory),
        cmocka_unit_test(long_copies_cannot_fill_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
