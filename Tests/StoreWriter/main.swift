import Foundation
import Logging
import TrackEngine
import TrackEngineSQLite

// Fills a store until it is killed, and says on standard output what was acknowledged, one line each, after the fact:
//   store-writer DIRECTORY append    "ok SEQUENCE NUMBER" and "settled SEQUENCE" without end
//   store-writer DIRECTORY limited   the same under a limit on file sizes, which is then lifted; then ends in order
//   store-writer DIRECTORY full      fills the disk, opens the store again there, delivers everything and goes on
//   store-writer DIRECTORY meter     "bytes N" that each of 1 000 appends of one record has written on average, then of 50
//   store-writer DIRECTORY fill      appends 358,372 records, as many as a store of some months has, and is killed
//   store-writer DIRECTORY open      opens the store, says "opened MILLISECONDS COUNT" and ends in order
//   store-writer DIRECTORY hold      "holding", then nothing
//   store-writer DIRECTORY unreadable   some of SQLite's reads fail; delivers all and says "delivered COUNT"
//   store-writer DIRECTORY dead-disk    all of SQLite's reads fail; says "refused ERROR"
//   store-writer DIRECTORY rewrite   writes the store anew under the key in STORE_NEW_KEY, says "rewritten"
//   store-writer DIRECTORY rewrite-full  fills the disk and writes the store anew there, says "refused ERROR" and "whole COUNT"
//   store-writer DIRECTORY compare   "plain N sealed N" microseconds a record, 100 records a commit, in two stores by turns
// With STORE_KEY, 64 hexadecimal digits, the store is encrypted.

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

func draft(_ number: Int) -> RecordDraft {
    let fix = Fix(
        time: Timestamp(secondsSince1970: 1_772_366_400 + Int64(number)),
        coordinate: Coordinate(latitude: 48, longitude: 11), speed: Double(number % 30))
    return RecordDraft(
        id: RecordID(rawValue: UInt128(number)), fix: fix, isMoving: true, cause: .distance, source: "writer")
}

@Sendable func append(_ numbers: Range<Int>, to store: SQLiteFixStore) async throws {
    for record in try await store.append(numbers.map(draft), checkpoint: nil) {
        say("ok \(record.sequence) \(record.id.rawValue)")
    }
}

/// Three callers append at the same time, a fourth settles what there is.
func fill(_ store: SQLiteFixStore) async throws {
    try await withThrowingTaskGroup { group in
        for task in 0..<3 {
            group.addTask {
                var number = task * 1_000_000_000
                while true {
                    number += 3
                    try await append(number..<number + 3, to: store)
                }
            }
        }
        group.addTask {
            while true {
                guard let batch = try await store.nextBatch(for: "a", limit: 5), let last = batch.records.last else {
                    await Task.yield()
                    continue
                }
                say("settling \(last.sequence)")
                let settlement = Settlement(origin: batch.origin, records: batch.records, time: .now())
                try await store.settle(settlement, for: "a")
                say("settled \(last.sequence)")
            }
        }
        try await group.waitForAll()
    }
}

/// What this process has written to files so far.
func bytesWritten() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""  // elsewhere than Linux: none
    let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst(7)) } ?? 0
}

/// Says what a record costs, one a commit and fifty a commit, with its checkpoint.
func meter(_ store: SQLiteFixStore) async throws {
    for (commits, size) in [(1_000, 1), (200, 50)] {
        let before = bytesWritten()
        for commit in 0..<commits {
            let drafts = (commit * size..<(commit + 1) * size).map(draft)
            let checkpoint = drafts.last.map {
                SourceCheckpoint(source: $0.source, last: $0, lastMovement: $0.fix.time, isStandby: false)
            }
            _ = try await store.append(drafts, checkpoint: checkpoint)
        }
        say("bytes \((bytesWritten() - before) / (commits * size)) a record, \(size) a commit")
    }
    await store.close()
}

