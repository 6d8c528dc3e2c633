/* params_row.h: the state of a parameter's row: what it shows, and what it reports. params_make.h makes one. */
#ifndef WADI_WIDGETS_PARAMS_ROW_H
#define WADI_WIDGETS_PARAMS_ROW_H

#include <gtk/gtk.h>

#include "slide.h"

#include "wadi/sim.h"

#define PARAMS_REPORT_EVERY 34000 /* microseconds: at most 30 reports a second */

/* By the user, never by params_show. `name`: the parameter's symbol. `value`: in SI units for the cell size of the last
 * params_show and inside its bounds, or the number of a choice. While a slider moves, about 30 times a second; its
 * last value always comes. */
typedef void params_changed(void *user, const char *name, double value);

typedef struct params_row {
    const wadi_parameter *parameter;
    params_changed *changed;
    void *user;
    double least_usual; /* above 0, for cells of 1 m; 0: not known */

    GtkWidget *box, *reset;
    GtkWidget *scale, *entry;                /* of a number */
    GtkWidget *choice, *toggle;              /* of a choice: one of them */
    void (*display)(struct params_row *row); /* of a number: shows `value` */

    double minimum, maximum, standard; /* at the cell size shown */
    slide slide;
    double value; /* shown */
    bool showing; /* the widgets are being set by the program */
    bool focused; /* the entry */
    bool edited;  /* the entry holds what was typed and not yet taken */

    gint64 reported; /* when, in microseconds */
    guint report_timer, settle_timer;
    double given; /* by the program, while the user's own change was fresh */
    bool late;    /* it is to be shown */
} params_row;

/* What is allowed, and the default, at this cell size. */
void params_row_bounds(params_row *row, const wadi_def *def, int index, double standard);
void params_row_show(params_row *row, double value);
/* Whether each of the words is in its symbol, alias or meaning. */
bool params_row_matches(const params_row *row, char *const *words);
/* Nothing is reported any more. */
void params_row_stop(params_row *row);
/* {off, on} */
bool params_row_is_switch(const wadi_parameter *parameter);
/* "sediment capacity" */
char *params_row_words(const wadi_parameter *parameter);

/* For the parts of a row: the user has set it. `often`: a slider, which may do so at every frame. The last thing to
 * do, for the owner may then make the rows anew. */
void params_row_take(params_row *row, double value, bool often);

#endif
