import CTrackEngine
import TrackEngine

extension te_fix {
    /// The fix as a program in C has it.
    init(_ fix: Fix) {
        self.init()
        size = UInt32(MemoryLayout<te_fix>.size)
        mode = fix.mode?.rawValue ?? 0
        status = fix.status?.rawValue ?? 0
        activity = fix.activity.map { $0.rawValue + 1 } ?? 0
        flags = fix.flags.rawValue
        time = fix.time.nanosecondsSince1970
        (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
        (altitude, ellipsoidal_altitude) = (fix.altitude ?? .nan, fix.ellipsoidalAltitude ?? .nan)
        (horizontal_accuracy, vertical_accuracy) = (fix.horizontalAccuracy ?? .nan, fix.verticalAccuracy ?? .nan)
        (speed, speed_accuracy) = (fix.speed ?? .nan, fix.speedAccuracy ?? .nan)
        (course, course_accuracy) = (fix.course ?? .nan, fix.courseAccuracy ?? .nan)
        (horizontal_dilution, position_dilution) = (fix.horizontalDilution ?? .nan, fix.positionDilution ?? .nan)
        satellites_used = fix.satellitesUsed.map(Int16.init) ?? -1
        satellites_visible = fix.satellitesVisible.map(Int16.init) ?? -1
    }
}
