import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineTestKit

/// `trackd` with a sink of files.
@Suite(.timeLimit(.minutes(30))) struct FileSinkAgentTests {
    private static func yaml(_ folder: String, _ keys: String = "") -> String {
        """
        sources: [{type: replay, path: \(folder)/drive.csv, speed: max}]
        tracking: {distanceFilter: 0, stillAfter: 0, standbyAfter: 0}
        store: {path: \(folder)/state, maxDaysToPersist: 0}
        sinks: [{type: file, directory: \(folder)/tracks, rotation: hour, gzip: true\(keys)}]
        """
    }

    /// A drive of two hours, a fix every ten seconds, 100 m apart.
    private static func writeDrive(_ folder: String, _ fixes: Range<Int>) throws {
        var text = "time,latitude,longitude,speed\r\n"
        for number in fixes {
            let time = Timestamp(secondsSince1970: 1_772_359_200 + Int64(number) * 10)
            text += "\(time.rfc3339()),\(50 + Double(number) * 0.000_9),8.5,10\r\n"
        }
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/drive.csv"))
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/tracks")) ?? [])
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The places in the drive of the fixes in all files.
    private static func numbers(in folder: String, whileWritten: Bool = false) throws -> [Int] {
        try names(in: folder).flatMap { name -> [Int] in
            let file = try ReplayFile(path: "\(folder)/tracks/\(name)")
            var numbers: [Int] = []
            while let chunk = try file.next() {
                #expect(whileWritten || chunk.problems.isEmpty, "\(name): \(chunk.problems)")
                numbers += chunk.fixes.map { Int(($0.time.secondsSince1970 - 1_772_359_200) / 10) }
            }
            return numbers
        }
    }

    @Test func `a drive comes into files of hours, whole and once`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try Self.writeDrive(folder, 0..<720)
            let agent = try RunningAgent(folder, Self.yaml(folder))
            await eventually("all fixes are in files") {
                (try? Self.numbers(in: folder, whileWritten: true).count) == 720
            }
            let status = try await agent.trackd("status")
            #expect(status.text.contains("track_2026-03-01T11Z.gpx.part"), "\(status.text)")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0, "\(agent.child.text)")
            #expect(Self.names(in: folder) == ["track_2026-03-01T10Z.gpx.gz", "track_2026-03-01T11Z.gpx.part"])
            #expect(try Self.numbers(in: folder) == Array(0..<720))
        }
    }

    @Test func `what a kill interrupts, the next run completes`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try Self.writeDrive(folder, 0..<5000)
            let keys = ", maxBatchSize: 20, syncThreshold: 1"
            for kill in 1...3 {
                let agent = try RunningAgent(folder, Self.yaml(folder, keys))
                await eventually("run \(kill) has written something") {
                    Self.names(in: folder).count >= kill * 2
                }
                agent.child.killNow()
                _ = await agent.end()
            }
            let agent = try RunningAgent(folder, Self.yaml(folder, keys))
            await eventually("the last file is under way and has its last record") {
                // A signal that comes before the agent is there ends it as any program, and the runs before may have written all.
                guard ((try? await agent.trackd("status"))?.status ?? 1) == 0 else { return false }
                return (try? Self.numbers(in: folder, whileWritten: true).last) == 4999
            }
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0, "\(agent.child.text)")
            #expect(try Self.numbers(in: folder) == Array(0..<5000))
        }
    }

    @Test func `check makes nothing`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try Self.writeDrive(folder, 0..<2)
            try RunningAgent.write(Self.yaml(folder), folder)
            let child = try ChildProcess(
                TestEnvironment.builtProduct("trackd"), ["check", "--config", folder + "/trackd.yaml"])
            await eventually("check ends") { child.exitCode != nil }
            #expect(child.exitCode == 0, "\(child.text)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/tracks"))
        }
    }
}
