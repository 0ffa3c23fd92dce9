#pragma once
#include <sqlite3.h>

// sqlite3_db_config() has a variable number of arguments, which Swift cannot pass.
static inline void csqlite_refuse_double_quoted_strings(sqlite3 *db) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}
