import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// A document that was ended, and is gone on with by another writer.
@Suite struct ContinuedDocumentTests {
    @Test(arguments: TrackFormat.allCases.filter { $0 != .kml })
    func `readers find the records of both writers`(_ format: TrackFormat) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/track.\(format.rawValue)"
            try Data(Self.document(format)).write(to: URL(fileURLWithPath: path))
            let file = try ReplayFile(path: path)
            var times: [Timestamp] = []
            while let chunk = try file.next() {
                #expect(chunk.problems.isEmpty, "\(chunk.problems)")
                times += chunk.fixes.map(\.time)
            }
            #expect(times == (0..<4).map { Self.record($0).fix.time })
        }
    }

    private static func record(_ number: Int) -> RecordDraft {
        SampleRecords.record(number, at: SampleRecords.start.advanced(by: .seconds(number)))
    }

    /// Two records by one writer, and in place of their ending two by another.
    private static func document(_ format: TrackFormat) -> [UInt8] {
        var bytes: [UInt8] = []
        var first = format.makeWriter()
        first.begin(&bytes)
        for number in 0..<2 { first.append(record(number), to: &bytes) }
        first.end(&bytes)
        var second = format.makeContinuingWriter()
        var ending: [UInt8] = []
        second.end(&ending)
        #expect(bytes.suffix(ending.count) == ending[...])
        bytes.removeLast(ending.count)
        for number in 2..<4 { second.append(record(number), to: &bytes) }
        second.end(&bytes)
        return bytes
    }
}
