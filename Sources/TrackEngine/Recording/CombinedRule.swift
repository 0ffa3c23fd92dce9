/// The rules `any` and `all`: distance, interval and turn since the last record, one of them or all.
struct CombinedRule: Sendable, Hashable, BitwiseCopyable {
    /// The speed, in metres per second, below which a receiver's course is noise.
    static let slowestCourse = 1.0

    private let requiresAll: Bool
    private let filter: DistanceFilter
    /// In nanoseconds.
    private let interval: Int64?
    /// In degrees.
    private let angle: Double?
    /// The position and the moment of the last record.
    private var last: (anchor: DistanceAnchor, moment: TrackInstant)?
    /// The course at the last record, or the first one known since.
    private var course: Double?

    /// Creates the rule of a configuration; `nil` if it has another one.
    init?(_ configuration: RecordingConfiguration) {
        switch configuration.record {
        case .any: requiresAll = false
        case .all: requiresAll = true
        case .distance, .deviation: return nil
        }
        filter = configuration.distanceRule
        interval = configuration.interval.map(\.saturatedNanoseconds)
        angle = configuration.angle
    }

    /// Measures from a fix that is recorded now.
    mutating func restart(at fix: Fix, moment: TrackInstant) {
        last = (DistanceAnchor(fix.coordinate), moment)
        course = fix.steadyCourse
    }

    /// Goes back to an earlier moment than the last one.
    mutating func rewind(to now: TrackInstant) {
        guard let last else { return }
        self.last = (last.anchor, min(last.moment, now))
    }

    /// Returns the reason for recording a fix; `nil` if it is not recorded. With `all` the reason is the distance,
    /// which is always required.
    mutating func cause(of fix: Fix, at now: TrackInstant) -> RecordCause? {
        guard let last else { return .first }
        let isFar = last.anchor.isFarther(fix.coordinate, than: filter.threshold(speed: fix.speed))
        let isLate = interval.map { now.nanoseconds(since: last.moment) >= $0 }
        let isTurned = angle.map { turn(of: fix) >= $0 }
        if requiresAll { return isFar && isLate ?? true && isTurned ?? true ? .distance : nil }
        if isFar { return .distance }
        if isTurned ?? false { return .turn }
        return isLate ?? false ? .interval : nil
    }

    /// Returns the change of the course since the last record, in degrees, 0 to 180.
    private mutating func turn(of fix: Fix) -> Double {
        guard let now = fix.steadyCourse else { return 0 }
        guard let before = course else {
            course = now
            return 0
        }
        let difference = abs(now - before)
        return min(difference, 360 - difference)
    }

    /// Returns the same state under another configuration.
    func reconfigured(_ configuration: RecordingConfiguration) -> CombinedRule? {
        var next = CombinedRule(configuration)
        next?.last = last
        next?.course = course
        return next
    }

    static func == (left: CombinedRule, right: CombinedRule) -> Bool {
        left.requiresAll == right.requiresAll && left.filter == right.filter && left.interval == right.interval
            && left.angle == right.angle && left.course == right.course && left.last?.anchor == right.last?.anchor
            && left.last?.moment == right.last?.moment
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(requiresAll)
        hasher.combine(course)
        hasher.combine(last?.moment)
    }
}

extension Fix {
    /// The course, if the object is fast enough for it to be meaningful.
    fileprivate var steadyCourse: Double? {
        guard let speed, speed >= CombinedRule.slowestCourse else { return nil }
        return course
    }
}
