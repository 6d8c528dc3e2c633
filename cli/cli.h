/* cli.h: the commands, and code that they share. */
#ifndef WADI_CLI_H
#define WADI_CLI_H

#include "report.h"
#include "run/escape.h"

#include "run/message.h"
#include "run/text.h"

/* The commands. argv[0] is the command's own name, as in `wadi run`. They return the exit code. */
int wadi_cmd_run(int argc, char **argv);
int wadi_cmd_generate(int argc, char **argv);
int wadi_cmd_render(int argc, char **argv);
int wadi_cmd_export(int argc, char **argv);
int wadi_cmd_compare(int argc, char **argv);
int wadi_cmd_info(int argc, char **argv);
int wadi_cmd_models(int argc, char **argv);
int wadi_cmd_presets(int argc, char **argv);
int wadi_cmd_devices(int argc, char **argv);
int wadi_cmd_bench(int argc, char **argv);
int wadi_cmd_view(int argc, char **argv);

#endif
