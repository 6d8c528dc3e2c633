#include "yaml.h"

#include "escape.h"
#include "fail.h"
#include "message.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const yaml_node *run_yaml_member(const yaml_node *map, const char *key) {
    if (map->kind != YAML_MAP) return NULL;
    for (const yaml_node *node = map->first; node; node = node->next)
        if (strcmp(node->key, key) == 0) return node;
    return NULL;
}

/* Recursion is at most YAML_DEPTH deep. */
void run_yaml_free(yaml_node *root) {
    while (root) {
        yaml_node *next = root->next;
        run_yaml_free(root->first);
        free(root->text);
        free(root->key);
        free(root);
        root = next;
    }
}

#ifdef WADI_WITH_FYAML
#include <libfyaml.h>

enum { MOST_MEMBERS = 1024 };    /* of a map: all keys are compared with each other */
enum { MOST_ANCHORS = 256 };     /* each alias is compared with all of them */
enum { COPIED_BYTES = 1 << 24 }; /* of all aliases of a text */

/* A named node. It is NULL until the node is complete, so no node can contain itself. */
typedef struct anchor {
    char *name;
    const yaml_node *node;
} anchor;

/* Events are read one by one, so that excessive depth or size is found before it fills memory. */
typedef struct reader {
    const char *name;
    struct fy_parser *parser;
    struct fy_diag *diag;
    int nodes;
    anchor anchors[MOST_ANCHORS];
    int anchor_count;
    size_t copied;     /* bytes */
    yaml_node *merged; /* maps written after <<; kept to the end, since aliases may name them */
} reader;

static wadi_status refuse(const reader *reader, const struct fy_mark *mark, const char *what) {
    const place place = {mark ? mark->line + 1 : 1, mark ? mark->column + 1 : 1};
    return run_fail_at(reader->name, place, wadi_fail(WADI_ERROR_FORMAT, "%s", what));
}

static const char too_deep[] = "too deep: maps and lists in one another, 16 at most";
static const char too_much[] = "too much in one file: at most 4 million values";

/* The parser's own first message. */
static wadi_status fail_syntax(const reader *reader) {
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(reader->diag, &at);
    bool placed = error && error->line > 0;
    const place place = {placed ? error->line : 1, placed && error->column > 0 ? error->column : 1};
    const char *why = error && error->msg ? error->msg : "it cannot be read";
    return run_fail_at(reader->name, place, wadi_fail(WADI_ERROR_FORMAT, "is no YAML: %s", why));
}

static wadi_status fail_memory(const reader *reader) {
    return wadi_fail(WADI_ERROR_MEMORY, "%s: no memory to read it", reader->name);
}

static wadi_status add_node(reader *reader, struct fy_event *event, yaml_kind kind, yaml_node **result) {
    const struct fy_mark *mark = fy_event_start_mark(event);
    if (++reader->nodes > YAML_NODES) return refuse(reader, mark, too_much);
    if (fy_event_get_tag_token(event)) return refuse(reader, mark, "tags are not taken here; leave it out");
    yaml_node *node = *result = calloc(1, sizeof *node);
    if (!node) return fail_memory(reader);
    node->kind = kind;
    node->line = mark ? mark->line + 1 : 1;
    node->column = mark ? mark->column + 1 : 1;
    return WADI_OK;
}

/* A plain null is an empty text; a quoted "null" is a word. */
static wadi_status take_text(reader *reader, struct fy_event *event, yaml_node *node) {
    size_t length = 0;
    const char *text = fy_token_get_text(event->scalar.value, &length);
    if (text && memchr(text, 0, length)) return refuse(reader, fy_event_start_mark(event), "a text holds a NUL byte");
    bool plain = fy_token_scalar_style(event->scalar.value) == FYSS_PLAIN;
    node->text = malloc(length + 1);
    if (!node->text) return fail_memory(reader);
    if (text) memcpy(node->text, text, length);
    node->text[text ? length : 0] = '\0';
    if (plain && (strcmp(node->text, "null") == 0 || strcmp(node->text, "~") == 0)) node->text[0] = '\0';
    return WADI_OK;
}

/* The place of the star of an alias, which libfyaml leaves out. */
static struct fy_mark star_of(struct fy_event *alias) {
    const struct fy_mark *mark = fy_event_start_mark(alias);
    return (struct fy_mark){.line = mark ? mark->line : 0, .column = mark && mark->column > 0 ? mark->column - 1 : 0};
}

