import Synchronization
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct TrackExportTests {
    @Test func `pages follow each other without a gap or a repetition`() async throws {
        let records = (1...1234).map { record($0, source: "a") }
        let text = try await export(ExportRequest(format: .csv), records)
        let lines = text.split(whereSeparator: \.isNewline)
        #expect(lines.count == 1 + 1234)
        #expect(Set(lines).count == 1 + 1234)
    }

    @Test func `what is stored while the export runs is not part of it`() async throws {
        let records = (1...10).map { record($0, source: "a") }
        let text = try await export(ExportRequest(format: .ndjson), records, upTo: 7)
        #expect(text.split(separator: "\n").count == 7)
    }

    @Test func `from is included, to is not`() async throws {
        let records = (1...10).map { record($0, source: "a") }
        let request = ExportRequest(
            format: .ndjson, from: Timestamp(secondsSince1970: 1_800_000_003),
            to: Timestamp(secondsSince1970: 1_800_000_006))
        #expect(try await export(request, records).split(separator: "\n").count == 3)
    }

    @Test func `formats of tracks get one source after the other`() async throws {
        let records = (1...6).map { record($0, source: $0 % 2 == 0 ? "even" : "odd") }
        let text = try await export(ExportRequest(format: .gpx), records)
        #expect(text.split(separator: "<trk>").count == 3)
        #expect(text.contains("<name>odd</name>") && text.contains("<name>even</name>"))
    }

    @Test func `an empty store is an empty document`() async throws {
        #expect(try await export(ExportRequest(format: .ndjson), []).isEmpty)
        #expect(try await export(ExportRequest(format: .gpx), []).hasSuffix("</gpx>\n"))
    }

    @Test func `an export that hands nothing over ends when it is cancelled`() async throws {
        let records = (1...10).map { record($0, source: "a") }
        let pages = Mutex(0)
        let request = ExportRequest(format: .ndjson, to: Timestamp(secondsSince1970: 0))
        let export = TrackExport(request, upTo: RecordSequence(rawValue: 10)) { place, _ in
            pages.withLock { $0 += 1 }
            withUnsafeCurrentTask { $0?.cancel() }
            return Array(records.drop { $0.sequence <= place }.prefix(1))
        }
        await #expect(throws: CancellationError.self) { try await export.run { _ in } }
        #expect(pages.withLock { $0 } == 1)
    }

    private func record(_ number: Int, source: SourceID) -> TrackRecord {
        let fix = Fix(
            time: Timestamp(secondsSince1970: 1_800_000_000 + Int64(number)),
            coordinate: Coordinate(latitude: 1, longitude: Double(number) / 1000))
        let id = RecordID(device: "van-7", source: source, fix: fix, cause: .distance)
        let draft = RecordDraft(id: id, fix: fix, isMoving: true, cause: .distance, source: source)
        return TrackRecord(sequence: RecordSequence(rawValue: Int64(number)), draft: draft)
    }

    private func export(_ request: ExportRequest, _ records: [TrackRecord], upTo last: Int64? = nil) async throws
        -> String
    {
        let last = last.map(RecordSequence.init(rawValue:)) ?? records.last?.sequence ?? .zero
        var bytes: [UInt8] = []
        let export = TrackExport(request, upTo: last) { place, limit in
            Array(records.drop { $0.sequence <= place }.prefix(limit))
        }
        try await export.run { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
