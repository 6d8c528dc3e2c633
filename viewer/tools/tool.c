/* tool.c: what tools have in common. */
#include "viewer/tools/tool.h"

#include <math.h>

bool tool_is_brush(const tool *tool) { return tool->unit != NULL; }

double tool_tidy(double cells) { return floor(cells * 64 + 0.5) / 64; }
