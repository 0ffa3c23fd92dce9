import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineTestKit

/// What the server for Miataru's apps keeps on the disk, and for how long.
@Suite("What Miataru's devices want kept", .timeLimit(.minutes(30)))
struct MiataruKeepingTests {
    private static let start = Timestamp(secondsSince1970: 1_772_366_400)

    private static func request(_ body: String, at time: Timestamp = start) -> SenderRequest {
        SenderRequest(body: Array(body.utf8), mediaType: "application/json", time: time)
    }

    private static func place(_ id: String, _ seconds: Int64 = 0, key: String = "", history: Bool = true) -> String {
        #"{"MiataruConfig":{"EnableLocationHistory":"\#(history)","LocationDataRetentionTime":"60"},"#
            + #""MiataruLocation":[{"Device":"\#(id)","DeviceKey":"\#(key)","#
            + #""Timestamp":"\#(start.secondsSince1970 + seconds)","Longitude":9.98,"Latitude":53.55,"HorizontalAccuracy":5}]}"#
    }

    /// Runs a service over what a directory holds.
    private static func withService(
        _ directory: String, _ key: StoreKey? = nil, _ body: (MiataruService, TrackHistory) async throws -> Void
    ) async throws {
        let history = try await TrackHistory.open(directory: directory + "/miataru", key: key)
        let service = try await MiataruService(
            history, directory: directory + "/miataru", logger: Logger(label: "test"))
        try await body(service, history)
        await history.close()
    }

