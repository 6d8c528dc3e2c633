#include "video.h"

#include "folder.h"
#include "message.h"
#include "text.h"

#include "platform/platform.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* H.264 and VP9 halve their colours' resolution, so sides are even. Players take what is not named for BT.601 or BT.709
 * by its size: it is named. */
#define EVEN_709 "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
#define NAMED_709 "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"

enum { MOST_WORDS = 48, LONGEST_SIDE = 16384 };

typedef struct kind {
    const char *ending, *format;
    const char *const words[32]; /* ended by NULL */
} kind;

/* A GIF gets a palette for each picture: one for all would need all pictures in memory first. Dots in a fixed pattern
 * do not crawl from picture to picture. */
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
    platform_new_file made; /* ffmpeg writes it */
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

static int find_kind(const char *path, const kind **found) {
    *found = NULL;
    for (int i = 0; i < KINDS; i++)
        if (ends_with(path, kinds[i].ending)) *found = &kinds[i];
    if (*found) return CLI_OK;
    return cli_fail(CLI_USAGE, "%s: a video's name ends in .mp4, .webm or .gif", path);
}

/* The last line that says something, within `text`. ffmpeg ends with "Conversion failed!" whatever it was. */
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

/* Ends ffmpeg, and says what went wrong, where something did. */
static int end_ffmpeg(platform_process *ffmpeg, const char *path, int code, bool whole) {
    char said[4096];
    const int status = platform_process_end(ffmpeg, said, sizeof said);
    if (status == 0 && whole) return CLI_OK;
    if (status < 0) return cli_fail(code, "%s: cannot be written: ffmpeg was stopped", path);
    return cli_fail(code, "%s: cannot be written: ffmpeg: %s", path, last_line(said));
}

static int start_ffmpeg(const char *path, const char *const *words, platform_process **ffmpeg) {
    const int error = platform_process_start(words, ffmpeg);
    if (error == 0) return CLI_OK;
    if (error == ENOENT)
        return cli_fail(CLI_USAGE, "%s: the program ffmpeg, which writes videos, is not found: install ffmpeg", path);
    return cli_fail(cli_code(CLI_USAGE, error), "%s: the program ffmpeg, which writes videos, cannot be started: %s",
                    path, strerror(error));
}

/* `format` and `output`: ffmpeg's. */
static int start(const char *path, const kind *kind, const int size[2], double frames_per_s, const char *format,
                 const char *output, platform_process **ffmpeg) {
    char *picture = cli_text("%dx%d", size[0], size[1]), *rate = cli_text("%.10g", frames_per_s);
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
    const int code = start_ffmpeg(path, words, ffmpeg);
    free(picture);
    free(rate);
    return code;
}

/* One small picture, encoded as the video will be and thrown away: a program of that name need not have the encoder. */
int video_check(const char *path) {
    static const uint8_t black[64 * 64 * 3];
    const int size[] = {64, 64};
    const kind *kind;
    platform_process *ffmpeg;
    int code = find_kind(path, &kind);
    if (code == CLI_OK) code = start(path, kind, size, 25, "null", "-", &ffmpeg);
    if (code) return code;
    const bool whole = platform_process_write(ffmpeg, black, sizeof black) == 0;
    return end_ffmpeg(ffmpeg, path, CLI_USAGE, whole);
}

int video_open(const char *path, int width, int height, double frames_per_s, video **result) {
    const int size[] = {width, height};
    const kind *kind;
    *result = NULL;
    if (width < 2 || height < 2 || width > LONGEST_SIDE || height > LONGEST_SIDE)
        return cli_fail(CLI_USAGE, "%s: a video's pictures have 2 to %d pixels a side, not %d x %d", path, LONGEST_SIDE,
                        width, height);
    int code = find_kind(path, &kind);
    if (code == CLI_OK) code = folder_check_file("", path, true);
    if (code) return code;
    video *made = cli_allocate(sizeof *made);
    made->path = cli_copy(path);
    made->frame_bytes = (size_t)width * (size_t)height * 3;
    const int error = platform_new_file_begin(path, &made->made);
    if (error) code = cli_fail(cli_code(CLI_USAGE, error), "%s: cannot be written: %s", path, strerror(error));
    char *output = cli_text("file:%s", error ? "" : made->made.temporary); /* a name with a colon is no protocol */
    if (code == CLI_OK) code = start(path, kind, size, frames_per_s, kind->format, output, &made->ffmpeg);
    free(output);
    if (code)
        video_discard(made);
    else
        *result = made;
    return code;
}

int video_frame(video *video, const uint8_t *rgb) {
    if (!video->ffmpeg) return CLI_FAILED;
    if (platform_process_write(video->ffmpeg, rgb, video->frame_bytes) == 0) {
        video->frames++;
        return CLI_OK;
    }
    platform_process *ffmpeg = video->ffmpeg;
    video->ffmpeg = NULL;
    return end_ffmpeg(ffmpeg, video->path, CLI_FAILED, false);
}

static int put_in_place(video *video) {
    const int error = platform_new_file_end(&video->made, video->path, 0);
    return error ? cli_fail(CLI_FAILED, "%s: cannot be put in place: %s", video->path, strerror(error)) : CLI_OK;
}

int video_close(video *video) {
    platform_process *ffmpeg = video->ffmpeg;
    int code = CLI_FAILED;
    video->ffmpeg = NULL;
    if (ffmpeg) code = end_ffmpeg(ffmpeg, video->path, CLI_FAILED, true);
    if (code == CLI_OK && video->frames == 0)
        code = cli_fail(CLI_FAILED, "%s: no picture was drawn for it", video->path);
    if (code == CLI_OK) code = put_in_place(video);
    video_discard(video);
    return code;
}

void video_discard(video *video) {
    if (!video) return;
    platform_process_kill(video->ffmpeg);
    if (video->made.file) platform_new_file_end(&video->made, video->path, ECANCELED);
    free(video->path);
    free(video);
}
