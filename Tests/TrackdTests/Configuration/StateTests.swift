import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// Where state is kept, and the device id that is kept there.
@Suite struct StateTests {
    @Test(arguments: [
        (["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "HOME": "/h"], true, "/var/lib/a"),
        (["HOME": "/root"], true, "/var/lib/trackd"),
        (["HOME": "/h"], false, "/h/.local/state/trackd"),
        (["HOME": "/h", "XDG_STATE_HOME": "/s"], false, "/s/trackd"),
        (["HOME": "/h", "XDG_STATE_HOME": "relative"], false, "/h/.local/state/trackd"),
    ])
    func `state goes where the system wants it`(_ environment: [String: String], _ isRoot: Bool, _ path: String) {
        #expect(StateDirectory.standard("trackd", environment: environment, isRoot: isRoot) == path)
    }

    private func identity(_ directory: String, _ id: String? = nil, _ seed: UInt64 = 1) throws -> String {
        var configuration = AgentConfiguration(stateDirectory: directory)
        configuration.device.id = id
        var generator = FixedGenerator(value: seed)
        return try DeviceIdentity.resolve(configuration, using: &generator).rawValue
    }

    @Test func `a device id is made once and kept`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let state = directory + "/a/b"
            #expect(try identity(state, nil, 0xabcd_0000_1f3a_0042) == "track-00001f3a0042")
            #expect(try identity(state, nil, 7) == "track-00001f3a0042")
            let file = try FileManager.default.attributesOfItem(atPath: state + "/device-id")
            #expect(file[.posixPermissions] as? Int == 0o600)
            let made = try FileManager.default.attributesOfItem(atPath: directory + "/a")
            #expect(made[.posixPermissions] as? Int == 0o700)
            #expect(try FileManager.default.contentsOfDirectory(atPath: state) == ["device-id"])
        }
    }

    @Test func `a configured id needs no file`() throws {
        #expect(try identity("/nowhere", "van-7") == "van-7")
    }

    @Test(arguments: ["", "\n", "a/b\n", "\u{1b}[2J"])
    func `a file that holds no id is neither used nor overwritten`(_ text: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/device-id"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: DeviceIdentityError.self) { try identity(directory) }
            #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
        }
    }

    @Test func `many that start at once agree on one id`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for seed in 1...20 { group.addTask { try identity(directory, nil, UInt64(seed)) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        }
    }
}

/// Chance that always falls the same way.
private struct FixedGenerator: RandomNumberGenerator {
    let value: UInt64

    mutating func next() -> UInt64 { value }
}
