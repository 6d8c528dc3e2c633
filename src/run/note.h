/* note.h: bytes that are written and read in one order: numbers little-endian in 8 bytes, texts as a length and bytes.
 */
#ifndef WADI_RUN_NOTE_H
#define WADI_RUN_NOTE_H

#include "wadi/status.h"

typedef struct note {
    unsigned char *bytes; /* owned */
    size_t size, room;
    size_t at;      /* where reading goes on */
    bool broken;    /* reading found something else than was written; what is read from then on is 0 or "" */
    bool no_memory; /* broken, for want of memory; set by writing too */
} note;

void run_note_put_integer(note *note, uint64_t number);
void run_note_put_double(note *note, double number);
void run_note_put_block(note *note, const void *bytes, size_t count); /* after its length */
void run_note_put_text(note *note, const char *text);                 /* NULL: "" */

const unsigned char *run_note_take_bytes(note *note, uint64_t count); /* NULL where the note is broken */
uint64_t run_note_take_integer(note *note);
double run_note_take_double(note *note);
char *run_note_take_text(note *note); /* free it; NULL without memory */
/* Of items of at least 8 bytes each: no file makes more of them than it holds. */
size_t run_note_take_count(note *note);
/* The same, and room for as many items of `size` bytes, all 0; NULL and 0 without memory. free() it. */
void *run_note_take_array(note *note, size_t size, size_t *count);
void run_note_lose(note *note); /* memory was missing */
/* WADI_ERROR_MEMORY where it was. */
wadi_status run_note_memory(const note *note);

#endif
