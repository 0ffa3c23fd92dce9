/// One position that a receiver reported: a plain value of SI units, without strings or references.
///
/// Values that the receiver did not report are absent. Neither -1 nor NaN ever means "unknown" inside the engine: the
/// initialiser drops impossible values (a negative accuracy, an infinite speed), and each wire format writes the form
/// that its readers expect.
public struct Fix: Sendable, Hashable, BitwiseCopyable {
    /// The time of the position, by the receiver's clock.
    public let time: Timestamp
    /// The position.
    public let coordinate: Coordinate
    @usableFromInline let numbers: Values
    /// The number of satellites used in the solution.
    public let satellitesUsed: UInt8?
    /// The number of satellites in view of the receiver.
    public let satellitesVisible: UInt8?
    /// The dimensions of the solution, two or three.
    public let mode: Mode?
    /// The kind of solution.
    public let status: Status?
    /// The activity of the object, if the source knows it; otherwise the engine infers it from speed.
    public let activity: Activity?
    /// Facts about the origin of this fix.
    public let flags: Flags

    /// Creates a fix from the known values; an impossible value is dropped as unknown.
    ///
    /// The course may be any finite angle; it is brought into 0 ..< 360.
    ///
    /// Inlined, because a reader of large arrays makes a fix in a few nanoseconds, and a call takes most of that time.
    @inlinable
    @inline(__always)
    public init(
        time: Timestamp,
        coordinate: Coordinate,
        altitude: Double? = nil,
        ellipsoidalAltitude: Double? = nil,
        horizontalAccuracy: Double? = nil,
        verticalAccuracy: Double? = nil,
        speed: Double? = nil,
        speedAccuracy: Double? = nil,
        course: Double? = nil,
        courseAccuracy: Double? = nil,
        horizontalDilution: Float? = nil,
        positionDilution: Float? = nil,
        satellitesUsed: UInt8? = nil,
        satellitesVisible: UInt8? = nil,
        mode: Mode? = nil,
        status: Status? = nil,
        activity: Activity? = nil,
        flags: Flags = []
    ) {
        self.time = time
        self.coordinate = coordinate
        numbers = Values(
            altitude: CompactOptional(altitude?.ifFinite),
            ellipsoidalAltitude: CompactOptional(ellipsoidalAltitude?.ifFinite),
            horizontalAccuracy: CompactOptional(horizontalAccuracy?.ifMagnitude),
            verticalAccuracy: CompactOptional(verticalAccuracy?.ifMagnitude),
            speed: CompactOptional(speed?.ifMagnitude),
            speedAccuracy: CompactOptional(speedAccuracy?.ifMagnitude),
            course: CompactOptional(course?.ifFinite?.inFullCircle),
            courseAccuracy: CompactOptional(courseAccuracy?.ifMagnitude),
            horizontalDilution: CompactOptional(horizontalDilution?.ifMagnitude),
            positionDilution: CompactOptional(positionDilution?.ifMagnitude))
        self.satellitesUsed = satellitesUsed
        self.satellitesVisible = satellitesVisible
        self.mode = mode
        self.status = status
        self.activity = activity
        self.flags = flags
    }

    /// The numbers that may be unknown.
    @frozen
    @usableFromInline
    struct Values: Sendable, Hashable, BitwiseCopyable {
        @usableFromInline let altitude: CompactOptional<Double>
        @usableFromInline let ellipsoidalAltitude: CompactOptional<Double>
        @usableFromInline let horizontalAccuracy: CompactOptional<Double>
        @usableFromInline let verticalAccuracy: CompactOptional<Double>
        @usableFromInline let speed: CompactOptional<Double>
        @usableFromInline let speedAccuracy: CompactOptional<Double>
        @usableFromInline let course: CompactOptional<Double>
        @usableFromInline let courseAccuracy: CompactOptional<Double>
        @usableFromInline let horizontalDilution: CompactOptional<Float>
        @usableFromInline let positionDilution: CompactOptional<Float>

        @inlinable
        init(
            altitude: CompactOptional<Double>, ellipsoidalAltitude: CompactOptional<Double>,
            horizontalAccuracy: CompactOptional<Double>, verticalAccuracy: CompactOptional<Double>,
            speed: CompactOptional<Double>, speedAccuracy: CompactOptional<Double>, course: CompactOptional<Double>,
            courseAccuracy: CompactOptional<Double>, horizontalDilution: CompactOptional<Float>,
            positionDilution: CompactOptional<Float>
        ) {
            self.altitude = altitude
            self.ellipsoidalAltitude = ellipsoidalAltitude
            self.horizontalAccuracy = horizontalAccuracy
            self.verticalAccuracy = verticalAccuracy
            self.speed = speed
            self.speedAccuracy = speedAccuracy
            self.course = course
            self.courseAccuracy = courseAccuracy
            self.horizontalDilution = horizontalDilution
            self.positionDilution = positionDilution
        }
    }

