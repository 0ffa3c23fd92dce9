import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

/// Conversations with Miataru's apps, in the words of their protocol.
@Suite("A server for Miataru's apps", .timeLimit(.minutes(30)))
struct MiataruServiceTests {
    /// A server, and who talks to it: each with a token of its own.
    private struct Conversation: Sendable {
        let bench: ServerBench
        let tokens: [String: String]

        /// Sends a call as somebody; returns the status and the body as JSON.
        func call(_ name: String, as who: String, _ body: String) async throws -> (status: Int, json: JSONValue) {
            let reply = try await bench.send(
                "POST", "/t/\(tokens[who] ?? "nobody")/v1/\(name)", ["Content-Type": "application/json"], body: body)
            return (reply.status, try JSONValue.parse(reply.bytes))
        }

        /// Sends a place; returns the status.
        @discardableResult
        func update(
            _ id: String, as who: String, at second: Int64, latitude: Double = 53.55, history: Bool = false,
            minutes: Int = 60, key: String? = nil
        ) async throws -> Int {
            try await call(
                "UpdateLocation", as: who,
                #"{"MiataruConfig":{"EnableLocationHistory":"\#(history)","LocationDataRetentionTime":"\#(minutes)"},"#
                    + #""MiataruLocation":[{"Device":"\#(id)",\#(key.map { #""DeviceKey":"\#($0)","# } ?? "")"#
                    + #""Timestamp":"\#(second)","Longitude":9.98,"Latitude":\#(latitude),"HorizontalAccuracy":5,"#
                    + #""Speed":1.5,"BatteryLevel":85,"Altitude":230.5}]}"#
            ).status
        }

