/* params_group.h: under which head a parameter stands in the panel. */
#ifndef WADI_WIDGETS_PARAMS_GROUP_H
#define WADI_WIDGETS_PARAMS_GROUP_H

#include "wadi/model.h"

typedef enum params_group {
    GROUP_PROCESSES,
    GROUP_WATER,
    GROUP_SEDIMENT,
    GROUP_SLOPES,
    GROUP_FORMS,
    GROUPS
} params_group;

const char *params_group_title(params_group group);
/* By words of its alias; one that says nothing goes with the parameter before it in the table, which is in `before`. */
params_group params_group_of(const wadi_parameter *parameter, params_group before);

#endif
