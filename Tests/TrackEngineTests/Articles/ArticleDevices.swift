import TrackEngine
import TrackEngineTestKit

/// What the articles' samples talk to. They are written as a reader would write them, so these stand in for a device.
struct BeaconConnection: Sendable {
    let lines: AsyncStream<String>

    /// A device that says these lines and then nothing more.
    init(saying lines: [String]) {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        for line in lines { continuation.yield(line) }
        // Never finished: a device stays connected.
        self.lines = stream
    }
}

enum BeaconDecoder {
    /// Reads `SECONDS LATITUDE LONGITUDE`.
    static func fix(from line: String) -> Fix? {
        let words = line.split(separator: " ")
        guard words.count == 3, let seconds = Int64(words[0]), let latitude = Double(words[1]),
            let longitude = Double(words[2])
        else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        return coordinate.isValid ? Fix(time: Timestamp(secondsSince1970: seconds), coordinate: coordinate) : nil
    }
}

/// A wire to a receiver in memory.
struct Wire: Sendable {
    enum Answer {
        case confirmed
        case confirmedFirst(Int)
        case busy(Duration)
        case tooLong
        case nonsense
        case whoAreYou
    }

    struct Down: Error {}

    let receiver: InMemoryReceiver
    let mood: SinkBench.Mood

    func send(_ lines: [String]) async throws -> Answer {
        let records = lines.compactMap { line in
            RecordID(String(line.prefix { $0 != " " })).map { ReceivedRecord(id: $0, payload: line) }
        }
        switch receiver.offer(records, mood) {
        case .taken: return .confirmed
        case .refused: return .nonsense
        case .unreachable: throw Down()
        case .nothing:
            try await Task.sleep(for: .seconds(3600))  // silent until the delivery is cancelled
            throw Down()
        }
    }
}

extension Telegram {
    static func line(_ record: TrackRecord) -> String { "\(record.id) \(record.fix.time)" }
}
