// Moves the clocks by what a file says: "WALL BOOT MONOTONIC", in seconds; what is missing is 0. A machine that slept for a
// day with a battery for its clock is "86400 86400", one without is "0 86400".
#define _GNU_SOURCE
#include "shim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static long offset(clockid_t clock) {
    const char *path = getenv("TORTURE_CLOCK");
    if (!path) return 0;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[96] = "";
    syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    long wall = 0, boot = 0, monotonic = 0;
    sscanf(text, "%ld %ld %ld", &wall, &boot, &monotonic);
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: return wall;
    case CLOCK_BOOTTIME: return boot;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW: return monotonic;
    default: return 0;
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0) time->tv_sec += offset(clock);
    return result;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
    (void)zone;
    struct timespec time;
    int result = clock_gettime(CLOCK_REALTIME, &time);
    value->tv_sec = time.tv_sec;
    value->tv_usec = time.tv_nsec / 1000;
    return result;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

// The kernel's timers do not know of the moved clocks: a moment by such a clock is told to them by theirs.
enum { MOST_FILES = 1024 };
static clockid_t clock_of[MOST_FILES];

int timerfd_create(clockid_t clock, int flags) {
    int file = (int)syscall(SYS_timerfd_create, clock, flags);
    if (file >= 0 && file < MOST_FILES) clock_of[file] = clock;
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    struct itimerspec moved = *new;
    int is_set = moved.it_value.tv_sec != 0 || moved.it_value.tv_nsec != 0;
    if (is_set && flags & TFD_TIMER_ABSTIME && file >= 0 && file < MOST_FILES) {
        moved.it_value.tv_sec -= offset(clock_of[file]);
        if (moved.it_value.tv_sec < 0) moved.it_value = (struct timespec){0, 1};  // over: at once
    }
    return (int)syscall(SYS_timerfd_settime, file, flags, &moved, old);
}
