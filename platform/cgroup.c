/* cgroup.c: the limits of control groups. Each group above a process may limit it, so all of them are read. In a
 * container the path in /proc/self/cgroup may be the host's, and only its root is mounted. The search upwards ends
 * there. Groups that cannot be read set no limit. */
#define _GNU_SOURCE
#include "platform/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 1024 };

typedef struct group {
    char root[64];        /* mount point of this hierarchy */
    char path[PATH_SIZE]; /* the group below it, "" at the top */
    bool version_2;
} group;

/* Whether `controllers`, "cpu,cpuacct" say, has this one. */
static bool lists(const char *controllers, const char *controller) {
    const size_t length = strlen(controller);
    for (const char *at = controllers; at != NULL && *at != '\0'; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, controller, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
    }
    return false;
}

/* Lines are "ID:CONTROLLERS:PATH". Version 2 has one line "0::PATH". A line of version 1 takes precedence. */
static bool find_group(const char *controller, group *found) {
    FILE *file = fopen("/proc/self/cgroup", "r");
    if (file == NULL) return false;
    bool any = false;
    char line[PATH_SIZE];
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL) continue;
        *controllers++ = '\0';
        *path++ = '\0';
        const bool version_2 = controllers[0] == '\0';
        if (version_2 ? any : !lists(controllers, controller)) continue;
        any = true;
        found->version_2 = version_2;
        snprintf(found->root, sizeof found->root, version_2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/%s", controller);
        snprintf(found->path, sizeof found->path, "%s", strcmp(path, "/") == 0 ? "" : path);
    }
    fclose(file);
    return any;
}

/* Moves to the group above; false at the top. */
static bool go_up(group *at) {
    char *slash = strrchr(at->path, '/');
    if (slash == NULL) return false;
    *slash = '\0';
    return true;
}

static FILE *open_value(const group *at, const char *name) {
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s%s/%s", at->root, at->path, name);
    return fopen(path, "r");
}

/* The first number of the file. `otherwise` for "max" or a missing file. */
static uint64_t read_number(const group *at, const char *name, uint64_t otherwise) {
    FILE *file = open_value(at, name);
    if (file == NULL) return otherwise;
    char text[64] = "";
    const bool there = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    return there && text[0] >= '0' && text[0] <= '9' ? strtoull(text, NULL, 10) : otherwise;
}

/* Pages of files, which the kernel writes back and drops on demand: counted as used, but available. */
static uint64_t reclaimable(const group *at) {
    FILE *file = open_value(at, "memory.stat");
    if (file == NULL) return 0;
    static const char *const keys[] = {"inactive_file ", "active_file ", "total_inactive_file ", "total_active_file "};
    const char *const *key = at->version_2 ? keys : keys + 2; /* version 1: with the groups below */
    uint64_t bytes = 0;
    char line[128];
    while (fgets(line, sizeof line, file) != NULL)
        for (int i = 0; i < 2; i++)
            if (strncmp(line, key[i], strlen(key[i])) == 0) bytes += strtoull(line + strlen(key[i]), NULL, 10);
    fclose(file);
    return bytes;
}

uint64_t platform_cgroup_memory_left(void) {
    group at;
    uint64_t left = UINT64_MAX;
    if (!find_group("memory", &at)) return left;
    do {
        const uint64_t limit = read_number(&at, at.version_2 ? "memory.max" : "memory.limit_in_bytes", UINT64_MAX);
        if (limit == UINT64_MAX) continue;
        const uint64_t used = read_number(&at, at.version_2 ? "memory.current" : "memory.usage_in_bytes", 0);
        const uint64_t spare = reclaimable(&at);
        const uint64_t held = used > spare ? used - spare : 0;
        const uint64_t here = limit > held ? limit - held : 0;
        if (here < left) left = here;
    } while (go_up(&at));
    return left;
}

/* One group's quota in cores, or 0. */
static double quota(const group *at) {
    if (!at->version_2) {
        const uint64_t runs = read_number(at, "cpu.cfs_quota_us", 0);
        const uint64_t period = read_number(at, "cpu.cfs_period_us", 0);
        return period > 0 ? (double)runs / (double)period : 0.0;
    }
    FILE *file = open_value(at, "cpu.max");
    if (file == NULL) return 0.0;
    unsigned long long runs = 0, period = 0;
    const int read = fscanf(file, "%llu %llu", &runs, &period); /* "max 100000": nothing is read */
    fclose(file);
    return read == 2 && period > 0 ? (double)runs / (double)period : 0.0;
}

double platform_cgroup_cpus(void) {
    group at;
    double least = 0.0;
    if (!find_group("cpu", &at)) return least;
    do {
        const double here = quota(&at);
        if (here > 0.0 && (least == 0.0 || here < least)) least = here;
    } while (go_up(&at));
    return least;
}
