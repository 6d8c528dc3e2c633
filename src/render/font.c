/* font.c: the strokes of each letter, and curves through their points.
 *
 * A glyph is strokes separated by blanks. A stroke is points of two characters, x then y. x: '0' to '9' are 0 to 9, 'a'
 * is 10 and so on. y: 'E' is the baseline, 'O' the top of a small letter, 'S' of a capital, 'A' the foot of a g. A
 * stroke that begins with
 * '~' is a curve through its points, with '@' a closed one. */
#include "font.h"

#include <stddef.h>
#include <stdint.h>

#define BOWL "@4O1N0J1F4E7F8J7N" /* of a b d o p q g */

static const char *const ASCII[] = {
    /* NOLINTBEGIN(bugprone-suspicious-missing-comma): letters share strokes */
    /*   */ "",
    /* ! */ "0S0I 0E0F",
    /* " */ "0S0O 3S3O",
    /* # */ "2E4S 6E8S 0J9J 1NaN",
    /* $ */ "~8P7R4S1R0P1M4L7K8H7F4E1F0H 4U4C",
    /* % */
    "1EaS @2S0Q2N4Q @9I7G9EbG",
    /* & */ "~aE3O2Q4S6Q4M1J0H1F4E7F9K",
    /* ' */ "0S0O",
    /* ( */ "~3T1Q0L1G3D",
    /* ) */ "~0T2Q3L2G0D",
    /* * */ "3S3M 0Q6N 6Q0N",
    /* + */ "4N4F 0J8J",
    /* , */ "1F1E0C",
    /* - */ "0J5J",
    /* . */ "0E0F",
    /* / */ "0D6T",
    /* 0 */ "@4S1Q0L1G4E7G8L7Q",
    /* 1 */ "2P5S5E",
    /* 2 */ "~0P1R4S7R8O7L4I0E 0E8E",
    /* 3 */ "~0Q2S5S7R8P7N5L3L ~3L6L8J8H7F4E2E0G",
    /* 4 */ "6E6S0I8I",
    /* 5 */ "7S1S0M ~0M2N4N7M8J7G4E2E0F",
    /* 6 */ "~7R5S3R1O0J1G4E7G8I7M4N1L0J",
    /* 7 */ "0S8S3E",
    /* 8 */ "@4S2R1P2M4L6M7P6R @4L1K0H1F4E7F8H7K",
    /* 9 */ "~1F3E5F7I8N7Q4S1Q0O1K4J7L8N",
    /* : */ "0E0F 0M0N",
    /* ; */ "1M1N 1F1E0C",
    /* < */ "8O0J8E",
    /* = */ "0M8M 0H8H",
    /* > */ "0O8J0E",
    /* ? */ "~0P1R4S7R8P6M4K4I 4E4F",
    /* @ */ "~8H6G4H3J4M6N8M8J9HbIcLbQ8S5S2Q0M0J2F5E8E",
    /* A */ "0E5SaE 2J8J",
    /* B */ "0L5L 5E0E0S5S ~5S8R8M5L ~5L8K9I8F5E",
    /* C */ "~aP8R5S2R0N0J2F5E8FaH",
    /* D */ "4E0E0S4S ~4S8QaL8G4E",
    /* E */ "8S0S0E8E 0L7L",
    /* F */ "8S0S0E 0L7L",
    /* G */ "~aP8R5S2R0N0J2F5E8FaH aHaL6L",
    /* H */ "0E0S 9E9S 0L9L",
    /* I */ "0E0S",
    /* J */ "6S6I ~6I5F3E1F0H",
    /* K */ "0E0S 8S0J 3M9E",
    /* L */ "0S0E7E",
    /* M */ "0E0S5GaSaE",
    /* N */ "0E0S9E9S",
    /* O */ "@5S2R0N0J2F5E8FaJaN8R",
    /* P */ "0E0S5S ~5S8R9O8L5K 5K0K",
    /* Q */ "@5S2R0N0J2F5E8FaJaN8R 6IaD",
    /* R */ "0E0S5S ~5S8R9O8L5K 5K0K 4K9E",
    /* S */ "~8P7R4S1R0P1M4L7K8H7F4E1F0H",
    /* T */ "0SaS 5S5E",
    /* U */ "0S0J ~0J1G3E6E8G9J 9J9S",
    /* V */ "0S5EaS",
    /* W */ "0S3E6Q9EcS",
    /* X */ "0S9E 9S0E",
    /* Y */ "0S5LaS 5L5E",
    /* Z */ "0S9S0E9E",
    /* [ */ "3T0T0D3D",
    /* \ */ "0T6D",
    /* ] */ "0T3T3D0D",
    /* ^ */ "0N4S8N",
    /* _ */ "0C8C",
    /* ` */ "0S2P",
    /* a */ BOWL " 8O8E",
    /* b */ BOWL " 0S0E",
    /* c */ "~8M6O4O1M0J1G4E6E8G",
    /* d */ BOWL " 8S8E",
    /* e */ "0J8J ~8J7N4O1N0J1F4E6E8G",
    /* f */ "~5S3S2Q2N 2N2E 0O5O",
    /* g */ BOWL " 8O8D ~8D7B4A1B",
    /* h */ "0S0E ~0K2N4O7N8K 8K8E",
    /* i */ "0O0E 0R0S",
    /* j */ "2O2C ~2C1A0A 2R2S",
    /* k */ "0S0E 7O0I 3K8E",
    /* l */ "0S0E",
    /* m */ "0O0E ~0K2N4O6N7K 7K7E ~7K9NbOdNeK eKeE",
    /* n */ "0O0E ~0K2N4O7N8K 8K8E",
    /* o */ BOWL,
    /* p */ BOWL " 0O0A",
    /* q */ BOWL " 8O8A",
    /* r */ "0O0E ~0J1M3O5O",
    /* s */ "~7M6N4O1N0M1K4J6I7H6F4E1F0G",
    /* t */ "2R2H ~2H3F4E6E 0O5O",
    /* u */ "8O8E ~8I6F4E1F0I 0I0O",
    /* v */ "0O4E8O",
    /* w */ "0O3E6N9EcO",
    /* x */ "0O7E 7O0E",
    /* y */ "0O4E 8O4E ~4E3C2B0A",
    /* z */ "0O7O0E7E",
    /* { */ "~4T2R2N0L2J2F4D",
    /* | */ "0T0C",
    /* } */ "~0T2R2N4L2J2F0D",
    /* ~ */ "~0K2M4L6K8M",
    /* NOLINTEND(bugprone-suspicious-missing-comma) */
};
_Static_assert(sizeof ASCII / sizeof *ASCII == 95, "one glyph for each printing ASCII character");

