import Testing
import TrackEngine
import TrackEngineFiles

@Suite("What a delivery confirms")
struct ReceiptTests {
    /// 1979-12-31T23:59:59Z, 1980-01-01T00:00:00Z, 2079-12-31T23:59:59Z and 2080-01-01T00:00:00Z, from ``Samples/start`` on.
    private static let boundaries = [315_532_799, 315_532_800, 3_471_292_799, 3_471_292_800]
        .map { $0 - Int(Samples.start) }

    @Test func `NMEA refuses records of years that it cannot say`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, .nmea)
            let records = Self.boundaries.enumerated().map { index, second in
                let fix = Fix(time: Samples.time(second), coordinate: Coordinate(latitude: 52.5, longitude: 13.25))
                let draft = RecordDraft(
                    id: RecordID(rawValue: UInt128(index) + 1), fix: fix, isMoving: true, cause: .distance,
                    source: "gpsd")
                return TrackRecord(sequence: RecordSequence(rawValue: Int64(index) + 1), draft: draft)
            }
            let receipt = try await sink.deliver(RecordBatch(records: records))
            await sink.close()
            let reason = "NMEA has no place for a year before 1980 or after 2079"
            #expect(receipt == Receipt(settled: 4, refused: [records[0].id: reason, records[3].id: reason]))
            #expect(try directory.seconds() == Array(Self.boundaries[1...2]))
        }
    }

    @Test(arguments: Samples.formats)
    func `a record without a position is refused in each format`(_ format: TrackFormat) async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, format)
            let records = [Samples.record(0), Samples.record(1, latitude: 91), Samples.record(2)]
            let receipt = try await sink.deliver(RecordBatch(records: records))
            await sink.close()
            let refused = [records[1].id: "the record has no valid position"]
            #expect(receipt == Receipt(settled: 3, refused: refused))
            #expect(try directory.seconds() == [0, 2])
        }
    }

    @Test func `a batch beyond what the state holds is confirmed in parts, and no record comes twice`() async throws {
        try await withDirectoryInMemory { directory in
            let sink = try Samples.sink(in: directory.path, .csv)
            var (rest, last) = (0..<14_000, 0..<0)
            while !rest.isEmpty {
                let settled = try await sink.deliver(Samples.batch(rest)).settled
                last = rest.prefix(settled)
                rest.removeFirst(settled)
            }
            await sink.close()
            let next = try Samples.sink(in: directory.path, .csv)
            #expect(try await next.deliver(Samples.batch(last)) == .all(of: Samples.batch(last)))
            await next.close()
            #expect(directory.names == ["track_2026-03-01.csv.part"])
            let lines = try directory.text("track_2026-03-01.csv.part").split(whereSeparator: \.isNewline)
            #expect(lines.count == 14_001)  // and the header
        }
    }
}
