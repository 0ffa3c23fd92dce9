import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineSettings
import TrackEngineTestKit

/// A list of the gateways' devices that cannot be read, or not all of it.
@Suite("Damaged lists of gateways", .timeLimit(.minutes(15)))
struct GatewayDamageTests {
    private static func write(_ bytes: some Sequence<UInt8>, to path: String) {
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600]))
    }

    private static func point() -> HistoryPoint {
        HistoryPoint(fix: Fix(time: ServerBench.now, coordinate: Coordinate(latitude: 53.55, longitude: 9.98)))
    }

    /// A history with points of devices.
    private static func withHistory(
        of devices: [DeviceID], key: StoreKey? = nil,
        _ body: (_ directory: String, _ history: TrackHistory) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory, key: key)
            for device in devices { _ = try await history.add([point()], of: device) }
            try await body(directory, history)
            await history.close()
        }
    }

    /// The names that a gateway gets, where all gateways may send.
    private static func claim(
        _ names: [DeviceID], by gateway: DeviceID, of table: GatewayTable, in history: TrackHistory,
        isAlone: Bool = false
    ) async throws -> GatewayOutcome {
        try await table.claim(names, by: gateway, in: history, isAlone: isAlone) { _ in true }
    }

    /// Of the devices van, bus and cab, the gateway two has bus by the entry that can be read.
    static let damages: [(name: String, text: [UInt8])] = [
        ("numbers", Array(#"{"devices":{"van":7,"bus":"two","cab":{}},"earlier":[]}"#.utf8)),
        ("no JSON", Array(#"{"devices":{"van":nul,"bus":"two","cab":[}]},"earlier":[]}"#.utf8)),
        ("cut", Array(#"{"devices":{"bus":"two","cab":"on"#.utf8)),
        (
            "half of a character",
            Array(#"{"devices":{"van":"one\ud83d","bus":"two","ca\udc00":"one"},"earlier":[]}"#.utf8)
        ),
        (
            "names without end",
            Array(#"{"devices":{"van":"one\u0000","bus":"two","cab\u0000":"one"},"earlier":[]}"#.utf8)
        ),
        (
            "twice",
            Array(#"{"devices":{"van":"two","cab":"one","bus":"two","van":"two","cab":"two"},"earlier":[]}"#.utf8)
        ),
        (
            "flipped bits",
            Array(#"{"devices":{"van":"~ne","bus":"two","~ab":"one"},"earlier":[]}"#.utf8)
                .map { $0 == UInt8(ascii: "~") ? 0xef : $0 }
        ),
    ]

    @Test(arguments: damages.indices)
    func `An entry that cannot be read gives no gateway a right, stops no other, and is kept aside`(
        _ index: Int
    ) async throws {
        let damage = Self.damages[index].text
        try await Self.withHistory(of: ["van", "bus", "cab"]) { directory, history in
            let path = directory + "/gateways.json"
            Self.write(damage, to: path)
            let gateways = GatewayTable(in: directory)
            #expect(await gateways.check(history)?.contains(path) == true)
            #expect(
                try await Self.claim(["van", "bus", "cab"], by: "two", of: gateways, in: history)
                    == GatewayOutcome(allowed: ["bus"], unknown: ["van", "cab"]))
            #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == damage, "nothing is to be written")
            await #expect(throws: StoreError.self) { try await gateways.gateways(in: history) }
            // A new name is written, next to those that can be read.
            #expect(
                try await Self.claim(["new", "van"], by: "one", of: gateways, in: history)
                    == GatewayOutcome(allowed: ["new"], unknown: ["van"]))
            #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path + ".unreadable"))) == damage)
            _ = try await history.add([Self.point()], of: "new")
            // Only these have all names of devices that may be several gateways'.
            let isWhole = ["numbers", "twice"].contains(Self.damages[index].name)
            let unknown: Set<DeviceID> = isWhole ? ["van", "cab"] : ["van", "cab", "new"]
            // So it is after a restart, and the file with the entries is not replaced by one without.
            for _ in 0..<2 {
                let later = GatewayTable(in: directory)
                #expect(await later.check(history)?.contains("gateways.json.unreadable") == true)
                #expect(
                    try await Self.claim(["van", "bus", "cab", "new"], by: "two", of: later, in: history)
                        == GatewayOutcome(allowed: ["bus"], unknown: unknown))
                _ = try await Self.claim(["newer"], by: "one", of: later, in: history)
                #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path + ".unreadable"))) == damage)
            }
        }
    }

    @Test func `A single gateway, and a device with a token of its own, settle what cannot be read`() async throws {
        try await Self.withHistory(of: ["van", "bus", "home"]) { directory, history in
            Self.write(Array("[]".utf8), to: directory + "/gateways.json")
            let gateways = GatewayTable(in: directory, besides: "home")
            #expect(await gateways.check(history)?.contains("2: bus, van") == true)
            let van = try await Self.claim(["van"], by: "one", of: gateways, in: history, isAlone: true)
            #expect(van.allowed == ["van"])
            #expect(try await Self.claim(["bus"], by: "bus", of: gateways, in: history).allowed == ["bus"])
            // That is known from then on, with other gateways, too.
            let later = GatewayTable(in: directory, besides: "home")
            #expect(try await Self.claim(["van"], by: "one", of: later, in: history).allowed == ["van"])
            #expect(try await Self.claim(["van"], by: "two", of: later, in: history).allowed.isEmpty)
        }
    }

    @Test func `Names of before that cannot be read are not taken for none`() async throws {
        try await Self.withHistory(of: ["van", "bus"]) { directory, history in
            let path = directory + "/gateways.json"
            let text = #"{"devices":{"van":"one","bus":"one"},"earlier":[7,"bus"]}"#
            Self.write(Array(text.utf8), to: path)
            for _ in 0..<2 {
                let gateways = GatewayTable(in: directory)
                let claim = try await Self.claim(["van", "bus", "new"], by: "two", of: gateways, in: history)
                #expect(claim == GatewayOutcome(allowed: ["bus", "new"], unknown: ["van"]))
                #expect(gateways.problem?.contains(path) == true)
                #expect(try String(contentsOfFile: path + ".unreadable", encoding: .utf8) == text)
            }
        }
    }

    @Test func `A kill between the steps of a change loses neither file`() async throws {
        try await Self.withHistory(of: ["van"]) { directory, history in
            let path = directory + "/gateways.json"
            let text = #"{"devices":{"van":7},"earlier":[]}"#
            Self.write(Array("older".utf8), to: path + ".unreadable")
            Self.write(Array(text.utf8), to: path)
            // The first name of the file is still there when the second is made, and the new file is not complete.
            try FileManager.default.removeItem(atPath: path + ".unreadable")
            try FileManager.default.linkItem(atPath: path, toPath: path + ".unreadable")
            Self.write(Array(#"{"devi"#.utf8), to: path + ".new")
            let gateways = GatewayTable(in: directory)
            #expect(
                try await Self.claim(["van", "bus"], by: "one", of: gateways, in: history)
                    == GatewayOutcome(allowed: ["bus"], unknown: ["van"]))
            #expect(try String(contentsOfFile: path + ".unreadable", encoding: .utf8) == text)
            #expect(
                try String(contentsOfFile: path, encoding: .utf8)
                    == #"{"devices":{"bus":"one","van":null},"earlier":[]}"#)
        }
    }

    @Test func `Where the damaged file cannot be kept nothing is replaced, and no name is given`() async throws {
        try await Self.withHistory(of: ["van"]) { directory, history in
            let path = directory + "/gateways.json"
            Self.write(Array("[]".utf8), to: path)
            try FileManager.default.createDirectory(atPath: path + ".unreadable", withIntermediateDirectories: false)
            let gateways = GatewayTable(in: directory)
            await #expect(throws: StoreError.self) {
                try await Self.claim(["bus"], by: "one", of: gateways, in: history)
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "[]")
        }
    }

    @Test func `An encrypted list that does not open is kept as well, with and without the key`() async throws {
        let key = StoreKey.random()
        try await Self.withHistory(of: ["van"], key: key) { directory, history in
            let path = directory + "/gateways.json"
            _ = try await Self.claim(["van"], by: "one", of: GatewayTable(in: directory), in: history)
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            bytes[bytes.count / 2] ^= 1
            Self.write(bytes, to: path)
            let gateways = GatewayTable(in: directory)
            #expect(await gateways.check(history)?.contains(path) == true)
            #expect(
                try await Self.claim(["van", "bus"], by: "two", of: gateways, in: history)
                    == GatewayOutcome(allowed: ["bus"], unknown: ["van"]))
            #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path + ".unreadable"))) == bytes)
            await history.close()
            try await EncryptedHistory(directory: directory).decrypt(with: key)
            let plain = try await TrackHistory.open(directory: directory)
            #expect(
                try await Self.claim(["van"], by: "two", of: GatewayTable(in: directory), in: plain).unknown
                    == ["van"])
            await plain.close()
        }
    }

    @Test func `What was kept aside in plain is encrypted with the history`() async throws {
        try await Self.withHistory(of: ["van"]) { directory, history in
            let text = #"{"devices":{"van":{"of":"canary"}},"earlier":[]}"#
            Self.write(Array(text.utf8), to: directory + "/gateways.json")
            _ = try await Self.claim(["bus"], by: "one", of: GatewayTable(in: directory), in: history)
            #expect(try !Traces(Traces.text("canary", "a name")).found(in: directory).isEmpty)
            await history.close()
            let sealed = try await TrackHistory.open(directory: directory, key: .random())
            _ = await GatewayTable(in: directory).check(sealed)
            #expect(try Traces(Traces.text("canary", "a name")).found(in: directory) == [])
            await sealed.close()
        }
    }

    @Test func `A gateway keeps what it may not send yet, and the rest of its request is stored`() async throws {
        try await ServerBench.with { bench in
            for device in ["van", "bus"] as [DeviceID] { _ = try await bench.history.add([Self.point()], of: device) }
            let (one, two) = try (bench.token(of: "one", isGateway: true), bench.token(of: "two", isGateway: true))
            let path = bench.access.path.replacingOccurrences(of: "access.json", with: "gateways.json")
            Self.write(Array(#"{"devices":{"van":7,"bus":"one"},"earlier":[]}"#.utf8), to: path)
            #expect(try await GatewayTests.send(["van", "bus"], with: one, to: bench) == 503)
            #expect(try await GatewayTests.send(["new"], with: two, to: bench) == 200)
            #expect(try await bench.points(of: "bus").count == 2)
            #expect(try await bench.points(of: "van").count == 1)
            #expect(try await bench.send("GET", "/api/rejected?key=\(bench.key)").body.contains(#""total":0"#))
            // The entry is there again.
            Self.write(Array(#"{"devices":{"van":"one","bus":"one","new":"two"},"earlier":[]}"#.utf8), to: path)
            #expect(try await GatewayTests.send(["van", "bus"], with: one, to: bench) == 200)
            #expect(try await bench.points(of: "van").count == 2)
        }
    }

    @Test(arguments: ["[]", #"{"devices":{"van":7}}"#, nil])
    func `The status names the file from the start, without a request or a bound of the history`(
        _ text: String?
    ) async throws {
        try await Self.withHistory(of: ["van"]) { directory, history in
            await history.close()
            let path = directory + "/gateways.json"
            if let text {
                Self.write(Array(text.utf8), to: path)
            } else {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            var configuration = ServerConfiguration()
            configuration.port = 0
            let sink = ServerSink(directory: directory, device: "home", configuration)
            let running = Task { try await sink.run() }
            await eventually("it listens") { sink.statusItems(now: .now()).contains { $0.tone == .good } }
            let item = try #require(sink.statusItems(now: .now()).first { $0.name == "gateways" })
            #expect(item.tone == .bad && item.text?.contains(path) == true, "\(item)")
            running.cancel()
            _ = await running.result
            await sink.close()
        }
    }
}
