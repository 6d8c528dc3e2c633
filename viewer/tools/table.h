/* table.h: all tools. */
#ifndef WADI_VIEWER_TOOLS_TABLE_H
#define WADI_VIEWER_TOOLS_TABLE_H

#include "viewer/tools/tool.h"

#define TOOL(name) TOOL_##name,
enum {
#include "viewer/tools/tools.def"
    TOOLS
};
#undef TOOL

extern const tool *const tool_table[TOOLS];

#endif
