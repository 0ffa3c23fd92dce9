import Foundation
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

@Suite struct RecordCodecTests {
    @Test func `the check is zlib's`() {
        var check = CRC32()
        check.combine("123456789".utf8)
        #expect(check.value == 0xcbf4_3926)
    }

    @Test func `the checks of stored rows stay what they were`() {
        var (table, number, mixed) = (CRC32(), CRC32(), CRC32())
        table.combine(UInt8.min...UInt8.max)
        number.combine(0x0102_0304_0506_0708)
        mixed.combine("123456789".utf8)
        mixed.combine(42)
        #expect(table.value == 0x2905_8c73)
        #expect(number.value == 0xa5cc_ed25)
        #expect(mixed.value == 0x1fb0_a862)
    }

    @Test(arguments: 0...33)
    func `bytes in parts and in any kind of sequence give the check of all of them`(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
        var (whole, inParts, byByte) = (CRC32(), CRC32(), CRC32())
        whole.combine([0x31] + bytes)
        inParts.combine([0x31])
        inParts.combine(bytes)
        inParts.combine([])
        for byte in [0x31] + bytes { byByte.combine(CollectionOfOne(byte)) }
        #expect(inParts.value == whole.value)
        #expect(byByte.value == whole.value)
    }

    @Test(arguments: 0..<300)
    func `a record reads back as it was`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let draft = RecordDraft.random(using: &random)
        let read = try RecordCodec.decode(RecordCodec.encode(draft), id: draft.id, time: draft.fix.time)
        #expect(read == draft)
    }

    @Test func `a wireless network stands behind the rest, and a payload without one is as before`() {
        let fix = Fix(time: StoreMaterial.start, coordinate: Coordinate(latitude: 48, longitude: 11))
        func encoded(_ wifi: WifiNetwork?) -> [UInt8] {
            let host = HostStatus(batteryLevel: nil, batteryState: .unknown, wifi: wifi)
            return RecordCodec.encode(
                RecordDraft(
                    id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .distance, source: "gpsd", host: host))
        }
        let plain = encoded(nil)
        let named = encoded(WifiNetwork(ssid: "depot", bssid: BSSID(rawValue: 0x0200_5e10_000f)))
        #expect(plain.first == RecordCodec.version)
        #expect(named.first == RecordCodec.wifiVersion)
        let source: [UInt8] = [4, 0] + "gpsd".utf8
        let network: [UInt8] = [5, 0] + "depot".utf8 + [0x0f, 0x00, 0x10, 0x5e, 0x00, 0x02, 0, 0]
        #expect(Array(plain.suffix(6)) == source)
        #expect(Array(named.dropFirst(5)) == Array(plain.dropFirst(5).dropLast(6)) + network + source)
    }

    @Test func `the bytes are those that the format says, and each has room`() {
        let fix = Fix(
            time: StoreMaterial.start, coordinate: Coordinate(latitude: 48.137154, longitude: 11.576124),
            altitude: 520.5, ellipsoidalAltitude: 567.25, horizontalAccuracy: 4.5, verticalAccuracy: 7.5, speed: 13.75,
            speedAccuracy: 0.5, course: 271.5, courseAccuracy: 2.5, horizontalDilution: 0.75, positionDilution: 1.5,
            satellitesUsed: 9, satellitesVisible: 14, mode: .threeDimensional, status: .differential,
            activity: .driving, flags: .simulated)
        let draft = RecordDraft(
            id: RecordID(rawValue: 1), fix: fix, isMoving: true, event: .motionChange, cause: .distance,
            activity: ActivityEstimate(.cycling, confidence: 67), source: "gpsd",
            host: HostStatus(batteryLevel: 0.25, batteryState: .charging), odometer: 1234.5)
        // Packed by hand (Python's struct) from the description of format 1; databases in the field hold such bytes.
        let expected = """
            01ffff1f00ff4124438e114840a4e194b9f9262740020100000000004480400000000000ba8140000000000000124000\
            00000000001e400000000000802b40000000000000e03f0000000000f8704000000000000004400000403f0000c03f09\
            0e03020501044302000000000000d03f00000000004a9340040067707364
            """
        let bytes = RecordCodec.encode(draft)
        #expect(bytes.map { String(format: "%02x", $0) }.joined() == expected)
    }

    @Test func `a plain fix takes as many bytes as the format says`() {
        // version 1, presence 4, position 16, cause and flags 2, five doubles 40, source 2 + 4
        let fix = Fix(
            time: StoreMaterial.start, coordinate: Coordinate(latitude: 48, longitude: 11), altitude: 500,
            horizontalAccuracy: 5, speed: 10, speedAccuracy: 1, course: 90)
        let draft = RecordDraft(
            id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .distance, source: "gpsd")
        let bytes = RecordCodec.encode(draft)
        #expect(bytes.count == 69)
        #expect(bytes.first == 1)
    }

    @Test func `a context costs bytes only where there is one, and only such a payload is of version 3`() throws {
        let fix = Fix(time: StoreMaterial.start, coordinate: Coordinate(latitude: 48, longitude: 11))
        func draft(_ context: RecordContext?) -> RecordDraft {
            RecordDraft(
                id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .distance, source: "gpsd", context: context)
        }
        let plain = RecordCodec.encode(draft(RecordContext(places: [])))
        #expect(plain.count == 29)
        #expect(plain.first == 1)
        let named = RecordCodec.encode(draft(RecordContext(places: [PlaceName(id: "depot", name: "Depot")])))
        // The number of places, two texts behind their lengths, and that there is no trip.
        #expect(named.count == 29 + 1 + 14 + 1)
        #expect(named.first == 3)
    }

    @Test func `a context of most and longest places fits its row, sealed and in plain`() async throws {
        let places = (0..<20).map {
            PlaceName(id: String(repeating: "i", count: 60) + "\($0)", name: String(repeating: "ü", count: 128))
        }
        let context = try #require(RecordContext(places: places))
        #expect(context.places == Array(places.suffix(RecordContext.placeLimit)))
        let fix = Fix(time: StoreMaterial.start, coordinate: Coordinate(latitude: 48, longitude: 11))
        let draft = RecordDraft(
            id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .distance, source: "gpsd", context: context)
        try await StoreDirectory.with { root in
            for home in [root, StoreDirectory(path: root.path + "/sealed", key: .random())] {
                let store = try await home.open()
                _ = try await store.append(Array(repeating: draft, count: 3), checkpoint: nil)
                await store.close()
                let again = try await home.open()
                #expect(try await again.allRecords().map(\.draft) == [draft, draft, draft])
                await again.close()
            }
        }
    }

    @Test func `a record cut short is refused at every length`() {
        var random = SeededGenerator(seed: 1)
        let draft = RecordDraft.random(using: &random)
        let bytes = RecordCodec.encode(draft)
        for count in 0..<bytes.count {
            #expect(throws: CodecError.self) {
                try RecordCodec.decode(Array(bytes.prefix(count)), id: draft.id, time: draft.fix.time)
            }
        }
        #expect(throws: CodecError.trailingBytes) {
            try RecordCodec.decode(bytes + [0], id: draft.id, time: draft.fix.time)
        }
    }

    @Test func `an unknown version is refused`() {
        #expect(throws: CodecError.unknownVersion(9)) {
            try RecordCodec.decode([9, 0, 0, 0, 0], id: RecordID(rawValue: 1), time: StoreMaterial.start)
        }
    }

    @Test(arguments: 0..<20)
    func `garbage gives an error or a record, never a crash`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<1_000 {
            var bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random), !bytes.isEmpty { bytes[0] = RecordCodec.version }
            _ = try? RecordCodec.decode(bytes, id: RecordID(rawValue: 1), time: StoreMaterial.start)  // either is right
        }
    }

    @Test func `a name longer than the format allows is cut between characters`() throws {
        let fix = Fix(time: StoreMaterial.start, coordinate: Coordinate(latitude: 1, longitude: 2))
        let draft = RecordDraft(
            id: RecordID(rawValue: 1), fix: fix, isMoving: false, cause: .first,
            source: SourceID(rawValue: String(repeating: "ä", count: 40_000)))
        let read = try RecordCodec.decode(RecordCodec.encode(draft), id: draft.id, time: fix.time)
        #expect(read.source.rawValue == String(repeating: "ä", count: 32_767))
    }
}

