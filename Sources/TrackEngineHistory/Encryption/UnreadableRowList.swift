package import TrackEngine

/// The rows of an encrypted history that were read and did not open: they were changed, or copied from another place.
///
/// Each row counts once, however often it is read, up to ``most`` rows.
package final class UnreadableRowList: Sendable {
    /// The most rows that are counted individually.
    static let most = 10_000

    /// The number of the rows and the range of their times.
    package struct Summary: Sendable, Hashable {
        /// The number of rows, at most ``UnreadableRowList/most``.
        package var count = 0
        /// The times of the first and the last of them.
        package var times = Timestamp(nanosecondsSince1970: 0)...Timestamp(nanosecondsSince1970: 0)

        /// `2 rows of the encrypted history do not open, from 2026-03-01T08:00:00Z to 2026-03-01T08:00:10Z`
        package var text: String {
            let number = count == 1 ? "1 row" : "\(count == UnreadableRowList.most ? "at least " : "")\(count) rows"
            return "\(number) of the encrypted history \(count == 1 ? "does" : "do") not open, "
                + "from \(times.lowerBound.rfc3339(.seconds)) to \(times.upperBound.rfc3339(.seconds))"
        }
    }

    private struct State {
        var rows: Set<Int> = []
        var summary = Summary()
        var report: (@Sendable (Summary) -> Void)?
    }

    private let state = SystemMutex(State())

    /// The summary of the rows found so far.
    package var summary: Summary { state.withLock { $0.summary } }

    /// Calls a function with the first row, the tenth, the hundredth and so on; at once when there already is a row.
    package func report(_ body: @escaping @Sendable (Summary) -> Void) {
        let summary = state.withLock { state in
            state.report = body
            return state.summary
        }
        if summary.count > 0 { body(summary) }
    }

    /// Counts a row.
    ///
    /// - Parameters:
    ///   - row: the identity of the row.
    ///   - time: its time, in milliseconds since 1970.
    func note(_ row: some Hashable, at time: Int64) {
        let (milliseconds, isLarge) = time.multipliedReportingOverflow(by: 1_000_000)
        let time = Timestamp(nanosecondsSince1970: isLarge ? 0 : milliseconds)
        let told = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.rows.count < Self.most, state.rows.insert(row.hashValue).inserted else { return nil }
            state.summary.count += 1
            let times = state.summary.count == 1 ? time...time : state.summary.times
            state.summary.times = min(times.lowerBound, time)...max(times.upperBound, time)
            guard let report = state.report, [1, 10, 100, 1_000, 10_000].contains(state.summary.count) else {
                return nil
            }
            return { [summary = state.summary] in report(summary) }
        }
        told?()
    }
}
