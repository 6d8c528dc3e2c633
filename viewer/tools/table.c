/* table.c: the table of tools, from tools.def. */
#include "viewer/tools/table.h"

#define TOOL(name) extern const tool tool_##name;
#include "viewer/tools/tools.def"
#undef TOOL

#define TOOL(name) &tool_##name,
const tool *const tool_table[TOOLS] = {
#include "viewer/tools/tools.def"
};
#undef TOOL
