import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `trackd tune` as a program.
///
/// One at a time: each starts a program that computes for as long as it runs, and other tests have clocks.
@Suite(.serialized) struct TuneCommandTests {
    @Test func `a missing file is named, and nothing is said of what it should hold`() async throws {
        let child = try ChildProcess(TestEnvironment.builtProduct("trackd"), ["tune", "/nonexistent/a.gpx"])
        await eventually("trackd ends") { child.exitCode != nil }
        #expect(child.exitCode == 66)
        expectMessage(child.text, begin: "/nonexistent/a.gpx")
    }

    @Test func `the same track as GPX and as gpsd's JSON has the same table, but for what speeds change`() async throws
    {
        try await Self.folder { folder in
            let gpx = try await shell("trackd tune walk.gpx", folder)
            let gpsd = try await shell("trackd tune walk.json", folder)
            let head = "301 fixes in 5 min of recording, 3.0 km from fix to fix; longest gap between fixes 1 s\n"
            #expect(gpx.hasPrefix(head))
            #expect(gpsd.hasPrefix(head))
            func line(_ text: String) -> Substring? {
                text.split(separator: "\n").first { $0.hasPrefix("  deviation 10 m") }?.prefix(41)
            }
            #expect(line(gpx) != nil && line(gpx) == line(gpsd))
        }
    }

    @Test func `NMEA, gzip, and several files are one track`() async throws {
        try await Self.folder { folder in
            try await shell("trackd simulate --duration 600 --output nmea > drive.nmea && gzip -k drive.nmea", folder)
            let plain = try await shell("trackd tune drive.nmea --error 10", folder)
            #expect(plain.contains("For at most 10 m of error: deviation 10 m"))
            #expect(try await shell("trackd tune drive.nmea.gz --error 10", folder) == plain)
            let json = try await shell("trackd tune walk.gpx drive.nmea --json 2> /dev/null", folder)
            let object = try JSONValue.parse(json.utf8)
            #expect(object["files"] == .array([.string("walk.gpx"), .string("drive.nmea")]))
        }
    }

    @Test func `a report is written for its owner alone`() async throws {
        try await Self.folder { folder in
            let text = try await shell(
                "trackd tune walk.gpx --report out.html > /dev/null; stat -c %a out.html", folder)
            #expect(text == "600\n")
            let page = try String(contentsOfFile: folder + "/out.html", encoding: .utf8)
            #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">") && page.hasSuffix("</html>\n"))
        }
    }

    @Test(arguments: [
        ("trackd tune missing.gpx", 66, "missing.gpx"),
        ("trackd tune empty.gpx", 65, "expected"),
        ("trackd tune one.json", 65, "found 1 of use"),
        ("trackd tune walk.gpx --error 0", 64, "--error"),
        ("trackd tune walk.gpx --megabytes-per-month -1", 64, "--megabytes-per-month"),
        ("trackd tune walk.gpx --report /nowhere/out.html", 73, "/nowhere"),
        ("trackd tune walk.gpx --set tracking.maximumDeviation=0", 78, "tracking.maximumDeviation"),
        ("trackd tune walk.gpx --wire pigeon", 64, "pigeon"),
        ("trackd tune", 64, "<files>"),
        ("trackd tune walk.gpx --labels labels.json", 64, "--labels"),
        ("trackd tune walk.gpx --trips --error 10", 64, "--trips"),
        ("trackd tune missing.gpx --trips", 66, "missing.gpx"),
        ("trackd tune one.json --trips", 65, "found 1 of use"),
        ("trackd tune walk.gpx --trips --labels missing.json", 66, "missing.json"),
        ("trackd tune walk.gpx --trips --labels walk.gpx", 65, "walk.gpx: file"),
        ("trackd tune walk.gpx --trips --report /nowhere/out.html", 73, "/nowhere"),
        ("trackd tune walk.gpx --trips --set events.stopAfter=1s", 78, "events.stopAfter"),
    ])
    func `what cannot be used is said with a status of its own`(line: String, status: Int, words: String) async throws {
        try await Self.folder { folder in
            let text = try await shell("\(line) 2>&1 > /dev/null; echo status $?", folder)
            #expect(text.hasSuffix("status \(status)\n"), "\(text)")
            expectMessage(text.line(with: words), as: line, replacing: [folder: "FOLDER"])
        }
    }

    @Test func `a missing file among others is named, and the others are used`() async throws {
        try await Self.folder { folder in
            let text = try await shell("trackd tune missing walk.gpx 2> /dev/null; echo status $?", folder)
            #expect(text.hasPrefix("301 fixes") && text.hasSuffix("status 66\n"))
        }
    }

    @Test func `stops and trips are printed for each file, scored beside labels, and drawn`() async throws {
        try await Self.folder { folder in
            try await shell("trackd simulate --duration 1800 --output nmea > drive.nmea", folder)
            let labels = "{\"tracks\":[{\"file\":\"drive.nmea\",\"rests\":[{\"from\":0,\"to\":1}]}]}"
            try labels.write(toFile: folder + "/labels.json", atomically: true, encoding: .utf8)
            let plain = try await shell("trackd tune --trips walk.gpx drive.nmea", folder)
            #expect(plain.contains("walk.gpx: 301 fixes in 5 min, 0 stops, 1 trip") && plain.contains("drive.nmea: "))
            #expect(!plain.contains("PRECISION"))
            let judged = try await shell(
                "trackd tune --trips walk.gpx drive.nmea --labels labels.json --report out.html 2>&1; stat -c %a out.html",
                folder)
            #expect(judged.hasPrefix("walk.gpx: the labels do not name it\n"))
            #expect(judged.contains("PRECISION") && judged.hasSuffix("600\n"))
            let page = try String(contentsOfFile: folder + "/out.html", encoding: .utf8)
            #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("Stops and trips of drive.nmea, walk.gpx"))
            let shorter = try await shell("trackd tune --trips walk.gpx --set events.stopAfter=60 --json", folder)
            #expect(try JSONValue.parse(shorter.utf8)["tracks"]?.array?.first?["stopAfter"] == .number(60))
        }
    }

    private static func folder(_ body: (String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let files = [
                "walk.gpx": SampleTrack.gpx, "walk.json": SampleTrack.gpsd,
                "empty.gpx": "<gpx version=\"1.1\"></gpx>\n",
                "one.json": String(SampleTrack.gpsd.prefix { $0 != "\n" }) + "\n",
            ]
            for (name, text) in files {
                try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
            }
            try await body(folder)
        }
    }

    /// Runs a command line with the built `trackd`; answers what it printed.
    @discardableResult
    private func shell(_ line: String, _ folder: String) async throws -> String {
        let program = TestEnvironment.builtProduct("trackd")
        let child = try ChildProcess(
            "/bin/bash", ["-c", "trackd() { '\(program)' \"$@\"; }; " + line], directory: folder)
        await eventually("\(line) ends") { child.exitCode != nil }
        return child.text
    }
}
