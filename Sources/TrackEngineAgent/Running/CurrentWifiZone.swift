import TrackEngine
import TrackEnginePlaces

/// The wifi zone that the machine is in. A reload of the configuration may replace the zones.
final class CurrentWifiZone: PositionOverride {
    private let wifi: WifiReader
    private let zones: SystemMutex<WifiZones>

    init(_ zones: WifiZones, _ wifi: WifiReader) {
        self.wifi = wifi
        self.zones = SystemMutex(zones)
    }

    /// Replaces the zones, from the next fix on.
    func set(_ zones: WifiZones) { self.zones.withLock { $0 = zones } }

    var position: KnownPosition? { zone(of: wifi.current)?.position }

    /// The status of the wireless network.
    var standing: WifiStatus {
        let reading = wifi.reading
        return WifiStatus(reading, zone: zone(of: reading.network)?.name)
    }

    private func zone(of network: WifiNetwork?) -> WifiZones.Zone? {
        guard let network else { return nil }
        return zones.withLock { $0 }.zone(of: network)
    }
}
