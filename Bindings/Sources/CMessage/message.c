#include "message.h"

// In C, because Swift has no variable of a thread that needs no allocation.
static _Thread_local char message[2048];

char *thread_message(void) { return message; }

size_t thread_message_size(void) { return sizeof message; }