        /// What somebody sees of devices: their latitudes.
        func see(_ ids: [String], as who: String, under asker: String, key: String? = nil) async throws -> [Double?] {
            let devices = ids.map { #"{"Device":"\#($0)"}"# }.joined(separator: ",")
            let secret = key.map { #","RequestMiataruDeviceKey":"\#($0)""# } ?? ""
            let answer = try await call(
                "GetLocation", as: who,
                #"{"MiataruConfig":{"RequestMiataruDeviceID":"\#(asker)"\#(secret)},"MiataruGetLocation":[\#(devices)]}"#
            )
            #expect(answer.status == 200)
            return (answer.json["MiataruLocation"]?.array ?? []).map { $0["Latitude"]?.number }
        }

        /// The times of a device's history, as somebody sees it.
        func past(_ id: String, as who: String, under asker: String, amount: Int = 100) async throws -> [String] {
            let answer = try await call(
                "GetLocationHistory", as: who,
                #"{"MiataruConfig":{"RequestMiataruDeviceID":"\#(asker)"},"#
                    + #""MiataruGetLocationHistory":{"Device":"\#(id)","Amount":"\#(amount)"}}"#)
            #expect(answer.status == 200)
            return (answer.json["MiataruLocation"]?.array ?? []).compactMap { $0["Timestamp"]?.string }
        }
    }

    private static let now = ServerBench.now.secondsSince1970

    private func talk(
        _ body: @Sendable (Conversation) async throws -> Void
    ) async throws {
        try await ServerBench.with(servesMiataru: true) { bench in
            var tokens: [String: String] = [:]
            for name in ["anna", "bert", "carl"] { tokens[name] = try bench.token(of: DeviceID(rawValue: name)) }
            try await body(Conversation(bench: bench, tokens: tokens))
        }
    }

    @Test func `who knows an id reads the place as it was sent, and nobody without a token does`() async throws {
        try await talk { talk in
            #expect(try await talk.update("A", as: "anna", at: Self.now) == 200)
            let answer = try await talk.call(
                "GetLocation", as: "bert",
                #"{"MiataruConfig":{"RequestMiataruDeviceID":"B"},"MiataruGetLocation":[{"Device":"A"},{"Device":"?"}]}"#
            )
            let list = try #require(answer.json["MiataruLocation"]?.array)
            #expect(list.count == 2 && list[1] == .null)
            #expect(list[0]["Device"]?.string == "A" && list[0]["Timestamp"]?.string == "\(Self.now)")
            #expect(list[0]["Longitude"]?.number == 9.98 && list[0]["HorizontalAccuracy"]?.number == 5)
            #expect(list[0]["Speed"]?.number == 1.5 && list[0]["BatteryLevel"]?.number == 85)
            #expect(list[0]["Altitude"]?.number == 230.5 && list[0]["Slogan"] == .null)
            #expect(try await talk.call("GetLocation", as: "nobody", "{}").status == 401)
            #expect(try await talk.bench.history.devices().isEmpty, "it is not in the history")
        }
    }

    @Test func `an id belongs to the sender that uses it first`() async throws {
        try await talk { talk in
            try await talk.update("A", as: "anna", at: Self.now)
            #expect(try await talk.update("A", as: "bert", at: Self.now, latitude: 1) == 403)
            #expect(try await talk.see(["A"], as: "anna", under: "A") == [53.55])
            let asked = try await talk.call(
                "GetLocation", as: "bert",
                #"{"MiataruConfig":{"RequestMiataruDeviceID":"A"},"MiataruGetLocation":[{"Device":"A"}]}"#)
            #expect(asked.status == 403)
        }
    }

    @Test func `without a history the newest place alone is kept, and with one all are`() async throws {
        try await talk { talk in
            for second in 0..<3 {
                try await talk.update("A", as: "anna", at: Self.now - 60 + Int64(second), history: true)
            }
            #expect(try await talk.past("A", as: "bert", under: "B") == [Int64(58), 59, 60].map { "\(Self.now - $0)" })
            #expect(try await talk.past("A", as: "bert", under: "B", amount: 1) == ["\(Self.now - 58)"])
            try await talk.update("A", as: "anna", at: Self.now)
            #expect(try await talk.past("A", as: "bert", under: "B") == ["\(Self.now)"])
        }
    }

    @Test func `a late place does not hide a newer one`() async throws {
        try await talk { talk in
            try await talk.update("A", as: "anna", at: Self.now, latitude: 2)
            try await talk.update("A", as: "anna", at: Self.now - 30, latitude: 1)
            #expect(try await talk.see(["A"], as: "bert", under: "B") == [2])
        }
    }

    @Test(arguments: [true, false])
    func `a place from the future hides none that comes later`(_ history: Bool) async throws {
        try await talk { talk in
            #expect(try await talk.update("A", as: "anna", at: Self.now + 80_000, latitude: 1, history: history) == 200)
            #expect(try await talk.update("A", as: "anna", at: Self.now, latitude: 2, history: history) == 200)
            #expect(try await talk.see(["A"], as: "bert", under: "B") == [2])
            let ahead = try await talk.update("A", as: "anna", at: Self.now + 90_000, latitude: 3)
            #expect(ahead == 400)
        }
    }

    @Test func `of two places of a second the later one counts`() async throws {
        try await talk { talk in
            for latitude in [2.0, 1.0] {
                try await talk.update("A", as: "anna", at: Self.now, latitude: latitude, history: true)
            }
            #expect(try await talk.see(["A"], as: "bert", under: "B") == [1])
            #expect(try await talk.past("A", as: "bert", under: "B").count == 1)
        }
    }

    @Test func `a place that cannot be kept refuses its whole request, as at other servers`() async throws {
        try await talk { talk in
            let place = #"{"Device":"A","Timestamp":"\#(Self.now)","Longitude":9,"Latitude":53,"HorizontalAccuracy":5}"#
            for other in [
                place.replacing("53", with: "95"), place.replacing(#","HorizontalAccuracy":5"#, with: ""), "5", "null",
                "{}",
            ] {
                let answer = try await talk.call(
                    "UpdateLocation", as: "anna",
                    #"{"MiataruConfig":{"LocationDataRetentionTime":"60"},"MiataruLocation":[\#(place),\#(other)]}"#)
                #expect(answer.status == 400, "\(other)")
            }
            #expect(try await talk.see(["A"], as: "bert", under: "B") == [nil])
        }
    }

    @Test func `who only asks under many ids can still take a new one`() async throws {
        try await talk { talk in
            try await talk.update("B", as: "bert", at: Self.now)
            for number in 0..<150 { _ = try await talk.see(["A"], as: "bert", under: "ask\(number)") }
            #expect(try await talk.update("B2", as: "bert", at: Self.now) == 200)
            #expect(try await talk.update("B", as: "bert", at: Self.now) == 200)
        }
    }

    @Test func `the id of a sender that was removed can be taken by another`() async throws {
        try await ServerBench.with(servesMiataru: true) { bench in
            var tokens = ["anna": try bench.token(of: "anna")]
            #expect(try await Conversation(bench: bench, tokens: tokens).update("A", as: "anna", at: Self.now) == 200)
            tokens["new"] = try bench.token(of: "new")
            let talk = Conversation(bench: bench, tokens: tokens)
            #expect(try await talk.update("A", as: "new", at: Self.now) == 403)
            #expect(try bench.access.remove("anna"))
            #expect(try await talk.update("A", as: "new", at: Self.now) == 200)
        }
    }

    @Test func `lists of names have a bound for each sender`() async throws {
        try await talk { talk in
            var last = 0
            for number in 0..<5 {
                let names = (0..<250).map { #"{"DeviceID":"\#(number)-\#($0)"}"# }.joined(separator: ",")
                last = try await talk.call(
                    "setAllowedDeviceList", as: "anna",
                    #"{"MiataruSetAllowedDeviceList":{"DeviceID":"A\#(number)","allowedDevices":[\#(names)]}}"#
                ).status
                #expect(last == (number < 4 ? 200 : 403))
            }
        }
    }

    @Test func `nothing outlives the time for which it is to be kept`() async throws {
        let elapsed = Mutex(Duration.zero)
        let clock = ServerClock(
            now: { ServerBench.now.advanced(by: elapsed.withLock { $0 }) }, isSynchronised: { true })
        try await ServerBench.with(wallClock: clock, servesMiataru: true) { bench in
            let tokens = ["anna": try bench.token(of: "anna"), "bert": try bench.token(of: "bert")]
            let talk = Conversation(bench: bench, tokens: tokens)
            try await talk.update("A", as: "anna", at: Self.now - 1800, history: true)
            try await talk.update("A", as: "anna", at: Self.now, history: true)
            try await talk.update("A2", as: "anna", at: Self.now)
            elapsed.withLock { $0 = .seconds(1900) }
            #expect(try await talk.past("A", as: "bert", under: "B") == ["\(Self.now)"])
            try await talk.update("A2", as: "anna", at: Self.now)  // it rests, and says so
            elapsed.withLock { $0 = .seconds(3700) }
            #expect(try await talk.past("A", as: "bert", under: "B") == [])
            #expect(try await talk.see(["A", "A2"], as: "bert", under: "B") == [nil, 53.55])
            elapsed.withLock { $0 = .seconds(5600) }
            #expect(try await talk.see(["A2"], as: "bert", under: "B") == [nil])
        }
    }

    @Test func `a list of who may see a device is obeyed by every way of reading`() async throws {
        try await talk { talk in
            for second in 0..<2 { try await talk.update("A", as: "anna", at: Self.now + Int64(second), history: true) }
            let list = { (devices: String) in
                try await talk.call(
                    "setAllowedDeviceList", as: "anna",
                    #"{"MiataruSetAllowedDeviceList":{"DeviceID":"A","DeviceKey":"k","allowedDevices":[\#(devices)]}}"#
                ).status
            }
            #expect(try await talk.see(["A"], as: "bert", under: "B") == [53.55])
            #expect(try await talk.see(["A"], as: "carl", under: "C") == [53.55])
            #expect(
                try await list(#"{"DeviceID":"C","hasCurrentLocationAccess":true,"hasHistoryAccess":false}"#) == 200)
            #expect(try await talk.see(["A"], as: "bert", under: "B") == [nil])
            #expect(try await talk.past("A", as: "bert", under: "B") == [])
            #expect(try await talk.see(["A"], as: "carl", under: "C") == [53.55])
            #expect(try await talk.past("A", as: "carl", under: "C") == [])
            #expect(try await talk.past("A", as: "anna", under: "A").count == 2, "its own sender sees it")
            for path in ["/v1/GetLocationGeoJSON/A", "/GetLocationGeoJSON/A"] {
                #expect(try await talk.bench.send("GET", "/t/\(talk.tokens["carl"] ?? "")" + path).status == 401)
            }
            #expect(
                try await talk.call("GetLocationGeoJSON", as: "bert", #"{"MiataruGetLocation":[{"Device":"A"}]}"#)
                    .status == 401)
            #expect(try await list("") == 200)
            #expect(try await talk.see(["A"], as: "bert", under: "B") == [53.55])
            let feature = try await talk.bench.send(
                "GET", "/v1/GetLocationGeoJSON/A?token=\(talk.tokens["bert"] ?? "")")
            #expect(feature.status == 200 && feature.body.contains(#""coordinates":[9.98,53.55]"#), "\(feature.body)")
        }
    }

    @Test func `a key is demanded once it is set, and can be replaced by who has it`() async throws {
        try await talk { talk in
            let set = { (current: String, new: String) in
                try await talk.call(
                    "setDeviceKey", as: "anna",
                    #"{"MiataruSetDeviceKey":{"DeviceID":"A","CurrentDeviceKey":"\#(current)","NewDeviceKey":"\#(new)"}}"#
                ).status
            }
            #expect(try await set("", "one") == 200)
            #expect(try await talk.update("A", as: "anna", at: Self.now) == 403)
            #expect(try await talk.update("A", as: "anna", at: Self.now, key: "one") == 200)
            #expect(try await set("wrong", "two") == 403)
            #expect(try await set("one", "two") == 200)
            #expect(try await talk.update("A", as: "anna", at: Self.now, key: "one") == 403)
            #expect(try await talk.see(["A"], as: "anna", under: "A", key: "two") == [53.55])
            let status = try await talk.call(
                "getDeviceSecurityStatus", as: "bert",
                #"{"MiataruGetDeviceSecurityStatus":{"DeviceID":"A","RequestDeviceID":"B"}}"#)
            #expect(status.json["MiataruDeviceSecurityStatus"]?["HasDeviceKey"]?.boolean == true)
            let slogan = try await talk.call(
                "setDeviceSlogan", as: "anna",
                #"{"MiataruSetDeviceSlogan":{"DeviceID":"A","DeviceKey":"two","Slogan":"on the road"}}"#)
            #expect(slogan.status == 200)
            let read = try await talk.call(
                "getDeviceSlogan", as: "bert", #"{"MiataruGetDeviceSlogan":{"DeviceID":"A","RequestDeviceID":"B"}}"#)
            #expect(read.json["MiataruDeviceSlogan"]?["Slogan"]?.string == "on the road")
        }
    }

    @Test func `who asked is told to the device alone, and deleting forgets places and visitors`() async throws {
        try await talk { talk in
            try await talk.update("A", as: "anna", at: Self.now)
            _ = try await talk.see(["A"], as: "bert", under: "B")
            _ = try await talk.see(["A"], as: "anna", under: "A")
            let question = #"{"MiataruGetVisitorHistory":{"Device":"A","Amount":"10"}}"#
            let visitors = try await talk.call("GetVisitorHistory", as: "anna", question)
            let list = visitors.json["MiataruVisitors"]?.array ?? []
            #expect(list.map { $0["DeviceID"]?.string } == ["B"])
            #expect(list.first?["TimeStamp"]?.number == Double(Self.now) * 1000)
            #expect(try await talk.call("GetVisitorHistory", as: "bert", question).status == 403)
            let delete = #"{"MiataruDeleteLocation":{"Device":"A"}}"#
            #expect(try await talk.call("DeleteLocation", as: "bert", delete).status == 403)
            let deleted = try await talk.call("DeleteLocation", as: "anna", delete)
            #expect(deleted.json["MiataruResponse"]?.string == "ACK")
            #expect(deleted.json["MiataruDeletedCount"]?.number == 2)
            #expect(try await talk.see(["A"], as: "bert", under: "B") == [nil])
            let again = try await talk.call("DeleteLocation", as: "anna", delete)
            #expect(again.json["MiataruDeletedCount"]?.number == 0)
        }
    }

    @Test(arguments: [
        ("UpdateLocation", #"{"MiataruLocation":[{"Device":"A","Timestamp":"1","Longitude":1,"Latitude":1}]}"#),
        ("UpdateLocation", #"{"MiataruConfig":{"LocationDataRetentionTime":"0"},"MiataruLocation":[]}"#),
        ("UpdateLocation", #"{"MiataruConfig":{"LocationDataRetentionTime":"60"},"MiataruLocation":[{"Device":"A"}]}"#),
        (
            "UpdateLocation",
            #"{"MiataruConfig":{"LocationDataRetentionTime":"60"},"Device":"A","Timestamp":"1772366400","Longitude":1,"#
                + #""Latitude":1,"HorizontalAccuracy":5}"#
        ),
        ("GetLocation", #"{"MiataruGetLocation":[{"Device":"A"}]}"#),
        ("GetLocation", #"{"MiataruConfig":{"RequestMiataruDeviceID":"B"}}"#),
        ("GetLocation", "[]"), ("GetLocation", "{"), ("GetLocation", ""),
        (
            "GetLocationHistory",
            #"{"MiataruConfig":{"RequestMiataruDeviceID":"B"},"MiataruGetLocationHistory":{"Device":"A","Amount":"0"}}"#
        ),
        ("GetLocationGeoJSON", "{}"), ("DeleteLocation", "{}"), ("GetVisitorHistory", "{}"),
        ("setDeviceKey", #"{"MiataruSetDeviceKey":{"DeviceID":"A:B","NewDeviceKey":"k"}}"#),
        ("setDeviceKey", #"{"MiataruSetDeviceKey":{"DeviceID":"A"}}"#),
        ("setDeviceKey", #"{"MiataruSetDeviceKey":{"DeviceID":"café","NewDeviceKey":"k"}}"#),
        ("setAllowedDeviceList", #"{"MiataruSetAllowedDeviceList":{"DeviceID":"A","allowedDevices":[1]}}"#),
        ("getDeviceSlogan", #"{"MiataruGetDeviceSlogan":{"DeviceID":"A"}}"#),
    ])
    func `a request that cannot be is 400 and says what was expected`(_ name: String, _ body: String) async throws {
        try await talk { talk in
            let answer = try await talk.call(name, as: "anna", body)
            #expect(answer.status == 400)
            #expect(answer.json["error"]?.string?.isEmpty == false)
        }
    }
}
