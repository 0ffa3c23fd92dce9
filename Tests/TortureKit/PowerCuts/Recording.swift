import Foundation
import TrackEngineSimulated

/// The calls of one run of a workload, and what is needed to judge any prefix of them.
package struct Recording: Sendable {
    package let store: PreparedStore
    package let calls: [RecordedCall]
    /// The files that were there before, by path.
    private let initial: [String: [UInt8]]
    /// The phase in which each call was made, for the report.
    private let phases: [String]

    /// Runs a workload and records it.
    ///
    /// - Parameter environment: more for the shim, such as syncs that do nothing.
    package static func make(
        _ plan: Workload.Plan, on bench: TortureBench, environment: [String: String] = [:]
    ) async throws -> Recording {
        let folder = bench.scratch + "/recording-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // removed with the bench at the latest
        let store = try await PreparedStore.make(plan.scenario, in: folder, seed: plan.seed)
        var initial: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: store.directory) {
            let path = store.directory + "/" + name
            initial[path] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        var process = WorkloadProcess(plan, on: bench, folder: folder)
        process.environment = environment
        let outcome = try await process.run(on: store, isRecording: true)
        guard outcome.exitCode == 0 else {
            throw NotRunnable("the workload to record ended with \(outcome.exitCode ?? 0): \(outcome.output)")
        }
        let calls = try RecordedCall.calls(of: Data(contentsOf: URL(fileURLWithPath: process.recordPath)))
        return Recording(store: store, calls: calls, initial: initial)
    }

    private init(store: PreparedStore, calls: [RecordedCall], initial: [String: [UInt8]]) {
        (self.store, self.calls, self.initial) = (store, calls, initial)
        var phase = "open"
        var databases: Set<UInt64> = []
        phases = calls.map { call in
            if case .phase(let name)? = Self.entry(call) { phase = name }
            if call.path.hasSuffix("/track.sqlite") { databases.insert(call.file) }
            // Between opening and closing only a checkpoint writes to the database itself.
            let isCheckpoint = call.kind == .write && databases.contains(call.file)
            return isCheckpoint && ["append", "settle", "prune"].contains(phase) ? "checkpoint" : phase
        }
    }

    private static func entry(_ call: RecordedCall) -> LedgerEntry? {
        guard call.kind == .line else { return nil }
        return LedgerEntry(line: Substring(decoding: call.bytes.dropLast(), as: UTF8.self))
    }

    /// The phase of the last call before a cut.
    package func phase(at cut: Int) -> String { cut > 0 ? phases[cut - 1] : "open" }

    /// A cut at random: as often in each phase, however few calls it has, and half of the cuts at calls that are rare, which
    /// are syncs, truncations and what changes names.
    package func cut(using random: inout SplitMix64) -> Int {
        let phase = Set(phases).sorted().randomElement(using: &random) ?? "open"
        let inPhase = calls.indices.filter { phases[$0] == phase && calls[$0].kind != .line }
        let rare = inPhase.filter { calls[$0].kind != .write }
        let choice = Bool.random(using: &random) || rare.isEmpty ? inPhase : rare
        return (choice.randomElement(using: &random) ?? 0) + Int.random(in: 0...1, using: &random)
    }

    /// The ledger up to a cut.
    package func ledger(at cut: Int) -> [LedgerEntry] { store.ledger + calls.prefix(cut).compactMap(Self.entry) }

    /// Writes the files that a cut leaves into a folder.
    package func write(
        cut: Int, _ survival: DiskImage.Survival, to folder: String, using random: inout SplitMix64
    ) throws {
        var image = DiskImage(initial: initial)
        for call in calls.prefix(cut) { image.apply(call) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (path, bytes) in image.contents(survival, using: &random) {
            let name = path.dropFirst(store.directory.count)
            try Data(bytes).write(to: URL(fileURLWithPath: folder + name))
        }
    }
}

/// Recordings that are made once in a process.
actor Recordings {
    private var known: [String: Recording] = [:]

    func recording(_ plan: Workload.Plan, on bench: TortureBench, sync: String? = nil) async throws -> Recording {
        let key = "\(plan.scenario) \(plan.seed) \(plan.mutant?.rawValue ?? "") \(sync ?? "") \(bench.seed)"
        if let recording = known[key] { return recording }
        let environment = sync.map { ["TORTURE_SYNC": $0] } ?? [:]
        let recording = try await Recording.make(plan, on: bench, environment: environment)
        known[key] = recording
        return recording
    }
}
