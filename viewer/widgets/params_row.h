/* params_row.h: the state of a parameter's row: the value it shows, and its reports. params_make.h makes rows. */
#ifndef WADI_WIDGETS_PARAMS_ROW_H
#define WADI_WIDGETS_PARAMS_ROW_H

#include <gtk/gtk.h>

#include "slide.h"

#include "wadi/sim.h"

#define PARAMS_REPORT_EVERY 34000 /* microseconds: at most 30 reports a second */

/* Called when the user changes a value, never by params_show. `name` is the parameter's symbol. `value` is in SI units
 * for the cell size of the last params_show, and within its bounds; or it is the number of a choice. A moving slider
 * reports about 30 times a second; its last value always comes. */
typedef void params_changed(void *user, const char *name, double value);

typedef struct params_row {
    const wadi_parameter *parameter;
    params_changed *changed;
    void *user;
    double least_usual; /* smallest value above 0, for cells of 1 m; 0: unknown */

    GtkWidget *box, *reset;
    GtkWidget *scale, *entry;                /* if it is a number */
    GtkWidget *choice, *toggle;              /* if it is a choice: one of the two */
    void (*display)(struct params_row *row); /* shows `value`; NULL: a choice */

    double minimum, maximum, standard; /* at the current cell size */
    slide slide;
    double value; /* the value shown */
    bool showing; /* the program is setting the widgets */
    bool focused; /* whether the entry has the focus */
    bool edited;  /* the entry holds text that is not taken yet */

    gint64 reported; /* time of the last report, microseconds */
    guint report_timer, settle_timer;
    double given; /* set by the program soon after the user changed the value */
    bool late;    /* `given` is still to be shown */
} params_row;

/* The range and the value that the row goes back to. */
void params_row_range(params_row *row, double minimum, double maximum, double standard);
/* The bounds and the default at this cell size, and the tooltip. */
void params_row_bounds(params_row *row, const wadi_def *def, int index, double standard);
void params_row_show(params_row *row, double value);
/* Whether each word occurs in the symbol, the alias or the meaning. */
bool params_row_matches(const params_row *row, char *const *words);
/* Stops all reports. */
void params_row_stop(params_row *row);
/* whether the choices are {off, on} */
bool params_row_is_switch(const wadi_parameter *parameter);
/* the alias as words: "sediment capacity" */
char *params_row_words(const wadi_parameter *parameter);

/* For the parts of a row: takes a value that the user has set. `often`: it comes from a slider, which may report every
 * frame. Call it last, because the owner may make the rows anew. */
void params_row_take(params_row *row, double value, bool often);

#endif
