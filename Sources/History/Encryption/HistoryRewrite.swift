import GRDB
import SQLiteAccess
import TrackEngine

/// Writes all that a history holds into a new database: encrypted, or in plain again.
///
/// A history is of one form as a whole. Chunks and drawings are made anew when they are asked for; points and events that are damaged and that
/// nobody saw before are left out.
struct HistoryRewrite {
    let files: HistoryFiles
    /// What the points are sealed with now; `nil` where they are in plain.
    let old: HistorySeal?
    /// What they are to be sealed with.
    let new: HistorySeal?
    let environment: HistoryEnvironment

    /// How many points are written between two steps.
    private static let pointsAtOnce = 5_000

    /// Writes the new database and completes it.
    ///
    /// - Throws: ``StoreError/Code/full`` when there is no room for a second database. The history is then as it was.
    func run(from source: HistoryConnection) throws(StoreError) {
        do {
            try files.removeRewrite()
            PosixFile.close(try PosixFile.openPrivate(files.rewrite))
            try write(source)
            try files.completeRewrite(environment)
        } catch {
            // It is complete or nothing; what cannot be removed now is removed by the next attempt.
            if !files.hasCompletedRewrite { try? files.removeRewrite() }
            throw explained(StoreError(database: error))
        }
    }

    private func write(_ source: HistoryConnection) throws {
        let target = try HistoryConnection(path: files.rewrite, for: .rewrite)
        do {
            if new == nil { try HistorySchema.prepare(target) }
            try source.commit { source in
                try target.commit { target in
                    if let new { try HistorySchema.prepareSealed(target, new) }
                    try copy(HistoryTables(db: source, seal: old), HistoryTables(db: target, seal: new))
                }
            }
            try target.close()
        } catch {
            try? target.close()  // its file is removed
            throw error
        }
    }

    private func explained(_ error: StoreError) -> StoreError {
        guard error.code == .full else { return error }
        return StoreError(
            .full,
            "to encrypt a history, or to end that, takes as much room again as it has on the disk: \(error.message)")
    }

    private func copy(_ source: HistoryTables, _ target: HistoryTables) throws {
        var sources: [Int64: Int64] = [:]
        for (number, name) in try source.sources.all() { sources[number] = try target.sources.number(making: name) }
        let insertion = try target.insertion()
        var count = 0
        for (number, name) in try source.devices.all() {
            let device = try target.devices.number(making: name)
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
}
