#ifndef TRACKENGINE_MESSAGE_H
#define TRACKENGINE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/// The memory of the calling thread for the reason of its last error; zero bytes at first.
char *thread_message(void);

/// Its size in bytes, with the last zero byte.
size_t thread_message_size(void);

/// Notes each fork from now on: the child has none of the threads that trackers need.
void watch_forks(void);

/// Whether this process is the child of one that watched its forks.
bool was_forked(void);

#endif
