/// Runs several parts one after the other, and beside them those that wait most of the time.
package struct WholeRun: Sendable {
    private let parts: [any TorturePart]
    private let bench: TortureBench
    private let scale: TortureScale
    private let workers: Int

    /// - Parameter workers: how many processes make tries at a time; a part that waits has one more.
    package init(_ parts: [any TorturePart], on bench: TortureBench, scale: TortureScale, workers: Int) {
        (self.parts, self.bench) = (parts, bench)
        (self.scale, self.workers) = (scale, workers)
    }

    /// Runs all to the end.
    ///
    /// - Parameter show: is called with the report of each part when it has ended.
    /// - Returns: the reports, in the order of the parts.
    package func report(_ show: @escaping @Sendable (PartReport) -> Void) async throws -> TortureReport {
        async let waiting = reports(of: parts.filter(\.isMostlyWaiting), workers: 1, show)
        let busy = try await reports(of: parts.filter { !$0.isMostlyWaiting }, workers: workers, show)
        let all = try await waiting + busy
        var whole = TortureReport()
        whole.parts = parts.compactMap { part in all.first { $0.name == part.name } }
        return whole
    }

    private func reports(
        of parts: [any TorturePart], workers: Int, _ show: @Sendable (PartReport) -> Void
    ) async throws -> [PartReport] {
        var reports: [PartReport] = []
        for part in parts {
            let report = try await TortureRun(part: part, bench: bench, scale: scale).inWorkers(workers)
            show(report)
            reports.append(report)
        }
        return reports
    }
}
