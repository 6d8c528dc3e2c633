/* cache.c: each entry is a file. It holds a line that names the format, the SHA-256 of key and content, and the
 * content. The file is written under another name and then renamed, so that other processes only see complete files. */
#include "engine/gpu/driver/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "wadi/analysis.h"

enum { PATH_SIZE = 1024, DIGITS = 64 };

/* There are two folders of entries, each with its own size limit. */
typedef struct shelf {
    const char *name;
    uint64_t most_bytes;
} shelf;
static const shelf kernels = {"kernels", (uint64_t)64 << 20}, tuned = {"tuned", (uint64_t)1 << 20};

static const char title[] = "wadi cache 1\n";
enum { TITLE = sizeof title - 1, HEADER = TITLE + DIGITS };

void wadi_cache_key(char key[65], const char *const *texts, int count) {
    wadi_sha256 hash;
    wadi_sha256_begin(&hash);
    for (int i = 0; i < count; i++) wadi_sha256_add(&hash, texts[i], strlen(texts[i]) + 1); /* the 0 separates them */
    wadi_sha256_end(&hash, key);
}

static void checksum(const char *key, const void *content, size_t bytes, char hex[65]) {
    wadi_sha256 hash;
    wadi_sha256_begin(&hash);
    wadi_sha256_add(&hash, key, strlen(key) + 1);
    wadi_sha256_add(&hash, content, bytes);
    wadi_sha256_end(&hash, hex);
}

static bool folder_of(const shelf *shelf, char folder[PATH_SIZE]) {
    char cache[PATH_SIZE];
    if (!platform_cache_folder(cache, sizeof cache)) return false;
    const int length = snprintf(folder, PATH_SIZE, "%s/%s", cache, shelf->name);
    return length > 0 && length < PATH_SIZE - DIGITS - 1; /* for the name of a file */
}

bool wadi_cache_is_on(void) {
    char cache[PATH_SIZE];
    return platform_cache_folder(cache, sizeof cache);
}

/* The file's name is the hash of the key, so a key may be any text. */
static bool path_of(const shelf *shelf, const char *key, char path[PATH_SIZE]) {
    if (!folder_of(shelf, path)) return false;
    char name[DIGITS + 1];
    wadi_cache_key(name, &key, 1);
    const size_t length = strlen(path);
    snprintf(path + length, PATH_SIZE - length, "/%s", name);
    return true;
}

/* ---- Reading ---- */

/* Reads the complete file; malloc'ed. NULL if it is no regular file or too large. */
static char *read_file(const char *path, uint64_t most, size_t *bytes) {
    FILE *file = platform_is_special(path) ? NULL : platform_open(path, "r"); /* a pipe would never end */
    if (file == NULL) return NULL;
    const uint64_t size = platform_file_bytes(file);
    char *content = size >= HEADER && size <= most && platform_seek(file, 0) ? malloc((size_t)size) : NULL;
    if (content != NULL && fread(content, 1, (size_t)size, file) != (size_t)size) {
        free(content);
        content = NULL;
    }
    fclose(file);
    *bytes = (size_t)size;
    return content;
}

static bool is_whole(const char *key, const char *file, size_t bytes) {
    char hex[DIGITS + 1];
    if (memcmp(file, title, TITLE) != 0) return false;
    checksum(key, file + HEADER, bytes - HEADER, hex);
    return memcmp(file + TITLE, hex, DIGITS) == 0;
}

static char *load(const shelf *shelf, const char *key, size_t *bytes) {
    char path[PATH_SIZE];
    if (!path_of(shelf, key, path)) return NULL;
    char *file = read_file(path, shelf->most_bytes, bytes);
    if (file == NULL) return NULL;
    if (!is_whole(key, file, *bytes)) {
        free(file);
        return NULL;
    }
    *bytes -= HEADER;
    memmove(file, file + HEADER, *bytes);
    file[*bytes] = '\0'; /* the content may be used as a text */
    return file;
}

/* ---- Writing ---- */

static void make_folders(const char *folder) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s", folder);
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/' && *at != '\\') continue;
        const char separator = *at;
        *at = '\0';
        platform_make_folder(path);
        *at = separator;
    }
    platform_make_folder(path);
}

static bool write_entry(FILE *file, const char *key, const void *content, size_t bytes) {
    char hex[DIGITS + 1];
    checksum(key, content, bytes, hex);
    return fwrite(title, 1, TITLE, file) == TITLE && fwrite(hex, 1, DIGITS, file) == DIGITS &&
           fwrite(content, 1, bytes, file) == bytes;
}

typedef struct visit {
    const char *folder;
    uint64_t bytes;
    bool remove;
} visit;

static void visit_file(void *context, const char *name) {
    visit *visit = context;
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/%s", visit->folder, name);
    if (length < 0 || length >= PATH_SIZE) return;
    if (visit->remove) {
        platform_remove_file(path);
        return;
    }
    FILE *file = platform_is_special(path) ? NULL : platform_open(path, "r");
    if (file == NULL) return;
    const uint64_t bytes = platform_file_bytes(file);
    if (bytes != UINT64_MAX) visit->bytes += bytes;
    fclose(file);
}

/* A folder that would exceed its limit is emptied. Entries that are in use are soon made again. */
static void make_room(const shelf *shelf, const char *folder, size_t bytes) {
    visit visit = {.folder = folder};
    platform_list(folder, visit_file, &visit);
    if (visit.bytes + bytes <= shelf->most_bytes) return;
    visit.remove = true;
    platform_list(folder, visit_file, &visit);
}

static void save(const shelf *shelf, const char *key, const void *content, size_t bytes) {
    char folder[PATH_SIZE], path[PATH_SIZE];
    if (bytes > shelf->most_bytes / 2 || !folder_of(shelf, folder) || !path_of(shelf, key, path)) return;
    make_folders(folder);
    make_room(shelf, folder, bytes + HEADER);
    platform_new_file made;
    if (platform_new_file_begin(path, &made) != 0) return;
    platform_new_file_end(&made, path, write_entry(made.file, key, content, bytes) ? 0 : EIO);
}

/* ---- Kernels and texts ---- */

void *wadi_cache_load(const char *key, size_t *bytes) { return load(&kernels, key, bytes); }

void wadi_cache_save(const char *key, const void *content, size_t bytes) { save(&kernels, key, content, bytes); }

bool wadi_cache_get(const char *key, char *value, size_t size) {
    size_t bytes = 0;
    char *text = load(&tuned, key, &bytes);
    const bool fits = text != NULL && bytes < size && memchr(text, '\0', bytes) == NULL;
    if (fits) memcpy(value, text, bytes);
    value[fits ? bytes : 0] = '\0';
    free(text);
    return fits;
}

void wadi_cache_put(const char *key, const char *value) { save(&tuned, key, value, strlen(value)); }
