/* sanitized.h: whether a sanitizer is at work. Sanitizers take ten times as long, so tests give them only a part of
 * their scenes. The thread sanitizer, which only finds races, gets those with several threads. */
#ifndef WADI_TESTS_SANITIZED_H
#define WADI_TESTS_SANITIZED_H

#if defined(__has_feature)
#define WADI_HAS(sanitizer) __has_feature(sanitizer)
#else
#define WADI_HAS(sanitizer) 0
#endif
#if defined(__SANITIZE_THREAD__) || WADI_HAS(thread_sanitizer)
#define RACES_ALONE true
#else
#define RACES_ALONE false
#endif
#if defined(__SANITIZE_ADDRESS__) || WADI_HAS(address_sanitizer)
#define SANITIZED true
#else
#define SANITIZED RACES_ALONE
#endif

#endif
