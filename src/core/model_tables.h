/* model_tables.h (internal): a model's lists as tables. A model's <id>.c includes it after its <id>_cell.h. */
#include "core/model.h"
#include "core/reach_cell.h"

#define TABLE_FIELD(name, kind, outside) {#name, WADI_##kind, outside},
static const wadi_field fields[] = {MODEL_FIELDS(TABLE_FIELD)};

#define TABLE_MAP(name) {#name, offsetof(constants, name)},
static const wadi_map maps[] = {MODEL_MAPS(TABLE_MAP)};

#define TABLE_SWITCH(name, usual, lean) {#name, offsetof(constants, name), usual, lean},
static const wadi_switch switches[] = {MODEL_SWITCHES(TABLE_SWITCH)};

#define TABLE_READ(name, reach) {FIELD_##name, RADIUS_##reach, ONE_##reach},
#define TABLE_MAP_READ(name, reach) {MAP_##name, RADIUS_##reach, ONE_##reach},
#define TABLE_WRITE(name) FIELD_##name,
#define TABLE_SUM(name) WADI_SUM_##name,
#define TABLE_COUNT1(a) +1
#define TABLE_COUNT2(a, b) +1
#define TABLE_RADIUS(name, reach) | RADIUS_##reach /* radii are 0 or 1 */
#define TABLE_STAGE(name_, needs_, every_, border_, operations_) \
    { \
        .name = #name_, \
        .needs = needs_, \
        .every = every_, \
        .border = WADI_##border_, \
        .operations = operations_, \
        .radius = 0 STAGE_##name_(TABLE_RADIUS, TABLE_RADIUS, CELL_SKIP1, CELL_SKIP1), \
        .reads = 0 STAGE_##name_(TABLE_COUNT2, CELL_SKIP2, CELL_SKIP1, CELL_SKIP1), \
        .maps = 0 STAGE_##name_(CELL_SKIP2, TABLE_COUNT2, CELL_SKIP1, CELL_SKIP1), \
        .writes = 0 STAGE_##name_(CELL_SKIP2, CELL_SKIP2, TABLE_COUNT1, CELL_SKIP1), \
        .sums = 0 STAGE_##name_(CELL_SKIP2, CELL_SKIP2, CELL_SKIP1, TABLE_COUNT1), \
        .read = {STAGE_##name_(TABLE_READ, CELL_SKIP2, CELL_SKIP1, CELL_SKIP1){-1, 0, 0, 0}}, \
        .map = {STAGE_##name_(CELL_SKIP2, TABLE_MAP_READ, CELL_SKIP1, CELL_SKIP1){-1, 0, 0, 0}}, \
        .write = {STAGE_##name_(CELL_SKIP2, CELL_SKIP2, TABLE_WRITE, CELL_SKIP1) - 1}, \
        .sum = {STAGE_##name_(CELL_SKIP2, CELL_SKIP2, CELL_SKIP1, TABLE_SUM) - 1}, \
        .cell = name_##_cell, \
    },
static const wadi_stage stages[] = {MODEL_STAGES(TABLE_STAGE)};
_Static_assert(sizeof stages / sizeof *stages <= WADI_MAX_STAGES, "room for them in the engines");

#define TABLE_LENGTH(table) (int)(sizeof(table) / sizeof *(table))
#define MODEL_TABLES \
    .fields = fields, .field_count = TABLE_LENGTH(fields), .maps = maps, .map_count = TABLE_LENGTH(maps), \
    .switches = switches, .switch_count = TABLE_LENGTH(switches), .stages = stages, \
    .stage_count = TABLE_LENGTH(stages), .constants_bytes = sizeof(constants)
