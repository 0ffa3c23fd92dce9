import TrackEngine
import TrackEnginePlaces

/// The wifi zone that the machine is in. A reload of the configuration may replace the zones.
final class CurrentZones: PositionAuthority {
    private let wifi: WifiGauge
    private let zones: PthreadMutex<WifiZones>

    init(_ zones: WifiZones, _ wifi: WifiGauge) {
        self.wifi = wifi
        self.zones = PthreadMutex(zones)
    }

    /// Replaces the zones, from the next fix on.
    func set(_ zones: WifiZones) { self.zones.withLock { $0 = zones } }

    var position: KnownPosition? { zone(of: wifi.current)?.position }

    /// The status of the wireless network.
    var standing: WifiStanding {
        let reading = wifi.reading
        return WifiStanding(reading, zone: zone(of: reading.network)?.name)
    }

    private func zone(of network: WifiNetwork?) -> WifiZones.Zone? {
        guard let network else { return nil }
        return zones.withLock { $0 }.zone(of: network)
    }
}