/// Runs into the limit, says so, lifts it and goes on.
func fillUnderLimit(_ store: SQLiteFixStore) async throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 200_000, rlim_max: rlim_t.max)
    setrlimit(__rlimit_resource_t(1), &limit)  // RLIMIT_FSIZE
    var number = 0
    do {
        while number < 100_000 {
            try await append(number..<number + 20, to: store)
            number += 20
        }
    } catch {
        say("failed \(error)")
    }
    limit.rlim_cur = rlim_t.max
    setrlimit(__rlimit_resource_t(1), &limit)
    try await append(number + 20..<number + 60, to: store)
    await store.close()
    say("ended")
}

/// Fills what is left of the disk with a file of its own.
func fillDisk(_ directory: String) {
    let descriptor = open(directory + "/other", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    for size in [65_536, 4_096, 512] {
        let bytes = [UInt8](repeating: 7, count: size)
        while write(descriptor, bytes, size) == size {}
    }
    close(descriptor)
}

/// A key from a variable; `nil` where there is none.
func key(_ variable: String) -> StoreKey? {
    ProcessInfo.processInfo.environment[variable].flatMap { StoreKey(Secret($0)) }
}

func configuration(_ directory: String) -> SQLiteFixStore.Configuration {
    var configuration = SQLiteFixStore.Configuration(directory: directory)
    configuration.key = key("STORE_KEY")
    return configuration
}

/// Opens a store under the rules of a disk without a quota.
func openUnbounded(_ directory: String) async throws -> SQLiteFixStore {
    let store = try await SQLiteFixStore.open(
        configuration: configuration(directory), logger: Logger(label: "store-writer"))
    try await store.configure(RetentionConfiguration(maxDaysToPersist: 0), sinks: ["a"])
    return store
}

/// Appends until the disk is full; answers how many were accepted.
func appendUntilFull(_ store: SQLiteFixStore) async -> Int {
    var number = 0
    do {
        while number < 1_000_000 {
            number += try await store.append((number..<number + 20).map(draft), checkpoint: nil).count
        }
    } catch {
        say("failed \(error.code.rawValue)")
    }
    return number
}

/// Accepts until the disk is full, starts again on it, delivers all, and accepts once more.
func deliverFromFullDisk(_ directory: String) async throws {
    let first = try await openUnbounded(directory)
    say("accepted \(await appendUntilFull(first))")
    await first.close()
    fillDisk(directory)
    let store = try await openUnbounded(directory)
    say("opened again")
    var delivered = 0
    while let batch = try await store.nextBatch(for: "a", limit: 100) {
        try await store.settle(Settlement(origin: batch.origin, records: batch.records, time: .now()), for: "a")
        delivered += batch.records.count
        if delivered % 1_000 == 0 { try await store.prune(now: .now()) }
    }
    say("delivered \(delivered)")
    try await store.prune(now: .now())
    try await append(1_000_000..<1_000_020, to: store)
    await store.close()
    say("ended")
}

/// Fills a disk so far that a second database has no room on it, and wants one: for another key and for the first one.
func rewriteOnFullDisk(_ directory: String) async throws {
    let first = try await openUnbounded(directory)
    let accepted = await appendUntilFull(first)
    say("accepted \(accepted)")
    await first.close()
    let store = try await openUnbounded(directory)
    do throws(StoreError) {
        try await store.rewrite(under: .random())
        say("rewritten")
    } catch { say("refused \(error)") }
    if key("STORE_KEY") == nil {
        var sealing = configuration(directory)
        sealing.key = .random()
        do throws(StoreError) {
            _ = try await SQLiteFixStore.open(configuration: sealing, logger: Logger(label: "store-writer"))
            say("rewritten")
        } catch { say("refused \(error)") }
    }
    let again = try await openUnbounded(directory)
    say("whole \(try await again.status().count)")
    await again.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    say("left \(names.filter { $0.contains("rewrit") })")
}

/// What a record costs in plain and sealed, by turns in one run, so that whatever else the machine does costs both the same.
func compare(_ directory: String) async throws {
    let logger = Logger(label: "store-writer")
    let plain = try await SQLiteFixStore.open(configuration: .init(directory: directory + "/plain"), logger: logger)
    var sealing = SQLiteFixStore.Configuration(directory: directory + "/sealed")
    sealing.key = .random()
    let sealed = try await SQLiteFixStore.open(configuration: sealing, logger: logger)
    var times: [[Duration]] = [[], []]
    for commit in 0..<2_000 {
        for (place, store) in [plain, sealed].enumerated() {
            let drafts = (commit * 100..<(commit + 1) * 100).map(draft)
            let begin = ContinuousClock.now
            _ = try await store.append(drafts, checkpoint: nil)
            times[place].append(ContinuousClock.now - begin)
        }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] / .microseconds(1) / 100 }
    say("plain \(medians[0]) sealed \(medians[1])")
    await plain.close()
    await sealed.close()
}

