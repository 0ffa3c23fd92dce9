import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineHistory
import TrackEngineSQLite
import TrackEngineTestKit

/// An agent with a key, whose sinks keep histories.
@Suite(.timeLimit(.minutes(30))) struct EncryptedHistoriesAgentTests {
    private static let device = "delivery-truck-of-anna"

    private static func yaml(_ folder: String, isEncrypted: Bool) -> String {
        """
        device: {id: \(device)}
        sources:
          - {type: simulated, name: simulated-by-berta, rate: 5}
          - {type: miataru, name: friends, url: 'http://127.0.0.1:9'}
        tracking: {distanceFilter: 0}
        store:
          path: \(folder)/state
          keepSyncedDays: 1
          encryption: \(isEncrypted ? "{key: {file: \(folder)/key}}" : "null")
        sinks:
          - {type: history, directory: \(folder)/history, syncThreshold: 1}
          - {type: server, directory: \(folder)/server, port: 0, miataru: true}
          - {type: miataru, url: 'http://127.0.0.1:9'}
        """
    }

    private static let friend = "5D0C1B5C-9C0A-4C8F-B2E4-A1D2C3B4A596"

    /// Runs a command to its end beside no agent; returns what it prints.
    @discardableResult
    private static func trackd(_ folder: String, _ arguments: String...) async throws -> String {
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), arguments + ["--config", folder + "/trackd.yaml"])
        await eventually("\(arguments) ends") { child.exitCode != nil }
        #expect(child.exitCode == 0, "\(arguments): \(child.text)")
        return child.text
    }

    /// What commands say that read the files beside the store: who may send, whom it follows, who it is, and the page's key.
    private static func told(_ folder: String) async throws -> [String] {
        [
            try await trackd(folder, "device", "list"), try await trackd(folder, "follow", "list"),
            try await trackd(folder, "miataru", "id"),
            try await trackd(folder, "device", "link", "--key").split(separator: "=").last.map(String.init) ?? "",
        ]
    }

    /// Names and ids that commands put into files beside the store.
    private static func addNames(_ folder: String) async throws {
        try await trackd(folder, "device", "add", "phone-of-clara")
        try await trackd(folder, "follow", "add", "miataru://" + friend, "--name", "dora-from-school")
    }

    /// Runs an agent until its sinks have delivered some records; returns what its status says then.
    private static func record(_ folder: String, isEncrypted: Bool) async throws -> (json: JSONValue, text: String) {
        let agent = try RunningAgent(folder, yaml(folder, isEncrypted: isEncrypted))
        var json = JSONValue.null
        try await eventually("it delivers, trackd printed: \(agent.child.text)", from: agent.child) {
            let status = try await agent.trackd("status", "--json").text
            json = (try? JSONValue.parse(Array(status.utf8))) ?? .null  // not running yet
            let sinks = (json["sinks"]?.array ?? []).filter { $0["id"]?.string != "miataru" }
            return sinks.count == 2 && sinks.allSatisfy { ($0["delivered"]?.number ?? 0) > 3 }
        }
        let text = try await agent.trackd("status").text
        agent.child.send(SIGTERM)
        #expect(await agent.end() == 0, "\(agent.child.text)")
        return (json, text)
    }

    /// What is in the history that the sink `history` keeps.
    private static func points(_ folder: String, _ key: StoreKey?) async throws -> [HistoryPoint] {
        let history = try await TrackHistory.open(directory: folder + "/history", key: key)
        let device = DeviceID(rawValue: device)
        let whole = Timestamp(nanosecondsSince1970: 0)..<Timestamp(nanosecondsSince1970: .max)
        let points = try await history.points(of: device, during: whole, limit: .max)
        await history.close()
        return points
    }

    /// Where the device was, as the store says it.
    private static func places(_ folder: String, _ key: StoreKey?) async throws -> [Coordinate] {
        var configuration = SQLiteFixStore.Configuration(directory: folder + "/state")
        configuration.key = key
        let store = try await SQLiteFixStore.open(configuration: configuration)
        let records = try await store.records(after: RecordSequence(rawValue: 0), limit: 40)
        await store.close()
        return records.map(\.fix.coordinate)
    }

    private static func found(
        _ places: [Coordinate], _ folder: String, _ told: [String]
    ) throws -> Set<String> {
        var traces = Traces(Traces.text("simulated-by-berta", "a source's name"))
        traces.patterns += Traces.text("phone-of-clara", "a sender's name")
        traces.patterns += Traces.text("dora-from-school", "a friend's name")
        traces.patterns += Traces.text(friend, "a friend's id")
        for text in told.suffix(2) {
            traces.patterns += Traces.text(text.trimmingCharacters(in: .whitespacesAndNewlines), "an id or key")
        }
        traces.patterns += Traces.text(device, "a device's name")
        for place in places { traces.patterns += Traces.place(place.latitude, place.longitude) }
        return try ["/state", "/history", "/server"].reduce(into: []) { found, name in
            found.formUnion(try traces.found(in: folder + name).map { "\(name.dropFirst())/\($0)" })
        }
    }

    private static func key(_ folder: String) throws -> StoreKey {
        let key = StoreKey.random()
        try Data(key.hexadecimal.revealed.utf8).write(to: URL(fileURLWithPath: folder + "/key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/key")
        return key
    }

    @Test func `with a key nothing of what the agent keeps tells a place, and its status says so`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let plain = try await Self.record(folder, isEncrypted: false)
            #expect(plain.json["store"]?["encrypted"]?.boolean == false)
            #expect(!plain.text.contains("encrypted"))
            let first = try await Self.points(folder, nil)
            try await Self.addNames(folder)
            let told = try await Self.told(folder)
            #expect(told[0] == "phone-of-clara\n" && told[1].contains("dora-from-school"))
            let found = try Self.found(try await Self.places(folder, nil), folder, told)
            #expect(
                Set(found.compactMap { $0.split(separator: ": ").last }).isSuperset(of: [
                    "a place in fixed point", "a source's name", "a device's name", "an IEEE double", "a sender's name",
                    "a friend's name", "a friend's id", "an id or key",
                ]), "\(found)")

            let key = try Self.key(folder)
            let sealed = try await Self.record(folder, isEncrypted: true)
            #expect(sealed.json["store"]?["encrypted"]?.boolean == true)
            for sink in sealed.json["sinks"]?.array ?? [] where sink["id"]?.string != "miataru" {
                let name = sink["id"]?.string ?? ""
                #expect(sink[name]?["encrypted"]?.boolean == true, "\(sink)")
            }
            #expect(sealed.text.contains("history encrypted"))
            let all = try await Self.points(folder, key)
            #expect(all.count > first.count && all.starts(with: first))
            let places = try await Self.places(folder, key) + all.prefix(40).map(\.fix.coordinate)
            #expect(places.count > min(all.count, 40), "the store's are among them")
            #expect(try Self.found(places, folder, told) == [])
            #expect(try await Self.told(folder) == told)
            try await Self.trackd(folder, "device", "add", "phone-of-clara-2")
            try await Self.trackd(folder, "follow", "remove", "dora-from-school")
            try await Self.trackd(folder, "follow", "add", "miataru://" + Self.friend, "--name", "dora-from-school")
            #expect(try Self.found(places, folder, told) == [])
        }
    }

    @Test func `the commands that change the key change it for the histories, too`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let old = try Self.key(folder)
            _ = try await Self.record(folder, isEncrypted: true)
            let points = try await Self.points(folder, old)
            #expect(!points.isEmpty)
            try await Self.addNames(folder)
            let told = try await Self.told(folder)
            try FileManager.default.moveItem(atPath: folder + "/key", toPath: folder + "/old")
            let new = try Self.key(folder)
            try FileManager.default.moveItem(atPath: folder + "/key", toPath: folder + "/new")
            try FileManager.default.moveItem(atPath: folder + "/old", toPath: folder + "/key")
            try await Self.trackd(folder, "store", "rotate-key", "--new-key", folder + "/new")
            #expect(try await Self.points(folder, new) == points)
            await #expect { try await Self.points(folder, old) } throws: { ($0 as? StoreError)?.code == .wrongKey }
            try FileManager.default.removeItem(atPath: folder + "/key")
            try FileManager.default.moveItem(atPath: folder + "/new", toPath: folder + "/key")
            #expect(try await Self.told(folder) == told)
            try await Self.trackd(folder, "store", "decrypt")
            #expect(try await Self.points(folder, nil) == points)
            try RunningAgent.write(Self.yaml(folder, isEncrypted: false), folder)
            #expect(try await Self.told(folder) == told)
            let miataru = try await TrackHistory.open(directory: folder + "/server/miataru")
            #expect(try await !miataru.isEncrypted)
            await miataru.close()
        }
    }
}
