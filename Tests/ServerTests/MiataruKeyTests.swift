import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// Keys that people choose for their devices: what is kept of them, and who guesses.
@Suite("Keys of Miataru's devices", .timeLimit(.minutes(15)))
struct MiataruKeyTests {
    private static let start = Timestamp(secondsSince1970: 1_772_366_400)
    /// SHA-256 of "k", as an earlier release kept it.
    private static let plainHash = "8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a"

    /// Runs a service over what a folder holds, on a clock that the test turns.
    private static func withService(
        _ folder: String, _ body: (MiataruService, SystemMutex<Duration>) async throws -> Void
    ) async throws {
        let elapsed = SystemMutex(Duration.zero)
        let history = try await TrackHistory.open(directory: folder + "/miataru")
        let service = try await MiataruService(
            history, directory: folder + "/miataru",
            clock: ServerClock(now: { start.advanced(by: elapsed.withLock { $0 }) }, isSynchronised: { true }),
            logger: Logger(label: "test"))
        try await body(service, elapsed)
        await history.close()
    }

    private static func status(
        _ service: MiataruService, _ call: MiataruRequest, _ body: String, as sender: DeviceID = "anna"
    ) async -> Int {
        let request = SenderRequest(body: Array(body.utf8), mediaType: "application/json", time: start)
        return await service.answer(call, request, from: sender).status
    }

    private static func setKey(_ service: MiataruService, _ id: String, _ key: String, current: String = "") async
        -> Int
    {
        let names = #""DeviceID":"\#(id)","CurrentDeviceKey":"\#(current)","NewDeviceKey":"\#(key)""#
        return await status(service, .setDeviceKey, #"{"MiataruSetDeviceKey":{\#(names)}}"#)
    }

    private static func ask(_ service: MiataruService, _ id: String, _ key: String?) async -> Int {
        let shown = key.map { #","RequestMiataruDeviceKey":"\#($0)""# } ?? ""
        return await status(
            service, .getLocation,
            #"{"MiataruConfig":{"RequestMiataruDeviceID":"\#(id)"\#(shown)},"MiataruGetLocation":[]}"#)
    }

    @Test func `the same key of two ids is kept as two texts, neither of which is its plain hash`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, _ in
                for id in ["A", "B"] { #expect(await Self.setKey(service, id, "k") == 200) }
            }
            let file = try JSONValue.parse(Array(Data(contentsOf: URL(fileURLWithPath: folder + "/miataru/ids.json"))))
            let kept = try #require(file["ids"]?.array).compactMap { $0["key"]?.string }
            #expect(kept.count == 2 && Set(kept).count == 2 && !kept.joined().contains(Self.plainHash))
            try await Self.withService(folder) { service, _ in
                #expect(await Self.ask(service, "A", "k") == 200)
                #expect(await Self.ask(service, "B", "l") == 403)
            }
        }
    }

    /// Computed by Python's `hashlib.scrypt` with n = 16384, r = 8 and p = 1 from the text of ``plainHash``.
    @Test func `a kept key takes 16 MiB for each guess`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { _, _ in }
            let salt = (0..<32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let hash = "5f481cba32dd9b5d3e8bb1a7ea8440af2ec97ae43b45d001574ad2acf46e059e"
            let path = folder + "/miataru/ids.json"
            try #"{"ids":[{"id":"A","owner":"anna","history":true,"retention":60,"key":"\#(salt):\#(hash)"}]}"#
                .write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            try await Self.withService(folder) { service, _ in
                #expect(await Self.ask(service, "A", "x") == 403)
                #expect(await Self.ask(service, "A", "k") == 200)
            }
        }
    }

    @Test func `what an earlier release kept is read, and written anew without plain hashes`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/miataru/ids.json"
            try await Self.withService(folder) { _, _ in }
            let allowed = #"[{"id":"F","current":true,"history":true},{"id":"NOBODY","current":true,"history":true}]"#
            let text =
                #"{"ids":[{"id":"A","owner":"anna","history":true,"retention":60,"key":"\#(Self.plainHash)","#
                + #""allowed":\#(allowed)},{"id":"F","owner":"bert","history":false,"retention":60}]}"#
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            for _ in 1...2 {
                try await Self.withService(folder) { service, _ in
                    #expect(await Self.ask(service, "A", "k") == 200)
                    #expect(await Self.ask(service, "A", "x") == 403)
                    let update =
                        #"{"MiataruConfig":{"EnableLocationHistory":"true","LocationDataRetentionTime":"60"},"#
                        + #""MiataruLocation":[{"Device":"A","DeviceKey":"k","Timestamp":"1772366400","#
                        + #""Longitude":9.98,"Latitude":53.55,"HorizontalAccuracy":5}]}"#
                    #expect(await Self.status(service, .updateLocation, update) == 200)
                    for (asker, sender, isSeen) in [("F", "bert", true), ("NOBODY", "carl", false)]
                        as [(String, DeviceID, Bool)]
                    {
                        let question =
                            #"{"MiataruConfig":{"RequestMiataruDeviceID":"\#(asker)"},"MiataruGetLocation":[{"Device":"A"}]}"#
                        let request = SenderRequest(body: Array(question.utf8), time: Self.start)
                        let reply = await service.answer(.getLocation, request, from: sender)
                        #expect(String(decoding: reply.body, as: UTF8.self).contains("53.55") == isSeen)
                    }
                }
                let file = try String(contentsOfFile: path, encoding: .utf8)
                #expect(!file.contains(Self.plainHash))
            }
        }
    }

    @Test func `who shows wrong keys waits, longer with each, and the right one ends it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, elapsed in
                #expect(await Self.setKey(service, "A", "k") == 200)
                for _ in 0..<20 { #expect(await Self.ask(service, "A", nil) == 403, "no key is no guess") }
                for guess in 0..<5 { #expect(await Self.ask(service, "A", "\(guess)") == 403) }
                #expect(await Self.ask(service, "A", "k") == 429)
                elapsed.withLock { $0 += .seconds(31) }
                #expect(await Self.ask(service, "A", "5") == 403)
                elapsed.withLock { $0 += .seconds(31) }
                #expect(await Self.setKey(service, "A", "l", current: "k") == 429, "a minute now")
                elapsed.withLock { $0 += .seconds(31) }
                #expect(await Self.ask(service, "A", "k") == 200)
                for guess in 0..<4 { #expect(await Self.ask(service, "A", "\(guess)") == 403) }
                #expect(await Self.ask(service, "A", "k") == 200)
            }
        }
    }

    @Test func `a body that is longer than places can be is refused`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, _ in
                let body = #"{"MiataruLocation":[\#(String(repeating: "0,", count: 600_000))0]}"#
                #expect(await Self.status(service, .updateLocation, body) == 413)
            }
        }
    }
}
