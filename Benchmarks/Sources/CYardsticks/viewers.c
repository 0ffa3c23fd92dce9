#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "cyardsticks.h"

// A longitude of an event, in millionths of a degree, and when it came.
struct arrival {
    int64_t longitude, nanoseconds;
};

// What of an event may be cut off at the end of a read: the key and the longitude.
enum { tail = 40, room = 65536, most_arrivals = 1 << 20 };

struct viewer {
    int connection;
    enum { asking, answered, begun } state;
    size_t kept;
    char rest[tail];
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// A viewer that never reads has little room, so that the server soon cannot send it more.
static int open_viewer(int port, const char *key, int is_silent) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int little = 4096;
    if (is_silent) setsockopt(connection, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    char request[512];
    int length = snprintf(
        request, sizeof request, "GET /api/live?key=%s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n",
        key);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0 ||
        write(connection, request, (size_t)length) != length)
        return -1;
    return connection;
}

// Notes every place in what a viewer has read; returns how many there are.
static size_t take(struct viewer *viewer, const char *bytes, size_t count, struct arrival *arrivals, size_t *noted) {
    static const char key[] = "\"place\":[";
    const char *rest = bytes, *end = bytes + count;
    int64_t time = now();
    size_t events = 0;
    for (;;) {
        const char *found = memmem(rest, (size_t)(end - rest), key, sizeof key - 1);
        if (found == NULL) break;
        const char *number = found + sizeof key - 1, *comma = memchr(number, ',', (size_t)(end - number));
        if (comma == NULL) break;
        if (*noted < most_arrivals)
            arrivals[(*noted)++] = (struct arrival){(int64_t)(strtod(number, NULL) * 1e6 + 0.5), time};
        events += 1;
        rest = comma;
    }
    viewer->kept = (size_t)(end - rest) < tail ? (size_t)(end - rest) : tail;
    memcpy(viewer->rest, end - viewer->kept, viewer->kept);
    return events;
}

int cyardsticks_viewers_run(int port, const char *key, int reading, int silent) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    int poll = epoll_create1(EPOLL_CLOEXEC), watching = 0, lost = 0, is_ending = 0;
    struct viewer *viewers = calloc((size_t)reading + 1, sizeof *viewers);
    struct arrival *arrivals = malloc(most_arrivals * sizeof *arrivals);
    char *bytes = malloc(room + tail + 1);
    if (poll < 0 || viewers == NULL || arrivals == NULL || bytes == NULL) return 1;
    for (int index = 0; index < silent; index++)
        if (open_viewer(port, key, 1) < 0) return 1;
    for (int index = 0; index <= reading; index++) {
        // The last one is who asks for the end.
        viewers[index].connection = index < reading ? open_viewer(port, key, 0) : STDIN_FILENO;
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
        if (viewers[index].connection < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, viewers[index].connection, &event) != 0)
            return 1;
    }
    size_t noted = 0, events = 0;
    while (!is_ending) {
        struct epoll_event ready[256];
        int count = epoll_wait(poll, ready, 256, -1);
        if (count < 0 && errno != EINTR) return 1;
        for (int index = 0; index < count; index++) {
            struct viewer *viewer = &viewers[ready[index].data.u32];
            memcpy(bytes, viewer->rest, viewer->kept);
            ssize_t length = read(viewer->connection, bytes + viewer->kept, room);
            if (ready[index].data.u32 == (uint32_t)reading) {
                is_ending |= length <= 0;
                continue;
            }
            if (length <= 0) {
                lost += 1;
                epoll_ctl(poll, EPOLL_CTL_DEL, viewer->connection, NULL);
                continue;
            }
            size_t all = viewer->kept + (size_t)length;
            bytes[all] = '\0';
            if (viewer->state == asking && strncmp(bytes, "HTTP/1.1 200", 12) != 0) return 1;
            if (viewer->state == asking) viewer->state = answered;
            // The first sign of life says that the server has taken it in.
            if (viewer->state == answered && memmem(bytes, all, ": \n\n", 4) != NULL) {
                viewer->state = begun;
                watching += 1;
                if (watching == reading) puts("ready"), fflush(stdout);
            }
            events += take(viewer, bytes, all, arrivals, &noted);
        }
    }
    printf("%zu %d\n", events, lost);
    for (size_t index = 0; index < noted; index++)
        printf("%lld %lld\n", (long long)arrivals[index].longitude, (long long)arrivals[index].nanoseconds);
    return fflush(stdout);
}
