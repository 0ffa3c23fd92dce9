// Stands before the C library's calls on files. Calls on files outside the watched directory go straight through; the
// others ask fault.c first and tell record.c afterwards, one at a time, so that the entries stand in the order of the
// calls.
//
// SQLite maps its -shm file into memory. It is rebuilt after every crash, so it is left out here as it is left out of the
// files that a power cut leaves.
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

enum { DESCRIPTORS = 1024, FILES = 4096, LEDGER = -2, DIRECTORY = -3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// What a descriptor stands for: the id of a file, LEDGER, DIRECTORY, or 0 for what is not watched.
static int open_files[DESCRIPTORS];
static struct {
    char *path;
    int id;
} names[FILES];
static int last_id;

static const char *directory(void) {
    static const char *path;
    if (!path) path = getenv("TORTURE_DIR") ?: "\1";
    return path;
}

static int is_watched(const char *path) {
    size_t length = strlen(directory());
    if (strncmp(path, directory(), length) != 0 || path[length] != '/') return 0;
    size_t end = strlen(path);
    return end < 4 || strcmp(path + end - 4, "-shm") != 0;
}

static int is_ledger(const char *path) {
    const char *ledger = getenv("TORTURE_LEDGER");
    return ledger && strcmp(path, ledger) == 0;
}

static int place_of(const char *path) {
    for (int i = 0; i < FILES; i++) {
        if (names[i].path && strcmp(names[i].path, path) == 0) return i;
    }
    return -1;
}

static void forget(const char *path) {
    int place = place_of(path);
    if (place < 0) return;
    free(names[place].path);
    names[place].path = NULL;
}

static void name_file(const char *path, int id) {
    forget(path);
    for (int i = 0; i < FILES; i++) {
        if (names[i].path) continue;
        names[i].path = strdup(path);
        names[i].id = id;
        return;
    }
    abort();  // more files than any workload makes
}

// The id of a file that exists; one that is met for the first time was there before.
static int id_of(const char *path) {
    int place = place_of(path);
    if (place >= 0) return names[place].id;
    name_file(path, ++last_id);
    record_call(CALL_ATTACH, path, NULL, last_id, 0, NULL, 0);
    return last_id;
}

static int meaning_of(int file) { return file >= 0 && file < DESCRIPTORS ? open_files[file] : 0; }

static int exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

typedef int (*opener)(const char *, int, ...);

static int watched_open(opener real, const char *path, int flags, mode_t mode) {
    pthread_mutex_lock(&lock);
    int is_new = (flags & O_CREAT) && !exists(path);
    int empties = (flags & O_TRUNC) && !is_new;
    int file = -1;
    if (!(is_new || empties) || fault_before_change() >= 0) file = real(path, flags, mode);
    int error = errno;
    struct stat status;
    if (file >= 0 && file < DESCRIPTORS && fstat(file, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            open_files[file] = DIRECTORY;
        } else if (is_new) {
            name_file(path, ++last_id);
            record_call(CALL_CREATE, path, NULL, last_id, 0, NULL, 0);
            open_files[file] = last_id;
        } else {
            open_files[file] = id_of(path);
            if (empties) record_call(CALL_TRUNCATE, NULL, NULL, open_files[file], 0, NULL, 0);
        }
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return file;
}

static int shim_open(opener real, const char *path, int flags, mode_t mode) {
    if (is_watched(path) || strcmp(path, directory()) == 0) return watched_open(real, path, flags, mode);
    int file = real(path, flags, mode);
    if (file >= 0 && file < DESCRIPTORS) open_files[file] = is_ledger(path) ? LEDGER : 0;
    return file;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return shim_open((opener)real, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

// The whole path of a name in a directory that is open.
static const char *path_in(int folder, const char *name, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = name[0] == '/' || folder == AT_FDCWD ? -1 : readlink(link, path, PATH_MAX - 1);
    if (length < 0 || length + strlen(name) + 2 > PATH_MAX) return name;
    path[length] = '/';
    strcpy(path + length + 1, name);
    return path;
}

#define OPENAT(name, plain) \
    int name(int folder, const char *file, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        char buffer[PATH_MAX]; \
        const char *path = path_in(folder, file, buffer); \
        if (is_watched(path) || strcmp(path, directory()) == 0) return plain(path, flags, mode); \
        int opened = real(folder, file, flags, mode); \
        if (opened >= 0 && opened < DESCRIPTORS) open_files[opened] = is_ledger(path) ? LEDGER : 0; \
        return opened; \
    }
OPENAT(openat, open)
OPENAT(openat64, open64)

int close(int file) {
    REAL(close);
    if (file >= 0 && file < DESCRIPTORS) open_files[file] = 0;
    return real(file);
}

// How many bytes of a write are to be written; -1 when it fails.
static ssize_t allowed(size_t count) {
    int fault = fault_before_change();
    if (fault < 0) return -1;
    return fault > 0 && count > 1 ? (ssize_t)(count / 2) : (ssize_t)count;
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    int id = meaning_of(file);
    if (id == 0 || id == DIRECTORY) return real(file, bytes, count);
    pthread_mutex_lock(&lock);
    ssize_t result = id == LEDGER ? (ssize_t)count : allowed(count);
    off_t offset = id == LEDGER ? 0 : lseek(file, 0, SEEK_CUR);
    if (result >= 0) result = real(file, bytes, result);
    int error = errno;
    if (result > 0) record_call(id == LEDGER ? CALL_LINE : CALL_WRITE, NULL, NULL, id, offset, bytes, result);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

#define PWRITE(name, offset_type) \
    ssize_t name(int file, const void *bytes, size_t count, offset_type offset) { \
        REAL(name); \
        int id = meaning_of(file); \
        if (id <= 0) return real(file, bytes, count, offset); \
        pthread_mutex_lock(&lock); \
        ssize_t result = allowed(count); \
        if (result >= 0) result = real(file, bytes, result, offset); \
        int error = errno; \
        if (result > 0) record_call(CALL_WRITE, NULL, NULL, id, offset, bytes, result); \
        pthread_mutex_unlock(&lock); \
        errno = error; \
        return result; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, offset_type) \
    int name(int file, offset_type length) { \
        REAL(name); \
        int id = meaning_of(file); \
        if (id <= 0) return real(file, length); \
        pthread_mutex_lock(&lock); \
        int result = fault_before_change() < 0 ? -1 : real(file, length); \
        int error = errno; \
        if (result == 0) record_call(CALL_TRUNCATE, NULL, NULL, id, length, NULL, 0); \
        pthread_mutex_unlock(&lock); \
        errno = error; \
        return result; \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
    int name(int file) { \
        REAL(name); \
        int id = meaning_of(file); \
        if (id == 0 || id == LEDGER) return real(file); \
        pthread_mutex_lock(&lock); \
        int result = fault_before_change() < 0 ? -1 : real(file); \
        int error = errno; \
        if (result == 0 && !record_drops_sync()) \
            record_call(id == DIRECTORY ? CALL_SYNC_DIRECTORY : CALL_SYNC, NULL, NULL, id, 0, NULL, 0); \
        pthread_mutex_unlock(&lock); \
        errno = error; \
        return result; \
    }
SYNC(fsync)
SYNC(fdatasync)

int rename(const char *path, const char *other) {
    REAL(rename);
    if (!is_watched(path) || !is_watched(other)) return real(path, other);
    pthread_mutex_lock(&lock);
    int id = exists(path) ? id_of(path) : 0;
    int result = fault_before_change() < 0 ? -1 : real(path, other);
    int error = errno;
    if (result == 0) {
        forget(path);
        name_file(other, id);
        record_call(CALL_RENAME, path, other, id, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int unlink(const char *path) {
    REAL(unlink);
    if (!is_watched(path)) return real(path);
    pthread_mutex_lock(&lock);
    if (exists(path)) id_of(path);
    int result = fault_before_change() < 0 ? -1 : real(path);
    int error = errno;
    if (result == 0) {
        forget(path);
        record_call(CALL_UNLINK, path, NULL, 0, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int renameat(int folder, const char *name, int other_folder, const char *other_name) {
    REAL(renameat);
    char buffer[PATH_MAX], other_buffer[PATH_MAX];
    const char *path = path_in(folder, name, buffer), *other = path_in(other_folder, other_name, other_buffer);
    if (!is_watched(path) || !is_watched(other)) return real(folder, name, other_folder, other_name);
    return rename(path, other);
}

int unlinkat(int folder, const char *name, int flags) {
    REAL(unlinkat);
    char buffer[PATH_MAX];
    const char *path = path_in(folder, name, buffer);
    return flags != 0 || !is_watched(path) ? real(folder, name, flags) : unlink(path);
}

#define PREAD(name, offset_type) \
    ssize_t name(int file, void *bytes, size_t count, offset_type offset) { \
        REAL(name); \
        if (meaning_of(file) <= 0) return real(file, bytes, count, offset); \
        pthread_mutex_lock(&lock); \
        int fault = fault_before_read(); \
        pthread_mutex_unlock(&lock); \
        if (fault < 0) return -1; \
        return real(file, bytes, count, offset); \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)
