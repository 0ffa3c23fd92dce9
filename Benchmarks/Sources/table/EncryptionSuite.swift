import Logging
import Measure
import TrackEngine
import TrackEngineHistory
import TrackEngineSQLite
import WireSuites

/// What it costs that the disk alone tells nothing: an encrypted store and an encrypted history beside the same in plain, in
/// turns and on the same disk.
enum EncryptionSuite {
    /// How much longer encrypted work may take.
    private static let most = 1.3

    static func rows() async throws -> [Row] {
        try await appending() + history()
    }

    // MARK: A store

    private static func appending() async throws -> [Row] {
        try await withTemporaryFolder { folder in
            var stores: [SQLiteFixStore] = []
            for key in [StoreKey.random(), nil] {
                var configuration = SQLiteFixStore.Configuration(directory: "\(folder)/\(stores.count)")
                configuration.key = key
                stores.append(
                    try await SQLiteFixStore.open(configuration: configuration, logger: Logger(label: "bench")))
            }
            let drafts = SampleRecords.drafts(100)
            let timings = try await race(
                rounds: 101,
                stores.map { store in
                    Contender(units: 1_000) {
                        for _ in 0..<10 { keep(try await store.append(drafts, checkpoint: nil)) }
                    }
                })
            for store in stores { await store.close() }
            return [row("a store, 100 a commit, a record", timings)]
        }
    }

    // MARK: A history

    private static func history() async throws -> [Row] {
        try await withTemporaryFolder { folder in
            let histories = [
                try await TrackHistory.open(directory: folder + "/sealed", key: .random()),
                try await TrackHistory.open(directory: folder + "/plain"),
            ]
            let adding = try await race(rounds: 41, histories.map(add))
            let day = Drive.day(endingAt: Drive.end)
            for history in histories { for number in 0..<10 { _ = try await history.add(day, of: device(number)) } }
            let first = try await race(rounds: 9, histories.map(drawAnew))
            let again = try await race(rounds: 15, histories.map { draw($0, device(0)) })
            let reading = try await race(rounds: 9, histories.map(read))
            let bytes = [Double(try await histories[0].bytes()), Double(try await histories[1].bytes())]
            for history in histories { await history.close() }
            return [
                row("a history, 1,000 a commit, a point", adding, isBound: false),
                row("a history, a day of 86,400 points drawn for the first time", first, isBound: false),
                row("a history, the same once more", again, isBound: false),
                row("a history, the points of that day, a point", reading, isBound: false),
                Row(
                    "Encryption", "a history, bytes on the disk a point", bytes[0] / points,
                    beside: ("in plain", bytes[1] / points), target: .bytes(200)),
            ]
        }
    }

    /// How many points the histories hold in the end.
    private static let points = Double(42 * 1_000 + 10 * 86_400)

    private static let whole =
        Timestamp(secondsSince1970: Int64(Drive.end - 86_400))..<Timestamp(secondsSince1970: Int64(Drive.end))

    private static func device(_ number: Int) -> DeviceID { DeviceID(rawValue: "van-\(number)") }

    private static func add(_ history: TrackHistory) -> Contender {
        var next = 0
        return Contender(units: 1_000) {
            keep(try await history.add(Drive.points(from: next, count: 1_000), of: "van"))
            next += 1_000
        }
    }

    /// Another device in each round, which nobody has asked for before.
    private static func drawAnew(_ history: TrackHistory) -> Contender {
        var number = 0
        return Contender(units: 1) {
            keep(try await history.drawing(of: device(number), during: whole, zoom: 12))
            number += 1
        }
    }

    private static func draw(_ history: TrackHistory, _ device: DeviceID) -> Contender {
        Contender(units: 1) { keep(try await history.drawing(of: device, during: whole, zoom: 12)) }
    }

    private static func read(_ history: TrackHistory) -> Contender {
        Contender(units: 86_400) { keep(try await history.points(of: device(0), during: whole, limit: .max)) }
    }

    private static func row(_ subject: String, _ timings: [Timing], isBound: Bool = true) -> Row {
        let pair = timings[0].middlePair(with: timings[1])
        return Row(
            "Encryption", subject, pair.ours, beside: ("in plain", pair.theirs),
            target: isBound ? .timesYardstick(most) : .none)
    }
}
