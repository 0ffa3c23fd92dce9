import Testing
import TrackEngine

@Suite struct FixTests {
    static func fix(course: Double? = nil, speed: Double? = nil, accuracy: Double? = nil) -> Fix {
        Fix(
            time: Timestamp(secondsSince1970: 0), coordinate: Coordinate(latitude: 1, longitude: 2),
            horizontalAccuracy: accuracy, speed: speed, course: course)
    }

    @Test
    func `what cannot be is absent`() {
        #expect(Self.fix(speed: -1).speed == nil)
        #expect(Self.fix(speed: .nan).speed == nil)
        #expect(Self.fix(speed: .infinity).speed == nil)
        #expect(Self.fix(accuracy: -5).horizontalAccuracy == nil)
        #expect(Self.fix(course: .infinity).course == nil)
        #expect(Self.fix(speed: 0).speed == 0)
    }

    @Test(
        arguments: [(0, 0), (359.9, 359.9), (360, 0), (370, 10), (-10, 350), (-360, 0), (-1e-20, 0)]
            as [(Double, Double)])
    func `a course comes into the full circle`(_ given: Double, _ expected: Double) {
        #expect(Self.fix(course: given).course == expected)
    }

    @Test
    func `a fix can be copied as bytes`() {
        func needsBitwiseCopyable<Value: BitwiseCopyable>(_ value: Value) -> Int { MemoryLayout<Value>.size }
        #expect(needsBitwiseCopyable(Self.fix()) <= 256)
    }
}

@Suite struct RecordIDTests {
    static let fix = FixTests.fix()
    static let id = RecordID(device: "van-7", source: "gpsd", fix: fix, cause: .first)

    @Test
    func `the id of the same record is the same in every run and release`() {
        #expect(Self.id == RecordID(device: "van-7", source: "gpsd", fix: Self.fix, cause: .first))
        #expect(Self.id.description == "E971D74F-A192-898F-A417-D378B1C1C670")
    }

    @Test
    func `device, source, fix and cause each make another id`() {
        let other = Fix(time: Timestamp(secondsSince1970: 1), coordinate: Self.fix.coordinate)
        let ids = [
            Self.id,
            RecordID(device: "van-8", source: "gpsd", fix: Self.fix, cause: .first),
            RecordID(device: "van-7g", source: "psd", fix: Self.fix, cause: .first),
            RecordID(device: "van-7", source: "gpsd", fix: other, cause: .first),
            RecordID(device: "van-7", source: "gpsd", fix: Self.fix, cause: .still),
        ]
        #expect(Set(ids).count == ids.count)
    }

    @Test
    func `an id survives its text and its bytes`() {
        #expect(RecordID(Self.id.description) == Self.id)
        #expect(RecordID(Self.id.description.lowercased()) == Self.id)
        #expect(RecordID(bytes: Self.id.bytes) == Self.id)
        #expect(RecordID("1CD0F5EA-F68E-8DC3-BEF2") == nil)
        #expect(RecordID("+971D74F-A192-8DC3-BEF2-DE4D9D5F2A5E") == nil)
        #expect(RecordID(bytes: [1, 2, 3]) == nil)
    }

    @Test
    func `it is a UUID of version 8`() {
        let text = Array(Self.id.description)
        #expect(text[14] == "8")
        #expect("89AB".contains(text[19]))
    }
}