    /// Height above mean sea level, in metres.
    @inlinable public var altitude: Double? { numbers.altitude.value }

    /// Height above the WGS-84 ellipsoid, in metres.
    @inlinable public var ellipsoidalAltitude: Double? { numbers.ellipsoidalAltitude.value }

    /// Radius of the horizontal uncertainty, in metres, about 95 % as gpsd reports it.
    @inlinable public var horizontalAccuracy: Double? { numbers.horizontalAccuracy.value }

    /// Uncertainty of the altitude, in metres.
    @inlinable public var verticalAccuracy: Double? { numbers.verticalAccuracy.value }

    /// Speed over ground, in metres per second; never negative.
    @inlinable public var speed: Double? { numbers.speed.value }

    /// Uncertainty of the speed, in metres per second.
    @inlinable public var speedAccuracy: Double? { numbers.speedAccuracy.value }

    /// Course over ground, in degrees clockwise from true north, 0 up to but not including 360.
    @inlinable public var course: Double? { numbers.course.value }

    /// Uncertainty of the course, in degrees.
    @inlinable public var courseAccuracy: Double? { numbers.courseAccuracy.value }

    /// Horizontal dilution of precision, without unit.
    @inlinable public var horizontalDilution: Float? { numbers.horizontalDilution.value }

    /// Position dilution of precision, without unit.
    @inlinable public var positionDilution: Float? { numbers.positionDilution.value }

    /// Whether a solution has a height.
    public enum Mode: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// Latitude and longitude only.
        case twoDimensional = 2
        /// Latitude, longitude and height.
        case threeDimensional = 3

        /// The word for messages and stored records: `2d` or `3d`.
        package var name: String {
            switch self {
            case .twoDimensional: "2d"
            case .threeDimensional: "3d"
            }
        }
    }

    /// The kind of solution, in gpsd's numbering (`TPV.status`), to which NMEA's GGA quality is mapped.
    public enum Status: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// Autonomous satellite fix.
        case normal = 1
        /// Differential corrections.
        case differential = 2
        /// Real-time kinematic, fixed ambiguities.
        case rtkFixed = 3
        /// Real-time kinematic, floating ambiguities.
        case rtkFloat = 4
        /// Dead reckoning.
        case deadReckoning = 5
        /// Satellites and dead reckoning together.
        case combined = 6
        /// A surveyed, fixed position.
        case surveyed = 7
        /// A simulator.
        case simulated = 8
        /// Precise (military) code.
        case precise = 9

        /// The word for messages and stored records.
        package var name: String {
            switch self {
            case .normal: "normal"
            case .differential: "differential"
            case .rtkFixed: "rtkFixed"
            case .rtkFloat: "rtkFloat"
            case .deadReckoning: "deadReckoning"
            case .combined: "combined"
            case .surveyed: "surveyed"
            case .simulated: "simulated"
            case .precise: "precise"
            }
        }
    }

    /// Facts about the origin of a fix.
    public struct Flags: OptionSet, Sendable, Hashable, BitwiseCopyable {
        /// The bits themselves.
        public let rawValue: UInt8

        /// Creates flags from their bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Made by a simulator, not by a receiver. CalmGeo calls this `mock`.
        public static let simulated = Flags(rawValue: 1 << 0)
        /// The receiver's date was wrong by a multiple of 1024 weeks and has been corrected.
        public static let weekRolloverCorrected = Flags(rawValue: 1 << 1)
    }

    /// Returns the same fix at another time, with more flags; for corrections of the receiver's clock.
    package func retimed(_ time: Timestamp, adding more: Flags) -> Fix {
        Fix(
            time: time, coordinate: coordinate, altitude: altitude, ellipsoidalAltitude: ellipsoidalAltitude,
            horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy, speed: speed,
            speedAccuracy: speedAccuracy, course: course, courseAccuracy: courseAccuracy,
            horizontalDilution: horizontalDilution, positionDilution: positionDilution,
            satellitesUsed: satellitesUsed, satellitesVisible: satellitesVisible, mode: mode, status: status,
            activity: activity, flags: flags.union(more))
    }
}

extension FloatingPoint {
    @inlinable var ifFinite: Self? { isFinite ? self : nil }

    /// The value if it is finite and not negative.
    @inlinable var ifMagnitude: Self? { isFinite && self >= 0 ? self : nil }
}

extension Double {
    @inlinable var inFullCircle: Double {
        if self >= 0, self < 360 { return self + 0 }  // most are, and a remainder takes longer than all else
        let remainder = truncatingRemainder(dividingBy: 360)
        let positive = remainder < 0 ? remainder + 360 : remainder
        return positive < 360 ? positive + 0 : 0  // -1e-20 + 360 is 360; + 0 turns -0 into 0
    }

    /// The number as a course that another program wrote, in degrees; `nil` outside 0 ... 360, as phones write -1 and
    /// AIS 511 for an unknown one.
    package var knownCourse: Double? { (0...360).contains(self) ? self : nil }
}
