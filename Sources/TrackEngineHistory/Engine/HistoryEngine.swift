import SQLiteAccess
import TrackEngine

/// A history's database: the operations of the actor, each call a transaction.
struct HistoryEngine {
    let files: HistoryFiles
    /// Identifies the database's file.
    var identity: FileStatus.Identity
    var connection: HistoryConnection
    let seal: HistoryCipher?
    let health: HistoryHealth
    let room: HistorySpace
    let environment: HistoryEnvironment
    /// A notice for the operator about the opening.
    let notice: String?

    /// One caller's points and events.
    struct Addition: Sendable {
        let device: DeviceID
        let points: [HistoryPoint]
        let events: [HistoryEvent]
    }

    init(
        directory: String, key: StoreKey?, environment: HistoryEnvironment = HistoryEnvironment(),
        health: HistoryHealth
    ) throws(StoreError) {
        self.health = health
        self.environment = environment
        files = try HistoryFiles(directory: directory)
        room = try HistorySpace(path: files.reserve, in: directory)
        let opened = try HistoryOpener(files: files, key: key, environment: environment, health: health).open()
        (connection, seal, notice) = (opened.connection, opened.seal, opened.notice)
        identity = try files.identity()
        try? room.take()  // on a full disk, the next addition reports the error
        noteDamagedCopies()
    }

    /// Whether the history is encrypted, so that its files without the key reveal no places and names.
    var isEncrypted: Bool { seal != nil }

    /// The rows that were read and did not open; `nil` in a plain history.
    var unopened: UnreadableRowList? { seal?.unopened }

    /// A file next to the history that is encrypted when the history is.
    func companion(at path: String) -> EncryptedHistoryFile { EncryptedHistoryFile(path, seal) }

    /// Adds the points and events of several callers in one transaction, through to the disk. On a full disk, data
    /// that can be made again is removed to make room.
    func add(_ additions: [Addition]) throws(StoreError) -> [HistoryAddition] {
        try files.require(identity)
        guard !health.misleads || !canBeSalvaged else {
            throw StoreError(.damaged, "\(files.database): points are out of order, or cannot be reached")
        }
        var results: [HistoryAddition] = []
        do throws(StoreError) {
            do throws(StoreError) { results = try addAtOnce(additions) } catch {
                guard error.code == .full, giveUpCache() else { throw error }
                results = try addAtOnce(additions)
            }
        } catch {
            let rows = additions.reduce(0) { $0 + $1.points.count + $1.events.count }
            health.noteRefusal(error, error.code == .full ? room.need(ofRows: rows, isEncrypted: isEncrypted) : nil)
            throw error
        }
        health.noteAddition()
        try files.require(identity)  // a commit into files that were moved or removed is lost
        return results
    }

    private func addAtOnce(_ additions: [Addition]) throws(StoreError) -> [HistoryAddition] {
        try room.take()  // additions never use up the space that removals need
        return try mending(.whole) { tables in
            var changed: [Int64: Set<Int64>] = [:]
            let insertion = try tables.insertion()
            let results = try additions.map { try add($0, to: tables, insertion, &changed) }
            for (device, times) in changed { try ChunkTree(tables: tables, device: device).forget(times) }
            return results
        }
    }

