/* checkpoint_writer.c: copies a checkpoint into pieces of memory, which a thread writes to the file. Without room for
 * all of it, the caller's thread writes the pieces so far, and then the rest. */
#include "checkpoint_writer.h"

#include "array.h"
#include "checkpoint.h"
#include "fail.h"
#include "folder.h"
#include "text.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE ((size_t)32 << 20)

typedef struct piece {
    struct piece *next;
    char *bytes; /* PIECE of them */
    size_t used;
} piece;

struct checkpoint_writer {
    char *path;
    folder_hold *hold; /* the run's; NULL: none */
    piece *first, *last;
    uint64_t room;          /* bytes that more pieces may take */
    uint64_t size;          /* bytes of this checkpoint so far */
    platform_new_file file; /* open where there was no room */
    bool open;
    platform_thread *thread; /* NULL: none is writing */
    atomic_bool ended;
    bool there;         /* a whole one of this run is in the folder */
    wadi_status status; /* of the file */
    char why[1024];
};

/* --- the file --- */

static wadi_status cannot_write(const char *path, int error) {
    return wadi_fail(run_fail_errno(WADI_ERROR_IO, error), "%s: cannot be written: %s", path, strerror(error));
}

static wadi_status put(const checkpoint_writer *writer, FILE *file, const void *bytes, size_t count) {
    errno = 0;
    if (fwrite(bytes, 1, count, file) == count) return WADI_OK;
    return wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s", writer->path, strerror(errno));
}

static wadi_status open_file(checkpoint_writer *writer) {
    const int error = platform_new_file_begin(writer->path, &writer->file);
    writer->open = error == 0;
    return error == 0 ? WADI_OK : cannot_write(writer->path, error);
}

static wadi_status put_pieces(const checkpoint_writer *writer) {
    wadi_status status = WADI_OK;
    for (const piece *piece = writer->first; piece && status == WADI_OK; piece = piece->next)
        status = put(writer, writer->file.file, piece->bytes, piece->used);
    return status;
}

/* The file gets its name if all was written. */
static wadi_status close_file(checkpoint_writer *writer, wadi_status status) {
    if (!writer->open) return status;
    writer->open = false;
    const int error = platform_new_file_end(&writer->file, writer->path, status == WADI_OK ? 0 : ECANCELED);
    return status != WADI_OK || error == 0 ? status : cannot_write(writer->path, error);
}

static wadi_status write_pieces(checkpoint_writer *writer) {
    wadi_status status = open_file(writer);
    if (status == WADI_OK) status = put_pieces(writer);
    return close_file(writer, status);
}

/* --- the copy --- */

static void drop_pieces(checkpoint_writer *writer) {
    while (writer->first) {
        piece *piece = writer->first;
        writer->first = piece->next;
        platform_pages_free(piece->bytes, PIECE);
        free(piece);
    }
    writer->last = NULL;
}

static bool add_piece(checkpoint_writer *writer) {
    if (writer->room < PIECE) return false;
    piece *made = calloc(1, sizeof *made);
    if (made) made->bytes = platform_pages(PIECE);
    if (!made || !made->bytes) {
        free(made);
        return false;
    }
    writer->room -= PIECE;
    if (writer->last)
        writer->last->next = made;
    else
        writer->first = made;
    writer->last = made;
    return true;
}

static wadi_status go_on_in_file(checkpoint_writer *writer) {
    wadi_status status = open_file(writer);
    if (status == WADI_OK) status = put_pieces(writer);
    drop_pieces(writer);
    writer->room = 0;
    return status;
}

static wadi_status take(void *context, const void *bytes, size_t count) {
    checkpoint_writer *writer = context;
    const char *from = bytes;
    writer->size += count;
    while (!writer->open && count > 0) {
        piece *piece = writer->last;
        const size_t left = piece ? PIECE - piece->used : 0, now = count < left ? count : left;
        if (now > 0) memcpy(piece->bytes + piece->used, from, now);
        if (piece) piece->used += now;
        from += now, count -= now;
        if (count == 0 || add_piece(writer)) continue;
        const wadi_status status = go_on_in_file(writer);
        if (status != WADI_OK) return status;
    }
    return count > 0 ? put(writer, writer->file.file, from, count) : WADI_OK;
}

/* --- beside the steps --- */

