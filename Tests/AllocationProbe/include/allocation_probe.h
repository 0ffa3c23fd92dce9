#pragma once
#include <stdint.h>

/// How many times the calling thread has allocated memory since it began to count; -1 where counting is impossible
/// (under a sanitizer, which has an allocator of its own).
int64_t allocation_probe_count(void);

/// Begins to count the calling thread's allocations from zero.
void allocation_probe_start(void);

/// Ends counting on the calling thread.
void allocation_probe_stop(void);
