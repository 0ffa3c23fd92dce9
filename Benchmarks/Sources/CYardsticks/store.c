#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "cyardsticks.h"

struct cyardsticks_store {
    sqlite3 *database;
    sqlite3_stmt *insert;
    size_t rows;
    sqlite3_int64 last;
    uint8_t bytes[512];
};

// What the engine's store sets, and its table; no sink settles, so a commit of the engine writes rows of this table and
// nothing else, but for a thousandth of them.
static const char *setup =
    "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
    "PRAGMA wal_autocheckpoint = 256; PRAGMA journal_size_limit = 1048576; PRAGMA cache_size = -512;"
    "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL;"
    "CREATE TABLE IF NOT EXISTS record (seq INTEGER PRIMARY KEY, uid BLOB NOT NULL,"
    " time INTEGER NOT NULL, payload BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;";

// The place of a row is bound, as by the engine: the check covers it, so it must be known before the row is written.
static int prepare(cyardsticks_store *store) {
    char text[1024] = "INSERT INTO record (seq, uid, time, payload, crc) VALUES (?, ?, ?, ?, ?)";
    for (size_t row = 1; row < store->rows; row++) strcat(text, ", (?, ?, ?, ?, ?)");
    return sqlite3_prepare_v3(store->database, text, -1, SQLITE_PREPARE_PERSISTENT, &store->insert, NULL);
}

cyardsticks_store *cyardsticks_store_open(const char *path, size_t rows) {
    cyardsticks_store *store = rows > 0 && rows <= 50 ? calloc(1, sizeof *store) : NULL;
    if (store == NULL) return NULL;
    store->rows = rows;
    // Without SQLite's mutexes, as the engine, which has one thread for it.
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &store->database, flags, NULL) == SQLITE_OK &&
        sqlite3_exec(store->database, setup, NULL, NULL, NULL) == SQLITE_OK && prepare(store) == SQLITE_OK)
        return store;
    cyardsticks_store_close(store);
    return NULL;
}

static void bind(cyardsticks_store *store, int column, size_t payload) {
    store->last++;
    memcpy(store->bytes, &store->last, sizeof store->last);
    sqlite3_bind_int64(store->insert, column, store->last);
    sqlite3_bind_blob(store->insert, column + 1, store->bytes, 16, SQLITE_STATIC);
    sqlite3_bind_int64(store->insert, column + 2, 1772359200000000000 + store->last);
    sqlite3_bind_blob(store->insert, column + 3, store->bytes, (int)payload, SQLITE_STATIC);
    sqlite3_bind_int64(store->insert, column + 4, 0xdeadbeef);
}

int cyardsticks_store_append(cyardsticks_store *store, size_t count, size_t payload) {
    if (payload > sizeof store->bytes || count % store->rows != 0) return 0;
    if (sqlite3_exec(store->database, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return 0;
    for (size_t done = 0; done < count; done += store->rows) {
        for (size_t row = 0; row < store->rows; row++) bind(store, (int)row * 5 + 1, payload);
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
