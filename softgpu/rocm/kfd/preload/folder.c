/* The C library's functions for folders. A folder of the GPUs' has its names in memory. */
#include "kfd.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* The C library's begins with a descriptor, which is not negative. */
enum { folder_mark = (int)0x80006b66 };

struct folder {
  int mark;
  int fd; /* -1: none yet */
  long at, count;
  char *path;
  struct dirent entry[];
};

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64),
               "one struct for both on machines of 64 bits");

static struct folder *own(DIR *d) {
  struct folder *f = (struct folder *)d;
  return f && f->mark == folder_mark ? f : NULL;
}

static void fill(struct dirent *e, const char *name, unsigned char type) {
  *e = (struct dirent){.d_type = type, .d_reclen = sizeof *e, .d_ino = 1};
  for (const char *c = name; *c; c++)
    e->d_ino = e->d_ino * 31 + (unsigned char)*c;
  strncpy(e->d_name, name, sizeof e->d_name - 1);
}

/* fd becomes the folder's; -1: it gets one when it is asked for. */
static DIR *folder_open(const struct found *found, int fd) {
  long count = 2;
  for (const char *c = found->text; c < found->text + found->size;
       c += strlen(c) + 1)
    count++;
  struct folder *f = malloc(sizeof *f + (size_t)count * sizeof *f->entry);
  if (!f)
    return NULL;
  *f = (struct folder){.mark = folder_mark,
                       .fd = fd,
                       .count = count,
                       .path = strdup(found->path)};
  fill(&f->entry[0], ".", DT_DIR);
  fill(&f->entry[1], "..", DT_DIR);
  long i = 2;
  for (const char *c = found->text; c < found->text + found->size;
       c += strlen(c) + 1, i++) {
    fill(&f->entry[i], c + 1, (unsigned char)*c);
    f->entry[i].d_off = i + 1;
  }
  return (DIR *)f;
}

API DIR *opendir(const char *path) {
  struct found found;
  look_up(AT_FDCWD, path, true, &found);
  if (found.kind == found_foreign)
    return NEXT(opendir)(path);
  DIR *d = NULL;
  int e = found.kind == found_missing  ? ENOENT
          : found.kind == found_folder ? ENOMEM
                                       : ENOTDIR;
  if (found.kind == found_folder)
    d = folder_open(&found, -1);
  found_free(&found);
  if (!d)
    errno = e;
  return d;
}

API DIR *fdopendir(int fd) {
  char path[300];
  struct found found;
  if (!named_path(fd, path, sizeof path))
    return NEXT(fdopendir)(fd);
  look_up(AT_FDCWD, path, true, &found);
  DIR *d = found.kind == found_folder ? folder_open(&found, fd) : NULL;
  found_free(&found);
  if (!d)
    errno = ENOTDIR;
  return d;
}

API struct dirent *readdir(DIR *d) {
  struct folder *f = own(d);
  if (!f)
    return NEXT(readdir)(d);
  return f->at < f->count ? &f->entry[f->at++] : NULL;
}

API struct dirent64 *readdir64(DIR *d) {
  return own(d) ? (struct dirent64 *)readdir(d) : NEXT(readdir64)(d);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

API int readdir_r(DIR *d, struct dirent *into, struct dirent **result) {
  if (!own(d))
    return NEXT(readdir_r)(d, into, result);
  struct dirent *e = readdir(d);
  *result = e ? memcpy(into, e, sizeof *e) : NULL;
  return 0;
}

API int readdir64_r(DIR *d, struct dirent64 *into, struct dirent64 **result) {
  if (!own(d))
    return NEXT(readdir64_r)(d, into, result);
  return readdir_r(d, (struct dirent *)into, (struct dirent **)result);
}

API int closedir(DIR *d) {
  struct folder *f = own(d);
  if (!f)
    return NEXT(closedir)(d);
  if (f->fd >= 0)
    close(f->fd);
  f->mark = 0;
  free(f->path);
  free(f);
  return 0;
}

API void rewinddir(DIR *d) {
  struct folder *f = own(d);
  if (f)
    f->at = 0;
  else
    NEXT(rewinddir)(d);
}

API void seekdir(DIR *d, long at) {
  struct folder *f = own(d);
  if (f)
    f->at = at >= 0 && at <= f->count ? at : f->count;
  else
    NEXT(seekdir)(d, at);
}

API long telldir(DIR *d) {
  struct folder *f = own(d);
  return f ? f->at : NEXT(telldir)(d);
}

API int dirfd(DIR *d) {
  struct folder *f = own(d);
  if (!f)
    return NEXT(dirfd)(d);
  if (f->fd < 0 && f->path)
    f->fd = text_open(f->path, "", 0, O_CLOEXEC);
  return f->fd;
}

typedef int (*chooser)(const struct dirent *);
typedef int (*order)(const struct dirent **, const struct dirent **);

static int compare(const void *a, const void *b, void *by) {
  return ((order)by)((const struct dirent **)a, (const struct dirent **)b);
}

/* scandir of a folder of the GPUs', which it closes. */
static int scan(DIR *d, struct dirent ***list, chooser choose, order by) {
  struct folder *f = own(d);
  struct dirent **all = malloc((size_t)f->count * sizeof *all);
  int n = 0;
  for (long i = 0; all && i < f->count; i++) {
    if (choose && !choose(&f->entry[i]))
      continue;
    if ((all[n] = malloc(sizeof **all)))
      *all[n++] = f->entry[i];
  }
  closedir(d);
  if (!all)
    return -1;
  if (by)
    qsort_r(all, (size_t)n, sizeof *all, compare, (void *)by);
  *list = all;
  return n;
}

static DIR *own_folder(const char *path) {
  struct found found;
  look_up(AT_FDCWD, path, true, &found);
  DIR *d = found.kind == found_folder ? folder_open(&found, -1) : NULL;
  found_free(&found);
  return d;
}

API int scandir(const char *restrict path, struct dirent ***restrict list,
                chooser choose, order by) {
  DIR *d = own_folder(path);
  return d ? scan(d, list, choose, by) : NEXT(scandir)(path, list, choose, by);
}

API int scandir64(const char *restrict path, struct dirent64 ***restrict list,
                  int (*choose)(const struct dirent64 *),
                  int (*by)(const struct dirent64 **,
                            const struct dirent64 **)) {
  DIR *d = own_folder(path);
  return d ? scan(d, (struct dirent ***)list, (chooser)choose, (order)by)
           : NEXT(scandir64)(path, list, choose, by);
}
