import TrackEngine
import TrackEnginePlaces

/// The wifi zone in which the machine is at this moment: a configuration that is read again may bring others.
final class CurrentZones: PositionAuthority {
    private let wifi: WifiGauge
    private let zones: PthreadMutex<WifiZones>

    init(_ zones: WifiZones, _ wifi: WifiGauge) {
        self.wifi = wifi
        self.zones = PthreadMutex(zones)
    }

    /// Other zones hold from the next fix on.
    func set(_ zones: WifiZones) { self.zones.withLock { $0 = zones } }

    var position: KnownPosition? { zone(of: wifi.current)?.position }

    /// What a status says.
    var standing: WifiStanding {
        let reading = wifi.reading
        return WifiStanding(reading, zone: zone(of: reading.network)?.name)
    }

    private func zone(of network: WifiNetwork?) -> WifiZones.Zone? {
        guard let network else { return nil }
        return zones.withLock { $0 }.zone(of: network)
    }
}