static const struct {
    uint32_t code;
    const char *strokes;
} OTHERS[] = {
    {0xb0, "@2S0Q2O4Q"},               /* degree */
    {0xb2, "~0R1S3S4Q3O0L 0L4L"},      /* squared */
    {0xb3, "~0R2S4R4Q2P ~2P4O4M2L0M"}, /* cubed */
    {0xb5, "0O0A ~0I1F4E6F8I 8O8E"},   /* micro */
    {0xb7, "0J0K"},                    /* middle dot */
    {0xd7, "1M7G 7M1G"},               /* times */
    {0x2013, "0J7J"},                  /* en dash */
    {0x2212, "0J8J"},                  /* minus */
};
#define BOX "0E0S7S7E0E"

static uint32_t next_code(const char **text) {
    const unsigned char *p = (const unsigned char *)*text;
    const int more = p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : p[0] >= 0xc0 ? 1 : 0;
    uint32_t code = more == 3 ? p[0] & 7u : more == 2 ? p[0] & 15u : more == 1 ? p[0] & 31u : p[0];
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80) { /* cut short: the lead byte alone is one character */
            *text += 1;
            return 0xfffd;
        }
        code = code << 6 | (p[i] & 63u);
    }
    *text += 1 + more;
    return code;
}

static const char *strokes_of(uint32_t code) {
    if (code < 32 || code == 127) return "";
    if (code < 127) return ASCII[code - 32];
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (OTHERS[i].code == code) return OTHERS[i].strokes;
    return BOX;
}

typedef struct point {
    double x, y;
} point;

static void add_segment(render_glyph *glyph, point a, point b) {
    if (glyph->segments == RENDER_FONT_SEGMENTS) return;
    glyph->segment[glyph->segments++] = (render_segment){a.x, a.y, b.x, b.y};
}

static double spline(double a, double b, double c, double d, double t) {
    return b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)));
}

/* Catmull-Rom through all points; an open curve's ends count twice. */
static void add_curve(render_glyph *glyph, const point *points, int count, int closed) {
    enum { PIECES = 5 };
    const int spans = closed ? count : count - 1;
    for (int i = 0; i < spans; i++) {
        const point a = points[closed ? (i + count - 1) % count : i > 0 ? i - 1 : 0], b = points[i];
        const point c = points[(i + 1) % count];
        const point d = points[closed ? (i + 2) % count : i + 2 < count ? i + 2 : count - 1];
        point from = b;
        for (int piece = 1; piece <= PIECES; piece++) {
            const double t = (double)piece / PIECES;
            const point to = {spline(a.x, b.x, c.x, d.x, t), spline(a.y, b.y, c.y, d.y, t)};
            add_segment(glyph, from, to);
            from = to;
        }
    }
}

static const char *add_stroke(render_glyph *glyph, const char *strokes) {
    point points[32];
    int count = 0;
    const char kind = *strokes;
    if (kind == '~' || kind == '@') strokes++;
    for (; *strokes != '\0' && *strokes != ' ' && count < 32; strokes += 2) {
        const double x = strokes[0] <= '9' ? strokes[0] - '0' : strokes[0] - 'a' + 10;
        points[count++] = (point){x, strokes[1] - 'E'};
        if (x > glyph->width) glyph->width = x;
    }
    if (kind == '~' || kind == '@') {
        add_curve(glyph, points, count, kind == '@');
    } else {
        for (int i = 1; i < count; i++) add_segment(glyph, points[i - 1], points[i]);
    }
    return strokes;
}

void render_font_next(const char **text, render_glyph *glyph) {
    const uint32_t code = next_code(text);
    const char *strokes = strokes_of(code);
    glyph->width = 0.0;
    glyph->segments = 0;
    while (*strokes != '\0') {
        strokes = add_stroke(glyph, strokes);
        if (*strokes == ' ') strokes++;
    }
    if (glyph->segments == 0) glyph->width = 3.0;
    if (code >= '0' && code <= '9') glyph->width = 8.0; /* so that digits align in columns */
}
