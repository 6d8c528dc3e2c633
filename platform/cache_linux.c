/* cache_linux.c: the sizes of a core's caches, and how many CPUs share them. */
#include "platform/cache_linux.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first word of a file. */
static bool read_word(const char *folder, int index, const char *name, char word[32]) {
    char path[512];
    if (snprintf(path, sizeof path, "%s/index%d/%s", folder, index, name) >= (int)sizeof path) return false;
    FILE *file = fopen(path, "r");
    const bool all = file != NULL && fscanf(file, "%31s", word) == 1;
    if (file != NULL) fclose(file);
    return all;
}

/* "48K", "32M" or "49152"; 0 if it is none of these. */
static size_t bytes_of(const char *size) {
    char *end;
    const unsigned long number = strtoul(size, &end, 10);
    const int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
    return number < ((unsigned long)1 << 30) ? (size_t)number << shift : 0;
}

/* The index of the cache of data of a level; -1: not listed. */
static int index_of(const char *folder, int level) {
    char word[32];
    for (int i = 0; read_word(folder, i, "level", word); i++)
        if (atoi(word) == level && read_word(folder, i, "type", word) && strcmp(word, "Instruction") != 0) return i;
    return -1;
}

size_t platform_listed_cache(const char *folder, int level) {
    char word[32];
    const int index = index_of(folder, level);
    return index >= 0 && read_word(folder, index, "size", word) ? bytes_of(word) : 0;
}

int platform_listed_sharers(const char *folder, int level) {
    char word[32];
    const int index = index_of(folder, level);
    if (index < 0 || !read_word(folder, index, "shared_cpu_list", word)) return 0;
    long count = 0;
    for (char *at = word; *at >= '0' && *at <= '9';) { /* ranges with commas between */
        const long first = strtol(at, &at, 10), last = *at == '-' ? strtol(at + 1, &at, 10) : first;
        if (first < 0 || last < first || last >= 1 << 20) return 0;
        count += last - first + 1;
        if (*at == ',') at++;
    }
    return (int)count;
}