    @Test func `places, keys and lists outlive the process, and only their owner reads the file`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let question = Self.request(
                #"{"MiataruConfig":{"RequestMiataruDeviceID":"A","RequestMiataruDeviceKey":"k"},"#
                    + #""MiataruGetLocation":[{"Device":"A"}]}"#)
            let list = #"[{"DeviceID":"F","hasCurrentLocationAccess":true,"hasHistoryAccess":false}]"#
            try await Self.withService(folder) { service, _ in
                for (call, body) in [
                    (MiataruRequest.updateLocation, Self.place("A")),
                    (.setDeviceKey, #"{"MiataruSetDeviceKey":{"DeviceID":"A","NewDeviceKey":"k"}}"#),
                    (
                        .setAllowedDeviceList,
                        #"{"MiataruSetAllowedDeviceList":{"DeviceID":"A","DeviceKey":"k","allowedDevices":\#(list)}}"#
                    ),
                ] { #expect(await service.answer(call, Self.request(body), from: "anna").status == 200) }
            }
            let file = folder + "/miataru/ids.json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains(#""k""#), "the key itself is not kept")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            try await Self.withService(folder) { service, _ in
                #expect(
                    await service.answer(.updateLocation, Self.request(Self.place("A", 1)), from: "anna").status == 403)
                #expect(
                    await service.answer(.updateLocation, Self.request(Self.place("A", 1)), from: "bert").status == 403)
                let reply = await service.answer(.getLocation, question, from: "anna")
                #expect(String(decoding: reply.body, as: UTF8.self).contains(#""Latitude":53.55"#))
                let other = #"{"MiataruConfig":{"RequestMiataruDeviceID":"B"},"MiataruGetLocation":[{"Device":"A"}]}"#
                let hidden = await service.answer(.getLocation, Self.request(other), from: "bert")
                #expect(String(decoding: hidden.body, as: UTF8.self) == #"{"MiataruLocation":[null]}"#)
            }
        }
    }

    @Test func `the place of a device that rests outlives a restart`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, _ in
                let rests = Self.request(Self.place("A", -7200, history: false))
                #expect(await service.answer(.updateLocation, rests, from: "anna").status == 200)
            }
            try await Self.withService(folder) { service, _ in
                let question =
                    #"{"MiataruConfig":{"RequestMiataruDeviceID":"B"},"MiataruGetLocation":[{"Device":"A"}]}"#
                let reply = await service.answer(.getLocation, Self.request(question), from: "bert")
                #expect(String(decoding: reply.body, as: UTF8.self).contains(#""Latitude":53.55"#))
            }
        }
    }

    @Test func `a sweep beside an update that wants a history takes nothing of it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, history in
                let clock = ManualClock()
                let sweeping = Task { try? await service.run(clock: clock, now: { Self.start }) }
                let whole = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
                for round in 0..<20 {
                    let id = "A\(round)"
                    _ = await service.answer(
                        .updateLocation, Self.request(Self.place(id, -10, history: false)), from: "anna")
                    await clock.sleepers(atLeast: 1)
                    clock.advance(by: .seconds(60))
                    for second in 0..<3 {
                        _ = await service.answer(
                            .updateLocation, Self.request(Self.place(id, Int64(second) - 5)), from: "anna")
                    }
                    let kept = try await history.points(of: DeviceID(rawValue: id), during: whole, limit: .max)
                    #expect(kept.count == 4, "round \(round)")
                }
                sweeping.cancel()
                await sweeping.value
            }
        }
    }

    @Test(arguments: [(false, 503), (true, 400)])
    func `a place far ahead waits while nobody has set the server's clock, and is refused after that`(
        _ knowsTime: Bool, _ status: Int
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let history = try await TrackHistory.open(directory: folder + "/miataru")
            let service = try await MiataruService(
                history, directory: folder + "/miataru",
                clock: ServerClock(now: { Self.start }, isSynchronised: { knowsTime }), logger: Logger(label: "test"))
            let ahead = Self.request(Self.place("A", 40 * 86_400))
            #expect(await service.answer(.updateLocation, ahead, from: "anna").status == status)
            await history.close()
        }
    }

    @Test func `a place that agrees with a clock which nobody has set proves it, and one far ahead blocks no queue`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let history = try await TrackHistory.open(directory: folder + "/miataru")
            let service = try await MiataruService(
                history, directory: folder + "/miataru",
                clock: ServerClock(now: { Self.start }, isSynchronised: { false }), logger: Logger(label: "test"))
            for (place, status) in [
                (Self.place("A", 300 * 86_400), 503), (Self.place("B", -20 * 86_400), 200),
                (Self.place("A", 300 * 86_400), 503), (Self.place("A", -60), 200),
                (Self.place("A", 300 * 86_400), 400), (Self.place("A", 300 * 86_400), 400),
            ] {
                let reply = await service.answer(.updateLocation, Self.request(place), from: "anna")
                #expect(reply.status == status, "\(place)")
            }
            await history.close()
        }
    }

    @Test func `what a clock that was ahead had sent does not come back with a restart`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, _ in
                for (place, time) in [(20 * 3600, 0), (60, 60)] as [(Int64, Int64)] {
                    let update = Self.request(Self.place("A", place), at: Self.start.advanced(by: .seconds(time)))
                    #expect(await service.answer(.updateLocation, update, from: "anna").status == 200)
                }
            }
            for _ in 1...2 {
                try await Self.withService(folder) { service, _ in
                    let question = Self.request(
                        #"{"MiataruConfig":{"RequestMiataruDeviceID":"A"},"MiataruGetLocation":[{"Device":"A"}]}"#,
                        at: Self.start.advanced(by: .seconds(61)))
                    let reply = await service.answer(.getLocation, question, from: "anna")
                    let text = String(decoding: reply.body, as: UTF8.self)
                    #expect(text.contains("\(Self.start.secondsSince1970 + 60)"), "\(text)")
                }
            }
        }
    }

    @Test func `what old clients write is understood: a retention with a point, a question as a query`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, _ in
                let update = Self.place("A").replacing(#""60""#, with: #""60.0""#)
                #expect(await service.answer(.updateLocation, Self.request(update), from: "anna").status == 200)
                for (question, status) in [
                    ("Device=A&Amount=5", 200), ("Device=A&Amount=0", 400), ("Device=A", 400), ("Amount=5", 400),
                    ("", 400),
                ] {
                    let body =
                        #"{"MiataruConfig":{"RequestMiataruDeviceID":"A"},"MiataruGetLocationHistory":"\#(question)"}"#
                    let reply = await service.answer(.getLocationHistory, Self.request(body), from: "anna")
                    #expect(reply.status == status, "\(question)")
                    let text = String(decoding: reply.body, as: UTF8.self)
                    #expect(text.contains(#""Latitude":53.55"#) == (status == 200), "\(text)")
                }
            }
        }
    }

    @Test func `with a key ids and lists are encrypted with the places, and with them in plain again`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let key = StoreKey.random()
            let keeps = Self.request(Self.place("the-phone-of-anna"))
            let traces = Traces(Traces.text("the-phone-of-anna", "an id") + Traces.text("anna-sends", "a sender"))
            try await Self.withService(folder) { service, _ in
                #expect(await service.answer(.updateLocation, keeps, from: "anna-sends").status == 200)
            }
            let found = try traces.found(in: folder)
            #expect(found.contains("miataru/ids.json: an id") && found.contains("miataru/ids.json: a sender"))
            for seconds in [1, 2] {
                try await Self.withService(folder, key) { service, _ in
                    let found = try traces.found(in: folder)
                    #expect(found == [])
                    let more = Self.request(Self.place("the-phone-of-anna", Int64(seconds)))
                    #expect(await service.answer(.updateLocation, more, from: "bert").status == 403)
                    #expect(await service.answer(.updateLocation, more, from: "anna-sends").status == 200)
                }
                #expect(try traces.found(in: folder) == [])
            }
            let file = folder + "/miataru/ids.json"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/miataru").sorted()
            #expect(
                names == [
                    "history.lock", "history.reserve", "history.sqlite", "history.sqlite.encrypted", "ids.json",
                    "ids.json.encrypted", "key.sealed",
                ])
            let sealed = try Data(contentsOf: URL(fileURLWithPath: file))
            try (sealed.dropLast() + [sealed.last.map { $0 ^ 1 } ?? 0]).write(to: URL(fileURLWithPath: file))
            await #expect { try await Self.withService(folder, key) { _, _ in } } throws: {
                ($0 as? StoreError)?.code == .wrongKey
            }
            try sealed.write(to: URL(fileURLWithPath: file))
            var settings = ServerSettings()
            settings.directory = folder
            for place in settings.encryptedPlaces { try await place.decrypt(with: key) }
            try await Self.withService(folder) { service, _ in
                let found = try traces.found(in: folder)
                #expect(found.contains("miataru/ids.json: an id"))
                let more = Self.request(Self.place("the-phone-of-anna", 9))
                #expect(await service.answer(.updateLocation, more, from: "bert").status == 403)
            }
        }
    }

    @Test func `a file that is damaged is refused and stays as it is`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, _ in
                _ = await service.answer(.updateLocation, Self.request(Self.place("A")), from: "anna")
            }
            let file = folder + "/miataru/ids.json"
            try Data("{\"ids\":[{}]}".utf8).write(to: URL(fileURLWithPath: file))
            await #expect(throws: ServerError.self) { try await Self.withService(folder) { _, _ in } }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "{\"ids\":[{}]}")
        }
    }

    @Test func `what is over leaves the disk by itself`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, history in
                _ = await service.answer(.updateLocation, Self.request(Self.place("A")), from: "anna")
                _ = await service.answer(.updateLocation, Self.request(Self.place("B", history: false)), from: "anna")
                let clock = ManualClock()
                let elapsed = SystemMutex(Duration.zero)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try? await service.run(
                            clock: clock, now: { Self.start.advanced(by: elapsed.withLock { $0 }) })
                    }
                    await clock.sleepers(atLeast: 1)
                    let before = try await history.devices().count
                    #expect(before == 2)
                    elapsed.withLock { $0 = .seconds(3601) }
                    clock.advance(by: .seconds(60))
                    await eventually("nothing is left") { (try? await history.devices().count) == 0 }
                    group.cancelAll()
                }
            }
        }
    }

    @Test func `of a long history the newest places are kept`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.withService(folder) { service, history in
                let places = (0..<1100).map { second in
                    #"{"Device":"A","Timestamp":"\#(Self.start.secondsSince1970 - 1100 + Int64(second))","#
                        + #""Longitude":9.98,"Latitude":53.55,"HorizontalAccuracy":5}"#
                }
                let body =
                    #"{"MiataruConfig":{"EnableLocationHistory":"true","LocationDataRetentionTime":60},"#
                    + #""MiataruLocation":[\#(places.joined(separator: ","))]}"#
                #expect(await service.answer(.updateLocation, Self.request(body), from: "anna").status == 200)
                let whole = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
                let kept = try await history.points(of: "A", during: whole, limit: .max)
                #expect(kept.count == 1023)
                #expect(kept.last?.fix.time == Self.start.advanced(by: .seconds(-1)))
            }
        }
    }
}