/* *added is its place in the list; -1: the node has no anchor. */
static wadi_status begin_anchor(reader *reader, struct fy_event *event, int *added) {
    struct fy_token *token = fy_event_get_anchor_token(event);
    *added = -1;
    if (!token) return WADI_OK;
    if (reader->anchor_count >= MOST_ANCHORS)
        return refuse(reader, fy_token_start_mark(token), "too many anchors: 256 at most");
    size_t length = 0;
    const char *text = fy_token_get_text(token, &length);
    char *name = text ? run_text_format("%.*s", (int)length, text) : NULL;
    if (!name) return fail_memory(reader);
    *added = reader->anchor_count++;
    reader->anchors[*added] = (anchor){.name = name};
    return WADI_OK;
}

/* The node whose anchor an alias names: the last one above it. */
static wadi_status find_anchor(const reader *reader, struct fy_event *alias, const yaml_node **node) {
    const struct fy_mark star = star_of(alias);
    size_t length = 0;
    const char *text = fy_token_get_text(alias->alias.anchor, &length);
    char *name = text ? run_text_format("%.*s", (int)length, text) : NULL;
    if (!name) return fail_memory(reader);
    int i = reader->anchor_count - 1;
    while (i >= 0 && strcmp(reader->anchors[i].name, name) != 0) i--;
    *node = i >= 0 ? reader->anchors[i].node : NULL;
    wadi_status status = WADI_OK;
    if (*node == NULL) {
        char *what = i < 0 ? run_text_format("*%s: nothing above it has the anchor &%s", name, name)
                           : run_text_format("*%s stands inside the value that &%s names", name, name);
        status = what ? refuse(reader, &star, what) : fail_memory(reader);
        free(what);
    }
    free(name);
    return status;
}

/* A short text must not fill memory by its aliases. */
static wadi_status count_copied(reader *reader, const struct fy_mark *star, size_t bytes) {
    reader->copied += bytes;
    return reader->copied <= COPIED_BYTES ? WADI_OK : refuse(reader, star, "too much: copies of 16 MiB at most");
}

static wadi_status copy_key(reader *reader, const struct fy_mark *star, const yaml_node *original, yaml_node *copy) {
    const wadi_status status = count_copied(reader, star, strlen(original->key));
    if (status != WADI_OK) return status;
    copy->key = run_text_copy(original->key);
    copy->key_line = copy->line;
    copy->key_column = copy->column;
    return copy->key ? WADI_OK : fail_memory(reader);
}

/* A copy without the original's key. Its place is the alias's, since the original itself has been read without error.
 */
static wadi_status copy_node(reader *reader, const struct fy_mark *star, const yaml_node *original, int depth,
                             yaml_node **result) {
    if (depth >= YAML_DEPTH) return refuse(reader, star, too_deep);
    wadi_status status = count_copied(reader, star, sizeof *original + (original->text ? strlen(original->text) : 0));
    if (status != WADI_OK) return status;
    yaml_node *copy = *result = calloc(1, sizeof *copy);
    if (!copy) return fail_memory(reader);
    *copy = (yaml_node){.kind = original->kind, .line = star->line + 1, .column = star->column + 1};
    if (original->text && !(copy->text = run_text_copy(original->text))) return fail_memory(reader);
    yaml_node **end = &copy->first;
    for (const yaml_node *child = original->first; child; child = child->next) {
        status = copy_node(reader, star, child, depth + 1, end);
        if (status == WADI_OK && child->key) status = copy_key(reader, star, child, *end);
        if (status != WADI_OK) return status;
        end = &(*end)->next;
    }
    return WADI_OK;
}

static wadi_status read_node(reader *reader, struct fy_event *event, int depth, yaml_node **result);

/* Reads the next event and the node that it begins. *result is NULL at the end of the list or map. */
static wadi_status read_next(reader *reader, int depth, yaml_node **result) {
    struct fy_event *event = fy_parser_parse(reader->parser);
    if (!event) return fail_syntax(reader);
    wadi_status status = WADI_OK;
    if (event->type != FYET_MAPPING_END && event->type != FYET_SEQUENCE_END)
        status = read_node(reader, event, depth, result);
    fy_parser_event_free(reader->parser, event);
    return status;
}

static wadi_status read_list(reader *reader, yaml_node *list, int depth) {
    yaml_node **end = &list->first;
    for (;;) {
        wadi_status status = read_next(reader, depth, end);
        if (status != WADI_OK || !*end) return status;
        end = &(*end)->next;
    }
}

