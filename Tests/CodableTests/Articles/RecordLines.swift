import Foundation
import TrackEngine
import TrackEngineIntegrations

func line(of record: TrackRecord) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(record), as: UTF8.self)
}

func record(from line: String) throws -> TrackRecord {
    try JSONDecoder().decode(TrackRecord.self, from: Data(line.utf8))
}

func age(of record: TrackRecord, at now: Date) -> TimeInterval {
    now.timeIntervalSince(Date(record.fix.time))
}
