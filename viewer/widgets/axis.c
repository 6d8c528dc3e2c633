#include "axis.h"

#include <glib.h>
#include <math.h>

#define DIGITS_LOG 3

/* The k-th of the steps 1, 2 and 5 times a power of ten. */
static double nice_step(int k) {
    static const double mantissas[] = {1, 2, 5};
    const int power = (int)floor(k / 3.0);
    return mantissas[k - 3 * power] * pow(10, power);
}

static int put_ticks(axis *axis, double step, int most) {
    const double slack = 1e-6 * (axis->high - axis->low);
    const double first = ceil((axis->low - slack) / step), last = floor((axis->high + slack) / step);
    if (last - first + 1 > most) return most + 1;
    axis->ticks = 0;
    for (double i = first; i <= last; i++) axis->tick[axis->ticks++] = i * step;
    return axis->ticks;
}

/* A constant value gets a range around it. */
static void open_range(axis *axis) {
    if (!isfinite(axis->low) || !isfinite(axis->high)) {
        axis->low = 0;
        axis->high = 1;
    }
    axis->low = CLAMP(axis->low, -1e150, 1e150);
    axis->high = CLAMP(axis->high, -1e150, 1e150);
    const double least = fmax(1e-150, 1e-9 * fmax(fabs(axis->low), fabs(axis->high)));
    if (axis->high - axis->low > least) return;
    const double middle = axis->low, room = fabs(middle) > 1e-150 ? 0.1 * fabs(middle) : 1;
    axis->low = middle - room;
    axis->high = middle + room;
}

static void choose_text(axis *axis, double step) {
    static const char *const suffixes[] = {"", "k", "M", "G", "T"};
    const double most = fmax(fabs(axis->low), fabs(axis->high));
    int thousands = most >= 1e4 ? (int)floor(log10(most) / 3) : 0;
    thousands = MIN(thousands, 4);
    axis->scale = pow(1000, thousands);
    axis->suffix = suffixes[thousands];
    axis->decimals = (int)fmax(0, -floor(log10(step / axis->scale) + 1e-9));
    if (axis->decimals > 4) axis->decimals = -(int)fmin(15, floor(log10(most)) - floor(log10(step) + 1e-9) + 1);
}

axis axis_linear(double low, double high, int wanted) {
    axis axis = {.low = low, .high = high};
    open_range(&axis);
    const int most = CLAMP(wanted, 2, AXIS_TICKS - 2);
    int k = (int)floor(3 * log10((axis.high - axis.low) / most)) - 2;
    while (put_ticks(&axis, nice_step(k), most) > most) k++;
    /* One step may give too few ticks and the next one too many. */
    if (axis.ticks < 2) put_ticks(&axis, nice_step(--k), AXIS_TICKS);
    choose_text(&axis, nice_step(k));
    return axis;
}

axis axis_log(double low, double high, int wanted) {
    if (!(low > 0 && high > low * (1 + 1e-6) && isfinite(high))) return axis_linear(low, high, wanted);
    axis axis = {.low = low, .high = high, .scale = 1, .suffix = "", .decimals = -DIGITS_LOG};
    const int most = CLAMP(wanted, 2, AXIS_TICKS);
    for (int stride = 1;; stride++) { /* only powers of ten, where 1, 2, 5 are too many */
        axis.ticks = 0;
        const int from = (int)floor(3 * log10(low)) - 1, to = (int)ceil(3 * log10(high)) + 1;
        int count = 0;
        for (int k = from; k <= to; k++) {
            const double tick = nice_step(k);
            if (tick < low * (1 - 1e-6) || tick > high * (1 + 1e-6)) continue;
            if (stride > 1 && k % (3 * (stride - 1)) != 0) continue;
            if (++count <= AXIS_TICKS) axis.tick[axis.ticks++] = tick;
        }
        if (count <= most) break;
    }
    return axis.ticks >= 2 ? axis : axis_linear(low, high, wanted);
}

const char *axis_text(const axis *axis, int tick, char text[NUMBER_TEXT]) {
    const double value = axis->tick[tick];
    if (axis->decimals < 0) return number_rounded(value, -axis->decimals, text);
    char format[8];
    g_snprintf(format, sizeof format, "%%.%df", axis->decimals);
    g_ascii_formatd(text, NUMBER_TEXT, format, value == 0 ? 0 : value / axis->scale);
    if (value != 0) g_strlcat(text, axis->suffix, NUMBER_TEXT);
    return text;
}
