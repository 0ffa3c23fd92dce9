#ifndef TRACKENGINE_MESSAGE_H
#define TRACKENGINE_MESSAGE_H

#include <stddef.h>

/// The memory of the calling thread for the reason of its last error; zero bytes at first.
char *thread_message(void);

/// Its size in bytes, with the last zero byte.
size_t thread_message_size(void);

#endif