extension RecordDraft {
    /// A draft whose every field is present or absent by chance.
    fileprivate static func random(using random: inout SeededGenerator) -> RecordDraft {
        func maybe<Value>(_ value: @autoclosure () -> Value?) -> Value? { Bool.random(using: &random) ? value() : nil }
        func number() -> Double { Double.random(in: 0...500, using: &random) }
        let position = Coordinate(
            latitude: Double.random(in: -90...90, using: &random),
            longitude: Double.random(in: -180...180, using: &random))
        let fix = Fix(
            time: Timestamp(nanosecondsSince1970: Int64.random(in: .min ... .max, using: &random)),
            coordinate: position, altitude: maybe(number()), ellipsoidalAltitude: maybe(-number()),
            horizontalAccuracy: maybe(number()), verticalAccuracy: maybe(number()), speed: maybe(number()),
            speedAccuracy: maybe(number()), course: maybe(number()), courseAccuracy: maybe(number()),
            horizontalDilution: maybe(Float(number())), positionDilution: maybe(Float(number())),
            satellitesUsed: maybe(UInt8.random(in: 0...255, using: &random)),
            satellitesVisible: maybe(UInt8.random(in: 0...255, using: &random)),
            mode: maybe(Fix.Mode.allCases.randomElement(using: &random)),
            status: maybe(Fix.Status.allCases.randomElement(using: &random)),
            activity: maybe(Activity.allCases.randomElement(using: &random)),
            flags: Fix.Flags(rawValue: UInt8.random(in: 0...3, using: &random)))
        let level = maybe(number() / 500)
        let battery = HostStatus.BatteryState.allCases.randomElement(using: &random) ?? .unknown
        let wifi = maybe(WifiNetwork(ssid: "Fährhafen 🛳", bssid: maybe(BSSID(rawValue: 0x0200_5e10_0001))))
        return RecordDraft(
            id: RecordID(rawValue: UInt128.random(in: 0 ... .max, using: &random)), fix: fix,
            isMoving: Bool.random(using: &random), event: maybe(.motionChange),
            cause: RecordCause.allCases.randomElement(using: &random) ?? .first,
            activity: maybe(ActivityEstimate(.cycling, confidence: UInt8.random(in: 0...100, using: &random))),
            source: SourceID(rawValue: ["", "gpsd", "Überland 🚚"].randomElement(using: &random) ?? ""),
            host: maybe(HostStatus(batteryLevel: level, batteryState: battery, wifi: wifi)),
            odometer: maybe(number()),
            content: .random(using: &random), context: .random(using: &random))
    }
}