static wadi_status check_key(const reader *reader, const yaml_node *map, const yaml_node *key, int members) {
    const struct fy_mark mark = {.line = key->line - 1, .column = key->column - 1};
    if (key->kind != YAML_TEXT) return refuse(reader, &mark, "a key must be a word");
    if (members >= MOST_MEMBERS) return refuse(reader, &mark, "too many keys in one map");
    for (const yaml_node *member = map->first; member; member = member->next) {
        if (strcmp(member->key, key->text) != 0) continue;
        char what[160];
        snprintf(what, sizeof what, "%.80s stands twice, first in line %d; leave one out", key->text, member->key_line);
        return refuse(reader, &mark, what);
    }
    return WADI_OK;
}

/* The map after the key <<, or the one that an alias there names. */
typedef struct merging {
    const yaml_node *map;
    struct fy_mark place; /* of its members' copies */
} merging;

static wadi_status read_merging(reader *reader, const yaml_node *key, int depth, merging *merging) {
    const bool again = merging->map != NULL;
    merging->place = (struct fy_mark){.line = key->line - 1, .column = key->column - 1};
    struct fy_event *event = fy_parser_parse(reader->parser);
    if (!event) return fail_syntax(reader);
    wadi_status status;
    if (event->type == FYET_ALIAS) {
        status = find_anchor(reader, event, &merging->map);
    } else {
        yaml_node *node = NULL;
        status = read_node(reader, event, depth, &node);
        if (node) {
            node->next = reader->merged;
            reader->merged = node;
        }
        merging->map = node;
    }
    fy_parser_event_free(reader->parser, event);
    if (status == WADI_OK && (merging->map->kind != YAML_MAP || again))
        status = refuse(reader, &merging->place, "<< takes one map, as in <<: *rock or <<: {m: 0.5}");
    return status;
}

/* Adds copies of those members of the merged map whose keys the map itself does not have. */
static wadi_status merge(reader *reader, const merging *merging, yaml_node *map, int members, int depth) {
    yaml_node **end = &map->first;
    while (*end) end = &(*end)->next;
    yaml_node *copies = NULL, **last = &copies;
    wadi_status status = WADI_OK;
    for (const yaml_node *member = merging->map->first; member && status == WADI_OK; member = member->next) {
        if (run_yaml_member(map, member->key)) continue;
        if (members++ >= MOST_MEMBERS) status = refuse(reader, &merging->place, "too many keys in one map");
        if (status == WADI_OK) status = copy_node(reader, &merging->place, member, depth, last);
        if (status == WADI_OK) status = copy_key(reader, &merging->place, member, *last);
        if (*last) last = &(*last)->next;
    }
    *end = copies;
    return status;
}

/* Keys are freed, so their anchors would name nothing. */
static wadi_status refuse_anchor(const reader *reader, const yaml_node *key) {
    const struct fy_mark mark = {.line = key->line - 1, .column = key->column - 1};
    return refuse(reader, &mark, "an anchor (&name) goes before a value, not before a key");
}

static wadi_status read_map(reader *reader, yaml_node *map, int depth) {
    yaml_node **end = &map->first;
    merging merging = {0};
    for (int members = 0;; members++) {
        yaml_node *key = NULL, *value = NULL;
        const int anchors = reader->anchor_count;
        wadi_status status = read_next(reader, depth, &key);
        if (status == WADI_OK && !key) return merging.map ? merge(reader, &merging, map, members, depth) : WADI_OK;
        if (status == WADI_OK) status = check_key(reader, map, key, members);
        if (status == WADI_OK && reader->anchor_count > anchors) status = refuse_anchor(reader, key);
        const bool merges = status == WADI_OK && strcmp(key->text, "<<") == 0;
        if (merges)
            status = read_merging(reader, key, depth, &merging);
        else if (status == WADI_OK)
            status = read_next(reader, depth, &value);
        if (status == WADI_OK && value) {
            value->key = key->text;
            value->key_line = key->line;
            value->key_column = key->column;
            key->text = NULL;
            *end = value;
            end = &value->next;
        } else {
            run_yaml_free(value);
        }
        run_yaml_free(key);
        if (status != WADI_OK) return status;
    }
}

static wadi_status read_alias(reader *reader, struct fy_event *event, int depth, yaml_node **result) {
    const struct fy_mark star = star_of(event);
    const yaml_node *original = NULL;
    wadi_status status = find_anchor(reader, event, &original);
    return status != WADI_OK ? status : copy_node(reader, &star, original, depth, result);
}

static wadi_status read_whole(reader *reader, struct fy_event *event, yaml_kind kind, int depth, yaml_node **result) {
    int added;
    wadi_status status = begin_anchor(reader, event, &added);
    if (status == WADI_OK) status = add_node(reader, event, kind, result);
    if (status == WADI_OK && kind == YAML_TEXT) status = take_text(reader, event, *result);
    if (status == WADI_OK && kind == YAML_LIST) status = read_list(reader, *result, depth + 1);
    if (status == WADI_OK && kind == YAML_MAP) status = read_map(reader, *result, depth + 1);
    if (status == WADI_OK && added >= 0) reader->anchors[added].node = *result;
    return status;
}