/* As soon as the file is whole, an interruption does not remove the folder. */
static void note_end(checkpoint_writer *writer, wadi_status status) {
    writer->status = status;
    if (status != WADI_OK) snprintf(writer->why, sizeof writer->why, "%s", wadi_error_message());
    if (status == WADI_OK && writer->hold) run_folder_begun(writer->hold);
}

static void write_beside(void *context) {
    checkpoint_writer *writer = context;
    note_end(writer, write_pieces(writer));
    atomic_store(&writer->ended, true);
}

static void start(checkpoint_writer *writer) {
    atomic_store(&writer->ended, false);
    writer->thread = platform_thread_start(write_beside, writer);
    if (!writer->thread) write_beside(writer);
}

/* A limit leaves no memory for a copy. Half of what is free is for what the run needs besides. */
static uint64_t room_for_copy(const run *run) {
    return wadi_sim_def(run->sim)->memory_limit > 0 ? 0 : platform_memory_bytes() / 2;
}

static wadi_status make_writer(run *run) {
    char *path = run_text_join(run->folder, CHECKPOINT);
    checkpoint_writer *made = path ? run_array_new(1, sizeof *made) : NULL;
    if (!made) {
        free(path);
        return WADI_ERROR_MEMORY;
    }
    made->path = path;
    made->there = run->plan.done > 0; /* it went on from one */
    run->writer = made;
    return WADI_OK;
}

/* A copy that was not written is kept. */
static void await(checkpoint_writer *writer) {
    if (writer->thread && !platform_thread_end(writer->thread))
        note_end(writer, wadi_fail(WADI_ERROR_IO, "%s: was being written at a fork", writer->path));
    writer->thread = NULL;
    if (writer->status != WADI_OK) return;
    writer->there = true;
    drop_pieces(writer);
}

wadi_status run_checkpoint_begin(run *run) {
    wadi_status status = run->writer ? WADI_OK : make_writer(run);
    if (status != WADI_OK) return status;
    checkpoint_writer *writer = run->writer;
    await(writer); /* whether it was written or not, there is a new one now */
    drop_pieces(writer);
    writer->hold = run->hold;
    writer->room = room_for_copy(run);
    if (writer->size > writer->room) writer->room = 0; /* the one before would not fit, so this one is not tried */
    writer->size = 0;
    status = run_checkpoint_save(run, take, writer);
    if (status == WADI_OK && !writer->open) {
        start(writer);
        return run_checkpoint_poll(run);
    }
    drop_pieces(writer);
    note_end(writer, close_file(writer, status));
    return run_checkpoint_end(run);
}

wadi_status run_checkpoint_end(run *run) {
    if (!run->writer) return WADI_OK;
    await(run->writer);
    return run->writer->status == WADI_OK ? WADI_OK : wadi_fail(run->writer->status, "%s", run->writer->why);
}

wadi_status run_checkpoint_poll(run *run) {
    return run->writer && atomic_load(&run->writer->ended) ? run_checkpoint_end(run) : WADI_OK;
}

uint64_t run_checkpoint_bytes(const run *run) { return run->writer ? run->writer->size : 0; }

bool run_checkpoint_there(run *run) {
    if (run->writer) await(run->writer);
    return !run->writer || run->writer->there;
}

wadi_status run_checkpoint_again(run *run) {
    if (run->writer->first) note_end(run->writer, write_pieces(run->writer));
    return run_checkpoint_end(run);
}

wadi_status run_checkpoint_write(run *run) {
    const wadi_status status = run_checkpoint_begin(run);
    return status == WADI_OK ? run_checkpoint_end(run) : status;
}

wadi_status run_checkpoint_remove(run *run) {
    char *path = run_text_join(run->folder, CHECKPOINT);
    if (!path) return WADI_ERROR_MEMORY;
    if (run->writer) await(run->writer);
    if (run->writer) run->writer->there = false;
    platform_remove_file(path);
    free(path);
    return WADI_OK;
}

void run_checkpoint_writer_free(run *run) {
    if (!run->writer) return;
    run_checkpoint_end(run);
    drop_pieces(run->writer);
    free(run->writer->path);
    free(run->writer);
    run->writer = NULL;
}

wadi_status run_checkpoint_write_file(const run *run, const char *path) {
    char *name = run_text_copy(path);
    if (!name) return WADI_ERROR_MEMORY;
    checkpoint_writer writer = {.path = name};
    wadi_status status = open_file(&writer);
    if (status == WADI_OK) status = close_file(&writer, run_checkpoint_save(run, take, &writer));
    free(name);
    return status;
}
