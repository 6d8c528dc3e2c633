#include "video.h"

#include "array.h"
#include "fail.h"
#include "folder.h"
#include "message.h"
#include "text.h"

#include "platform/platform.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* H.264 and VP9 halve the resolution of colours, so sides must be even. Without a colour standard, players assume
 * BT.601 or BT.709 by the size: so it is set. */
#define EVEN_709 "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
#define NAMED_709 "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"

enum { MOST_WORDS = 48, LONGEST_SIDE = 16384 };

typedef struct kind {
    const char *ending, *format;
    const char *const words[32]; /* ended by NULL */
} kind;

/* A GIF has a palette for each picture; a common one would need all pictures in memory. Ordered dithering does not
 * flicker between pictures. */
static const kind kinds[] = {
    {".mp4",
     "mp4",
     {"-vf", EVEN_709, "-c:v", "libx264", "-preset", "medium", "-crf", "18", NAMED_709, "-movflags", "+faststart"}},
    {".webm",
     "webm",
     {"-vf", EVEN_709, "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-deadline", "good", "-cpu-used", "4",
      "-row-mt", "1", NAMED_709}},
    {".gif",
     "gif",
     {"-filter_complex",
      "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4", "-c:v", "gif",
      "-loop", "0"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct video {
    platform_process *ffmpeg; /* NULL: it has failed */
    char *path;
    platform_new_file made; /* the file that ffmpeg writes */
    size_t frame_bytes;
    int64_t frames;
};

static bool ends_with(const char *path, const char *ending) {
    const size_t length = strlen(path), tail = strlen(ending);
    if (length <= tail) return false;
    for (size_t i = 0; i < tail; i++)
        if (tolower((unsigned char)path[length - tail + i]) != ending[i]) return false;
    return true;
}

static wadi_status find_kind(const char *path, const kind **found) {
    *found = NULL;
    for (int i = 0; i < KINDS; i++)
        if (ends_with(path, kinds[i].ending)) *found = &kinds[i];
    if (*found) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a video's name ends in .mp4, .webm or .gif", path);
}

/* The last informative line within `text`. ffmpeg always ends with "Conversion failed!". */
static const char *last_line(char *text) {
    const char *line = "it does not say why";
    while (*text) {
        char *end = text + strcspn(text, "\r\n"), *next = *end ? end + 1 : end;
        *end = '\0';
        while (*text == ' ') text++;
        if (*text && strcmp(text, "Conversion failed!") != 0) line = text;
        text = next;
    }
    return line;
}

/* Ends ffmpeg. If it failed, sets the error. */
static wadi_status end_ffmpeg(platform_process *ffmpeg, const char *path, wadi_status status, bool whole) {
    char said[4096];
    const int ended = platform_process_end(ffmpeg, said, sizeof said);
    if (ended == 0 && whole) return WADI_OK;
    if (ended < 0) return wadi_fail(status, "%s: cannot be written: ffmpeg was stopped", path);
    return wadi_fail(status, "%s: cannot be written: ffmpeg: %s", path, last_line(said));
}

static wadi_status start_ffmpeg(const char *path, const char *const *words, platform_process **ffmpeg) {
    const int error = platform_process_start(words, ffmpeg);
    if (error == 0) return WADI_OK;
    if (error == ENOENT)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "%s: the program ffmpeg, which writes videos, is not found: install ffmpeg", path);
    return wadi_fail(run_fail_errno(WADI_ERROR_ARGUMENT, error),
                     "%s: the program ffmpeg, which writes videos, cannot be started: %s", path, strerror(error));
}

/* `format` and `output` are for ffmpeg. */
static wadi_status start(const char *path, const kind *kind, const int size[2], double frames_per_s, const char *format,
                         const char *output, platform_process **ffmpeg) {
    char picture[32], rate[32];
    snprintf(picture, sizeof picture, "%dx%d", size[0], size[1]);
    snprintf(rate, sizeof rate, "%.10g", frames_per_s);
    const char *const input[] = {
        "ffmpeg",        "-hide_banner", "-loglevel",   "error", "-nostdin",   "-y", "-f", "rawvideo",
        "-pixel_format", "rgb24",        "-video_size", picture, "-framerate", rate, "-i", "pipe:0"};
    const char *words[MOST_WORDS];
    size_t count = 0;
    for (size_t i = 0; i < sizeof input / sizeof *input; i++) words[count++] = input[i];
    for (size_t i = 0; kind->words[i]; i++) words[count++] = kind->words[i];
    words[count++] = "-f";
    words[count++] = format;
    words[count++] = output;
    words[count] = NULL;
    return start_ffmpeg(path, words, ffmpeg);
}

/* Encodes one small picture as a test: the ffmpeg that is found may lack the encoder. */
wadi_status run_video_check_file(const char *path) {
    static const uint8_t black[64 * 64 * 3];
    const int size[] = {64, 64};
    const kind *kind;
    platform_process *ffmpeg;
    wadi_status status = find_kind(path, &kind);
    if (status == WADI_OK) status = start(path, kind, size, 25, "null", "-", &ffmpeg);
    if (status != WADI_OK) return status;
    const bool whole = platform_process_write(ffmpeg, black, sizeof black) == 0;
    return end_ffmpeg(ffmpeg, path, WADI_ERROR_ARGUMENT, whole);
}

/* The file that ffmpeg is to write, and ffmpeg. */
static wadi_status begin(video *made, const kind *kind, const int size[2], double frames_per_s) {
    const int error = platform_new_file_begin(made->path, &made->made);
    if (error)
        return wadi_fail(run_fail_errno(WADI_ERROR_ARGUMENT, error), "%s: cannot be written: %s", made->path,
                         strerror(error));
    /* with "file:", a colon in the name does not start a protocol */
    char *output = run_text_format("file:%s", made->made.temporary);
    if (!output) return WADI_ERROR_MEMORY;
    const wadi_status status = start(made->path, kind, size, frames_per_s, kind->format, output, &made->ffmpeg);
    free(output);
    return status;
}

wadi_status run_video_open(const char *path, int width, int height, double frames_per_s, video **result) {
    const int size[] = {width, height};
    const kind *kind;
    *result = NULL;
    if (width < 2 || height < 2 || width > LONGEST_SIDE || height > LONGEST_SIDE)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a video's pictures have 2 to %d pixels a side, not %d x %d", path,
                         LONGEST_SIDE, width, height);
    wadi_status status = find_kind(path, &kind);
    if (status == WADI_OK) status = run_folder_check_file("", path, true);
    if (status != WADI_OK) return status;
    video *made = run_array_new(1, sizeof *made);
    if (!made) return WADI_ERROR_MEMORY;
    made->path = run_text_copy(path);
    made->frame_bytes = (size_t)width * (size_t)height * 3;
    status = made->path ? begin(made, kind, size, frames_per_s) : WADI_ERROR_MEMORY;
    if (status != WADI_OK)
        run_video_discard(made);
    else
        *result = made;
    return status;
}

static wadi_status gone(const video *video) {
    return wadi_fail(WADI_ERROR_IO, "%s: cannot be written: ffmpeg has ended after an error", video->path);
}

wadi_status run_video_frame(video *video, const uint8_t *rgb) {
    if (!video->ffmpeg) return gone(video);
    if (platform_process_write(video->ffmpeg, rgb, video->frame_bytes) == 0) {
        video->frames++;
        return WADI_OK;
    }
    platform_process *ffmpeg = video->ffmpeg;
    video->ffmpeg = NULL;
    return end_ffmpeg(ffmpeg, video->path, WADI_ERROR_IO, false);
}

static wadi_status put_in_place(video *video) {
    const int error = platform_new_file_end(&video->made, video->path, 0);
    return error ? wadi_fail(WADI_ERROR_IO, "%s: cannot be put in place: %s", video->path, strerror(error)) : WADI_OK;
}

wadi_status run_video_close(video *video) {
    platform_process *ffmpeg = video->ffmpeg;
    video->ffmpeg = NULL;
    wadi_status status = ffmpeg ? end_ffmpeg(ffmpeg, video->path, WADI_ERROR_IO, true) : gone(video);
    if (status == WADI_OK && video->frames == 0)
        status = wadi_fail(WADI_ERROR_IO, "%s: no picture was drawn for it", video->path);
    if (status == WADI_OK) status = put_in_place(video);
    run_video_discard(video);
    return status;
}

void run_video_discard(video *video) {
    if (!video) return;
    platform_process_kill(video->ffmpeg);
    if (video->made.file) platform_new_file_end(&video->made, video->path, ECANCELED);
    free(video->path);
    free(video);
}
