#include "note.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

void run_note_lose(note *note) { note->broken = note->no_memory = true; }

/* Room for `count` more bytes. */
static bool make_room(note *note, size_t count) {
    if (note->no_memory) return false;
    if (note->room - note->size >= count) return true;
    const size_t room = note->size + note->size / 2 + count + 4096;
    unsigned char *grown = realloc(note->bytes, room);
    if (!grown) {
        run_note_lose(note);
        return false;
    }
    note->bytes = grown;
    note->room = room;
    return true;
}

static void put_bytes(note *note, const void *bytes, size_t count) {
    if (!make_room(note, count)) return;
    memcpy(note->bytes + note->size, bytes, count);
    note->size += count;
}

void run_note_put_integer(note *note, uint64_t number) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> (8 * i));
    put_bytes(note, bytes, sizeof bytes);
}

void run_note_put_double(note *note, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    run_note_put_integer(note, bits);
}

void run_note_put_block(note *note, const void *bytes, size_t count) {
    run_note_put_integer(note, count);
    put_bytes(note, bytes, count);
}

void run_note_put_text(note *note, const char *text) {
    run_note_put_block(note, text ? text : "", text ? strlen(text) : 0);
}

const unsigned char *run_note_take_bytes(note *note, uint64_t count) {
    if (note->broken || count > note->size - note->at) {
        note->broken = true;
        return NULL;
    }
    const unsigned char *bytes = note->bytes + note->at;
    note->at += (size_t)count;
    return bytes;
}

uint64_t run_note_take_integer(note *note) {
    const unsigned char *bytes = run_note_take_bytes(note, 8);
    uint64_t number = 0;
    for (int i = 0; bytes && i < 8; i++) number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

double run_note_take_double(note *note) {
    uint64_t bits = run_note_take_integer(note);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

char *run_note_take_text(note *note) {
    const uint64_t length = run_note_take_integer(note);
    const unsigned char *bytes = run_note_take_bytes(note, length);
    char *text = run_array_new(bytes ? (size_t)length + 1 : 1, 1);
    if (!text) run_note_lose(note);
    if (text && bytes) memcpy(text, bytes, (size_t)length);
    return text;
}

size_t run_note_take_count(note *note) {
    const uint64_t count = run_note_take_integer(note);
    if (count > (note->size - note->at) / 8) note->broken = true;
    return note->broken ? 0 : (size_t)count;
}

void *run_note_take_array(note *note, size_t size, size_t *count) {
    *count = run_note_take_count(note);
    void *items = run_array_new(*count, size);
    if (items) return items;
    run_note_lose(note);
    *count = 0;
    return NULL;
}

wadi_status run_note_memory(const note *note) {
    return note->no_memory ? wadi_fail(WADI_ERROR_MEMORY, "no memory for the plan of the run") : WADI_OK;
}
