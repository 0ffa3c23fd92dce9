// Decides which call fails, is cut short or is the last one.
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum action { ACTION_NONE, ACTION_ERROR, ACTION_SHORT, ACTION_KILL };

static enum action action;
static int number_of_error;
static long first, last;
static int on_reads;
static long changes, reads;

__attribute__((constructor)) static void prepare(void) {
    const char *text = getenv("TORTURE_FAULT");
    char name[16] = "", class[16] = "";
    long count = 1;
    if (!text || sscanf(text, "%15[^:]:%ld:%ld:%15s", name, &first, &count, class) < 2) return;
    last = first + count - 1;
    on_reads = strcmp(class, "reads") == 0;
    if (strcmp(name, "kill") == 0) action = ACTION_KILL;
    if (strcmp(name, "short") == 0) action = ACTION_SHORT;
    static const struct {
        const char *name;
        int number;
    } errors[] = {{"eio", EIO}, {"enospc", ENOSPC}, {"eintr", EINTR}, {"erofs", EROFS}};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (strcmp(name, errors[i].name) == 0) action = ACTION_ERROR, number_of_error = errors[i].number;
    }
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("TORTURE_COUNT");
    if (!path) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char text[64];
    int length = snprintf(text, sizeof text, "%ld %ld\n", changes, reads);
    syscall(SYS_write, file, text, length);
    syscall(SYS_close, file);
}

static int act(long number) {
    if (action == ACTION_NONE || number < first || number > last) return 0;
    switch (action) {
    case ACTION_KILL:
        kill(getpid(), SIGKILL);
        return 0;
    case ACTION_SHORT: return 1;
    case ACTION_ERROR: errno = number_of_error; return -1;
    default: return 0;
    }
}

// The error that the switch demands, or 0.
static int switched(void) {
    static const char *path;
    static int is_known;
    if (!is_known) path = getenv("TORTURE_SWITCH"), is_known = 1;
    if (!path) return 0;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[16] = "";
    syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    return atoi(text);
}

// Whether calls count yet.
static int has_begun(void) {
    const char *path = getenv("TORTURE_START");
    return !path || syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

int fault_before_change(void) {
    if (!has_begun()) return 0;
    changes++;
    int error = switched();
    if (error) {
        errno = error;
        return -1;
    }
    return on_reads ? 0 : act(changes);
}

int fault_before_read(void) {
    if (!has_begun()) return 0;
    reads++;
    return on_reads ? act(reads) : 0;
}