/// Fills a large store and ends as by a kill.
func fillLarge(_ store: SQLiteFixStore) async throws {
    let count = 358_372
    for start in stride(from: 0, to: count, by: 5_000) {
        _ = try await store.append((start..<min(count, start + 5_000)).map(draft), checkpoint: nil)
    }
    kill(getpid(), SIGKILL)
}

/// Opens a store whose reads fail now and then, and delivers all of it as a drain would: what fails is tried again.
func deliverAll(from directory: String) async throws {
    ReadFaults.install(failures: 5, each: 40)
    let store = try await SQLiteFixStore.open(
        configuration: configuration(directory), logger: Logger(label: "store-writer"))
    ReadFaults.install(failures: 60, each: 4)
    var count = 0
    while true {
        do {
            guard let batch = try await store.nextBatch(for: "a", limit: 100) else { break }
            try await store.settle(Settlement(origin: batch.origin, records: batch.records, time: .now()), for: "a")
            count += batch.records.count
        } catch {
            continue
        }
    }
    say("failures \(ReadFaults.count)")
    await store.close()
    say("delivered \(count)")
}

/// Tries to open a store none of whose reads succeeds.
func openUnreadable(_ directory: String) async {
    ReadFaults.install(failures: .max, each: 1)
    do throws(StoreError) {
        _ = try await SQLiteFixStore.open(
            configuration: configuration(directory), logger: Logger(label: "store-writer"))
        say("opened")
    } catch {
        say("refused \(error)")
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    say("usage: store-writer DIRECTORY append|limited|fill|open|hold|unreadable|dead-disk")
    exit(64)
}
switch arguments[2] {
case "full":
    try await deliverFromFullDisk(arguments[1])
    exit(0)
case "rewrite-full":
    try await rewriteOnFullDisk(arguments[1])
    exit(0)
case "unreadable":
    try await deliverAll(from: arguments[1])
    exit(0)
case "compare":
    try await compare(arguments[1])
    exit(0)
case "dead-disk":
    await openUnreadable(arguments[1])
    exit(0)
default: break
}
let begin = ContinuousClock.now
let store = try await SQLiteFixStore.open(
    configuration: configuration(arguments[1]), logger: Logger(label: "store-writer"))
switch arguments[2] {
case "append": try await fill(store)
case "rewrite":
    say("rewriting")
    try await store.rewrite(under: key("STORE_NEW_KEY"))
    say("rewritten")
case "meter": try await meter(store)
case "limited": try await fillUnderLimit(store)
case "fill": try await fillLarge(store)
case "open":
    let milliseconds = (ContinuousClock.now - begin) / .milliseconds(1)
    say("opened \(Int(milliseconds)) \(try await store.status().count)")
    await store.close()
default:
    say("holding")
    while true { pause() }  // until it is killed
}
