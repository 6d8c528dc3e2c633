/* model_tables.h (internal): makes tables of a model's lists. A model's <id>.c includes it after its <id>_cell.h. */
#include "core/model.h"
#include "core/reach_cell.h"

#define TABLE_FIELD(name, kind, outside) {#name, WADI_##kind, outside},
static const wadi_field fields[] = {MODEL_FIELDS(TABLE_FIELD)};

#define TABLE_MAP(name) {#name, offsetof(constants, name)},
static const wadi_map maps[] = {MODEL_MAPS(TABLE_MAP)};

#define TABLE_SWITCH(name, standard, reduced, at_sea) {#name, offsetof(constants, name), {standard, reduced, at_sea}},
static const wadi_switch switches[] = {MODEL_SWITCHES(TABLE_SWITCH)};

#define TABLE_READ(name, reach) {FIELD_##name, RADIUS_##reach, ROWS_##reach, ONE_##reach},
#define TABLE_MAP_READ(name, reach) {MAP_##name, RADIUS_##reach, ROWS_##reach, ONE_##reach},
#define TABLE_WRITE(name) FIELD_##name,
#define TABLE_SUM(name) WADI_SUM_##name,
#define TABLE_COUNT1(a) +1
#define TABLE_COUNT2(a, b) +1
#define TABLE_RADIUS(name, reach) | RADIUS_##reach /* radii are 0 or 1 */
#define TABLE_STAGE(name_, needs_, every_, border_, operations_, switches_) \
    { \
        .name = #name_, \
        .needs = needs_, \
        .every = every_, \
        .border = WADI_##border_, \
        .operations = operations_, \
        .switches = switches_, \
        .radius = 0 STAGE_##name_(TABLE_RADIUS, TABLE_RADIUS, CELL_SKIP1, CELL_SKIP1), \
        .reads = 0 STAGE_##name_(TABLE_COUNT2, CELL_SKIP2, CELL_SKIP1, CELL_SKIP1), \
        .maps = 0 STAGE_##name_(CELL_SKIP2, TABLE_COUNT2, CELL_SKIP1, CELL_SKIP1), \
        .writes = 0 STAGE_##name_(CELL_SKIP2, CELL_SKIP2, TABLE_COUNT1, CELL_SKIP1), \
        .sums = 0 STAGE_##name_(CELL_SKIP2, CELL_SKIP2, CELL_SKIP1, TABLE_COUNT1), \
        .read = {STAGE_##name_(TABLE_READ, CELL_SKIP2, CELL_SKIP1, CELL_SKIP1){-1, 0, 0, 0, 0, 0}}, \
        .map = {STAGE_##name_(CELL_SKIP2, TABLE_MAP_READ, CELL_SKIP1, CELL_SKIP1){-1, 0, 0, 0, 0, 0}}, \
        .write = {STAGE_##name_(CELL_SKIP2, CELL_SKIP2, TABLE_WRITE, CELL_SKIP1) - 1}, \
        .sum = {STAGE_##name_(CELL_SKIP2, CELL_SKIP2, CELL_SKIP1, TABLE_SUM) - 1}, \
        .cell = name_##_cell, \
    },
static const wadi_stage stages[] = {MODEL_STAGES(TABLE_STAGE)};
_Static_assert(sizeof stages / sizeof *stages <= WADI_MAX_STAGES, "room for them in the engines");

/* --- roles --- */

#define TABLE_FIELD_ROLE(role, name) [WADI_FIELD_##role] = FIELD_##name + 1,
#define TABLE_MAP_ROLE(role, name) [WADI_MAP_##role] = MAP_##name + 1,
#define TABLE_PARAMETER_ROLE(role, name) [WADI_PARAMETER_##role] = P_##name + 1,
#define TABLE_STAGE_ROLE(role, name) [WADI_STAGE_##role] = INDEX_##name + 1,
#define TABLE_PROCESS_ROLE(role, bit) [WADI_PROCESS_##role] = (bit),
#define FIELD_ROLES(each) MODEL_ROLES(each, CELL_SKIP2, CELL_SKIP2, CELL_SKIP2, CELL_SKIP2)
#define MAP_ROLES(each) MODEL_ROLES(CELL_SKIP2, each, CELL_SKIP2, CELL_SKIP2, CELL_SKIP2)
#define PARAMETER_ROLES(each) MODEL_ROLES(CELL_SKIP2, CELL_SKIP2, each, CELL_SKIP2, CELL_SKIP2)
#define STAGE_ROLES(each) MODEL_ROLES(CELL_SKIP2, CELL_SKIP2, CELL_SKIP2, each, CELL_SKIP2)
#define PROCESS_ROLES(each) MODEL_ROLES(CELL_SKIP2, CELL_SKIP2, CELL_SKIP2, CELL_SKIP2, each)

/* Roles as bits: the sum of all bits equals their union unless a role occurs twice. */
#define TABLE_ADD_FIELD(role, name) +(1u << WADI_FIELD_##role)
#define TABLE_ADD_MAP(role, name) +(1u << WADI_MAP_##role)
#define TABLE_ADD_PARAMETER(role, name) +(1u << WADI_PARAMETER_##role)
#define TABLE_ADD_STAGE(role, name) +(1u << WADI_STAGE_##role)
#define TABLE_ADD_PROCESS(role, bit) +(1u << WADI_PROCESS_##role)
#define TABLE_HAS_FIELD(role, name) | (1u << WADI_FIELD_##role)
#define TABLE_HAS_MAP(role, name) | (1u << WADI_MAP_##role)
#define TABLE_HAS_PARAMETER(role, name) | (1u << WADI_PARAMETER_##role)
#define TABLE_HAS_STAGE(role, name) | (1u << WADI_STAGE_##role)
#define TABLE_HAS_PROCESS(role, bit) | (1u << WADI_PROCESS_##role)
enum {
    FIELDS_NAMED = 0 FIELD_ROLES(TABLE_HAS_FIELD),
    MAPS_NAMED = 0 MAP_ROLES(TABLE_HAS_MAP),
    PARAMETERS_NAMED = 0 PARAMETER_ROLES(TABLE_HAS_PARAMETER),
    STAGES_NAMED = 0 STAGE_ROLES(TABLE_HAS_STAGE),
    PROCESSES_NAMED = 0 PROCESS_ROLES(TABLE_HAS_PROCESS),
};
_Static_assert(FIELDS_NAMED == 0 FIELD_ROLES(TABLE_ADD_FIELD), "each role of a field at most once");
_Static_assert(MAPS_NAMED == 0 MAP_ROLES(TABLE_ADD_MAP), "each role of a map at most once");
_Static_assert(PARAMETERS_NAMED == 0 PARAMETER_ROLES(TABLE_ADD_PARAMETER), "each role of a parameter at most once");
_Static_assert(STAGES_NAMED == 0 STAGE_ROLES(TABLE_ADD_STAGE), "each role of a stage at most once");
_Static_assert(PROCESSES_NAMED == 0 PROCESS_ROLES(TABLE_ADD_PROCESS), "each role of a process at most once");

#define TABLE_NAMED(kind, role) ((kind##S_NAMED >> WADI_##kind##_##role & 1) != 0)
_Static_assert(TABLE_NAMED(FIELD, TERRAIN) && TABLE_NAMED(FIELD, CHANGE), "MODEL_ROLES names terrain and change");
_Static_assert(TABLE_NAMED(FIELD, WATER) && TABLE_NAMED(FIELD, SEDIMENT), "MODEL_ROLES names water and sediment");
_Static_assert(TABLE_NAMED(FIELD, DISCHARGE) && TABLE_NAMED(STAGE, DISCHARGE),
               "MODEL_ROLES names the discharge and the stage that samples it");
_Static_assert(TABLE_NAMED(PARAMETER, TIME_STEP), "MODEL_ROLES names the time step");
_Static_assert(TABLE_NAMED(PARAMETER, RAIN) && TABLE_NAMED(MAP, RAIN), "MODEL_ROLES names the rain");
_Static_assert(PROCESSES_NAMED != 0, "MODEL_ROLES names the process of water");
_Static_assert(TABLE_NAMED(FIELD, HARDNESS) == TABLE_NAMED(PARAMETER, HARDNESS), "hardness: a field and a parameter");
_Static_assert(TABLE_NAMED(PARAMETER, SEA) == TABLE_NAMED(PARAMETER, SEA_LEVEL), "a sea: its switch and its level");
_Static_assert(TABLE_NAMED(PARAMETER, UPLIFT) == TABLE_NAMED(PARAMETER, ERODIBILITY), "uplift, and what rivers cut");
_Static_assert(TABLE_NAMED(FIELD, SLID) == TABLE_NAMED(PARAMETER, TRACK_SLIDING), "what slid: a field and its switch");
_Static_assert(TABLE_NAMED(FIELD, SPEED) == TABLE_NAMED(STAGE, SPEED), "speed: a field and a stage");

/* The terrain is static, speed and area are scratch. What the ground took up and what slid
 * are optional. All other fields are state. */
#define TABLE_KIND(name, kind, outside) KIND_##name = WADI_##kind,
enum { MODEL_FIELDS(TABLE_KIND) };
#define TABLE_EXPECTED_TERRAIN WADI_STATIC
#define TABLE_EXPECTED_CHANGE WADI_STATE
#define TABLE_EXPECTED_WATER WADI_STATE
#define TABLE_EXPECTED_SEDIMENT WADI_STATE
#define TABLE_EXPECTED_DISCHARGE WADI_STATE
#define TABLE_EXPECTED_HARDNESS WADI_STATE
#define TABLE_EXPECTED_SPEED WADI_SCRATCH
#define TABLE_EXPECTED_SOAKED WADI_OPTIONAL
#define TABLE_EXPECTED_SLID WADI_OPTIONAL
#define TABLE_EXPECTED_ICE WADI_STATE
#define TABLE_EXPECTED_AREA WADI_SCRATCH
#define TABLE_KIND_RIGHT(role, name) &&(int)KIND_##name == (int)TABLE_EXPECTED_##role
_Static_assert(1 FIELD_ROLES(TABLE_KIND_RIGHT), "the kinds of the fields that have roles");

/* The discharge is sampled every so many sub-steps; the speed is computed on request. */
#define TABLE_EVERY(name, needs, every, border, operations, switches) EVERY_##name = (every),
enum { MODEL_STAGES(TABLE_EVERY) };
#define TABLE_EVERY_RIGHT(role, name) &&(EVERY_##name == 0) == ((int)WADI_STAGE_##role == (int)WADI_STAGE_SPEED)
_Static_assert(1 STAGE_ROLES(TABLE_EVERY_RIGHT), "when the stages that have roles run");

#define TABLE_LENGTH(table) (int)(sizeof(table) / sizeof *(table))
#define MODEL_TABLES \
    .fields = fields, .field_count = TABLE_LENGTH(fields), .maps = maps, .map_count = TABLE_LENGTH(maps), \
    .switches = switches, .switch_count = TABLE_LENGTH(switches), .stages = stages, \
    .stage_count = TABLE_LENGTH(stages), \
    .roles = {.field = {FIELD_ROLES(TABLE_FIELD_ROLE)}, \
              .map = {MAP_ROLES(TABLE_MAP_ROLE)}, \
              .parameter = {PARAMETER_ROLES(TABLE_PARAMETER_ROLE)}, \
              .stage = {STAGE_ROLES(TABLE_STAGE_ROLE)}, \
              .process = {PROCESS_ROLES(TABLE_PROCESS_ROLE)}}, \
    .constants_bytes = sizeof(constants)
