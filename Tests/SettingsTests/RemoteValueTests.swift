import Testing
import TrackEngine
import TrackEngineSettings

/// Values that others want to set.
@Suite struct RemoteValueTests {
    private func all(_ members: [(String, JSONValue)]) -> [RemoteValue]? {
        RemoteValue.all(in: .object(members.map { JSONValue.Member($0.0, $0.1) }))
    }

    @Test func `values stand under full keys or one level deep, each as a configuration has it`() {
        let found = all([
            ("tracking.interval", .number(60)),
            ("tracking", .object([.init("distanceFilter", .number(0.5)), .init("interval", .null)])),
            ("autoSync", .boolean(false)), ("method", .string("PUT")), ("empty", .string("")),
        ])
        #expect(
            found == [
                RemoteValue("tracking.interval", "60"), RemoteValue("tracking.distanceFilter", "0.5"),
                RemoteValue("tracking.interval", "null"), RemoteValue("autoSync", "false"),
                RemoteValue("method", "PUT"),
                RemoteValue("empty", ""),
            ])
    }

    @Test(
        arguments: [
            .null, .array([]), .string("a"), .object([]), .object([.init("a", .object([]))]),
            .object([.init("a", .array([.number(1)]))]), .object([.init("a", .number(1)), .init("b", .array([]))]),
            .object([.init("a", .object([.init("b", .object([.init("c", .number(1))]))]))]),
        ] as [JSONValue])
    func `a list, a table in a table, and nothing at all make the whole unusable`(_ value: JSONValue) {
        #expect(RemoteValue.all(in: value) == nil)
    }

    @Test func `there are at most 32 values, of keys and texts of at most 256 bytes`() {
        func values(_ count: Int) -> [(String, JSONValue)] { (0..<count).map { ("k\($0)", .number(1)) } }
        #expect(all(values(32))?.count == 32)
        #expect(all(values(33)) == nil)
        let inner = values(17).map { JSONValue.Member($0.0, $0.1) }
        #expect(all([("a", .object(inner)), ("b", .object(Array(inner.dropLast(2))))])?.count == 32)
        #expect(all([("a", .object(inner)), ("b", .object(Array(inner.dropLast(1))))]) == nil)
        let longest = String(repeating: "x", count: 256)
        #expect(all([(longest, .string(longest))])?.count == 1)
        #expect(all([(longest + "x", .null)]) == nil)
        #expect(all([("a", .string(longest + "x"))]) == nil)
        #expect(all([("a", .object([.init(String(longest.dropLast(2)), .null)]))])?.count == 1)
        #expect(all([("a", .object([.init(String(longest.dropLast(1)), .null)]))]) == nil)
    }

    // MARK: - Commands

    @Test func `a command without parameters needs no message`() throws {
        let bare: [RemoteCommand] = [.report, .sync, .status, .dump, .stopTrip, .waypoints, .clearWaypoints]
        for command in RemoteCommand.allCases where bare.contains(command) {
            #expect(try RemoteRequest(command, in: nil, values: nil).command == command)
        }
        for command in [RemoteCommand.setConfiguration, .setWaypoints] {
            #expect(throws: RemoteRejection.self) { try RemoteRequest(command, in: nil, values: nil) }
        }
        let values = [RemoteValue("a", "1")]
        #expect(try RemoteRequest(.setConfiguration, in: nil, values: values) == .setConfiguration(values))
    }

    @Test func `a trip without a mode is by bicycle, one with a wrong mode does not start`() throws {
        func mode(_ value: JSONValue?) throws -> RemoteRequest {
            try RemoteRequest(.startTrip, in: value.map { .object([.init("mode", $0)]) }, values: nil)
        }
        #expect(try mode(nil) == .startTrip(.bicycle))
        for mode in TripMode.allCases { #expect(RemoteRequest.mode(.string(mode.name)) == mode) }
        for wrong: JSONValue in [.null, .number(1), .string("spaceship"), .string("")] {
            #expect(throws: RemoteRejection.self) { try mode(wrong) }
        }
    }

    @Test(
        arguments: [
            (.object([.init("_type", .string("waypoint"))]), true), (.object([]), false), (.null, false),
            (.object([.init("_type", .string("waypoints")), .init("waypoints", .array([.null]))]), true),
            (.object([.init("_type", .string("waypoints")), .init("waypoints", .array([]))]), false),
            (.object([.init("_type", .string("waypoints"))]), false),
            (.object([.init("_type", .string("location"))]), false),
        ] as [(JSONValue, Bool)])
    func `places come as a waypoint, or as a list of one or more`(_ value: JSONValue, _ isTaken: Bool) throws {
        let message = JSONValue.object([.init("waypoints", value)])
        guard isTaken else {
            #expect(throws: RemoteRejection.self) { try RemoteRequest(.setWaypoints, in: message, values: nil) }
            return
        }
        var writer = JSONWriter()
        value.write(to: &writer)
        #expect(try RemoteRequest(.setWaypoints, in: message, values: nil) == .setWaypoints(writer.bytes))
    }
}
