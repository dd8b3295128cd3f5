/* Ends the process at its Nth call that changes a file below a folder: before the call, or in the middle of a write.
   Counts files that were renamed while something written to them was not on disk yet. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[PATH_MAX];
static long left, counted, early;
static int half;
static ino_t dirty[256];
static int dirties;

void plug_arm(const char *below, long calls, int halfway) {
    snprintf(folder, sizeof folder, "%s", below);
    left = calls;
    half = halfway;
    counted = early = dirties = 0;
}

long plug_count(void) { return counted; }

long plug_early(void) { return early; }

static void soil(int fd) {
    struct stat state;
    if (fstat(fd, &state)) return;
    for (int n = 0; n < dirties; n++) if (dirty[n] == state.st_ino) return;
    if (dirties < 256) dirty[dirties++] = state.st_ino;
}

static int cleaned(ino_t file) {
    for (int n = 0; n < dirties; n++) if (dirty[n] == file) { dirty[n] = dirty[--dirties]; return 1; }
    return 0;
}

static void clean(int fd) {
    struct stat state;
    if (!fstat(fd, &state)) cleaned(state.st_ino);
}

static int below(const char *path) { return folder[0] && path && strncmp(path, folder, strlen(folder)) == 0; }

static int ours(int fd) {
    char link[64], path[PATH_MAX];
    if (!folder[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return below(path);
}

static int due(void) {
    counted++;
    return left > 0 && --left == 0;
}

static void end(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) {
    if (ours(fd) && due()) { if (half) REAL(write)(fd, data, size / 2); end(); }
    if (ours(fd)) soil(fd);
    return REAL(write)(fd, data, size);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    if (ours(fd) && due()) { if (half) REAL(pwrite64)(fd, data, size / 2, at); end(); }
    if (ours(fd)) soil(fd);
    return REAL(pwrite64)(fd, data, size, at);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    if (ours(fd) && due()) { if (half) REAL(pwrite)(fd, data, size / 2, at); end(); }
    if (ours(fd)) soil(fd);
    return REAL(pwrite)(fd, data, size, at);
}
ssize_t sendfile(int out, int in, off_t *at, size_t size);
ssize_t sendfile(int out, int in, off_t *at, size_t size) {
    if (ours(out) && due()) { if (half) REAL(sendfile)(out, in, at, 100); end(); }
    if (ours(out)) soil(out);
    return REAL(sendfile)(out, in, at, size);
}
int ftruncate64(int fd, off64_t size) { if (ours(fd) && due()) end(); return REAL(ftruncate64)(fd, size); }
int ftruncate(int fd, off_t size) { if (ours(fd) && due()) end(); return REAL(ftruncate)(fd, size); }
int fsync(int fd) { if (ours(fd) && due()) end(); clean(fd); return REAL(fsync)(fd); }
int fdatasync(int fd) { if (ours(fd) && due()) end(); clean(fd); return REAL(fdatasync)(fd); }
int rename(const char *from, const char *to) {
    struct stat state;
    if (below(to) && due()) end();
    if (below(to) && !stat(from, &state) && cleaned(state.st_ino)) early++;
    return REAL(rename)(from, to);
}
int unlink(const char *path) { if (below(path) && due()) end(); return REAL(unlink)(path); }
int mkdir(const char *path, mode_t mode);
int mkdir(const char *path, mode_t mode) { if (below(path) && due()) end(); return REAL(mkdir)(path, mode); }
int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, int);
    va_end(more);
    if ((flags & (O_TRUNC | O_CREAT)) && below(path) && due()) end();
    return REAL(open64)(path, flags, mode);
}
int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, int);
    va_end(more);
    if ((flags & (O_TRUNC | O_CREAT)) && below(path) && due()) end();
    return REAL(open)(path, flags, mode);
}
