import CTrackEngine
import TrackEngine

/// An array of fixes in C: the size of the first is the distance between them.
struct FixArray {
    private let start: UnsafeRawPointer?
    private let stride: Int
    let count: Int

    /// Checks an array that a caller passes in.
    init(_ fixes: UnsafePointer<te_fix>?, _ count: Int) throws(CallError) {
        guard count != 0 else {
            (start, stride, self.count) = (nil, 0, 0)
            return
        }
        guard let fixes else { throw .argument("fixes = NULL: expected an array of fixes") }
        stride = try checkedSize(fixes.pointee.size, MemoryLayout<te_fix>.size, "fixes[0].size")
        guard count > 0, !count.multipliedReportingOverflow(by: stride).overflow else {
            throw .argument("count: expected a number of fixes that fits the memory")
        }
        start = UnsafeRawPointer(fixes)
        self.count = count
    }

    /// The fix at an index below the count.
    @inline(__always)
    subscript(index: Int) -> Fix {
        // An array that is not empty has a start.
        Fix(start.unsafelyUnwrapped.advanced(by: index &* stride).assumingMemoryBound(to: te_fix.self))
    }

    /// All fixes.
    var fixes: [Fix] { (0..<count).map { self[$0] } }
}

/// Returns the size of an element of a caller's array, if it can be one.
func checkedSize(_ size: UInt32, _ least: Int, _ name: String) throws(CallError) -> Int {
    guard size >= least, size <= 4096, size.isMultiple(of: 8) else {
        throw .argument("\(name) = \(size): expected \(least) to 4096, a multiple of 8")
    }
    return Int(size)
}

/// Checks the size of a caller's single struct.
func check(_ size: UInt32, _ least: Int, _ name: String) throws(CallError) {
    guard size >= least else { throw .argument("\(name).size = \(size): expected at least \(least)") }
}

extension Fix {
    /// A fix of a caller. Unknown and impossible numbers become absent, as everywhere in the engine.
    @inline(__always)
    init(_ fix: UnsafePointer<te_fix>) {
        let fix = fix.pointee
        self.init(
            time: Timestamp(nanosecondsSince1970: fix.time),
            coordinate: Coordinate(latitude: fix.latitude, longitude: fix.longitude), altitude: fix.altitude,
            ellipsoidalAltitude: fix.ellipsoidal_altitude, horizontalAccuracy: fix.horizontal_accuracy,
            verticalAccuracy: fix.vertical_accuracy, speed: fix.speed, speedAccuracy: fix.speed_accuracy,
            course: fix.course, courseAccuracy: fix.course_accuracy, horizontalDilution: fix.horizontal_dilution,
            positionDilution: fix.position_dilution, satellitesUsed: UInt8(exactly: fix.satellites_used),
            satellitesVisible: UInt8(exactly: fix.satellites_visible), mode: Mode(rawValue: fix.mode),
            status: Status(rawValue: fix.status),
            activity: fix.activity == 0 ? nil : Activity(rawValue: fix.activity &- 1),
            flags: Flags(rawValue: fix.flags & 3))
    }
}

extension te_fix {
    /// A fix of the engine for a caller.
    init(_ fix: Fix) {
        self.init(
            size: UInt32(MemoryLayout<te_fix>.size), mode: fix.mode?.rawValue ?? 0, status: fix.status?.rawValue ?? 0,
            activity: fix.activity?.number ?? 0, flags: fix.flags.rawValue, time: fix.time.nanosecondsSince1970,
            latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude, altitude: fix.altitude ?? .nan,
            ellipsoidal_altitude: fix.ellipsoidalAltitude ?? .nan,
            horizontal_accuracy: fix.horizontalAccuracy ?? .nan, vertical_accuracy: fix.verticalAccuracy ?? .nan,
            speed: fix.speed ?? .nan, speed_accuracy: fix.speedAccuracy ?? .nan, course: fix.course ?? .nan,
            course_accuracy: fix.courseAccuracy ?? .nan, horizontal_dilution: fix.horizontalDilution ?? .nan,
            position_dilution: fix.positionDilution ?? .nan, satellites_used: fix.satellitesUsed.map(Int16.init) ?? -1,
            satellites_visible: fix.satellitesVisible.map(Int16.init) ?? -1, reserved: 0)
    }
}
