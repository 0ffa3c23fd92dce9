import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineGPSD
import TrackEngineTestKit

@Suite("The source against a real gpsd", .timeLimit(.minutes(30)), .serialized)
struct RealDaemonTests {
    /// One second of a drive to the east at 48 north, as GGA and RMC.
    private func feed(_ daemon: GPSDaemon, second: Int) {
        let time = 36_000 + Double(second)
        let longitude = 11.5 + Double(second) * 0.0001
        daemon.feed(
            NMEASentence.gga(secondOfDay: time, latitude: 48, longitude: longitude, altitude: 520.5))
        daemon.feed(
            NMEASentence.rmc(
                secondOfDay: time, date: "010326", latitude: 48, longitude: longitude, speed: 7.5, course: 90))
    }

    @Test
    func `one fix for each second that the receiver sent, with everything it said`() async throws {
        let daemon = try await GPSDaemon()
        try await withRunning(quickConfiguration(port: UInt16(daemon.port))) { collected in
            await eventually("the connection") { collected.statuses.contains(.waiting(reason: "no fix yet")) }
            for second in 0..<8 {
                feed(daemon, second: second)
                // The first second may be lost on gpsd, which has to recognise the receiver.
                await eventually("second \(second)") { second == 0 || collected.fixes.count >= second }
            }
            await eventually("the last second") {
                collected.fixes.last?.time == Timestamp("2026-03-01T10:00:07Z")
            }
            let times = collected.fixes.map(\.time)
            #expect(times == times.sorted() && Set(times).count == times.count)
            for fix in collected.fixes {
                let second = fix.time.duration(since: Timestamp(rfc3339: "2026-03-01T10:00:00Z") ?? .now())
                let longitude = 11.5 + second.inSeconds * 0.0001
                #expect(abs(fix.coordinate.latitude - 48) < 1e-6 && abs(fix.coordinate.longitude - longitude) < 1e-6)
                #expect(fix.mode == .threeDimensional)
                #expect(fix.altitude == 520.5)
                #expect(fix.ellipsoidalAltitude == 567.4)
            }
            let last = try #require(collected.fixes.last)
            #expect(abs((last.speed ?? 0) - 7.5) < 0.01)
            #expect(last.course == 90)
            #expect(collected.problems.allSatisfy { $0.kind == .incomplete })
        }
    }

    @Test
    func `gpsd is killed, stays away and comes back: the source says so and goes on by itself`() async throws {
        let daemon = try await GPSDaemon()
        try await withRunning(quickConfiguration(port: UInt16(daemon.port))) { collected in
            await eventually("the connection") { collected.statuses.contains(.waiting(reason: "no fix yet")) }
            for second in 0..<3 { feed(daemon, second: second) }
            await eventually("a fix") { !collected.fixes.isEmpty }
            daemon.stop()
            await eventually("an outage with its reason") {
                collected.outages.contains { $0.contains("connection refused") }
            }
            try await daemon.start()
            await eventually("the connection again") { collected.statuses.last == .waiting(reason: "no fix yet") }
            let before = collected.fixes.count
            for second in 10..<13 { feed(daemon, second: second) }
            await eventually("fixes after the restart") { collected.fixes.count > before }
        }
    }

    @Test
    func `a receiver that says it has no fix`() async throws {
        let daemon = try await GPSDaemon()
        try await withRunning(quickConfiguration(port: UInt16(daemon.port))) { collected in
            await eventually("the connection") { collected.statuses.contains(.waiting(reason: "no fix yet")) }
            for second in 0..<4 {
                daemon.feed(
                    NMEASentence.rmc(
                        secondOfDay: 36_000 + Double(second), date: "010326", latitude: 0, longitude: 0, speed: 0,
                        course: 0, isValid: false))
            }
            feed(daemon, second: 5)
            feed(daemon, second: 6)
            await eventually("the fix after them") {
                collected.fixes.last?.time == Timestamp("2026-03-01T10:00:06Z")
            }
            #expect(collected.fixes.allSatisfy { !$0.coordinate.isNullIsland })
        }
    }

    @Test(
        arguments: [
            ("paris.nmea", 53, 0), ("nmea-rtk.log", 122, 0), ("rst39.log", 40, 0), ("haicom-305N.log", 67, 0),
            ("bundg_zeus_9.log", 148, 36),  // 2484 reports; 36 times of it never have a height above the ellipsoid
        ])
    func `recorded logs: one fix for each time at which gpsd had a position`(
        name: String, expected: Int, heightless: Int
    ) async throws {
        guard let path = TestEnvironment.corpus("gpsd/\(name)") else { return }  // a machine without the logs
        let lines = try String(contentsOfFile: path, encoding: .isoLatin1).split(whereSeparator: \.isNewline)
            .filter { $0.hasPrefix("$") }
        let daemon = try await GPSDaemon()
        try await withRunning(quickConfiguration(port: UInt16(daemon.port))) { collected in
            await eventually("the connection") { collected.statuses.contains(.waiting(reason: "no fix yet")) }
            for group in groups(lines) {
                for line in group { daemon.feed(String(line)) }
                await eventually("gpsd reads") { daemon.hasTakenInput }
            }
            await eventually("\(expected) fixes") { collected.fixes.count >= expected }
            #expect(collected.fixes.count == expected)
            #expect(Set(collected.fixes.map(\.time)).count == expected)
            let withoutHeight = collected.fixes.count { $0.mode == .threeDimensional && $0.ellipsoidalAltitude == nil }
            #expect(withoutHeight == heightless)
        }
    }

    /// The sentences in groups of 50 or more that end where a moment ends: a pause inside one would make it two fixes.
    private func groups(_ lines: [Substring]) -> [[Substring]] {
        var groups: [[Substring]] = [[]]
        var moment: Double?
        for line in lines {
            if let next = timeOfDay(line), next != moment {
                moment = next
                if groups[groups.count - 1].count >= 50 { groups.append([]) }
            }
            groups[groups.count - 1].append(line)
        }
        return groups
    }

    /// The time in those sentences from which gpsd takes it.
    private func timeOfDay(_ line: Substring) -> Double? {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        let places = ["GGA": 1, "RMC": 1, "ZDA": 1, "GLL": 5]
        guard let place = places[String(fields[0].suffix(3))], place < fields.count else { return nil }
        return Double(fields[place])
    }
}
