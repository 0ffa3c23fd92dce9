import Foundation
import SQLiteAccess
import TrackEngineSimulated

/// A sound SQLite database of another program, such as somebody copies to the wrong place.
struct ForeignDatabase {
    /// The `user_version` that the other program has set; programs that set none have 0, and some number from 1 as we do.
    let version: Int

    init(using random: inout SplitMix64) {
        version = [0, 1, 2, 3].randomElement(using: &random) ?? 0
    }

    /// Writes it in the place of whatever is there.
    func replace(_ path: String) throws {
        let made = path + ".foreign"
        let db = try Database(path: made)
        try db.immediateTransaction { db in
            try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, body TEXT)")
            try db.execute(sql: "CREATE INDEX note_subject ON note (subject)")
            for number in 1...500 {
                try db.execute(
                    sql: "INSERT INTO note (subject, body) VALUES (?, ?)",
                    arguments: ["note \(number)", String(repeating: "text ", count: number % 40)])
            }
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        try db.close()
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.moveItem(atPath: made, toPath: path)
    }
}
