import SQLiteAccess
import TrackEngine

/// The table of a row, as determined by its columns. Rows with checks must pass them.
///
/// Additional columns of a later release at the end are ignored; rows of unknown tables are omitted.
enum RowKind {
    /// A row of `record`.
    case record
    /// A row of `dead`.
    case letter
    /// A row of a table with one row for each name; of two rows with the same name, the one with the higher row id is
    /// newer.
    case named(NamedTable, String)
    /// The last number that was assigned to a record.
    case lastSequence(Int64)
    case unknown

    /// The tables with one row for each name. A changed row gets a new row id.
    enum NamedTable: String, CaseIterable {
        case sink, checkpoint, odometer, meta, sealed

        var columns: String {
            switch self {
            case .sink: "name, settled, crc"
            case .checkpoint: "source, movement, standby, " + StoredRow.columns
            case .odometer: "source, metres, crc"
            case .meta: "key, value"
            case .sealed: "name, value, crc"
            }
        }

        var columnCount: Int { columns.split(separator: ",").count }
    }

    init(rowid: Int64, _ values: [ColumnValue]) {
        self = Self.unchecked(values)
        switch self {
        case .record:
            if !SequenceBounds.contains(rowid) || !Self.hasCheck(values[...], sequence: rowid) { self = .unknown }
        case .letter:
            guard case .integer(let sequence) = values[5], SequenceBounds.contains(sequence), rowid > 0,
                Self.hasCheck(values[5...], sequence: sequence)
            else {
                self = .unknown
                return
            }
        case .named, .lastSequence, .unknown: break
        }
    }

    private static func unchecked(_ values: [ColumnValue]) -> RowKind {
        guard let first = values.first else { return .unknown }
        switch first {
        case .null:
            if values.count >= 5, values[1].isBlob, values[2].isInteger, values[3].isBlob, values[4].isInteger {
                return .record
            }
            if values.count >= 10, values[1].name != nil, values[2].string != nil, values[3].isInteger,
                values[4].isInteger, values[5].isInteger
            {
                return .letter
            }
            return .unknown
        case .text: return named(values)
        case .integer, .real, .blob: return .unknown
        }
    }

    private static func named(_ values: [ColumnValue]) -> RowKind {
        guard let name = values[0].name, values.count >= 2 else { return .unknown }
        switch (values.count, values[1]) {
        case (2, .integer(let value)) where name == "record":
            return SequenceBounds.contains(value) ? .lastSequence(value) : .unknown
        case (2, .integer(let value)) where name != "dead":
            return (0...SequenceBounds.highest).contains(value) ? .named(.meta, name) : .unknown
        case (3..., let value):
            guard case .integer(let check) = values[2] else { return checkpoint(values, name) }
            if case .blob(let bytes) = value, EncryptedTable.check(name, bytes) == check {
                return .named(.sealed, name)
            }
            if case .integer(let settled) = value, SinkTable.check(SinkID(rawValue: name), settled) == check,
                (0...SequenceBounds.highest).contains(settled)
            {
                return .named(.sink, name)
            }
            // SQLite stores a whole number of metres as an integer.
            if let metres = value.number, OdometerTable.check(SourceID(rawValue: name), metres) == check {
                return .named(.odometer, name)
            }
            return checkpoint(values, name)
        default: return .unknown
        }
    }

    private static func checkpoint(_ values: [ColumnValue], _ name: String) -> RowKind {
        guard values.count >= 8, values[1].isInteger, values[2].isInteger, case .integer(let sequence) = values[3],
            hasCheck(values[3...], sequence: sequence)
        else { return .unknown }
        return .named(.checkpoint, name)
    }

    /// Whether the five columns of a record are undamaged.
    private static func hasCheck(_ values: ArraySlice<ColumnValue>, sequence: Int64) -> Bool {
        let first = values.startIndex
        guard values.count >= 5, case .blob(let id) = values[first + 1], case .integer(let time) = values[first + 2],
            case .blob(let payload) = values[first + 3], case .integer(let check) = values[first + 4]
        else { return false }
        return (id.count == 16 || id.isEmpty && time == 0)
            && StoredRow.check(sequence: sequence, id: id, time: time, payload: payload) == check
    }
}

extension ColumnValue {
    /// A longer name is damage: a record stores its source's name with a length of two bytes.
    private static let longestName = Int(UInt16.max)

    var isInteger: Bool { if case .integer = self { true } else { false } }
    var isBlob: Bool { if case .blob = self { true } else { false } }

    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text, .blob: nil
        }
    }

    var name: String? {
        guard case .text(let bytes) = self, !bytes.isEmpty, bytes.count <= Self.longestName else { return nil }
        return string
    }
}
