#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "cyardsticks.h"

struct cyardsticks_store {
    sqlite3 *database;
    sqlite3_stmt *insert;
    uint8_t bytes[512];
};

static const char *setup =
    "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
    "PRAGMA wal_autocheckpoint = 256; PRAGMA synchronous = FULL; PRAGMA cache_size = -512;"
    "CREATE TABLE IF NOT EXISTS record (seq INTEGER PRIMARY KEY AUTOINCREMENT, uid BLOB NOT NULL,"
    " time INTEGER NOT NULL, payload BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;";

cyardsticks_store *cyardsticks_store_open(const char *path) {
    cyardsticks_store *store = calloc(1, sizeof *store);
    if (store == NULL) return NULL;
    if (sqlite3_open(path, &store->database) == SQLITE_OK &&
        sqlite3_exec(store->database, setup, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v3(store->database, "INSERT INTO record (uid, time, payload, crc) VALUES (?, ?, ?, ?)", -1,
                           SQLITE_PREPARE_PERSISTENT, &store->insert, NULL) == SQLITE_OK)
        return store;
    cyardsticks_store_close(store);
    return NULL;
}

int cyardsticks_store_append(cyardsticks_store *store, size_t count, size_t payload) {
    if (payload > sizeof store->bytes) return 0;
    if (sqlite3_exec(store->database, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return 0;
    for (size_t row = 0; row < count; row++) {
        memcpy(store->bytes, &row, sizeof row);
        sqlite3_bind_blob(store->insert, 1, store->bytes, 16, SQLITE_STATIC);
        sqlite3_bind_int64(store->insert, 2, 1772359200000000000 + (int64_t)row);
        sqlite3_bind_blob(store->insert, 3, store->bytes, (int)payload, SQLITE_STATIC);
        sqlite3_bind_int64(store->insert, 4, 0xdeadbeef);
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
