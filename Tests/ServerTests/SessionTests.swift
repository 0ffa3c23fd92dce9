import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

/// Links that can be opened once, and the sessions that they become.
@Suite(.timeLimit(.minutes(15))) struct SessionTests {
    private static func link(_ bench: ServerBench, mayEdit: Bool = false) throws -> String {
        "/?once=" + (try bench.access.makeLink(mayEdit: mayEdit).secret.revealed)
    }

    @Test func `a link is opened once and becomes a session, which is kept as hashes`() async throws {
        try await ServerBench.with { bench in
            let link = try Self.link(bench)
            // Who only asks whether there is a page, as a program that shows links does, does not use it up.
            #expect(try await bench.send("HEAD", link).status == 401)
            let session = try #require(await PageSession(opening: link, at: bench.port))
            #expect(await PageSession(opening: link, at: bench.port) == nil)
            #expect(await session.ask("GET", "/api/devices", at: bench.port).status == 200)
            let kept = try String(contentsOfFile: bench.access.path, encoding: .utf8)
            let secrets = [link, session.cookie, session.proof].compactMap { $0.split(separator: "=").last }
            for secret in secrets { #expect(secret.utf8.count == 43 && !kept.contains(secret)) }
        }
    }

    @Test func `the cookie alone, which other programs of the host get, shows nothing`() async throws {
        try await ServerBench.with { bench in
            let session = try #require(await PageSession(opening: try Self.link(bench, mayEdit: true), at: bench.port))
            let cookie = ["Cookie": session.cookie, "Sec-Fetch-Site": "same-origin"]
            for target in ["/api/devices", "/api/live", "/api/devices?proof=", "/api/devices?\(session.proof)x"] {
                #expect(try await bench.send("GET", target, cookie).status == 401, "\(target)")
            }
            #expect(try await bench.send("DELETE", "/api/points?device=a&from=0&to=1", cookie).status == 401)
            #expect(try await bench.send("GET", "/api/devices?\(session.proof)").status == 401)
            #expect(session.cookie.hasPrefix("track-engine-\(bench.port)="))
        }
    }

    @Test func `a session to look does not edit, and one to edit does until nobody may`() async throws {
        try await ServerBench.with { bench in
            let target = "/api/points?device=a&from=0&to=1"
            let own = ["Sec-Fetch-Site": "same-origin"]
            let looking = try #require(await PageSession(opening: try Self.link(bench), at: bench.port))
            let editing = try #require(await PageSession(opening: try Self.link(bench, mayEdit: true), at: bench.port))
            #expect(await looking.ask("DELETE", target, own, at: bench.port).status == 403)
            #expect(await editing.ask("DELETE", target, own, at: bench.port).status == 200)
            #expect(try bench.access.forbidEditing())
            #expect(await editing.ask("DELETE", target, own, at: bench.port).status == 401)
            #expect(await looking.ask("GET", "/api/devices", at: bench.port).status == 200)
        }
    }

    @Test func `other keys end what the old ones have given`() async throws {
        try await ServerBench.with { bench in
            let (old, link) = (bench.key, try Self.link(bench))
            let editing = try bench.access.allowEditing().secret.revealed
            let session = try #require(await PageSession(opening: try Self.link(bench), at: bench.port))
            try bench.access.renewKeys()
            #expect(bench.key != old)
            for key in [old, editing] {
                #expect(try await bench.send("GET", "/api/devices?key=\(key)").status == 401)
            }
            #expect(await session.ask("GET", "/api/devices", at: bench.port).status == 401)
            #expect(await PageSession(opening: link, at: bench.port) == nil)
            #expect(try await bench.send("GET", "/api/devices?key=\(bench.key)").status == 200)
        }
    }

    private static func lasts(_ session: SessionSecret, _ file: AccessFile) -> Bool {
        file.rights(ofSession: session.cookie.secret.revealed, proof: session.proof.secret.revealed) != nil
    }

    @Test func `a link ends after an hour, a session after 90 days`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let clock = ManualTime()
            let path = directory + "/access.json"
            let file = try AccessFile(path: path, key: nil, now: { clock.now })
            let (first, second) = (try file.makeLink(), try file.makeLink())
            clock.advance(by: .seconds(3_599))
            let begun = try #require(try file.beginSession(once: first.secret.revealed, key: nil))
            clock.advance(by: .seconds(1))
            #expect(try file.beginSession(once: second.secret.revealed, key: nil) == nil)
            #expect(file.sessionCount == 1 && Self.lasts(begun, file))
            clock.advance(by: .seconds(90 * 86_400 - 2))
            #expect(Self.lasts(begun, file))
            clock.advance(by: .seconds(1))
            #expect(!Self.lasts(begun, file) && file.sessionCount == 0)
        }
    }

    @Test func `of many links and sessions the oldest end, and the file stays small`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let file = try AccessFile(path: directory + "/access.json")
            let first = try file.makeLink()
            for _ in 0..<205 { _ = try file.makeLink() }
            #expect(try file.beginSession(once: first.secret.revealed, key: nil) == nil)
            for _ in 0..<205 { _ = try file.beginSession(once: nil, key: file.readingKey.secret.revealed) }
            #expect(file.sessionCount == 50)
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            #expect(try #require(size) < 200_000)
        }
    }
}

extension SessionTests {
    private static func begin(_ file: AccessFile, for viewer: String? = nil, mayEdit: Bool = false) throws
        -> SessionSecret
    {
        let link = try file.makeLink(for: viewer, mayEdit: mayEdit).secret.revealed
        return try #require(try file.beginSession(once: link, key: nil))
    }

    @Test func `many sessions of one key end its own, and not those of a viewer or of the other key`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let file = try AccessFile(path: directory + "/access.json")
            try file.addViewer("anna", mayEdit: true, devices: nil)
            let others = [try Self.begin(file, for: "anna"), try Self.begin(file, mayEdit: true)]
            let first = try Self.begin(file)
            for _ in 0..<205 { _ = try file.beginSession(once: nil, key: file.readingKey.secret.revealed) }
            #expect(!Self.lasts(first, file) && others.allSatisfy { Self.lasts($0, file) })
            #expect(file.sessionCount == 52)
        }
    }

    @Test func `when there is no room for more sessions, the oldest of a viewer with the most ends`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let file = try AccessFile(path: directory + "/access.json")
            let alone = try Self.begin(file)
            var oldest: [SessionSecret] = []
            for viewer in ["anna", "bert", "carl", "dora"] {
                try file.addViewer(viewer, mayEdit: false, devices: nil)
                oldest.append(try Self.begin(file, for: viewer))
                for _ in 1..<50 { _ = try Self.begin(file, for: viewer) }
            }
            #expect(file.sessionCount == 200 && Self.lasts(alone, file))
            #expect(oldest.map { Self.lasts($0, file) } == [false, true, true, true])
        }
    }
}

/// A time of day that a test moves.
final class ManualTime: Sendable {
    private let time = Mutex(ServerBench.now)

    var now: Timestamp { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
