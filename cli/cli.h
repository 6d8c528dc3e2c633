/* cli.h: the commands, and code that they share. */
#ifndef WADI_CLI_H
#define WADI_CLI_H

#include "report.h"
#include "run/escape.h"

#include "run/message.h"
#include "run/text.h"

/* The commands. argv[0] is the command's own name, as in `wadi run`. They return the exit code. */
#define COMMAND(name, summary) int wadi_cmd_##name(int argc, char **argv);
#include "commands.def"
#undef COMMAND

#endif
