import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// Files beside a history that would grow beyond what a start reads again.
@Suite(.timeLimit(.minutes(15))) struct FileLimitTests {
    private static func withHistory(
        _ key: StoreKey?, _ body: (String, TrackHistory) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let directory = folder + "/server"
            let history = try await TrackHistory.open(directory: directory, key: key)
            try await body(directory, history)
            await history.close()
        }
    }

    // MARK: Gateways

    @Test(arguments: [nil, StoreKey.random()])
    func `of gateways' devices no more names are kept than are read again, and those of before stay`(
        _ key: StoreKey?
    ) async throws {
        try await Self.withHistory(key) { directory, history in
            let point = HistoryPoint(fix: Fix(time: ServerBench.now, coordinate: Coordinate(latitude: 1, longitude: 2)))
            for device in ["van", "bus"] as [DeviceID] { _ = try await history.add([point], of: device) }
            let gateways = GatewayTable(in: directory)
            _ = try await gateways.claim(["van"], by: "one", in: history) { _ in true }
            let file = URL(fileURLWithPath: directory + "/gateways.json")
            let before = try Data(contentsOf: file)
            // 17 MB; the file has 16 MiB at most.
            let name = String(repeating: "n", count: 4_000)
            let many = (0..<4_300).map { DeviceID(rawValue: "\(name)\($0)") }
            await #expect { try await gateways.claim(many, by: "one", in: history) { _ in true } } throws: {
                ($0 as? StoreError)?.code == .full
            }
            #expect(try Data(contentsOf: file) == before)
            #expect(try await gateways.gateways(in: history) == ["van": "one"])
            let more = try await gateways.claim(["bus"], by: "two", in: history) { _ in true }
            #expect(more.allowed == ["bus"])
            #expect(try await GatewayTable(in: directory).gateways(in: history) == ["van": "one", "bus": "two"])
        }
    }

    // MARK: Ids of Miataru's devices

    private static func names(_ count: Int) -> [String] {
        (0..<count).map { String(repeating: "n", count: 120) + String(10_000_000 + $0) }
    }

    /// Contents of `ids.json` of so many bytes, or some hundred fewer.
    private static func ids(_ size: Int) -> String {
        let names = names(200).map { #"{"id":"\#($0)","current":true,"history":true,"sender":null}"# }
        var entries: [String] = []
        var length = 0
        while length < size {
            let head = #"{"id":"id-\#(entries.count)","owner":"s-\#(entries.count)","history":false,"retention":1440"#
            let room = (size - length - head.utf8.count - 20) / 187
            let allowed = names.prefix(max(1, min(room, names.count))).joined(separator: ",")
            entries.append(#"\#(head),"allowed":[\#(allowed)]}"#)
            length += entries[entries.count - 1].utf8.count + 1
        }
        return #"{"ids":[\#(entries.joined(separator: ","))]}"#
    }

    private static func list(_ names: [String], of id: String) -> SenderRequest {
        let allowed = names.map { #"{"DeviceID":"\#($0)","hasCurrentLocationAccess":true}"# }.joined(separator: ",")
        let body = #"{"MiataruSetAllowedDeviceList":{"DeviceID":"\#(id)","allowedDevices":[\#(allowed)]}}"#
        return SenderRequest(body: Array(body.utf8), mediaType: "application/json", time: ServerBench.now)
    }

    private static func allowed(_ service: MiataruService, _ id: String) async throws -> Int? {
        let body = #"{"MiataruGetAllowedDeviceList":{"DeviceID":"\#(id)"}}"#
        let request = SenderRequest(body: Array(body.utf8), mediaType: "application/json", time: ServerBench.now)
        let reply = await service.answer(.getAllowedDeviceList, request, from: "late")
        return try JSONValue.parse(reply.body)["MiataruAllowedDeviceList"]?["allowedDevices"]?.array?.count
    }

    @Test(arguments: [nil, StoreKey.random()])
    func `of ids and lists no more are kept than are read again, and those of before stay`(_ key: StoreKey?)
        async throws
    {
        try await Self.withHistory(key) { directory, history in
            let file = URL(fileURLWithPath: directory + "/ids.json")
            try Data(Self.ids((4 << 20) - 30_000).utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            func open() async throws -> MiataruService {
                try await MiataruService(history, directory: directory, logger: Logger(label: "test"))
            }
            let service = try await open()
            let few = await service.answer(.setAllowedDeviceList, Self.list(Self.names(50), of: "mine"), from: "late")
            #expect(few.status == 200)
            let before = try Data(contentsOf: file)
            // Some 45 kB more.
            let many = Self.list(Self.names(256), of: "mine")
            let refused = await service.answer(.setAllowedDeviceList, many, from: "late")
            #expect(refused.status == 507)
            #expect(try Data(contentsOf: file) == before)
            let again = try await open()
            for service in [service, again] { #expect(try await Self.allowed(service, "mine") == 50) }
            let none = await again.answer(.setAllowedDeviceList, Self.list([], of: "mine"), from: "late")
            #expect(none.status == 200)
        }
    }
}
