/* video.h: pictures as a video file, by the program ffmpeg.
 *
 *     video *video;
 *     wadi_status status = video_open("film.mp4", 1280, 720, 25, &video);
 *     while (status == WADI_OK && ...) status = video_frame(video, rgb);
 *     status = video_close(video);
 */
#ifndef WADI_RUN_VIDEO_H
#define WADI_RUN_VIDEO_H

#include "wadi/status.h"

typedef struct video video;

/* Whether videos of this name can be made here, as far as that can be told before one is: .mp4 (H.264), .webm (VP9) or
 * .gif, an ffmpeg, and in it the encoder for that. Whether the file can be written is folder_check_file's. */
wadi_status video_check(const char *path);
/* width and height 2 to 16384; of an odd side .mp4 and .webm lose the last pixels. An existing file is replaced when
 * the video is closed. *video is NULL after an error. */
wadi_status video_open(const char *path, int width, int height, double frames_per_s, video **video);
/* width * height * 3 bytes, sRGB. Waits while ffmpeg is behind. */
wadi_status video_frame(video *video, const uint8_t *rgb);
/* Puts the file in place, whole, or leaves none (and what was there before as it was); frees the video in any case.
 * After a frame that failed it fails too. */
wadi_status video_close(video *video);
/* Stops, and leaves no file; takes NULL. */
void video_discard(video *video);

#endif
