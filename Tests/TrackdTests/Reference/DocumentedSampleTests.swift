import Foundation
import Testing
import TrackEngineAgent
import TrackEngineSettings

/// The configurations in README, docs and articles pass `check` without a warning.
@Suite struct DocumentedSampleTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../../"

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: root + name, encoding: .utf8)
    }

    /// The blocks of YAML of a document; one that begins with blanks goes on with the one before.
    private static func blocks(_ document: String) -> [String] {
        var blocks: [String] = []
        for part in document.components(separatedBy: "```yaml\n").dropFirst() {
            let block = part.components(separatedBy: "```").first ?? ""
            if block.hasPrefix(" "), let last = blocks.popLast() {
                blocks.append(last + block)
            } else {
                blocks.append(block)
            }
        }
        return blocks
    }

    /// The rows of the table of receivers, by their first column.
    private static func receivers() throws -> [(name: String, sink: String)] {
        try text("docs/guide/receivers.md").split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| "), let start = line.firstRange(of: "| `{type: "), line.hasSuffix("}` |") else {
                return nil
            }
            let sink = line[start.lowerBound...].dropFirst(3).dropLast(3)
            return (String(line[..<start.lowerBound].dropFirst(2).dropLast()), String(sink))
        }
    }

    @Test(arguments: ["README.md"] + articles)
    func `each sample passes check`(_ name: String) throws {
        let blocks = Self.blocks(try Self.text(name))
        #expect(!blocks.isEmpty)
        for block in blocks { try Self.expectNoProblem(block) }
    }

    @Test func `each sample of the guide passes check`() throws {
        let pages = try FileManager.default.subpathsOfDirectory(atPath: Self.root + "docs")
        let blocks = try pages.filter { $0.hasSuffix(".md") }.flatMap { Self.blocks(try Self.text("docs/" + $0)) }
        #expect(blocks.count > 20)
        for block in blocks { try Self.expectNoProblem(block) }
    }

    private static func expectNoProblem(_ block: String) throws {
        #expect(Given.problems(block) == [], "\(block)")
        guard Given.problems(block) == [] else { return }
        #expect(try Given.configuration(block).cautions(sourceCount: 1).map(\.line) == [], "\(block)")
    }

    private static let articles = [
        "Sources/Sinks-HTTP/TrackEngineHTTP.docc/SharingWithMiataru.md",
        "Sources/Sinks-HTTP/TrackEngineHTTP.docc/TrackEngineHTTP.md",
        "Sources/TrackEngineFiles/TrackEngineFiles.docc/WritingTrackFiles.md",
        "Sources/TrackEngineServer/TrackEngineServer.docc/TrackEngineServer.md",
        "Sources/TrackEngineServer/TrackEngineServer.docc/RunYourOwnReceiver.md",
        "Sources/TrackEngineHistory/TrackEngineHistory.docc/TrackEngineHistory.md",
        "Sources/Sinks-MQTT/TrackEngineMQTT.docc/OperatingABroker.md",
    ]

    @Test func `each row of the table of receivers passes check, and says what its receiver needs`() throws {
        let rows = try Self.receivers()
        #expect(rows.count > 20)
        for row in rows {
            let yaml =
                "device: {id: van-7}\ntracking: {maximumThreshold: 100, minimumAccuracy: 200}\nsinks: [\(row.sink)]"
            #expect(Given.problems(yaml) == [], "\(row.name)")
            guard Given.problems(yaml) == [] else { continue }
            #expect(try Given.configuration(yaml).cautions(sourceCount: 1).map(\.line) == [], "\(row.name)")
        }
    }

    @Test(arguments: [
        "Dawarich", "GeoPulse", "Reitti", "Wayfinder", "PhoneTrack", "GPSLogger", "Home Assistant", "ThingsBoard",
        "InfluxDB", "Traccar", "OwnTracks Recorder", "Miataru", "Compass", "incognita", "trackd", "pyoverland",
        "Overland-Flask", "php-tracks-recorder", "overland-ts",
    ])
    func `the table has a receiver`(_ name: String) throws {
        #expect(try Self.receivers().contains { $0.name.contains(name) })
    }
}
