package import GRDB
import GRDBSQLite

extension DatabaseError {
    /// What SQLite says about the step that has just failed.
    package init(lastOf db: Database) {
        self.init(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
            message: db.lastErrorMessage)
    }
}
