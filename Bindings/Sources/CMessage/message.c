#include "message.h"

#include <pthread.h>
#include <stdatomic.h>

// In C, because Swift has no variable of a thread that needs no allocation.
static _Thread_local char message[2048];

char *thread_message(void) { return message; }

size_t thread_message_size(void) { return sizeof message; }

static atomic_bool forked;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void note_fork(void) { atomic_store(&forked, true); }

static void watch(void) { pthread_atfork(NULL, NULL, note_fork); }

void watch_forks(void) { pthread_once(&once, watch); }

bool was_forked(void) { return atomic_load(&forked); }
