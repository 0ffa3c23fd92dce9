import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer
import TrackEngineSettings

/// What the audit log tells of rights and their use.
@Suite(.timeLimit(.minutes(15))) struct AuditTests {
    @Test func `deletions, sessions and keys that were none are there with addresses, and no secret`() async throws {
        try await ServerBench.with { bench in
            let key = try bench.access.allowEditing().secret.revealed
            let target = "/api/points?device=van&from=0&to=1"
            #expect(try await bench.send("DELETE", target, ["Authorization": "Bearer \(key)"]).status == 200)
            _ = try await bench.session()
            #expect(try await bench.send("GET", "/api/devices?key=canary-of-mine").status == 401)
            #expect(try await bench.send("POST", "/t/canary-of-mine/pub", body: "{}").status == 401)
            #expect(try await bench.send("GET", "/api/devices").status == 401)
            #expect(try await bench.send("GET", "/osmand?id=canary-of-mine&lat=1&lon=2").status == 400)
            #expect(try await bench.send("POST", "/osmand", body: "id=canary-of-mine&lat=1&lon=2").status == 400)
            let lines = try bench.access.audit.lines()
            #expect(lines.count == 6, "\(lines)")
            #expect(lines[0].hasSuffix(" 127.0.0.1: DELETE /api/points of van from 0 to 1"))
            #expect(lines[1].hasSuffix(" 127.0.0.1: a session of the key began"))
            #expect(lines[2].hasSuffix(" 127.0.0.1: refused GET /api/devices"))
            #expect(lines[3].hasSuffix(" 127.0.0.1: refused POST /t/…"))
            #expect(lines[4].hasSuffix(" 127.0.0.1: refused GET /osmand"))
            #expect(lines[5].hasSuffix(" 127.0.0.1: refused POST /osmand"))
            #expect(!lines.contains { $0.contains("canary") || $0.contains(key) || $0.contains(bench.key) })
        }
    }

    @Test func `an author has a hundred lines a day, then their number each hour, and takes none of others`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let clock = ManualTime()
            let audit = try AccessFile(path: directory + "/access.json", key: nil, now: { clock.now }).audit
            audit.note("a token of phone was made", by: "a command")
            let anna = AuditLimiter.Owner(viewer: "anna", kind: .deletions)
            for hour in 0..<48 {
                for number in 0..<500 {
                    audit.note("DELETE \(hour) \(number)", by: "anna (192.0.2.\(number % 200))", share: anna)
                }
                audit.note("refused GET /", by: "192.0.2.1", share: AuditLimiter.Owner(viewer: nil, kind: .failures))
                clock.advance(by: .seconds(3_600))
            }
            let lines = try audit.lines()
            #expect(lines[0].hasSuffix("a token of phone was made"))
            #expect(lines.count { $0.contains("refused") } == 48)
            #expect(lines.count { $0.contains("DELETE") } == 300)
            #expect(lines.count { $0.hasSuffix("anna: further deletions of this day are counted") } == 3)
            #expect(lines.contains { $0.hasSuffix("anna: 400 more deletions") })
            // The last hour's are written with the next entry of anybody.
            let numbers = lines.filter { $0.hasSuffix(" more deletions") }.map { $0.split(separator: " ")[2] }
            let counted = numbers.reduce(0) { $0 + (Int($1) ?? 0) }
            #expect(counted == 23_200, "\(lines)")
        }
    }

    @Test func `an entry names its subject, whatever else the request says`() async throws {
        try await ServerBench.with { bench in
            let key = try bench.access.allowEditing().secret.revealed
            let path = "/api" + String(repeating: "/", count: 260) + "points"
            #expect(
                try await bench.send("DELETE", path + "?device=van&from=0&to=1", ["Authorization": "Bearer \(key)"])
                    .status == 200)
            let line = try #require(try bench.access.audit.lines().last)
            #expect(line.contains("DELETE") && line.hasSuffix("of van from 0 to 1"), "\(line)")
            let slashed = ["Authorization": "Bearer \(key)x"]
            #expect(try await bench.send("POST", "//t/canary/pub", slashed, body: "{}").status == 401)
            #expect(try !bench.access.audit.lines().contains { $0.contains("canary") })
        }
    }

    @Test func `changes and sessions leave room for deletions`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let audit = try AccessFile(path: directory + "/access.json").audit
            for kind in [AuditLimiter.Owner.Kind.changes, .sessions, .failures, .deletions] {
                for _ in 0..<200 { audit.note("x", by: "-", share: AuditLimiter.Owner(viewer: nil, kind: kind)) }
                audit.note("y", by: "-", share: AuditLimiter.Owner(viewer: "anna", kind: kind))
            }
            #expect(try audit.lines().count == 4 * 102)
        }
    }

    @Test func `the log is bounded, and keeps the newest`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let clock = ManualTime()
            let file = try AccessFile(path: directory + "/access.json", key: nil, now: { clock.now })
            let text = String(repeating: "x", count: 250)
            for number in 0..<6_000 {
                clock.advance(by: .seconds(60))
                file.audit.note("\(number) \(text)", by: "192.0.2.1")
            }
            let names = ["audit.log", "audit.log.old"]
            let sizes = try names.map {
                try #require(
                    try FileManager.default.attributesOfItem(atPath: "\(directory)/\($0)")[.size] as? Int)
            }
            #expect(sizes.allSatisfy { $0 < 600_000 })
            #expect(try file.audit.lines().last?.contains(" 5999 x") == true)
        }
    }

    @Test func `what was written before there was a key is encrypted with the list`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/access.json"
            try AccessFile(path: path).audit.note("a token of canary was made", by: "a command")
            let file = try AccessFile(path: path, key: .random())
            file.audit.note("another one", by: "a command")
            #expect(try Traces(Traces.text("canary", "a name")).found(in: directory) == [])
            #expect(try file.audit.lines().map { $0.hasSuffix("canary was made") } == [true, false])
        }
    }

    @Test func `where the list is encrypted the log is, and what was changed in it is told`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let (path, key) = (directory + "/access.json", StoreKey.random())
            let file = try AccessFile(path: path, key: key)
            file.audit.note("refused canary", by: "192.0.2.1")
            let log = URL(fileURLWithPath: directory + "/audit.log")
            #expect(try !String(decoding: Data(contentsOf: log), as: UTF8.self).contains("canary"))
            #expect(
                try AccessFile(path: path, key: key).audit.lines().first?.hasSuffix("192.0.2.1: refused canary") == true
            )
            // With another key of the store, too.
            let next = StoreKey.random()
            var settings = ServerSettings()
            settings.directory = directory
            for place in settings.encryptedPlaces {
                try await place.admit(next, beside: key)
                try await place.restrict(to: next)
            }
            let moved = try AccessFile(path: path, key: next)
            #expect(try moved.audit.lines().first?.hasSuffix("192.0.2.1: refused canary") == true)
            try Data("AAAA\n".utf8).write(to: log)
            #expect(try moved.audit.lines() == ["a line that does not open"])
        }
    }

    @Test(arguments: [nil, StoreKey.random()])
    func `a line that somebody else has appended hides no entry, and moves no cursor of a terminal`(
        _ key: StoreKey?
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let file = try AccessFile(path: directory + "/access.json", key: key)
            let log = URL(fileURLWithPath: directory + "/audit.log")
            try Data("a \u{1B}[31mline\r\n".utf8).write(to: log)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: log.path)
            file.audit.note("an entry", by: "a command")
            let lines = try file.audit.lines()
            #expect(lines.count == 2 && lines[1].hasSuffix("an entry"))
            #expect(!lines[0].unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test(arguments: [nil, StoreKey.random()])
    func `the newest entries are shown whatever the size of the log`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/access.json"
            let file = try AccessFile(path: path, key: key)
            file.audit.note("one of many", by: "a command")
            // As after a disk that was full while the file was put aside, or after a change by hand.
            let log = URL(fileURLWithPath: directory + "/audit.log")
            let line = try Data(contentsOf: log)
            var much = Data()
            while much.count < 5 << 20 { much += line }
            try much.write(to: log)
            file.audit.note("the newest", by: "a command")
            let lines = try file.audit.lines()
            #expect(lines.last?.hasSuffix("a command: the newest") == true)
            #expect(lines.count > 1_000 && lines.dropFirst().dropLast().allSatisfy { $0.hasSuffix("one of many") })
            #expect(lines.first?.contains("audit.log.old") == true, "the others are not shown")
        }
    }

    @Test func `a full log that was encrypted afterwards is shown as a whole`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/access.json"
            let plain = try AccessFile(path: path).audit
            for number in 0..<22_000 { plain.note("\(number)", by: "-") }
            let count = try plain.lines().count
            #expect(count > 20_000)
            #expect(try AccessFile(path: path, key: .random()).audit.lines().count == count)
        }
    }

    @Test func `a log that cannot be put aside is bounded, and has the newest entries`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let audit = try AccessFile(path: directory + "/access.json").audit
            let old = directory + "/audit.log.old"
            try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
            let text = String(repeating: "x", count: 250)
            for number in 0..<6_000 { audit.note("\(number) \(text)", by: "-") }
            let size = try FileManager.default.attributesOfItem(atPath: directory + "/audit.log")[.size] as? Int
            #expect(try #require(size) < 600_000)
            try FileManager.default.removeItem(atPath: old)
            let lines = try audit.lines()
            #expect(lines.last?.contains("5999 x") == true)
            #expect(lines.count > 800 && lines.allSatisfy { $0.hasSuffix(text) })
        }
    }

    @Test(arguments: [nil, StoreKey.random()])
    func `a line that was not written to its end counts as one, and takes no other one with it`(
        _ key: StoreKey?
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/access.json"
            let log = URL(fileURLWithPath: directory + "/audit.log")
            for length in [1, 12, 25, 36] {
                let audit = try AccessFile(path: path, key: key).audit
                audit.note("before", by: "a command")
                let whole = try Data(contentsOf: log)
                audit.note("torn", by: "a command")
                try Data(contentsOf: log).prefix(whole.count + length).write(to: log)
                func expect(_ endings: [String]) throws {
                    let lines = try AccessFile(path: path, key: key).audit.lines()
                    #expect(
                        lines.count == endings.count && zip(lines, endings).allSatisfy { $0.hasSuffix($1) }, "\(lines)")
                }
                try expect(["before", "an incomplete line"])
                audit.note("after", by: "a command")
                audit.note("last", by: "a command")
                try expect(["before", "an incomplete line", "after", "last"])
                try FileManager.default.removeItem(at: log)
            }
        }
    }

    @Test func `an incomplete line of before the key stays one`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/access.json"
            let log = URL(fileURLWithPath: directory + "/audit.log")
            let plain = try AccessFile(path: path).audit
            plain.note("a token of canary was made", by: "a command")
            try Data(contentsOf: log).dropLast(5).write(to: log)
            let sealed = try AccessFile(path: path, key: .random()).audit
            sealed.note("after", by: "a command")
            #expect(try sealed.lines().first == "an incomplete line")
            #expect(try sealed.lines().count == 2)
        }
    }

    /// Adds a line to a file as somebody else would.
    private static func append(_ line: String, to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data((line + "\n").utf8))
        try file.close()
    }

    @Test func `plain lines in an encrypted log are not taken for genuine, nor encrypted at a start`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let (path, key) = (directory + "/access.json", StoreKey.random())
            let log = directory + "/audit.log"
            var file = try AccessFile(path: path, key: key)
            file.audit.note("genuine", by: "a command")
            try Self.append("2026-03-01T10:00:00Z nobody: forged", to: log)
            for _ in 0..<2 {
                let lines = try file.audit.lines()
                #expect(lines.count == 2 && lines[0].hasSuffix("genuine"))
                #expect(lines.last?.contains(log) == true && !lines.contains { $0.contains("forged") }, "\(lines)")
                file = try AccessFile(path: path, key: key)
            }
            // What a server without a key writes is its own again.
            let plain = AuditLog(in: directory, key: nil)
            try plain.encrypt()
            #expect(try plain.lines().last?.hasSuffix("forged") == true)
        }
    }

    @Test func `a log that cannot be read is an error that names it, and not an empty one`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let file = try AccessFile(path: directory + "/access.json", key: nil, now: Timestamp.now)
            #expect(try file.audit.lines().isEmpty)
            for name in ["audit.log", "audit.log.old"] {
                let log = directory + "/" + name
                try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
                #expect { try file.audit.lines() } throws: { "\($0)".contains(log) }
                try FileManager.default.removeItem(atPath: log)
            }
        }
    }
}
