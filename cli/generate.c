/* generate.c: wadi generate: a starting terrain or a rain map as a file. */
#include "options.h"

#include "run/escape.h"
#include "run/folder.h"
#include "run/generator.h"
#include "run/message.h"
#include "run/recipe.h"

#include "wadi/terrain.h"

#include <stdio.h>

static void list_kinds(void) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    for (int rain = 0; rain < 2; rain++) {
        printf(rain ? "\nrain maps, 0 to --relief (m/s as wadi run --rain @FILE reads them):\n" : "\nkinds:\n");
        for (size_t i = 0; i < count; i++)
            if (kinds[i].rain == rain) printf("  %-16s %s\n", kinds[i].name, kinds[i].summary);
    }
}

static const command generate_command = {
    .name = "generate",
    .usage = "KIND|--recipe FILE.yaml --size WxH -o FILE [options]",
    .summary = "Makes a starting terrain or a rain map. The same kind, size and seed give the same bits on every "
               "machine; random terrain keeps its large shapes at every size.",
    .options = run_generator_options,
    .arguments = "KIND",
    .arguments_from = 0,
    .arguments_to = 1,
    .list = list_kinds,
};

static wadi_status check_output(const generate_options *given) {
    if (!given->output)
        return wadi_fail(WADI_ERROR_ARGUMENT, "-o FILE is missing: wadi generate %s", generate_command.usage);
    return run_folder_check_heightmap(given->output, given->force);
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

/* Of cell size and world size, the one on the command line holds. */
static void prefer(const generate_options *given, generate_options *of_recipe) {
    if (given->cell.count) of_recipe->world = 0;
    if (given->world > 0) of_recipe->cell.count = 0;
}

/* The options that are given again on the command line override those of the recipe. */
static wadi_status read_recipe(int argc, char **argv, const generate_options *given, recipe *recipe) {
    arguments again;
    wadi_status status = run_recipe_read_terrain(given->recipe, recipe);
    if (status != WADI_OK) return status;
    prefer(given, &recipe->generated.options);
    options_parse(&generate_command, argc, argv, &recipe->generated.options, &again, &status);
    return status != WADI_OK ? status : run_generated_check(&recipe->generated);
}

static wadi_status one_terrain(const generate_options *given, const arguments *arguments) {
    if (given->recipe && arguments->count > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: the recipe says what to generate; leave one out",
                         arguments->items[0]);
    if (given->recipe || arguments->count > 0) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "KIND is missing: wadi generate %s", generate_command.usage);
}

static wadi_status generate(int argc, char **argv, const generate_options *given, const arguments *arguments) {
    recipe recipe = {.generated = {.kind = arguments->items[0], .options = *given}};
    wadi_status status = one_terrain(given, arguments);
    if (status != WADI_OK) return status;
    status = given->recipe ? read_recipe(argc, argv, given, &recipe) : run_generated_check(&recipe.generated);
    if (status == WADI_OK) status = check_output(given);
    wadi_raster *raster = NULL;
    if (status == WADI_OK) status = run_generated_make(recipe.file, &recipe.generated, &raster);
    if (status == WADI_OK)
        status = write_terrain(given, given->recipe ? as_shown(given->recipe) : recipe.generated.kind, raster);
    wadi_raster_destroy(raster);
    run_recipe_free(&recipe);
    return status;
}

int wadi_cmd_generate(int argc, char **argv) {
    generate_options given = run_generate_defaults;
    arguments arguments = {0};
    wadi_status status;
    if (options_parse(&generate_command, argc, argv, &given, &arguments, &status))
        status = generate(argc, argv, &given, &arguments);
    return report_end(status);
}
