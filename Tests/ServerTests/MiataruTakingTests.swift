import Logging
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineTestKit

/// What another sender gets with the id of one that was removed: the id, and nothing of what was under it.
@Suite("An id whose sender was removed", .timeLimit(.minutes(30)))
struct MiataruTakingTests {
    private static let now = Timestamp(secondsSince1970: 1_772_366_400)

    /// A server's directory, and who may send there.
    private final class Scene: Sendable {
        let folder: String
        private let senders = Mutex<Set<DeviceID>>(["anna", "bert", "carl"])

        init(_ folder: String) { self.folder = folder }

        func remove(_ sender: DeviceID) { senders.withLock { _ = $0.remove(sender) } }
        func add(_ sender: DeviceID) { senders.withLock { _ = $0.insert(sender) } }

        /// Runs a service over what the directory holds.
        func run(_ body: (Talk, TrackHistory) async throws -> Void) async throws {
            let history = try await TrackHistory.open(directory: folder + "/miataru")
            let service = try await MiataruService(
                history, directory: folder + "/miataru",
                clock: ServerClock(now: { MiataruTakingTests.now }, isSynchronised: { true }),
                logger: Logger(label: "test")
            ) { sender in self.senders.withLock { $0.contains(sender) } }
            try await body(Talk(service: service), history)
            await history.close()
        }
    }

    /// Calls of senders.
    private struct Talk: Sendable {
        let service: MiataruService

        @discardableResult
        func call(
            _ call: MiataruRequest, as sender: DeviceID, _ body: String
        ) async throws -> (status: Int, json: JSONValue) {
            let request = SenderRequest(
                body: Array(body.utf8), mediaType: "application/json", time: MiataruTakingTests.now)
            let reply = await service.answer(call, request, from: sender)
            return (reply.status, try JSONValue.parse(reply.body))
        }

        func update(_ ids: [String], as sender: DeviceID, key: String = "", latitude: Double = 53.5) async throws -> Int
        {
            let places = ids.flatMap { id -> [String] in
                ([0, 1] as [Int64]).map { second in
                    #"{"Device":"\#(id)","DeviceKey":"\#(key)","#
                        + #""Timestamp":"\#(MiataruTakingTests.now.secondsSince1970 + second)","#
                        + #""Longitude":9.98,"Latitude":\#(latitude),"HorizontalAccuracy":5}"#
                }
            }
            return try await call(
                .updateLocation, as: sender,
                #"{"MiataruConfig":{"EnableLocationHistory":"true","LocationDataRetentionTime":"60"},"#
                    + #""MiataruLocation":[\#(places.joined(separator: ","))]}"#
            ).status
        }

        func allow(_ others: [String], toSee id: String, as sender: DeviceID, all: Bool = true) async throws -> Int {
            let list = others.map {
                #"{"DeviceID":"\#($0)","hasCurrentLocationAccess":\#(all),"hasHistoryAccess":\#(all)}"#
            }
            return try await call(
                .setAllowedDeviceList, as: sender,
                #"{"MiataruSetAllowedDeviceList":{"DeviceID":"\#(id)","allowedDevices":[\#(list.joined(separator: ","))]}}"#
            ).status
        }

        private func config(_ asker: String, _ key: String) -> String {
            #""MiataruConfig":{"RequestMiataruDeviceID":"\#(asker)","RequestMiataruDeviceKey":"\#(key)"}"#
        }

