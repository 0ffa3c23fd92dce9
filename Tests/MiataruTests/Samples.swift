import Foundation
import TestSupport
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

/// Configurations and records for these tests.
enum Samples {
    static let deviceID = "7B8E6F0A-1111-4222-8333-ABCDEF012345"

    static func configuration(
        _ url: String = "http://127.0.0.1:9", _ change: (inout MiataruSink.Configuration) -> Void = { _ in }
    ) -> MiataruSink.Configuration {
        var configuration = MiataruSink.Configuration(
            url: url, identity: MiataruIdentity(deviceID: Secret(deviceID)))
        change(&configuration)
        return configuration
    }

    static func record(_ fix: Fix, battery: Double? = nil, number: Int64 = 1) -> TrackRecord {
        let host = battery.map { HostStatus(batteryLevel: $0, batteryState: .unplugged) }
        let draft = RecordDraft(
            id: RecordID(rawValue: UInt128(number)), fix: fix, isMoving: true, cause: .distance, source: "gps",
            host: host)
        return TrackRecord(sequence: RecordSequence(rawValue: number), draft: draft)
    }

    static func fix(_ second: Int64, latitude: Double = 53.55, longitude: Double = 9.98) -> Fix {
        Fix(
            time: Timestamp(secondsSince1970: second), coordinate: Coordinate(latitude: latitude, longitude: longitude))
    }
}

/// Runs a receiver and looks at what it was sent.
func withReceiver(_ body: (ReceiverProcess) async throws -> Void) async throws {
    try await TestEnvironment.withTemporaryDirectory { directory in
        let receiver = try await ReceiverProcess(log: directory + "/log")
        try await body(receiver)
        receiver.stop()
    }
}
