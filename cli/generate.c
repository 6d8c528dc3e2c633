/* generate.c: wadi generate: a starting terrain or a rain map as a file. */
#include "options.h"

#include "run/escape.h"
#include "run/folder.h"
#include "run/generator.h"
#include "run/message.h"

#include "wadi/terrain.h"

#include <stdio.h>

static const command generate_command = {
    .name = "generate",
    .usage = "KIND --size WxH -o FILE [options]",
    .summary = "Makes a starting terrain or a rain map. The same kind, size and seed give the same bits on every "
               "machine; random terrain keeps its large shapes at every size.",
    .options = run_generator_options,
    .arguments = "KIND",
    .arguments_from = 1,
    .arguments_to = 1,
};

static wadi_status check_output(const generate_options *given) {
    const char *missing;
    if (!given->output)
        return wadi_fail(WADI_ERROR_ARGUMENT, "-o FILE is missing: wadi generate %s", generate_command.usage);
    wadi_format format = wadi_format_of_name(given->output);
    if (format == WADI_FORMAT_UNKNOWN || format == WADI_FORMAT_GDAL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: its ending names no format; use" WADI_FORMAT_ENDINGS, given->output);
    if (!wadi_format_available(format, &missing))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: this build cannot write it: %s", given->output, missing);
    return run_folder_check_file("-o ", given->output, given->force);
}

static wadi_status write_terrain(const generate_options *given, const char *kind, const wadi_raster *raster) {
    wadi_format format = wadi_format_of_name(given->output);
    const wadi_format_facts *facts = wadi_format_facts_of(format);
    bool cells = raster->lx != 1 || raster->ly != 1;
    wadi_write_options how = {.format = format, .sample = facts->sample};
    wadi_status status = wadi_raster_write(given->output, raster, &how);
    if (status != WADI_OK) return status;
    printf("%s: %s, %d x %d cells of %g x %g m\n", as_shown(given->output), kind, raster->width, raster->height,
           raster->lx, raster->ly);
    if (facts->bare && cells) printf("read it back with --cell-size %.9g,%.9g\n", raster->lx, raster->ly);
    if (how.sample == WADI_SAMPLE_UINT16)
        printf("read it back with --height-range %.9g,%.9g\n", how.used_offset,
               how.used_offset + 65535 * how.used_scale);
    return WADI_OK;
}

static wadi_status generate_file(const generate_options *given, const char *kind) {
    wadi_raster *raster = NULL;
    wadi_status status = run_generate_raster(given, kind, &raster);
    if (status == WADI_OK) status = write_terrain(given, kind, raster);
    wadi_raster_destroy(raster);
    return status;
}

static void list_kinds(void) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    for (int rain = 0; rain < 2; rain++) {
        printf(rain ? "\nrain maps, 0 to --relief (m/s as wadi run --rain @FILE reads them):\n" : "\nkinds:\n");
        for (size_t i = 0; i < count; i++)
            if (kinds[i].rain == rain) printf("  %-16s %s\n", kinds[i].name, kinds[i].summary);
    }
}

int wadi_cmd_generate(int argc, char **argv) {
    generate_options given = run_generate_defaults;
    arguments arguments;
    wadi_status status;
    if (!options_parse(&generate_command, argc, argv, &given, &arguments, &status)) {
        if (status == WADI_OK) list_kinds();
        return report_end(status);
    }
    const char *kind = arguments.items[0];
    status = run_generate_check(&given, kind);
    if (status == WADI_OK) status = check_output(&given);
    return report_end(status != WADI_OK ? status : generate_file(&given, kind));
}
