/* params_group.h: the group of a parameter in the panel. */
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
/* Found by words of the parameter's alias. Without a match it is the group of the previous parameter in the table,
 * `before`. */
params_group params_group_of(const wadi_parameter *parameter, params_group before);

#endif
