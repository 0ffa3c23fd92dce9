import Foundation
import Measure
import WireSuites

extension ServerSuite {
    /// What a server adds to an agent's memory: while nobody looks, and under as many viewers as it takes.
    static func memory() async throws -> [Row] { try await withTemporaryFolder(memory) }

    private static func memory(in folder: String) async throws -> [Row] {
        // Side by side: neither is busy.
        let (plainFolder, servedFolder) = (folder + "/memory-plain", folder + "/memory-served")
        let port = 20_000 + Int.random(in: 0..<20_000)
        let source = "{type: simulated, rate: 10}"
        let plainConfiguration = AgentProcess.configuration(in: plainFolder, source: source)
        let servedConfiguration = AgentProcess.configuration(in: servedFolder, source: source, serverPort: port)
        guard let plain = try AgentProcess(plainConfiguration, in: plainFolder),
            let served = try AgentProcess(servedConfiguration, in: servedFolder)
        else { return [] }
        defer { for agent in [plain, served] { agent.stop() } }
        let key = try await readingKey(in: servedFolder)
        try await Task.sleep(for: .seconds(20))  // what only the start needs is given back by then
        let (without, idle) = (plain.counters.resident, served.counters.resident)
        let viewers = try await blocking { try Viewers(port: port, key: key, reading: 900, silent: 100) }
        var watched: [Double] = []
        for _ in 0..<3 {
            try await Task.sleep(for: .seconds(15))
            watched.append(served.counters.resident)
        }
        let seen = try await blocking { try viewers.leave() }
        precondition(seen.lost == 0, "\(seen.lost) viewers are lost")
        let course = watched.map { ($0 / 1024).short }.joined(separator: ", ")
        return [
            Row(
                "Server",
                "memory that a server adds to trackd while nobody looks (resident \((without / 1024).short) and \((idle / 1024).short) MiB)",
                (idle - without) * 1024, target: .bytes(8 * 1024 * 1024)),
            Row(
                "Server",
                "memory under 1,000 viewers, 100 of whom never read, 10 events a second: resident \(course) MiB after 15, 30, 45 s; more than idle, a viewer",
                ((watched.max() ?? 0) - idle) * 1024 / 1_000, target: .bytes(64 * 1024)),
        ]
    }
}
