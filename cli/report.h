/* report.h: errors, notes and warnings on standard error. */
#ifndef WADI_CLI_REPORT_H
#define WADI_CLI_REPORT_H

/* Each line after "wadi: ". */
void report_on_stderr(void);

#endif
