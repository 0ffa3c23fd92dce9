import Foundation
import Measure
import WireSuites

/// What the agent takes while a simulated vehicle drives and every record goes into its store.
enum FootprintSuite {
    private static let seconds = 30

    static func rows() async throws -> [Row] {
        var rows: [Row] = []
        for (rate, hasServer) in [(1, false), (1, true), (10, false)] {
            try await withTemporaryFolder { folder in
                guard let usage = try await watch(rate: rate, hasServer: hasServer, in: folder) else { return }
                rows.append(
                    Row(
                        "Footprint",
                        "\(rate) Hz\(hasServer ? ", with a server that nobody looks at" : ""): \(usage.megabytes.short) MB resident, \(usage.wakeups.short) wake-ups a second; "
                            + "processor in a second", usage.processor, target: .nanoseconds(5e6)))
            }
        }
        return rows
    }

    private struct Usage {
        let megabytes: Double
        let wakeups: Double
        let processor: Double
    }

    private static func watch(rate: Int, hasServer: Bool, in folder: String) async throws -> Usage? {
        let configuration = AgentProcess.configuration(
            in: folder, source: "{type: simulated, rate: \(rate)}", serverPort: hasServer ? 0 : nil)
        guard let agent = try AgentProcess(configuration, in: folder) else { return nil }
        defer { agent.stop() }
        try await Task.sleep(for: .seconds(15))  // what only the start needs is given back by then
        let before = agent.counters
        try await Task.sleep(for: .seconds(seconds))
        let after = agent.counters
        return Usage(
            megabytes: after.resident / 1024, wakeups: (after.switches - before.switches) / Double(seconds),
            processor: (after.processor - before.processor) / Double(seconds))
    }
}
