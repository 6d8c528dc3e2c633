#include "params_group.h"

#include "params_row.h"

#include <string.h>

/* The first match counts. */
static const struct {
    const char *word;
    params_group group;
} words[] = {
    {"deep-water", GROUP_SEDIMENT}, {"erosion-depth", GROUP_SEDIMENT},
    {"water", GROUP_WATER},         {"rain", GROUP_WATER},
    {"infiltration", GROUP_WATER},  {"manning", GROUP_WATER},
    {"shower", GROUP_WATER},        {"evaporation", GROUP_WATER},
    {"friction", GROUP_WATER},      {"pipe", GROUP_WATER},
    {"gravity", GROUP_WATER},       {"depth", GROUP_WATER},
    {"surface", GROUP_WATER},       {"speed", GROUP_WATER},
    {"velocity", GROUP_WATER},      {"damping", GROUP_WATER},
    {"sediment", GROUP_SEDIMENT},   {"dissolv", GROUP_SEDIMENT},
    {"solub", GROUP_SEDIMENT},      {"deposit", GROUP_SEDIMENT},
    {"capacity", GROUP_SEDIMENT},   {"abrasion", GROUP_SEDIMENT},
    {"erosion", GROUP_SEDIMENT},    {"tilt", GROUP_SEDIMENT},
    {"talus", GROUP_SLOPES},        {"slip", GROUP_SLOPES},
    {"thermal", GROUP_SLOPES},      {"hardness", GROUP_SLOPES},
    {"soften", GROUP_SLOPES},
};

const char *params_group_title(params_group group) {
    static const char *const titles[GROUPS] = {"Processes", "Water", "Erosion and sediment", "Slopes and hardness",
                                               "Forms of the equations"};
    return titles[group];
}

params_group params_group_of(const wadi_parameter *parameter, params_group before) {
    if (params_row_is_switch(parameter) || strcmp(parameter->alias, "algorithm") == 0) return GROUP_PROCESSES;
    if (parameter->choices != NULL) return GROUP_FORMS;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(parameter->alias, words[i].word) != NULL) return words[i].group;
    return before == GROUP_SEDIMENT || before == GROUP_SLOPES ? before : GROUP_WATER;
}