    private func add(
        _ addition: Addition, to tables: HistoryTableSet, _ insertion: any PointWriter,
        _ changed: inout [Int64: Set<Int64>]
    ) throws -> HistoryAddition {
        var result = HistoryAddition()
        guard NamedTable.isName(addition.device.rawValue) else {
            result.refused = addition.points.count + addition.events.count
            return result
        }
        var known: Int64?
        var newest: Int64?
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
            let end = try newest ?? tables.points.end(of: device)
            newest = max(end, row.time)
            if try insertion.insert(row, of: device, source: number, senderID: point.senderID) {
                if row.time < end { try tables.points.requireOrder(around: row.time, of: device) }
                result.added += 1
                // One time of each chunk suffices.
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

    /// The result of a query about a device.
    enum QueryResult<Value> {
        case complete(Value)
        /// More has to be made than one transaction may make; call again.
        case unfinished
        /// The answer would be too large.
        case tooMuch
        case unknownDevice
    }

    /// Runs a query about one device. Data made for the answer is stored, except on a full disk.
    ///
    /// - Parameters:
    ///   - device: the device of the query.
    ///   - deadline: the time after which it ends without an answer.
    ///   - question: the query.
    func ask<Value>(
        _ device: DeviceID, until deadline: ContinuousClock.Instant, _ question: (ChunkTree) throws -> Value
    ) throws(StoreError) -> QueryResult<Value> {
        do throws(StoreError) { return try ask(device, until: deadline, keeps: true, question) } catch {
            guard error.code == .full else { throw error }
            let answer = try ask(device, until: deadline, keeps: false, question)
            guard case .unfinished = answer else { return answer }
            throw StoreError(.full, "the disk is full, so a time with so many points cannot be drawn")
        }
    }

    private func ask<Value>(
        _ device: DeviceID, until deadline: ContinuousClock.Instant, keeps: Bool,
        _ question: (ChunkTree) throws -> Value
    ) throws(StoreError) -> QueryResult<Value> {
        var kept = 0
        let answer: QueryResult<Value> = try mending(.relaxed) { tables in
            guard let number = try tables.devices.number(of: device.rawValue) else { return .unknownDevice }
            let budget = ChunkBudget(
                keeps ? ChunkBudget.points : 32 * ChunkBudget.points, until: deadline, willLook: environment.willLook)
            defer { kept = budget.kept }
            do {
                return .complete(
                    try question(ChunkTree(tables: tables, device: number, budget: budget, keeps: keeps)))
            } catch is ChunkBudget.Interruption {
                return .unfinished
            } catch is ChunkBudget.SizeError {
                return .tooMuch
            }
        }
        room.cacheGrowth += Int64(kept)
        return answer
    }

    /// All devices that have points, by name.
    func devices() throws(StoreError) -> [HistoryDevice] {
        try transaction { tables in
            try tables.devices.all().compactMap { device in
                let newest = try tables.points.newest(of: device.number)
                return newest.map { HistoryDevice(id: DeviceID(rawValue: device.name), newest: $0) }
            }
        }
    }

    func newest(of device: DeviceID) throws(StoreError) -> HistoryPoint? {
        try transaction { tables in
            try tables.devices.number(of: device.rawValue).flatMap { try tables.points.newest(of: $0) }
        }
    }

    /// All devices, each with the time of its newest point, or of its last event when it has no points.
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

    func close() throws(StoreError) {
        do { try connection.close() } catch { throw StoreError(database: error) }
    }

    private func tables(_ db: Database) -> HistoryTableSet { HistoryTableSet(db: db, seal: seal, health: health) }

    func transaction<Result>(_ body: (HistoryTableSet) throws -> Result) throws(StoreError) -> Result {
        try mending(.durable, body)
    }

    /// The durability that the work of a transaction requires.
    enum Durability {
        /// All changes or none, through to the disk.
        case whole
        /// All changes, through to the disk; the statements may be committed one by one.
        case durable
        /// The changes can be made again.
        case relaxed
    }

    /// Runs a transaction. When it meets a damaged page, the work runs again without a transaction, since SQLite
    /// commits no change written after that: then each statement is committed by itself. Damaged tables of the cache
    /// are made anew.
    func mending<Result>(
        _ demand: Durability, _ body: (HistoryTableSet) throws -> Result
    ) throws(StoreError) -> Result {
        let isWhole = demand == .whole
        func work(inSteps: Bool) throws -> Result {
            if inSteps, !isWhole { return try connection.run { try body(tables($0)) } }
            return try connection.commit(demand == .relaxed ? .relaxed : .durable) { try body(tables($0)) }
        }
        do {
            do { return try work(inSteps: false) } catch  where isWhole ? error is MapCache.Damaged : error.isDamage {
                do { return try work(inSteps: true) } catch is MapCache.Damaged {
                    try MapCache.makeAnew(connection)
                    return try work(inSteps: true)
                }
            }
        } catch is MapCache.Damaged {
            throw StoreError(.damaged, "\(files.database): the data computed from the points cannot be rebuilt")
        } catch let error as DatabaseError where error.isDamage {
            throw StoreError(.damaged, "\(files.database): \(error.message)")
        } catch {
            throw StoreError(database: error)
        }
    }
}
