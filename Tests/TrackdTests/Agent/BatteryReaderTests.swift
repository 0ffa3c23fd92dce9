import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct BatteryReaderTests {
    @Test(arguments: [
        ("Charging", HostStatus.BatteryState.charging), ("Discharging", .unplugged), ("Full", .full),
        ("Not charging", .full), ("Unknown", .unknown), ("", .unknown),
    ])
    func `the kernel's words become Overland's`(_ word: String, _ state: HostStatus.BatteryState) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try supply(folder, "BAT0", ["type": "Battery", "capacity": "42", "status": word])
            #expect(BatteryReader.read(folder) == HostStatus(batteryLevel: 0.42, batteryState: state))
        }
    }

    @Test func `mains and a mouse are no battery of the machine`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try supply(folder, "AC", ["type": "Mains", "online": "1"])
            try supply(folder, "hid-1", ["type": "Battery", "scope": "Device", "capacity": "9"])
            #expect(BatteryReader.read(folder) == nil)
        }
    }

    @Test func `a capacity that is no percentage is unknown`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try supply(folder, "BAT0", ["type": "Battery", "capacity": "4200", "status": "Full"])
            #expect(BatteryReader.read(folder) == HostStatus(batteryLevel: nil, batteryState: .full))
        }
    }

    @Test func `a machine without the folder has no battery`() {
        #expect(BatteryReader.read("/nonexistent") == nil)
    }

    private func supply(_ folder: String, _ name: String, _ files: [String: String]) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        for (file, text) in files {
            try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)/\(file)"))
        }
    }
}
