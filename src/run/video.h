/* video.h: pictures as a video file, by the program ffmpeg.
 *
 *     video *video;
 *     wadi_status status = run_video_open("film.mp4", 1280, 720, 25, &video);
 *     while (status == WADI_OK && ...) status = run_video_frame(video, rgb);
 *     status = run_video_close(video);
 */
#ifndef WADI_RUN_VIDEO_H
#define WADI_RUN_VIDEO_H

#include "wadi/status.h"

typedef struct video video;

/* Whether videos of this name can be made here: .mp4 (H.264), .webm (VP9) or .gif, and an ffmpeg with the encoder for
 * it. run_folder_check_file checks whether the file can be written. */
wadi_status run_video_check_file(const char *path);
/* width and height: 2 to 16384. With an odd side .mp4 and .webm lose the last pixels. An existing file is replaced when
 * the video is closed. *video is NULL after an error. */
wadi_status run_video_open(const char *path, int width, int height, double frames_per_s, video **video);
/* width * height * 3 bytes, sRGB. Waits if ffmpeg is behind. */
wadi_status run_video_frame(video *video, const uint8_t *rgb);
/* Puts the complete file in place, or none (an earlier one then stays). Frees the video in any case. Fails if a frame
 * failed. */
wadi_status run_video_close(video *video);
/* Stops without a file; takes NULL. */
void run_video_discard(video *video);

#endif
