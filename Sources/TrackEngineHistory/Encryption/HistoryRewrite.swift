import SQLiteAccess
import TrackEngine

/// Writes all contents of a history into a new database: encrypted or in plain again.
///
/// A history has one form as a whole. Chunks and drawings are made anew when they are needed; damaged points and
/// events that were not detected before are left out.
struct HistoryRewrite {
    let files: HistoryFiles
    /// The seal of the existing points; `nil` when they are in plain.
    let old: HistoryCipher?
    /// The seal for the new database; `nil` for a plain one.
    let new: HistoryCipher?
    let environment: HistoryEnvironment
    /// Collects the ranges and tables that cannot be read.
    var health = HistoryHealth()

    /// The number of points that are written between two steps.
    private static let pointsAtOnce = 5_000

    /// Writes the new database and completes it.
    ///
    /// - Throws: ``StoreError/Code/full`` when there is no room for a second database. The history is then unchanged.
    func run(from source: HistoryConnection) throws(StoreError) {
        do {
            try files.removeRewrite()
            try DatabaseFile.openPrivate(files.rewrite)
            try write(source)
            try files.completeRewrite(as: files.completedRewrite, environment)
        } catch {
            // A rewrite is complete or discarded; files that cannot be removed now are removed by the next attempt.
            if files.replacement == nil { try? files.removeRewrite() }
            throw Self.explained(StoreError(database: error))
        }
    }

    private func write(_ source: HistoryConnection) throws {
        let target = try HistoryConnection(path: files.rewrite, for: .rewrite)
        do {
            if new == nil { try HistorySchema.prepare(target) }
            // No transaction: this process has the history exclusively, and after a damaged page no transaction can
            // be ended.
            try source.run { source in
                try target.commit { target in
                    if let new { try HistorySchema.prepareSealed(target, new) }
                    try copy(
                        HistoryTableSet(db: source, seal: old, health: health), HistoryTableSet(db: target, seal: new))
                }
            }
            try target.close()
        } catch {
            try? target.close()  // its file is removed
            throw error
        }
    }

    /// Returns an error that says how much room a rewrite needs, for one about a full disk.
    static func explained(_ error: StoreError) -> StoreError {
        guard error.code == .full else { return error }
        return StoreError(
            .full,
            "to write a history anew takes as much room again as it has on the disk: \(error.message)")
    }

    private func copy(_ source: HistoryTableSet, _ target: HistoryTableSet) throws {
        var sources: [Int64: Int64] = [:]
        for (number, name) in try source.sources.all() { sources[number] = try target.sources.number(making: name) }
        let insertion = try target.insertion()
        var count = 0
        for (number, name, isLost) in try devices(source) {
            let device =
                isLost
                ? try target.devices.number(makingLost: name, foundBy: source.devices.lostKey(of: number))
                : try target.devices.number(making: name)
            try source.points.visit(of: number, in: .min..<(.max)) { point in
                let source = point.source.flatMap { sources[$0] }
                _ = try insertion.insert(point.row, of: device, source: source, senderID: point.senderID)
                count += 1
                if count % Self.pointsAtOnce == 0 { try environment.didTake(.rewrote(count)) }
                return true
            }
            try source.events.visit(of: number) { _ = try target.events.put($0, of: device) }
        }
        try environment.didTake(.rewrote(count))
    }

    /// The number of device numbers after the last known one that are searched for lost devices.
    private static let mostLostDevices: Int64 = 100

    /// The devices; those with unreadable names have placeholder names that no other device has.
    private func devices(_ source: HistoryTableSet) throws -> [(number: Int64, name: String, isLost: Bool)] {
        let known = try source.devices.all().map { (number: $0.number, name: $0.name, isLost: false) }
        let numbers = Set(known.map(\.number))
        let lost = try (1...(numbers.max() ?? 0) + Self.mostLostDevices).filter { number in
            try !numbers.contains(number) && !source.isEmpty(of: number)
        }
        guard !lost.isEmpty else { return known }
        health.noteDamage(ofTable: NamedTable.Kind.device.rawValue)
        let names = Set(known.map(\.name))
        return known
            + lost.map { number in
                let name = "\(NamedTable.placeholder)\(number)"
                let others = (2...).lazy.map { "\(name)-\($0)" }
                let free = names.contains(name) ? others.first { !names.contains($0) } : nil
                return (number, free ?? name, true)
            }
    }
}