        /// Where a device is, as somebody sees it: `null` for nothing; another status than 200 as a number.
        func see(
            _ id: String, as sender: DeviceID, under asker: String, key: String = ""
        ) async throws -> JSONValue? {
            let answer = try await call(
                .getLocation, as: sender,
                #"{\#(config(asker, key)),"MiataruGetLocation":[{"Device":"\#(id)"}]}"#)
            guard answer.status == 200 else { return .number(Double(answer.status)) }
            return answer.json["MiataruLocation"]?.array?.first
        }

        /// How many places of a device somebody sees.
        func past(_ id: String, as sender: DeviceID, under asker: String) async throws -> Int? {
            let answer = try await call(
                .getLocationHistory, as: sender,
                #"{\#(config(asker, "")),"MiataruGetLocationHistory":{"Device":"\#(id)","Amount":"10"}}"#)
            return answer.json["MiataruLocation"]?.array?.count
        }

        func visitors(_ id: String, as sender: DeviceID) async throws -> Int? {
            try await call(
                .getVisitorHistory, as: sender, #"{"MiataruGetVisitorHistory":{"Device":"\#(id)","Amount":"9"}}"#
            ).json["MiataruVisitors"]?.array?.count
        }

        func listed(_ id: String, as sender: DeviceID) async throws -> Int? {
            try await call(
                .getAllowedDeviceList, as: sender, #"{"MiataruGetAllowedDeviceList":{"DeviceID":"\#(id)"}}"#
            ).json["MiataruAllowedDeviceList"]?["allowedDevices"]?.array?.count
        }
    }

    private func scene(_ body: (Scene) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { try await body(Scene($0)) }
    }

    @Test(arguments: [false, true])
    func `its taker finds no place, no history, no list and no visitors`(_ isRestarted: Bool) async throws {
        try await scene { scene in
            try await scene.run { (talk, _) async throws in
                #expect(try await talk.update(["H"], as: "anna") == 200)
                #expect(try await talk.allow(["FRIEND"], toSee: "H", as: "anna") == 200)
                #expect(try await talk.see("H", as: "bert", under: "B") == .null)
                if !isRestarted {
                    scene.remove("anna")
                    try await expectEmpty(talk)
                }
            }
            scene.remove("anna")
            for _ in 1...2 { try await scene.run { (talk, _) async throws in try await expectEmpty(talk) } }
            try await scene.run { (talk, _) async throws in
                #expect(try await talk.update(["H"], as: "bert", latitude: 1) == 200)
                #expect(try await talk.see("H", as: "carl", under: "C")?["Latitude"]?.number == 1)
                #expect(try await talk.past("H", as: "bert", under: "H") == 2)
            }
        }
    }

    private func expectEmpty(_ talk: Talk) async throws {
        #expect(try await talk.see("H", as: "bert", under: "H") == .null)
        #expect(try await talk.past("H", as: "bert", under: "H") == 0)
        #expect(try await talk.listed("H", as: "bert") == 0)
        #expect(try await talk.visitors("H", as: "bert") == 0)
    }

    @Test func `as long as nobody takes it, its list is obeyed, and its sender has it again under its name`()
        async throws
    {
        try await scene { scene in
            try await scene.run { (talk, _) async throws in
                #expect(try await talk.update(["H"], as: "anna") == 200)
                #expect(try await talk.allow(["FRIEND"], toSee: "H", as: "anna") == 200)
                scene.remove("anna")
                #expect(try await talk.see("H", as: "bert", under: "B") == .null)
                #expect(try await talk.past("H", as: "bert", under: "B") == 0)
                scene.add("anna")
                #expect(try await talk.see("H", as: "bert", under: "H") == .number(403))
                #expect(try await talk.past("H", as: "anna", under: "H") == 2)
                #expect(try await talk.listed("H", as: "anna") == 1)
            }
        }
    }

    @Test func `with a key only who knows it takes the id, and gets nothing else`() async throws {
        try await scene { scene in
            try await scene.run { (talk, _) async throws in
                try await talk.call(
                    .setDeviceKey, as: "anna", #"{"MiataruSetDeviceKey":{"DeviceID":"H","NewDeviceKey":"k"}}"#)
                try await talk.call(
                    .setDeviceSlogan, as: "anna",
                    #"{"MiataruSetDeviceSlogan":{"DeviceID":"H","DeviceKey":"k","Slogan":"on the road"}}"#)
                #expect(try await talk.update(["H"], as: "anna", key: "k") == 200)
                scene.remove("anna")
                #expect(try await talk.see("H", as: "bert", under: "H") == .number(403))
                #expect(try await talk.update(["H"], as: "bert", key: "x") == 403)
                scene.add("anna")
                #expect(try await talk.see("H", as: "anna", under: "H", key: "k")?["Latitude"]?.number == 53.5)
                scene.remove("anna")
                #expect(try await talk.see("H", as: "bert", under: "H", key: "k") == .null)
                let slogan = try await talk.call(
                    .getDeviceSlogan, as: "carl", #"{"MiataruGetDeviceSlogan":{"DeviceID":"H","RequestDeviceID":"C"}}"#)
                #expect(slogan.json["MiataruDeviceSlogan"]?["Slogan"] == .null)
            }
        }
    }

    @Test func `what others let its former sender see its taker does not see`() async throws {
        try await scene { scene in
            try await scene.run { (talk, _) async throws in
                #expect(try await talk.update(["A"], as: "anna") == 200)
                #expect(try await talk.see("A", as: "bert", under: "B") != .null)
                #expect(try await talk.allow(["B"], toSee: "A", as: "anna") == 200)
                scene.remove("bert")
                #expect(try await talk.see("A", as: "carl", under: "B") == .null)
                #expect(try await talk.past("A", as: "carl", under: "B") == 0)
            }
            try await scene.run { (talk, _) async throws in
                #expect(try await talk.see("A", as: "carl", under: "B") == .null)
                #expect(try await talk.see("A", as: "carl", under: "C") == .null, "the list does not end with it")
                #expect(try await talk.allow(["B"], toSee: "A", as: "anna") == 200)
                #expect(try await talk.see("A", as: "carl", under: "B") == .null, "the same list is no consent")
                #expect(try await talk.allow(["B"], toSee: "A", as: "anna", all: false) == 200)
                #expect(try await talk.allow(["B"], toSee: "A", as: "anna") == 200)
                #expect(try await talk.see("A", as: "carl", under: "B")?["Latitude"]?.number == 53.5)
            }
        }
    }

    @Test func `an id that nobody used when it was allowed gives its first user nothing`() async throws {
        try await scene { scene in
            try await scene.run { (talk, _) async throws in
                #expect(try await talk.update(["A"], as: "anna") == 200)
                #expect(try await talk.allow(["F"], toSee: "A", as: "anna") == 200)
                #expect(try await talk.update(["F"], as: "carl") == 200)
                #expect(try await talk.see("A", as: "carl", under: "F") == .null)
            }
            try await scene.run { (talk, _) async throws in
                #expect(try await talk.see("A", as: "carl", under: "F") == .null)
                #expect(try await talk.past("A", as: "carl", under: "F") == 0)
                #expect(try await talk.allow(["F", "G"], toSee: "A", as: "anna") == 200)
                #expect(try await talk.past("A", as: "carl", under: "F") == 0, "the same list is no consent")
                #expect(try await talk.allow(["G"], toSee: "A", as: "anna") == 200)
                #expect(try await talk.allow(["F", "G"], toSee: "A", as: "anna") == 200)
                #expect(try await talk.past("A", as: "carl", under: "F") == 2)
            }
        }
    }

    @Test func `an id that its sender has let go of gives the next one nothing`() async throws {
        try await scene { scene in
            try await scene.run { (talk, _) async throws in
                let delete = #"{"MiataruDeleteLocation":{"Device":"F"}}"#
                #expect(try await talk.update(["A"], as: "anna") == 200)
                #expect(try await talk.update(["F"], as: "bert") == 200)
                #expect(try await talk.allow(["F"], toSee: "A", as: "anna") == 200)
                #expect(try await talk.past("A", as: "bert", under: "F") == 2)
                #expect(try await talk.call(.deleteLocation, as: "bert", delete).status == 200)
                #expect(try await talk.see("A", as: "carl", under: "F") == .null)
                #expect(try await talk.past("A", as: "carl", under: "F") == 0)
                #expect(try await talk.allow(["F"], toSee: "A", as: "anna") == 200)
                #expect(try await talk.past("A", as: "carl", under: "F") == 0, "the same list is no consent")
                #expect(try await talk.call(.deleteLocation, as: "carl", delete).status == 200)
                #expect(try await talk.past("A", as: "bert", under: "F") == 2, "who was allowed has it again")
            }
        }
    }

    @Test func `a process that ends between the removal of the places and the change of hands leaves both safe`()
        async throws
    {
        try await scene { scene in
            try await scene.run { (talk, history) async throws in
                #expect(try await talk.update(["H"], as: "anna") == 200)
                #expect(try await talk.allow(["FRIEND"], toSee: "H", as: "anna") == 200)
                // As a taker leaves it that was killed in the middle.
                let whole = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
                try await history.remove("H", during: whole)
            }
            try await scene.run { (talk, _) async throws in
                #expect(try await talk.see("H", as: "bert", under: "H") == .number(403))
                #expect(try await talk.listed("H", as: "anna") == 1)
                scene.remove("anna")
                try await expectEmpty(talk)
            }
        }
    }

    @Test func `an update of many ids that one of them refuses takes none`() async throws {
        try await scene { scene in
            try await scene.run { (talk, _) async throws in
                #expect(try await talk.update(["H", "I"], as: "anna") == 200)
                #expect(try await talk.update(["C"], as: "carl") == 200)
                scene.remove("anna")
                #expect(try await talk.update(["H", "C", "I"], as: "bert") == 403)
                scene.add("anna")
                #expect(try await talk.past("H", as: "anna", under: "H") == 2)
                scene.remove("anna")
                #expect(try await talk.update(["H", "I"], as: "bert", latitude: 1) == 200)
                #expect(try await talk.see("I", as: "carl", under: "C")?["Latitude"]?.number == 1)
            }
        }
    }

    @Test func `who has only asked under a hundred ids sends two new ones at a time`() async throws {
        try await scene { scene in
            try await scene.run { (talk, _) async throws in
                for number in 0..<100 { _ = try await talk.see("X", as: "bert", under: "ask\(number)") }
                #expect(try await talk.update(["P", "Q"], as: "bert") == 200)
                #expect(try await talk.see("P", as: "carl", under: "C")?["Latitude"]?.number == 53.5)
                #expect(try await talk.see("Q", as: "carl", under: "C")?["Latitude"]?.number == 53.5)
            }
        }
    }

    @Test func `requests of many senders at a time give it to one of them, without what was there`() async throws {
        try await scene { scene in
            try await scene.run { (talk, _) async throws in
                for round in 0..<20 {
                    scene.add("anna")
                    let id = "H\(round)"
                    #expect(try await talk.update([id], as: "anna") == 200)
                    #expect(try await talk.allow(["FRIEND"], toSee: id, as: "anna") == 200)
                    let seen = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
                        group.addTask {
                            _ = try await talk.update([id], as: "anna")
                            return nil
                        }
                        for sender in ["bert", "carl", "bert"] as [DeviceID] {
                            group.addTask {
                                scene.remove("anna")
                                return try await talk.see(id, as: sender, under: id)
                            }
                        }
                        return try await group.reduce(into: [JSONValue]()) { if let next = $1 { $0.append(next) } }
                    }
                    let allSafe = seen.allSatisfy { $0 == .null || $0.number != nil }
                    #expect(allSafe, "\(seen)")
                    #expect(!seen.contains { $0["Latitude"] != nil })
                }
            }
        }
    }
}
