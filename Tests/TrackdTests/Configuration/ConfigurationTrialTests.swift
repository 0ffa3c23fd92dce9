import Foundation
import Logging
import NIOPosix
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings
import TrackEngineSimulated

/// What `trackd check` accepts, `trackd run` can put together.
@Suite(.timeLimit(.minutes(30))) struct ConfigurationTrialTests {
    private func problems(_ yaml: String, environment: [String: String] = [:]) async throws -> [String] {
        // A place that every user may make; nothing is made there.
        let place = yaml.contains("store:") ? [] : ["store.path=\(Self.temporary)/no-store-of-this-test"]
        let configuration = try Given.configuration(yaml, options: place)
        do throws(AgentConfigurationError) {
            try await ConfigurationTrial(configuration, environment: environment).run()
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private static let temporary = FileManager.default.temporaryDirectory.path

    @Test func `what only a sink itself can see is found`() async throws {
        let sinks = "sinks: [{type: overland, url: 'https://x', token: \"a b\", tls: {ca: /nowhere/ca.pem}}]"
        let found = try await problems(sinks)
        expectMessages(
            found.sorted(),
            begin: [
                "trackd.yaml:1: sinks.overland.tls.ca = /nowhere/ca.pem", "trackd.yaml:1: sinks.overland.token = ***",
            ])
        #expect(!found.joined().contains("a b"))
    }

    @Test func `a file that only a sink looks at is named by the key of the configuration`() async throws {
        let files = "tls: {ca: /nowhere/ca, certificate: /nowhere/c, key: /nowhere/k}"
        for sink in ["type: overland, url: 'https://x'", "type: mqtt, url: 'mqtts://x'"] {
            let keys = try await problems("sinks: [{\(sink), name: home, \(files)}]").compactMap {
                $0.split(separator: " ").dropFirst().first
            }
            #expect(
                keys.sorted() == ["sinks.home.tls.ca", "sinks.home.tls.certificate", "sinks.home.tls.key"], "\(keys)")
        }
    }

    @Test func `what only the whole can see is found`() async throws {
        let found = try await problems(
            "sources: [{type: simulated, name: van, vehicles: 2}, {type: simulated, name: van-2}]")
        #expect(found.count == 1 && found[0].contains("van-2"), "\(found)")
    }

    @Test func `what turns out to be wrong later is named with its line`() async throws {
        let found = try await problems(
            """
            sources:
              - {type: simulated, name: van, vehicles: 2}
            sinks:
              - {type: overland, url: "https://x", tls: {ca: /nowhere/ca}}
              - type: overland
                url: "https://y"
                headers:
                  X-Key: {env: B}
            """)
        #expect(found.count == 2, "\(found)")
        #expect(found.first?.hasPrefix("trackd.yaml:4: sinks.overland.tls.ca = /nowhere/ca: expected ") == true)
        expectMessage(found.last, begin: "trackd.yaml:8: sinks.overland-2.headers.X-Key")
    }

    @Test func `a text for a secret that is the path of a file is noted, and not shown`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try OddPlaces.make(in: folder)
            func notes(_ token: String) async throws -> [String] {
                let yaml =
                    "store: {path: \(folder)/state}\nsinks: [{type: overland, url: 'https://x', token: \(token)}]"
                return try await ConfigurationTrial(Given.configuration(yaml), environment: [:]).run().map(\.line)
            }
            let noted = try await notes("\(folder)/file")
            #expect(noted.count == 1 && noted[0].hasPrefix("sinks.overland.token: the text itself is sent"), "\(noted)")
            #expect(!noted.joined().contains(folder))
            #expect(try await notes("\(folder)/nothing") == [])
            #expect(try await notes("plain") == [])
        }
    }

    @Test(
        arguments: [
            ("interval: 60", ["interval"]), ("record: all, interval: 60, angle: 5", []), ("record: deviation", []),
            ("record: deviation, angle: 5, maximumDeviation: 3", ["angle"]),
            ("record: distance, maximumDeviation: 10", []),
            (
                "record: any, maximumInterval: 60, maximumAltitudeDeviation: 5",
                ["maximumAltitudeDeviation", "maximumInterval"]
            ),
        ] as [(String, [String])])
    func `a setting of another rule than the one that records is noted`(
        _ tracking: String, _ keys: [String]
    ) async throws {
        let place = "store.path=\(Self.temporary)/no-store-of-this-test"
        let configuration = try Given.configuration("tracking: {\(tracking)}", options: [place])
        let notes = try await ConfigurationTrial(configuration, environment: [:]).run().map(\.line)
        let rule = configuration.tracking.record.rawValue
        #expect(notes == keys.map { "tracking: \($0): has no effect with record = \(rule)" })
    }

    @Test func `a secret that cannot be had hides nothing else`() async throws {
        for sink in [
            "overland, url: 'https://x', token: {env: A}", "mqtt, url: 'mqtts://x', username: u, password: {env: A}",
        ] {
            let found = try await problems("sinks: [{type: \(sink), name: s, tls: {ca: /nowhere}}]")
            #expect(found.count == 2, "\(found)")
            #expect(found.contains { $0.contains("sinks.s.tls.ca = /nowhere: expected ") }, "\(found)")
        }
    }

    @Test func `every secret that cannot be had is named once`() async throws {
        let found = try await problems(
            "sinks: [{type: overland, url: 'https://x', token: {env: A}, headers: {X-Key: {env: B}}}]")
        expectMessages(
            found.sorted(),
            begin: ["trackd.yaml:1: sinks.overland.headers.X-Key", "trackd.yaml:1: sinks.overland.token"])
    }

    @Test func `a store whose path leaves no room for the socket beside it`() async throws {
        let path = Self.temporary + "/" + String(repeating: "x", count: 100)
        let found = try await problems("store: {path: \(path)}")
        let length = path.utf8.count + "/trackd.sock".utf8.count
        expectMessages(found, begin: ["control.socket = \(length) bytes"], replacing: ["\(length)": "LENGTH"])
    }

    /// Only looked at: an agent that took it, as root, would take it from everybody else.
    @Test func `the root of the file system is no place for a store`() async throws {
        let found = try await problems("store: {path: /}")
        expectMessages(found, begin: ["trackd.yaml:1: store.path"])
    }

    @Test func `places that the agent cannot use are told where they were given`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try OddPlaces.make(in: folder)
            let found = try await problems(
                """
                log: {level: info}
                store:
                  path: \(folder)/named
                control:
                  socket: \(folder)/file
                sinks:
                  - {type: file, directory: \(folder)/named}
                """)
            let begins = ["trackd.yaml:5: control.socket = ", "trackd.yaml:7: sinks.file.directory = "]
            #expect(found.count == begins.count, "\(found)")
            for (problem, begin) in zip(found, begins) { #expect(problem.hasPrefix(begin)) }
            let kept = try await problems("log: {level: info}\nstore:\n  path: \(folder)/named")
            expectMessages(kept, begin: ["device.id = null"], replacing: [folder: "FOLDER"])
        }
    }

    @Test func `nothing is made and nothing is kept`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let yaml = "sources: []\nstore: {path: \(folder)/state}\nsinks: [{type: overland, url: 'https://x'}]"
            let found = try await problems(yaml)
            #expect(found == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    /// The agent itself is the judge: it is put together, store and all, from every configuration that can be read.
    @Test func `a random configuration is accepted exactly when an agent can be put together from it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try OddPlaces.make(in: folder)
            var chance = SplitMix64(seed: 8)
            var verdicts: [Bool: Int] = [:]
            for round in 0..<300 {
                let yaml = RandomConfiguration.yaml(in: folder, using: &chance)
                guard let configuration = try? Given.configuration(yaml) else { continue }  // refused even earlier
                let isAccepted = try await problems(yaml).isEmpty
                let isComposed = try await isComposed(configuration)
                #expect(isAccepted == isComposed, "round \(round): \(yaml)")
                verdicts[isAccepted, default: 0] += 1
            }
            #expect(verdicts[true, default: 0] >= 10 && verdicts[false, default: 0] >= 10, "\(verdicts)")
        }
    }

    @Test func `a store and a socket are accepted exactly when an agent can start there`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let pairs = OddPlaces.stores(in: "").flatMap { store in
                OddPlaces.sockets(in: "").filter { $0 != "null" && $0.utf8.count < 30 }.map { (store, $0) }
            }
            var accepted = 0
            for (number, (store, socket)) in pairs.enumerated() {
                let place = "\(folder)/\(number)"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
                try OddPlaces.make(in: place)
                let yaml = "sources: []\nstore: {path: \(place)\(store)}\ncontrol: {socket: \(place)\(socket)}"
                guard let configuration = try? Given.configuration(yaml) else { continue }  // refused even earlier
                let isAccepted = try await problems(yaml).isEmpty
                // Any other failure than a refusal by the configuration is a difference.
                let isComposed = try? await isComposed(configuration)
                #expect(isAccepted == isComposed, "store \(store), socket \(socket)")
                accepted += isAccepted ? 1 : 0
            }
            #expect(accepted >= 20 && accepted <= pairs.count - 20)
        }
    }

    private func isComposed(_ configuration: AgentConfiguration) async throws -> Bool {
        do throws(AgentStartError) {
            let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let agent = try await AgentRuntime.assemble(
                configuration, loader: ConfigurationReader(environment: [:], stateDirectory: "/"), logger: logger)
            await agent.close()
            if let path = configuration.control.socket { try await listen(at: path) }
            return true
        } catch {
            guard case .configuration = error else { throw error }
            return false
        }
    }
}

extension ConfigurationTrialTests {
    private func listen(at path: String) async throws(AgentStartError) {
        do throws(ControlError) {
            try await ControlSocket(path: path, on: .singletonMultiThreadedEventLoopGroup).remove()
        } catch {
            throw .failed(error.message)
        }
    }
}

/// Configurations from pools of values, of which many are odd.
private enum RandomConfiguration {
    static func yaml(in folder: String, using chance: inout SplitMix64) -> String {
        let sources = (0..<Int.random(in: 0...2, using: &chance)).map { _ in source(folder, &chance) }
        let sinks = (0..<Int.random(in: 0...2, using: &chance)).map { _ in
            switch Int.random(in: 0..<5, using: &chance) {
            case 0, 1: overland(&chance)
            case 2, 3: mqtt(&chance)
            case _: file(folder, &chance)
            }
        }
        return """
            store: {path: \(place(OddPlaces.stores(in: folder), usual: folder + "/state", &chance))}
            control: {socket: \(place(OddPlaces.sockets(in: folder), usual: folder + "/control", &chance))}
            sources: [\(sources.joined(separator: ", "))]
            sinks: [\(sinks.joined(separator: ", "))]
            """
    }

    /// One time in five one of the odd places.
    private static func place(_ odd: [String], usual: String, _ chance: inout SplitMix64) -> String {
        Int.random(in: 0..<5, using: &chance) == 0 ? pick(odd, &chance) : usual
    }

    private static func source(_ folder: String, _ chance: inout SplitMix64) -> String {
        pick(
            [
                "{type: gpsd}", "{type: gpsd}", "{type: simulated, vehicles: 2}", "{type: simulated, vehicles: 3}",
                "{type: simulated, name: simulated-2}", "{type: replay, path: a, speed: 1e-25}",
                "{type: replay, path: a, speed: 0.01}", "{type: replay, path: [a, b], speed: 100000}",
                "{type: replay, path: a, speed: 1e-320}", "{type: replay, path: \(folder)/directory}",
                "{type: replay, path: \(folder)/file}", "{type: replay, path: [\(folder)/file, a], format: nmea}",
                "{type: replay, path: \(folder)/track}", "{type: replay, path: \(folder)/pipe}",
            ], &chance)
    }

    private static func overland(_ chance: inout SplitMix64) -> String {
        let urls = [
            "https://h/?a={b}", "https://h/", "http://127.0.0.1:9/x", "https://h:/", "https://[::1]/a", "https://h_x/",
            "https://h/a", "http://example.org", "https://h/%zz", "https://h//a?b", "https://1.2.3.4.5",
        ]
        return sink(
            "type: overland, url: \"\(pick(urls, &chance))\"",
            [
                "token: \"a b\"", "token: ok", "token: ü", "token: \"t t\"", "headers: {Expect: x}",
                "headers: {X-A: b}",
                "headers: {TE: x}", "headers: {Keep-Alive: x}", "headers: {\"X A\": x}", "tls: {ca: /nowhere}",
                "tls: {ca: /nowhere/else}",
                "deviceID: \"van 7\"", "deviceID: a/b", "basicAuth: {user: u, password: p}", "httpTimeout: 100",
                "name: home", "profile: trace", "maxBatchSize: 1", "allowInsecure: true",
            ], &chance)
    }

    private static func file(_ folder: String, _ chance: inout SplitMix64) -> String {
        let directories = ["tracks", "state/tracks", "state", "file", "file/below", "link", "linked", "private"]
        return sink(
            "type: file, directory: \"\(folder)/\(pick(directories, &chance))\"",
            ["format: csv", "rotation: size", "fileSize: 4096", "name: home", "keepDays: 1"], &chance)
    }

    private static func mqtt(_ chance: inout SplitMix64) -> String {
        let urls = ["mqtt://localhost", "mqtts://h:8883", "mqtt://h", "mqtts://h/", "mqtts://[::1]:1", "mqtts://h/x"]
        return sink(
            "type: mqtt, url: \"\(pick(urls, &chance))\"",
            [
                "topic: \"{base}/x\"", "topic: \"a/#\"", "topic: \"{nope}\"", "base: \"a/+\"", "base: a/b", "user: a/b",
                "username: u", "password: p", "trackerID: V7", "trackerID: long", "format: owntracks", "format: batch",
                "commands: [status]", "protocol: 3.1.1", "sessionExpiry: 10", "clientID: \"a b\"", "deviceID: x",
                "tls: {certificate: /nowhere, key: /nowhere}", "name: home", "name: fleet", "allowInsecure: true",
            ], &chance)
    }

    private static func sink(_ head: String, _ keys: [String], _ chance: inout SplitMix64) -> String {
        let extra = keys.shuffled(using: &chance).prefix(Int.random(in: 0...3, using: &chance))
        return "{" + ([head] + extra).joined(separator: ", ") + "}"
    }

    private static func pick(_ values: [String], _ chance: inout SplitMix64) -> String {
        values[Int.random(in: 0..<values.count, using: &chance)]
    }
}
