import SQLiteAccess
import TrackEngine

/// A history's database: what the actor asks of it, each call a transaction.
struct HistoryEngine {
    private let files: HistoryFiles
    private let identity: HistoryFiles.Identity
    private let connection: HistoryConnection
    private let seal: HistorySeal?
    /// What an operator must be told about how it was opened.
    let notice: String?

    init(
        directory: String, key: StoreKey?, environment: HistoryEnvironment = HistoryEnvironment()
    ) throws(StoreError) {
        files = try HistoryFiles(directory: directory)
        let opened = try HistoryOpener(files: files, key: key, environment: environment).open()
        (connection, seal, notice) = (opened.connection, opened.seal, opened.notice)
        identity = try files.identity()
    }

    /// Whether who has the files, and not the key, cannot read places and names.
    var isEncrypted: Bool { seal != nil }

    /// The rows that were read and did not open; `nil` in a history in plain.
    var unopened: UnopenedRows? { seal?.unopened }

    /// A file beside the history.
    func companion(at path: String) -> CompanionFile { CompanionFile(path, seal) }

    /// Takes the points and events of several callers in one transaction, through to the disk.
    func add(_ additions: [PendingAdditions.Addition]) throws(StoreError) -> [HistoryAddition] {
        try files.require(identity)
        let results = try transaction { tables in
            var changed: [Int64: Set<Int64>] = [:]
            let insertion = try tables.insertion()
            let results = try additions.map { try add($0, to: tables, insertion, &changed) }
            for (device, times) in changed { try ChunkTree(tables: tables, device: device).forget(times) }
            return results
        }
        try files.require(identity)  // what was committed into files that nobody finds again is not kept
        return results
    }

    private func add(
        _ addition: PendingAdditions.Addition, to tables: HistoryTables, _ insertion: any PointInserting,
        _ changed: inout [Int64: Set<Int64>]
    ) throws -> HistoryAddition {
        var result = HistoryAddition()
        guard NamedTable.isName(addition.device.rawValue) else {
            result.refused = addition.points.count + addition.events.count
            return result
        }
        var known: Int64?
        var source: (id: SourceID, number: Int64)?
        for point in addition.points {
            guard let row = PointRow(point) else {
                result.refused += 1
                continue
            }
            let device = try known ?? tables.devices.number(making: addition.device.rawValue)
            known = device
            if let id = point.source, id != source?.id, NamedTable.isName(id.rawValue) {
                source = (id, try tables.sources.number(making: id.rawValue))
            }
            let number = point.source == source?.id ? source?.number : nil
            if try insertion.insert(row, of: device, source: number, senderID: point.senderID) {
                result.added += 1
                // One time of each chunk will do.
                changed[device, default: []].insert(ChunkKey(level: .finest, containing: row.time).times.lowerBound)
            } else {
                result.repeated += 1
            }
        }
        for event in addition.events {
            guard EventCodec.encode(event) != nil else {
                result.refused += 1
                continue
            }
            let device = try known ?? tables.devices.number(making: addition.device.rawValue)
            known = device
            if try tables.events.put(event, of: device) == true { result.events += 1 }
        }
        return result
    }

    /// What came of a question about a device.
    enum Answer<Value> {
        case complete(Value)
        /// There is more to make than one transaction does; ask again.
        case unfinished
        case unknownDevice
    }

    /// Asks about one device. What has to be made for the answer is kept.
    func ask<Value>(
        _ device: DeviceID, _ question: (ChunkTree) throws -> Value
    ) throws(StoreError) -> Answer<Value> {
        try transaction { tables in
            guard let number = try tables.devices.number(of: device.rawValue) else {
                return .unknownDevice
            }
            do {
                let budget = ChunkBudget(Self.chunksAtOnce)
                return .complete(try question(ChunkTree(tables: tables, device: number, budget: budget)))
            } catch is ChunkBudget.Spent {
                return .unfinished
            }
        }
    }

    /// A chunk of a fix a second takes about a millisecond.
    private static let chunksAtOnce = 16

    /// All devices that have points, by name.
    func devices() throws(StoreError) -> [HistoryDevice] {
        try transaction { tables in
            try tables.devices.all().compactMap { device in
                let newest = try tables.points.newest(of: device.number)
                return newest.map { HistoryDevice(id: DeviceID(rawValue: device.name), newest: $0) }
            }
        }
    }

    /// All devices, each with the time of its newest point, or of its last event where it has no points.
    func ages() throws(StoreError) -> [(device: DeviceID, newest: Timestamp)] {
        try transaction { tables in
            try tables.devices.all().compactMap { device in
                let newest =
                    try tables.points.newest(of: device.number)?.fix.time
                    ?? tables.events.begin(ofLast: true, of: device.number).map(Timestamp.init(millisecondsSince1970:))
                return newest.map { (DeviceID(rawValue: device.name), $0) }
            }
        }
    }

    /// Removes the oldest points of the device that has the oldest, and the events that had ended by then.
    func removeOldest(limit: Int) throws(StoreError) -> Pruning.Step {
        try transaction { try Pruning(tables: $0).removeOldest(limit: limit) }
    }

    /// Bytes of the database that are in use.
    func bytes() throws(StoreError) -> Int64 { try transaction { try Pruning(tables: $0).bytesInUse() } }

    func close() throws(StoreError) {
        do { try connection.close() } catch { throw StoreError(database: error) }
    }

    private func transaction<Result>(_ body: (HistoryTables) throws -> Result) throws(StoreError) -> Result {
        do { return try connection.commit { try body(HistoryTables(db: $0, seal: seal)) } } catch {
            throw StoreError(database: error)
        }
    }
}