extension RecordContext {
    /// None, or one of places and a trip, by chance.
    fileprivate static func random(using random: inout SeededGenerator) -> RecordContext? {
        let places = (0..<Int.random(in: 0...3, using: &random)).map {
            PlaceName(id: "p\($0)", name: "Überland 🚚 \($0)")
        }
        let start = Trip.End(
            time: Timestamp(nanosecondsSince1970: Int64.random(in: 0...Int64.max / 2, using: &random)),
            coordinate: Coordinate(latitude: 48.5, longitude: 11.25), place: places.first)
        let trip = CurrentTrip(
            id: EventID(rawValue: UInt128.random(in: 0 ... .max, using: &random)),
            mode: TripMode.allCases.randomElement(using: &random) ?? .walk, start: start, startedBy: .requested,
            odometerAtStart: Double.random(in: 0...1e6, using: &random))
        return RecordContext(places: places, trip: Bool.random(using: &random) ? trip : nil)
    }
}

extension RecordContent {
    /// Any content, its optional parts present or absent by chance.
    static func random(using random: inout SeededGenerator) -> RecordContent {
        func maybe<Value>(_ value: @autoclosure () -> Value?) -> Value? { Bool.random(using: &random) ? value() : nil }
        func number() -> Double { Double.random(in: 0...500, using: &random) }
        func time() -> Timestamp {
            Timestamp(nanosecondsSince1970: Int64.random(in: 0...Int64.max / 2, using: &random))
        }
        func point() -> Coordinate { Coordinate(latitude: number() / 10, longitude: number() / 10) }
        func place() -> PlaceName {
            PlaceName(id: ["", "home", "Überland 🚚"].randomElement(using: &random) ?? "", name: "Depot \(number())")
        }
        func terminus() -> Trip.End {
            Trip.End(time: time(), coordinate: point(), place: maybe(place()))
        }
        let id = EventID(rawValue: UInt128.random(in: 0 ... .max, using: &random))
        func visit() -> Visit {
            let departure = maybe(time())
            return Visit(
                id: id, centre: point(), radius: number(), arrival: time(), departure: departure,
                place: maybe(place()), endedBy: departure == nil ? nil : maybe(.recording))
        }
        return switch RecordKind.allCases.randomElement(using: &random) ?? .location {
        case .location: .location
        case .heartbeat: .heartbeat
        case .power: .power
        case .action: .action(TrackerAction.allCases.randomElement(using: &random) ?? .paused)
        case .visit: .visit(visit())
        case .trip:
            .trip(
                Trip(
                    id: id, mode: TripMode.allCases.randomElement(using: &random) ?? .car, start: terminus(),
                    end: maybe(terminus()), distance: number(), movingTime: .milliseconds(Int64(number())),
                    topSpeed: maybe(number()), climb: maybe(number()), startedBy: .automatic,
                    endedBy: maybe(Trip.Reason.allCases.randomElement(using: &random))))
        case .transition:
            .transition(
                Transition(
                    event: Transition.Event.allCases.randomElement(using: &random) ?? .enter, place: place(),
                    centre: point(), radius: number(), created: maybe(time())))
        }
    }
}

/// A linear congruential generator (Knuth's MMIX constants), high bits first: repeatable, and good enough for tests.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

    mutating func next() -> UInt64 {
        func half() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 32
        }
        return half() << 32 | half()
    }
}
