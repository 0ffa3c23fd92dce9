import Foundation
import TrackEngine
import TrackEngineIntegrations

/// A store in one file of lines. A line says what one call has changed; a line without an end is of a call that has not
/// returned.
actor LineStore: BasicFixStore {
    private enum Line: Codable {
        case records([TrackRecord])
        case settled(sink: SinkID, upTo: Int64, lost: Int64)
        case counters(last: Int64, dropped: Int64)
    }

    let folder: String
    private var file: FileHandle?
    private var records: [TrackRecord] = []
    private var cursors: [SinkID: Int64] = [:]
    private var last: Int64 = 0
    private var dropped: Int64 = 0
    private var sinks: Set<SinkID> = []

    static func open(folder: String) async throws(StoreError) -> LineStore {
        let store = LineStore(folder: folder)
        try await store.load()
        return store
    }

    private init(folder: String) { self.folder = folder }

    private var path: String { folder + "/track.lines" }

    // MARK: Keeping

    func append(_ drafts: [RecordDraft], checkpoint: SourceCheckpoint?) throws(StoreError) -> [TrackRecord] {
        let new = drafts.enumerated().map { index, draft in
            TrackRecord(sequence: RecordSequence(rawValue: last + 1 + Int64(index)), draft: draft)
        }
        try write(.records(new))
        return new
    }

    func records(after sequence: RecordSequence, limit: Int) throws(StoreError) -> [TrackRecord] {
        _ = try openFile()
        return Array(records.drop { $0.sequence <= sequence }.prefix(limit))
    }

    // MARK: Delivering

    func nextBatch(for sink: SinkID, limit: Int) throws(StoreError) -> PendingBatch? {
        let waiting = try records(after: RecordSequence(rawValue: cursors[sink] ?? 0), limit: limit)
        return waiting.isEmpty ? nil : PendingBatch(origin: .queue, records: waiting)
    }

    func settle(_ settlement: Settlement, for sink: SinkID) throws(StoreError) {
        _ = try openFile()
        let new = settlement.records.filter { $0.sequence.rawValue > cursors[sink] ?? 0 }
        guard settlement.origin == .queue, let newest = new.last else { return }
        let lost = new.count { settlement.refused[$0.id] != nil }
        try write(.settled(sink: sink, upTo: newest.sequence.rawValue, lost: Int64(lost)))
    }

    // MARK: Housekeeping

    func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) throws(StoreError) {
        _ = try openFile()
        self.sinks = sinks
    }

    func prune(now: Timestamp, isClockConfirmed: Bool) throws(StoreError) -> PruneReport {
        _ = try openFile()
        let settled = sinks.map { cursors[$0] ?? 0 }.min() ?? 0
        let count = records.prefix { $0.sequence.rawValue <= settled }.count
        guard count > 0 else { return PruneReport(settled: 0, dropped: 0) }
        try rewrite(Array(records.dropFirst(count)))
        return PruneReport(settled: count, dropped: 0)
    }

    func status() throws(StoreError) -> StoreStatus {
        let bytes = try throwing { try Int64(openFile().offset()) }
        return StoreStatus(
            count: records.count, lastSequence: RecordSequence(rawValue: last), bytes: bytes, dropped: dropped,
            deadLetters: 0, warning: "limits of age, number and size are not applied")
    }

    func clear() throws(StoreError) {
        _ = try openFile()
        try rewrite([])
    }

    func close() {
        try? file?.close()  // every line has been written through already
        file = nil
    }

    // MARK: The file

    private func openFile() throws(StoreError) -> FileHandle {
        guard let file else { throw StoreError(.closed, "the store has been closed") }
        return file
    }

    private func load() throws(StoreError) {
        try throwing {
            // A file that is there and cannot be read must not be taken for an empty one.
            let isNew = access(path, F_OK) != 0 && errno == ENOENT
            let text = isNew ? Data() : try Data(contentsOf: URL(fileURLWithPath: path))
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            for line in lines { apply(try JSONDecoder().decode(Line.self, from: line)) }
        }
        try rewrite(records)
    }

    private func apply(_ line: Line) {
        switch line {
        case .records(let new):
            records += new
            last = new.last?.sequence.rawValue ?? last
        case .settled(let sink, let upTo, let lost):
            cursors[sink] = upTo
            dropped += lost
        case .counters(let last, let dropped): (self.last, self.dropped) = (last, dropped)
        }
    }

    /// Writes a line through to the disk; what it says holds from then on.
    private func write(_ line: Line) throws(StoreError) {
        let file = try openFile()
        try throwing {
            let end = try file.offset()
            do {
                try file.write(contentsOf: JSONEncoder().encode(line) + [UInt8(ascii: "\n")])
                try file.synchronize()
            } catch {
                try file.truncate(atOffset: end)  // the next line must not continue half of this one
                throw error
            }
        }
        apply(line)
    }

    /// Puts a file that holds only what is left in the place of the old one, by a rename.
    private func rewrite(_ kept: [TrackRecord]) throws(StoreError) {
        let left = cursors.map { Line.settled(sink: $0, upTo: $1, lost: 0) }
        try throwing {
            var text = Data()
            for line in [.records(kept)] + left + [.counters(last: last, dropped: dropped)] {
                text += try JSONEncoder().encode(line) + [UInt8(ascii: "\n")]
            }
            guard FileManager.default.createFile(atPath: path + ".new", contents: nil),
                let new = FileHandle(forWritingAtPath: path + ".new"),
                let directory = FileHandle(forReadingAtPath: folder)
            else { throw StoreError(.inputOutput, "expected to make \(path).new") }
            try new.write(contentsOf: text)
            try new.synchronize()
            guard rename(path + ".new", path) == 0 else {
                throw StoreError(.inputOutput, "expected to rename \(path).new")
            }
            (file, records) = (new, kept)  // from here on the old file is nobody's
            try directory.synchronize()  // a power cut must not bring the old file back
        }
    }

    private func throwing<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do { return try body() } catch let error as StoreError { throw error } catch {
            throw StoreError(.inputOutput, "\(path) cannot be read or written")  // the error may show a position
        }
    }
}
