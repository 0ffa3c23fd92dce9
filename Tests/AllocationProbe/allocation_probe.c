#include "allocation_probe.h"

#include <errno.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTS 0
#else
#define COUNTS 1
#endif
#else
#define COUNTS 1
#endif

static __thread int64_t count = 0;
static __thread int counting = 0;

int64_t allocation_probe_count(void) { return COUNTS ? count : -1; }

void allocation_probe_start(void) {
    count = 0;
    counting = 1;
}

void allocation_probe_stop(void) { counting = 0; }

#if COUNTS
// glibc's own allocator under its internal names: a program's malloc takes the place of the library's everywhere.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    count += counting;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count += counting;
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    count += counting;
    return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count += counting;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count += counting;
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}
#endif
