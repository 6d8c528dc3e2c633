/* seed_files.h: small files of the kinds that Wadi reads, but does not write, made with the formats' own libraries:
 * tiles, compressions, byte orders, sample types, interlaced pictures. */
#ifndef WADI_FUZZ_SEED_FILES_H
#define WADI_FUZZ_SEED_FILES_H

/* Calls `each` with every file that could be written, which is then removed. `folder`: where. */
typedef void seed_fn(void *context, const char *name, const char *path);
void seed_files_make(const char *folder, seed_fn *each, void *context);

#endif
