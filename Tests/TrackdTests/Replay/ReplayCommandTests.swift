import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `trackd replay` as a program, on a track that `trackd simulate` makes.
@Suite struct ReplayCommandTests {
    @Test func `the same file gives the same bytes, twice and unpacked`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await shell("trackd simulate --duration 300 --output nmea > drive.nmea && gzip -k drive.nmea", folder)
            for (output, input) in [("1", "drive.nmea"), ("2", "drive.nmea"), ("3", "drive.nmea.gz")] {
                try await shell("trackd replay \(input) --decisions > \(output).json", folder)
            }
            let first = try Data(contentsOf: URL(fileURLWithPath: folder + "/1.json"))
            #expect(first.count > 10_000)
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/2.json")) == first)
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/3.json")) == first)
        }
    }

    @Test func `every line is a record or a rejection with its reason, one for each fix`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await shell("trackd simulate --duration 120 --output nmea > drive.nmea", folder)
            let result = try await shell("trackd replay drive.nmea --decisions 2> summary", folder)
            let lines = try result.split(separator: "\n").map { try JSONValue.parse($0.utf8) }
            #expect(lines.count >= 115)
            #expect(lines.allSatisfy { ($0["id"] == nil) != ($0["reason"] == nil) && $0["coords"] != nil })
            let records = lines.count { $0["id"] != nil }
            let summary = try String(contentsOfFile: folder + "/summary", encoding: .utf8)
            #expect(summary.contains("\(lines.count) fixes, \(records) recorded"))
        }
    }

    @Test func `configuration and options change what is recorded`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await shell("trackd simulate --duration 300 --output nmea > drive.nmea", folder)
            let near = try await shell("trackd replay drive.nmea --set tracking.distanceFilter=5 2> /dev/null", folder)
            let far = try await shell("trackd replay drive.nmea --set tracking.distanceFilter=100 2> /dev/null", folder)
            #expect(near.split(separator: "\n").count > 2 * far.split(separator: "\n").count)
        }
    }

    @Test func `broken lines are reported with their number, and the rest goes on`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await shell("trackd simulate --duration 60 --output nmea > whole.nmea", folder)
            try await shell("{ cat whole.nmea; echo '$GPRMC,broken*00'; cat whole.nmea; } > drive.nmea", folder)
            let lines = try String(contentsOfFile: folder + "/whole.nmea", encoding: .utf8)
                .split(whereSeparator: \.isNewline).count
            let messages = try await shell("trackd replay drive.nmea 2>&1 > /dev/null", folder)
            #expect(messages.hasPrefix("drive.nmea:\(lines + 1): malformed: "), "\(messages.prefix(200))")
        }
    }

    @Test func `a missing file is status 66, and the others are replayed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await shell("trackd simulate --duration 60 --output nmea > drive.nmea", folder)
            let text = try await shell("trackd replay missing drive.nmea 2> /dev/null; echo status $?", folder)
            #expect(text.hasSuffix("status 66\n"))
            #expect(text.hasPrefix(#"{"id":""#))
        }
    }

    @Test func `a missing file alone is named, and there is nothing to sum up`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let text = try await shell("trackd replay missing 2>&1; echo $?", folder)
            expectMessage(text, begin: "missing")
            #expect(text.hasSuffix("\n66\n"))
        }
    }

    @Test func `lines that hold no fix are status 65, and so is nothing at all`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await shell("for i in $(seq 198); do echo '$GPRMC,broken*00'; done > broken.nmea; : > empty", folder)
            for file in ["broken.nmea", "empty"] {
                let text = try await shell("trackd replay \(file) --format nmea 2>&1; echo status $?", folder)
                #expect(text.hasSuffix("\nstatus 65\n"), "\(text)")
                expectMessage(text.split(separator: "\n").dropLast().last.map(String.init), as: "no fix in \(file)")
            }
        }
    }

    @Test(arguments: ["95,0", "0,0"])
    func `fixes without a position are status 65`(_ position: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await shell("printf 'time,lat,lon\n1772359200,\(position)\n1772359201,\(position)\n' > a.csv", folder)
            let text = try await shell("trackd replay a.csv 2>&1; echo status $?", folder)
            #expect(text.hasPrefix("2 fixes, 0 recorded, 2 rejected"))
            #expect(text.hasSuffix("\nstatus 65\n"), "\(text)")
            expectMessage(text.split(separator: "\n").dropLast().last.map(String.init))
        }
    }

    @Test func `a dash is standard input, as a pipe and as a file`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await shell("trackd simulate --duration 60 --output nmea > drive.nmea", folder)
            let named = try await shell("trackd replay drive.nmea 2> /dev/null", folder)
            #expect(try await shell("cat drive.nmea | trackd replay - 2> /dev/null", folder) == named)
            #expect(try await shell("trackd replay - < drive.nmea 2> /dev/null", folder) == named)
            let problem = try await shell("echo x | trackd replay - --format csv 2>&1 | head -n 1", folder)
            #expect(problem.hasPrefix("standard input:"), "\(problem)")
        }
    }

    @Test func `a date that is told is that of a log without dates, which may pass midnight`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let log = ["235959", "000001"].map { "$GPGGA,\($0),5231.2000,N,01324.3000,E,1,09,0.9,40.0,M,45.0,M,,\n" }
            try Data(log.joined().utf8).write(to: URL(fileURLWithPath: folder + "/gga.nmea"))
            let none = try await shell("trackd replay gga.nmea 2>&1; echo $?", folder)
            expectMessage(none.line(with: "gga.nmea:2: incomplete"), as: "no date")
            #expect(none.hasSuffix("65\n"))
            for date in ["2026-02-28", "20260228", "280226"] {
                let text = try await shell("trackd replay --date \(date) --decisions gga.nmea 2> /dev/null", folder)
                #expect(text.contains("2026-02-28T23:59:59"), "\(text)")
                #expect(text.contains("2026-03-01T00:00:01"), "\(text)")
            }
            let nonsense = try await shell("trackd replay --date 310226 gga.nmea 2>&1; echo $?", folder)
            expectMessage(nonsense.line(with: "310226"), as: "a date that no calendar has")
            #expect(nonsense.hasSuffix("64\n"))
        }
    }

    @Test func `a misspelled command is answered with the one that was meant, and status 64`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let text = try await shell("trackd runn 2>&1; echo $?", folder)
            expectMessage(text, begin: "\"runn\"")
            #expect(text.hasSuffix("\n64\n"))
        }
    }

    @Test func `a reader that has seen enough is no failure`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await shell("trackd simulate --duration 3000 --output nmea > drive.nmea", folder)
            let text = try await shell(
                "{ trackd replay drive.nmea --decisions 2> /dev/null; echo $? > status; } | head -n 1; cat status",
                folder)
            #expect(text.hasSuffix("\n0\n"))
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
