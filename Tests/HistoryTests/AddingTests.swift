import Testing
import TrackEngine
import TrackEngineHistory

@Suite("Adding points")
struct AddingTests {
    @Test func `What a sender says comes back in the history's units`() async throws {
        let fix = Fix(
            time: Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 123_456_789),
            coordinate: Coordinate(latitude: -53.123456789, longitude: 179.999999999), altitude: -12.345,
            horizontalAccuracy: 4.567, verticalAccuracy: 8.9, speed: 13.891, speedAccuracy: 0.5, course: 359.999,
            courseAccuracy: 2.25, satellitesUsed: 11, mode: .threeDimensional, activity: .driving, flags: .simulated)
        let given = HistoryPoint(
            fix: fix, isMoving: true, host: HostStatus(batteryLevel: 0.634, batteryState: .charging), source: "gpsd",
            senderID: .text("B1"))
        let expected = Fix(
            time: Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 123_000_000),
            coordinate: Coordinate(latitude: -53.1234568, longitude: 180), altitude: -12.35, horizontalAccuracy: 4.57,
            verticalAccuracy: 8.9, speed: 13.89, speedAccuracy: 0.5, course: 0, courseAccuracy: 2.25,
            satellitesUsed: 11,
            mode: .threeDimensional, activity: .driving, flags: .simulated)
        try await Samples.withHistory { history in
            #expect(try await history.add([given], of: Samples.device).added == 1)
            let found = try await history.points(of: Samples.device, during: Samples.seconds(0..<1), limit: 10)
            var kept = given
            kept.fix = expected
            #expect(found == [kept])
            let devices = try await history.devices()
            #expect(devices.map(\.id) == [Samples.device])
            #expect(devices.map(\.newest) == [kept])
        }
    }

    @Test func `What is unknown stays unknown`() async throws {
        try await Samples.withHistory { history in
            let point = Samples.point(0)
            _ = try await history.add([point], of: Samples.device)
            #expect(try await history.points(of: Samples.device, during: Samples.seconds(0..<1), limit: 1) == [point])
        }
    }

    @Test func `A wireless network is no battery`() async throws {
        try await Samples.withHistory { history in
            let point = Samples.point(0)
            let wifi = WifiNetwork(ssid: "depot")
            let given = HistoryPoint(
                fix: point.fix, isMoving: point.isMoving,
                host: HostStatus(batteryLevel: nil, batteryState: .unknown, wifi: wifi), source: point.source)
            _ = try await history.add([given], of: Samples.device)
            let found = try await history.points(of: Samples.device, during: Samples.seconds(0..<1), limit: 1)
            #expect(found.count == 1 && found.first?.host == nil)
        }
    }

    @Test func `The same device, time and place is one point, whatever else is said of it`() async throws {
        try await Samples.withHistory { history in
            let first = try await history.add([Samples.point(1), Samples.point(2)], of: Samples.device)
            let again = try await history.add([Samples.point(2, speed: 3), Samples.point(3)], of: Samples.device)
            #expect([first.added, first.repeated, again.added, again.repeated] == [2, 0, 1, 1])
            #expect(try await history.add([Samples.point(2)], of: "another").added == 1)
            let elsewhere = try await history.add([Samples.point(2, north: 1)], of: Samples.device)
            #expect(elsewhere.added == 1)
            let count = try await history.points(of: Samples.device, during: Samples.seconds(0..<9), limit: 10).count
            #expect(count == 4)
        }
    }

    @Test func `The same device and id is one point, whatever its time`() async throws {
        try await Samples.withHistory { history in
            let points = [1.0, 2, 3].map { Samples.point($0, senderID: .text($0 < 3 ? "a" : "b")) }
            let result = try await history.add(points, of: Samples.device)
            #expect([result.added, result.repeated] == [2, 1])
            #expect(try await history.add([points[0]], of: "another").added == 1)
        }
    }

    @Test func `Ids are told apart by their first 64 bytes`() async throws {
        try await Samples.withHistory { history in
            let long = String(repeating: "ä", count: 40)
            let same = [1.0, 2].map { Samples.point($0, senderID: .text(long + "\($0)")) }
            #expect(try await history.add(same, of: Samples.device).added == 1)
            let kept = try await history.points(of: Samples.device, during: Samples.seconds(0..<9), limit: 9)
            #expect(kept.first?.senderID == .text(String(repeating: "ä", count: 32)))
        }
    }

    @Test func `A point without a valid coordinate is refused, and costs no other`() async throws {
        try await Samples.withHistory { history in
            let nowhere = [91.0, .nan, -.infinity].map { latitude in
                HistoryPoint(
                    fix: Fix(time: Samples.start, coordinate: Coordinate(latitude: latitude, longitude: 0)))
            }
            let result = try await history.add(nowhere + [Samples.point(1)], of: Samples.device)
            #expect([result.added, result.refused] == [1, 3])
        }
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `Any time and any number can be kept`(_ nanoseconds: Int64) async throws {
        let huge = Double.greatestFiniteMagnitude
        let fix = Fix(
            time: Timestamp(nanosecondsSince1970: nanoseconds), coordinate: Coordinate(latitude: -90, longitude: -180),
            altitude: -huge, horizontalAccuracy: huge, speed: huge, satellitesUsed: 255)
        try await Samples.withHistory { history in
            #expect(try await history.add([HistoryPoint(fix: fix)], of: Samples.device).added == 1)
            let newest = try #require(try await history.devices().first).newest.fix
            #expect(newest.altitude == -1e10)
            #expect(newest.speed == 1e10)
            let whole = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
            let path = try await history.path(of: Samples.device, during: whole, within: 1000)
            #expect(path.flatMap(\.self).count == 1)
        }
    }

    @Test func `Callers that come at once each learn of their own points`() async throws {
        try await Samples.withHistory { history in
            let results = try await withThrowingTaskGroup(of: HistoryAddition.self) { group in
                for caller in 0..<50 {
                    group.addTask {
                        let points = (0...caller).map { Samples.point(Double(caller), north: Double($0)) }
                        return try await history.add(points, of: Samples.device)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1.added) }
            }
            #expect(results.sorted() == Array(1...50))
        }
    }

    @Test func `Names with U+0000 and endless characters are told apart, or refused`() async throws {
        try await Samples.withHistory { history in
            let accents = "e" + String(repeating: "\u{301}", count: 80)
            let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 20_000)
            for (number, id) in ["a\0b", "a\0c", accents, "f" + flags].enumerated() {
                let point = Samples.point(Double(number), senderID: .text(id))
                #expect(try await history.add([point, point], of: Samples.device).added == 1, "\(number)")
            }
            let kept = try await history.points(of: Samples.device, during: Samples.seconds(0..<9), limit: 9)
            #expect(kept.allSatisfy { if case .text(let id) = $0.senderID { !id.isEmpty } else { false } })
            let refused = try await history.add([Samples.point(0)], of: "van-7\0x")
            #expect([refused.added, refused.refused] == [0, 1])
            #expect(try await history.points(of: "van-7\0x", during: Samples.seconds(0..<9), limit: 9).isEmpty)
            #expect(try await history.devices().map(\.id) == [Samples.device])
        }
    }

    @Test func `An id that comes later for a point without one is that point's`() async throws {
        try await Samples.withHistory { history in
            _ = try await history.add([Samples.point(1)], of: Samples.device)
            let named = Samples.point(1, senderID: .text("x"))
            #expect(
                try await history.add([named, Samples.point(2, senderID: .text("x"))], of: Samples.device).repeated == 2
            )
            #expect(try await history.points(of: Samples.device, during: Samples.seconds(0..<9), limit: 9) == [named])
        }
    }

    @Test func `A device that has lost its last point, or never had one, is no device`() async throws {
        try await Samples.withHistory { history in
            let nowhere = HistoryPoint(
                fix: Fix(time: Samples.start, coordinate: Coordinate(latitude: 95, longitude: 0)))
            _ = try await history.add([nowhere], of: "nowhere")
            _ = try await history.add([Samples.point(1)], of: Samples.device)
            _ = try await history.remove(Samples.device, during: Samples.seconds(0..<9))
            #expect(try await history.devices().isEmpty)
            #expect(try await history.add([Samples.point(1)], of: Samples.device).added == 1)
        }
    }
}
