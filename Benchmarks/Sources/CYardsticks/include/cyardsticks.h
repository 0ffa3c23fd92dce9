#pragma once
#include <stddef.h>
#include <stdint.h>

/// An open database with the table that the engine's store has, in write-ahead mode and synchronous=FULL.
typedef struct cyardsticks_store cyardsticks_store;

/// Opens or makes the database, to insert so many rows (1 to 50) with one statement; NULL if SQLite refuses.
cyardsticks_store *cyardsticks_store_open(const char *path, size_t rows);

/// Inserts `count` rows, a multiple of those of a statement, with a payload of this many bytes in one transaction; answers
/// whether SQLite took them.
int cyardsticks_store_append(cyardsticks_store *store, size_t count, size_t payload);

void cyardsticks_store_close(cyardsticks_store *store);

/// Decodes a line of gpsd with libgps, which wants a copy that it may write to; answers whether it took it.
int cyardsticks_gpsd_unpack(const char *line, size_t length);

/// Starts a receiver on the loopback interface, on a thread that lives as long as the process, which takes every request and
/// answers as a receiver of Overland does; answers its port, or -1.
int cyardsticks_receiver_start(void);

/// Watches a server's `/api/live` on this machine with so many connections that read, and so many that never do. Prints
/// `ready` when each that reads has had a sign of life, and goes on until the standard input ends. Then it prints how many
/// events came and how many connections were lost, and a line for each of the first million of events: the longitude in
/// millionths of a degree, and when it came on the monotonic clock in nanoseconds. Returns 0, or 1 when it cannot watch.
int cyardsticks_viewers_run(int port, const char *key, int reading, int silent);
