#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "cyardsticks.h"

struct cyardsticks_store {
    sqlite3 *database;
    sqlite3_stmt *insert;
    sqlite3_int64 last;
    uint8_t bytes[512];
};

// What the engine's store sets, and its table; the drafts of the suite bring neither odometers nor checkpoints, and no
// sink settles, so a commit of the engine writes rows of this table and nothing else.
static const char *setup =
    "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
    "PRAGMA wal_autocheckpoint = 256; PRAGMA journal_size_limit = 1048576; PRAGMA cache_size = -512;"
    "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL;"
    "CREATE TABLE IF NOT EXISTS record (seq INTEGER PRIMARY KEY AUTOINCREMENT, uid BLOB NOT NULL,"
    " time INTEGER NOT NULL, payload BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;";

cyardsticks_store *cyardsticks_store_open(const char *path) {
    cyardsticks_store *store = calloc(1, sizeof *store);
    if (store == NULL) return NULL;
    // Without SQLite's mutexes, as the engine, which has one thread for it.
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    // The place of a row is bound, as by the engine: the check covers it, so it must be known before the row is written.
    if (sqlite3_open_v2(path, &store->database, flags, NULL) == SQLITE_OK &&
        sqlite3_exec(store->database, setup, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v3(store->database, "INSERT INTO record (seq, uid, time, payload, crc) VALUES (?, ?, ?, ?, ?)",
                           -1, SQLITE_PREPARE_PERSISTENT, &store->insert, NULL) == SQLITE_OK)
        return store;
    cyardsticks_store_close(store);
    return NULL;
}

int cyardsticks_store_append(cyardsticks_store *store, size_t count, size_t payload) {
    if (payload > sizeof store->bytes) return 0;
    if (sqlite3_exec(store->database, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return 0;
    for (size_t row = 0; row < count; row++) {
        memcpy(store->bytes, &row, sizeof row);
        sqlite3_bind_int64(store->insert, 1, ++store->last);
        sqlite3_bind_blob(store->insert, 2, store->bytes, 16, SQLITE_STATIC);
        sqlite3_bind_int64(store->insert, 3, 1772359200000000000 + (int64_t)row);
        sqlite3_bind_blob(store->insert, 4, store->bytes, (int)payload, SQLITE_STATIC);
        sqlite3_bind_int64(store->insert, 5, 0xdeadbeef);
        int result = sqlite3_step(store->insert);
        sqlite3_reset(store->insert);
        if (result != SQLITE_DONE) return 0;
    }
    return sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

void cyardsticks_store_close(cyardsticks_store *store) {
    sqlite3_finalize(store->insert);
    sqlite3_close(store->database);
    free(store);
}
