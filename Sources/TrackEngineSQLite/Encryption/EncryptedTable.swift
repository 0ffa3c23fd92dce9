import Encryption
import SQLiteAccess
import TrackEngine

/// The named values of an encrypted store: the check of its key, and the states of the sources.
struct EncryptedTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    private static let key = "key"
    private static let sources = "sources"

    /// Whether a database has the table, which only encrypted stores have.
    static func isThere(in db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'sealed'") != nil
    }

    // MARK: - The key

    /// The check of the database's key; `nil` if it is missing.
    func keyCheck() throws -> KeyCheck? {
        let rows = try db.rows(sql: "SELECT value, crc FROM sealed WHERE name = ?", arguments: [Self.key])
        guard let row = try rows.next(), let value = row.blob(0) else { return nil }
        return KeyCheck(value: value, crc: row.integer(1))
    }

    func put(check: [UInt8]) throws { try put(Self.key, check) }

    // MARK: - Sources

    /// The states of the sources; empty if they were never written or are damaged.
    func sources(_ seal: RowCipher) throws -> SourceStateTable {
        guard let value = try sourcesValue(), let bytes = seal.open(value, as: .sources, number: 0),
            let states = try? SourceStateTable(bytes: bytes)  // the kind of damage does not matter
        else { return SourceStateTable() }
        return states
    }

    /// Whether the states exist and are encrypted under this key.
    func opensSources(_ seal: RowCipher) throws -> Bool {
        try sourcesValue().map { Self.isSound($0, of: Self.sources, seal) } ?? false
    }

    private func sourcesValue() throws -> [UInt8]? {
        try [UInt8].fetchOne(db, sql: "SELECT value FROM sealed WHERE name = ?", arguments: [Self.sources])
    }

    func put(_ sources: SourceStateTable, _ seal: RowCipher) throws {
        try put(Self.sources, seal.seal(sources.bytes, as: .sources, number: 0))
    }

    /// Whether a named value was written by a store with this key.
    static func isSound(_ value: [UInt8], of name: String, _ seal: RowCipher) -> Bool {
        name == sources && seal.open(value, as: .sources, number: 0) != nil
    }

    private func put(_ name: String, _ value: [UInt8]) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO sealed (name, value, crc) VALUES (?, ?, ?)",
            arguments: [name, value, Self.check(name, value)])
    }

    static func check(_ name: String, _ value: some Sequence<UInt8>) -> Int64 {
        var check = CRC32()
        check.combine(name.utf8)
        check.combine(value)
        return Int64(check.value)
    }

    /// The check of a database's key: the stored ``RowCipher/check``, and its checksum.
    struct KeyCheck {
        let value: [UInt8]
        let crc: Int64?

        init(value: [UInt8], crc: Int64?) {
            self.value = value
            self.crc = crc
        }

        /// Reads the check from a file without opening it as a database; `nil` if it is missing or unreadable.
        init?(inFile path: String) {
            guard let db = try? Database(path: path, .immutable), let check = try? EncryptedTable(db).keyCheck() else {
                return nil
            }
            self = check
        }

        /// Whether the check belongs to a key.
        func fits(_ seal: RowCipher) -> Bool { DerivedKey.isEqual(value, seal.check) }

        /// Whether the check is undamaged.
        var isSound: Bool { crc == EncryptedTable.check(EncryptedTable.key, value) }
    }
}

extension SourceStateTable {
    /// The states of all sources: the number of odometers (4 bytes), each a name and a reading; the number of
    /// checkpoints (4), each a name, the id and time of its record, and that record's payload after its length (4), in
    /// the form of ``RecordCodec``.
    fileprivate var bytes: [UInt8] {
        let past = forgotten.values.filter { checkpoints[$0.source] == nil }.map { ($0, true) }
        let rows = (past + checkpoints.values.map { ($0, false) }).map { checkpoint, isForgotten in
            let state = PipelineState(checkpoint, isForgotten: isForgotten)
            return (checkpoint, RowContent(checkpoint.last, state: state).bytes)
        }
        let named = Array(odometers.keys) + rows.map(\.0.source)
        let names = named.reduce(0) { $0 + 2 + min($1.rawValue.utf8.count, Int(UInt16.max)) }
        let room = 8 + names + 8 * odometers.count + rows.reduce(0) { $0 + 4 + $1.1.count }
        return ByteWriter.array(room: room) { writer in
            writer.write(UInt32(odometers.count))
            for (source, metres) in odometers {
                writer.write(source.rawValue)
                writer.write(metres)
            }
            writer.write(UInt32(rows.count))
            for (checkpoint, row) in rows {
                writer.write(checkpoint.source.rawValue)
                writer.write(UInt32(row.count))
                row.withUnsafeBytes { writer.write($0) }
            }
        }
    }

    fileprivate init(bytes: [UInt8]) throws(CodecError) {
        self.init()
        var reader = ByteReader(bytes)
        for _ in 0..<(try reader.read(UInt32.self)) {
            let source = SourceID(rawValue: try reader.readText())
            note(odometer: try reader.readDouble(), of: source)
        }
        for _ in 0..<(try reader.read(UInt32.self)) {
            let source = SourceID(rawValue: try reader.readText())
            let length = Int(try reader.read(UInt32.self))
            guard let (last, state) = RowContent(bytes: try reader.readBytes(length))?.contents, let state else {
                throw .truncated
            }
            let checkpoint = SourceCheckpoint(
                source: source, last: last, lastMovement: state.lastMovement, isStandby: state.isStandby,
                activityState: state.activityState, detectorState: state.detectorState)
            note(checkpoint, isForgotten: state.isForgotten)
        }
        guard reader.isAtEnd else { throw .trailingBytes }
    }
}
