package import GRDB
import GRDBSQLite

extension DatabaseError {
    /// The SQLite error of the step that has just failed.
    package init(lastOf db: Database) {
        self.init(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
            message: db.lastErrorMessage)
    }
}
