import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// An agent that reads its configuration again and again, each time with other places.
@Suite(
    .enabled(if: TestEnvironment.memoryCounts, "it measures the program that people run"), .timeLimit(.minutes(15)))
struct ReloadMemoryTests {
    private static let rounds = 150

    /// Two hundred places with a radius, as a file of GeoJSON.
    private static func places(_ radius: Int) -> String {
        let features = (0..<200).map {
            """
            {"type":"Feature","id":"p\($0)","geometry":{"type":"Point","coordinates":[10,\(50 + Double($0) / 100)]},\
            "properties":{"name":"Place \($0)","radius":\(radius)}}
            """
        }
        return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    /// The resident memory of a process in bytes, and its number of descriptors.
    private static func use(_ process: Int32) throws -> (bytes: Int, descriptors: Int) {
        let pages = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        return (try #require(Int(pages[1])) * Int(getpagesize()), descriptors)
    }

    @Test func `other places with each SIGHUP take no more memory in the end, and no descriptor`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let file = folder + "/places.geojson"
            try Self.places(100).write(toFile: file, atomically: true, encoding: .utf8)
            let agent = try RunningAgent(
                folder, "sources: [{type: simulated, rate: 10}]\nevents: {placeFiles: [\(file)]}\n")
            await agent.prints("receiving")
            var uses: [(bytes: Int, descriptors: Int)] = []
            for round in 1...Self.rounds {
                try Self.places(100 + round).write(toFile: file, atomically: true, encoding: .utf8)
                agent.child.send(SIGHUP)
                await eventually("reload \(round) is applied, it printed: \(agent.child.text)", from: agent.child) {
                    agent.child.text.components(separatedBy: "configuration read again").count == round + 1
                }
                uses.append(try Self.use(agent.child.pid))
            }
            let thirds = [Self.rounds * 2 / 3, Self.rounds].map { uses[($0 - 10)..<$0] }
            // The least of ten: what a reload needs for a moment does not count.
            let bytes = try thirds.map { try #require($0.map(\.bytes).min()) }
            #expect(bytes[1] - bytes[0] < 2 << 20, "\(uses.map { $0.bytes >> 10 }) KiB")
            let descriptors = thirds.map { $0.map(\.descriptors).min() }
            #expect(descriptors[0] == descriptors[1], "\(uses.map(\.descriptors))")
            await agent.finish()
        }
    }
}
