// Writes the calls into a file, each as a head of fixed size and what belongs to it.
#define _GNU_SOURCE
#include "shim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct head {
    uint32_t kind, path, other, bytes;
    uint64_t id, offset;
};

static int descriptor(void) {
    static int opened = -2;
    if (opened == -2) {
        const char *path = getenv("TORTURE_RECORD");
        opened = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    }
    return opened;
}

void record_call(enum call_kind kind, const char *path, const char *other, uint64_t id, uint64_t offset,
                 const void *bytes, size_t count) {
    if (descriptor() < 0) return;
    struct head head = {kind, path ? strlen(path) : 0, other ? strlen(other) : 0, count, id, offset};
    struct iovec parts[] = {
        {&head, sizeof head}, {(void *)path, head.path}, {(void *)other, head.other}, {(void *)bytes, count},
    };
    syscall(SYS_writev, descriptor(), parts, 4);
}

int record_drops_sync(void) {
    static unsigned number;
    const char *mode = getenv("TORTURE_SYNC");
    if (!mode) return 0;
    return strcmp(mode, "none") == 0 || number++ % 2 == 0;
}
