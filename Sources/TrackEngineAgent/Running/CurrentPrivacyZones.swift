import Synchronization
import TrackEngine
import TrackEnginePlaces

/// The privacy zones in force. A reload of the configuration may replace them.
final class CurrentPrivacyZones: PrivacyFilter {
    private let zones: Mutex<PrivacyZones?>

    init(_ zones: PrivacyZones?) { self.zones = Mutex(zones) }

    /// Replaces the zones, from the next fix on.
    func set(_ zones: PrivacyZones?) { self.zones.withLock { $0 = zones } }

    var signature: UInt64 { zones.withLock { $0?.signature ?? 0 } }

    var hidesAnything: Bool { zones.withLock { $0 != nil } }

    func covered(_ fix: Fix) -> Fix? {
        guard let zones = zones.withLock({ $0 }) else { return fix }
        return zones.covered(fix)
    }
}