static wadi_status read_node(reader *reader, struct fy_event *event, int depth, yaml_node **result) {
    const struct fy_mark *mark = fy_event_start_mark(event);
    if (depth >= YAML_DEPTH) return refuse(reader, mark, too_deep);
    switch (event->type) {
    case FYET_SCALAR:
        return read_whole(reader, event, YAML_TEXT, depth, result);
    case FYET_SEQUENCE_START:
        return read_whole(reader, event, YAML_LIST, depth, result);
    case FYET_MAPPING_START:
        return read_whole(reader, event, YAML_MAP, depth, result);
    case FYET_ALIAS:
        return read_alias(reader, event, depth, result);
    default:
        return refuse(reader, mark, "a value is wanted");
    }
}

/* Reads events to the end of the stream. The node of the only document is the root. */
static wadi_status read_stream(reader *reader, yaml_node **root) {
    for (;;) {
        struct fy_event *event = fy_parser_parse(reader->parser);
        if (!event) return fail_syntax(reader);
        enum fy_event_type type = event->type;
        bool second = type == FYET_DOCUMENT_START && *root;
        wadi_status status = WADI_OK;
        if (second)
            status = refuse(reader, fy_event_start_mark(event), "a second document; one is wanted");
        else if (type != FYET_STREAM_START && type != FYET_STREAM_END && type != FYET_DOCUMENT_START &&
                 type != FYET_DOCUMENT_END)
            status = read_node(reader, event, 0, root);
        fy_parser_event_free(reader->parser, event);
        if (status != WADI_OK || type == FYET_STREAM_END) return status;
    }
}

/* libfyaml 0.7 loops forever on some directives with invalid UTF-8: both are refused. `text` ends with a 0. */
static wadi_status check_text(const reader *reader, const char *text, size_t count) {
    struct fy_mark at = {0};
    for (size_t i = 0; i < count;) {
        const unsigned char *character = (const unsigned char *)text + i;
        int length = run_escape_utf8_length(character);
        bool control = *character < 0x20 && *character != '\t' && *character != '\n' && *character != '\r';
        if (length == 0 || control || *character == 0x7f) return refuse(reader, &at, "is no text in UTF-8");
        if (*character == '%' && at.column == 0)
            return refuse(reader, &at, "directives are not taken here; leave it out");
        bool ends = *character == '\n' || *character == '\r';
        if (*character == '\n' || (*character == '\r' && character[1] != '\n')) at.line++;
        at.column = ends ? 0 : at.column + 1;
        i += (size_t)length;
    }
    return WADI_OK;
}

static wadi_status read_text(reader *reader, const char *text, size_t count, yaml_node **root) {
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    reader->diag = fy_diag_create(&quiet);
    if (reader->diag) fy_diag_set_collect_errors(reader->diag, true);
    const struct fy_parse_cfg how = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG, .diag = reader->diag};
    reader->parser = reader->diag ? fy_parser_create(&how) : NULL;
    wadi_status status = WADI_OK;
    if (!reader->parser || fy_parser_set_string(reader->parser, text, count) != 0) status = fail_memory(reader);
    if (status == WADI_OK) status = read_stream(reader, root);
    if (status == WADI_OK && !*root) status = refuse(reader, NULL, "holds nothing");
    for (int i = 0; i < reader->anchor_count; i++) free(reader->anchors[i].name);
    run_yaml_free(reader->merged);
    fy_parser_destroy(reader->parser);
    fy_diag_destroy(reader->diag);
    return status;
}

bool run_yaml_available(void) { return true; }

wadi_status run_yaml_read(const char *name, const char *text, size_t count, yaml_node **root) {
    reader reader = {.name = name};
    *root = NULL;
    if (count > YAML_BYTES) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is larger than 64 MiB", name);
    wadi_status status = count == 0 ? refuse(&reader, NULL, "holds nothing") : check_text(&reader, text, count);
    if (status == WADI_OK) status = read_text(&reader, text, count, root);
    if (status == WADI_OK) return WADI_OK;
    run_yaml_free(*root);
    *root = NULL;
    return status;
}
#else
bool run_yaml_available(void) { return false; }

wadi_status run_yaml_read(const char *name, const char *text, size_t count, yaml_node **root) {
    (void)text;
    (void)count;
    *root = NULL;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: recipes are not built: install libfyaml-dev and build again", name);
}
#endif
