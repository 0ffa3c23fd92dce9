import SQLiteAccess
import TrackEngine

/// A point as whole numbers, in the units of the table's columns.
struct PointRow: Sendable, Hashable {
    /// Milliseconds since 1970, rounded down.
    let time: Int64
    let place: GridPosition
    /// Centimetres.
    let altitude: Int64?
    /// Centimetres.
    let horizontalAccuracy: Int64?
    /// Centimetres.
    let verticalAccuracy: Int64?
    /// Centimetres per second.
    let speed: Int64?
    /// Centimetres per second.
    let speedAccuracy: Int64?
    /// Hundredths of a degree.
    let course: Int64?
    /// Hundredths of a degree.
    let courseAccuracy: Int64?
    let satellites: Int64?
    /// Thousandths.
    let battery: Int64?
    let state: PointState

    /// The row of a point; `nil` when its coordinate is not valid.
    init?(_ point: HistoryPoint) {
        let fix = point.fix
        guard let place = GridPosition(fix.coordinate) else { return nil }
        self.place = place
        time = fix.time.millisecondsSince1970
        altitude = fix.altitude?.hundredths
        horizontalAccuracy = fix.horizontalAccuracy?.hundredths
        verticalAccuracy = fix.verticalAccuracy?.hundredths
        speed = fix.speed?.hundredths
        speedAccuracy = fix.speedAccuracy?.hundredths
        course = fix.course.map { $0.hundredths % 36_000 }  // 359.999 is nearer to 0 than to 359.99
        courseAccuracy = fix.courseAccuracy?.hundredths
        satellites = fix.satellitesUsed.map(Int64.init)
        battery = point.host?.batteryLevel.map { Int64(($0 * 1000).rounded()) }
        state = PointState(point)
    }

    /// Returns the point of the row.
    func point(source: SourceID?, senderID: SenderID?) -> HistoryPoint {
        let fix = Fix(
            time: Timestamp(millisecondsSince1970: time), coordinate: place.coordinate, altitude: altitude?.whole,
            horizontalAccuracy: horizontalAccuracy?.whole, verticalAccuracy: verticalAccuracy?.whole,
            speed: speed?.whole, speedAccuracy: speedAccuracy?.whole, course: course?.whole,
            courseAccuracy: courseAccuracy?.whole, satellitesUsed: satellites.map { UInt8(clamping: $0) },
            mode: state.mode, activity: state.activity, flags: state.isSimulated ? .simulated : [])
        let level = battery.map { Double($0) / 1000 }
        let host = state.batteryState.map { HostStatus(batteryLevel: level, batteryState: $0) }
        return HistoryPoint(fix: fix, isMoving: state.isMoving, host: host, source: source, senderID: senderID)
    }

    /// The columns in the order in which rows are read and written.
    static let columns = """
        time, latitude, longitude, altitude, accuracy, altitude_accuracy, speed, speed_accuracy, course, \
        course_accuracy, satellites, battery, state
        """
    /// The number of columns.
    static let columnCount = 13

    /// Calls a function with the value of each column.
    @inline(__always)
    func forEachColumn(_ body: (Int64?) -> Void) {
        body(time)
        body(Int64(place.latitude))
        body(Int64(place.longitude))
        body(altitude)
        body(horizontalAccuracy)
        body(verticalAccuracy)
        body(speed)
        body(speedAccuracy)
        body(course)
        body(courseAccuracy)
        body(satellites)
        body(battery)
        body(state.bits)
    }

    /// Reads a row that begins with these columns; `nil` when it is damaged.
    init?(_ row: Row) {
        guard let time = row.integer(0), let place = GridPosition(row.integer(1), row.integer(2)) else { return nil }
        self.time = time
        self.place = place
        altitude = row.integer(3)
        horizontalAccuracy = row.integer(4)
        verticalAccuracy = row.integer(5)
        speed = row.integer(6)
        speedAccuracy = row.integer(7)
        course = row.integer(8)
        courseAccuracy = row.integer(9)
        satellites = row.integer(10)
        battery = row.integer(11)
        state = PointState(bits: row.integer(12) ?? 0)
    }
}

extension Timestamp {
    /// Whole milliseconds since 1970, rounded down.
    var millisecondsSince1970: Int64 { secondsSince1970 * 1000 + nanosecondsInSecond / 1_000_000 }

    init(millisecondsSince1970 milliseconds: Int64) {
        self.init(secondsSince1970: milliseconds / 1000, nanoseconds: milliseconds % 1000 * 1_000_000)
    }
}

extension Int64 {
    /// A number of hundredths as a number of wholes.
    fileprivate var whole: Double { Double(self) / 100 }
}

extension Double {
    /// This finite number in hundredths, limited to 1e12 of them: larger values have no meaning.
    var hundredths: Int64 { Int64((min(max(self, -1e10), 1e10) * 100).rounded()) }
}
