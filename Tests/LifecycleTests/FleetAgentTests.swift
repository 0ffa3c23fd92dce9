import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `Examples/FleetAgent` among real programs. It is a package of its own: `scripts/checks/examples` builds it, names the
/// binary in `TRACK_ENGINE_FLEET_AGENT` and runs these tests.
@Suite(.serialized, .timeLimit(.minutes(30)), .enabled(if: FleetAgentUnderTest.path != nil))
struct FleetAgentTests {
    @Test func `without gpsd it says so, and ends with status 0 when it is asked to`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let nobody = try RefusingPort()
            let agent = try FleetAgentUnderTest(
                folder: folder, gpsd: nobody.number, receiver: nobody.number, broker: nobody.number)
            await eventually("it says that gpsd is not there") { agent.text.contains("gpsd: unavailable") }
            #expect(await agent.stop() == 0, "\(agent.text)")
        }
    }

    @Test func `what gpsd tells is stored and arrives over HTTP and MQTT`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let gpsd = try await GPSDaemon()
            let receiver = try await ReceiverProcess(log: folder + "/receiver.log")
            let broker = try await MosquittoBroker(in: folder)
            let subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages.log")
            let agent = try FleetAgentUnderTest(
                folder: folder, gpsd: gpsd.port, receiver: receiver.port, broker: broker.port)
            await eventually("gpsd greets it") { agent.text.contains("gpsd: waiting") }

            let now = Timestamp.now().advanced(by: .seconds(-30))  // no fix lies ahead of the clock
            for step in 0..<30 {
                for sentence in sentences(step, from: now) { gpsd.feed(sentence) }
                try await Task.sleep(for: .milliseconds(50))  // the pace at which gpsd tells one epoch from the next
            }
            let last = wholeSecond(now).advanced(by: .seconds(29)).rfc3339()
            await eventually("the last fix is published") {
                (try? subscriber.messages().contains { $0.payload.contains(last) }) ?? false  // half a line: not yet
            }
            #expect(try receiver.records().count >= 20, "ten records a request")
            #expect(await agent.stop() == 0, "\(agent.text)")
            // The last sync of a graceful end brings what was too little for a request of its own.
            #expect(try receiver.records().count == 30)
            #expect(!agent.text.contains(" 13.5"), "its log holds no position")
            #expect(FileManager.default.fileExists(atPath: folder + "/state/track.sqlite"))
        }
    }

    private func wholeSecond(_ time: Timestamp) -> Timestamp { Timestamp(secondsSince1970: time.secondsSince1970) }

    /// What a receiver says a second after the step before: 30 m farther north, fast enough for each to become a record.
    private func sentences(_ step: Int, from start: Timestamp) -> [String] {
        let time = wholeSecond(start).advanced(by: .seconds(step)).rfc3339(.seconds)  // 2026-03-01T10:00:00Z
        func digits(_ from: Int) -> Substring { time.dropFirst(from).prefix(2) }
        let second = Double((start.secondsSince1970 + Int64(step)) % 86_400)
        let latitude = 52.0 + Double(step) * 0.000_27
        return [
            NMEASentence.rmc(
                secondOfDay: second, date: "\(digits(8))\(digits(5))\(digits(2))", latitude: latitude, longitude: 13.5,
                speed: 1, course: 0),
            NMEASentence.gga(secondOfDay: second, latitude: latitude, longitude: 13.5, altitude: 40),
        ]
    }
}

/// The example's process.
private final class FleetAgentUnderTest: Sendable {
    /// The binary; `nil` where nobody has built it.
    static let path = ProcessInfo.processInfo.environment["TRACK_ENGINE_FLEET_AGENT"]

    private let process: ChildProcess

    init(folder: String, gpsd: Int, receiver: Int, broker: Int) throws {
        process = try ChildProcess(
            try #require(Self.path), [],
            environment: [
                "DEVICE": "van-7", "GPSD_PORT": "\(gpsd)", "STATE_DIRECTORY": folder + "/state",
                "OVERLAND_URL": "http://127.0.0.1:\(receiver)/ok", "MQTT_PORT": "\(broker)",
            ])
    }

    var text: String { process.text }

    /// SIGTERM; returns the exit status.
    func stop() async -> Int32? {
        process.send(SIGTERM)
        await eventually("it ends") { !process.isRunning }
        return process.exitCode
    }
}
