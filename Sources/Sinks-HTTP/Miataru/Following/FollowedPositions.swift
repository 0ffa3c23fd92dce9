package import TrackEngine
package import TrackEngineSettings

/// The reports of the followed devices. Determines the changes from one reply to the next.
package struct FollowedPositions: Sendable {
    /// The known state of a device.
    private struct Known: Sendable {
        var report: FollowedDevice
        var presence = PlacePresence()
        var positions = DevicePositions()
        /// The time of its position as reported by the server.
        var told: Timestamp?
    }

    /// A device with a changed report.
    package struct Change: Sendable, Hashable {
        package let report: FollowedDevice
        /// The named place at which it has just arrived.
        package let arrival: String?
    }

    private let places: [NamedPlace]
    private let source: SourceID
    private var known: [String: Known] = [:]

    package init(source: SourceID, places: [NamedPlace]) {
        self.source = source
        self.places = places
    }

    /// The reports of all requested devices, by name.
    package var reports: [FollowedDevice] {
        known.values.map(\.report).sorted { $0.device.rawValue < $1.device.rawValue }
    }

    /// Applies the reply to a request about some devices; returns those with a changed report. A position that is
    /// older than the known one is ignored, and so is one with a lost latitude or longitude (0).
    package mutating func take(_ reply: [String: ReportedPosition], about entries: [FollowEntry]) -> [Change] {
        entries.compactMap { entry in
            let id = entry.id.revealed
            var device = known[id] ?? Known(report: FollowedDevice("", source: source))
            let before = device.report
            device.report.name(as: entry)
            device.report.failure = nil
            var arrival: String?
            if let place = reply[id] {
                let isNew = place.told != device.told
                let isOlder = before.fix.map { place.fix.time < $0.time } ?? false
                if isNew, isOlder || !device.positions.accepts(place.fix) {
                    if !isOlder { device.told = place.told }
                    known[id] = device
                    return device.report == before ? nil : Change(report: device.report, arrival: nil)
                }
                if isNew {
                    arrival = device.presence.move(to: place.fix.coordinate, among: places)
                    device.report.fix = place.fix
                    device.told = place.told
                }
                device.report.host = place.host
                device.report.place = device.presence.place
            } else {
                device.told = nil
                device.report.fix = nil
                device.report.host = nil
                device.report.place = nil
            }
            known[id] = device
            return device.report == before ? nil : Change(report: device.report, arrival: arrival)
        }
    }

    /// Notes that a request about some devices failed; returns those with a changed report. Their last positions are
    /// kept.
    package mutating func fail(_ reason: String, about entries: [FollowEntry]) -> [Change] {
        entries.compactMap { entry in
            var device = known[entry.id.revealed] ?? Known(report: FollowedDevice("", source: source))
            let before = device.report
            device.report.name(as: entry)
            device.report.failure = reason
            known[entry.id.revealed] = device
            return device.report == before ? nil : Change(report: device.report, arrival: nil)
        }
    }

    /// Removes the devices that are no longer followed, and returns their names.
    @discardableResult
    package mutating func keep(_ entries: [FollowEntry]) -> [DeviceID] {
        let ids = Set(entries.map(\.id.revealed))
        let names = Set(entries.map(\.name))
        let gone = known.filter { !ids.contains($0.key) }.map(\.value.report.device)
        known = known.filter { ids.contains($0.key) }
        return gone.filter { !names.contains($0.rawValue) }
    }
}

extension FollowedDevice {
    /// Sets the name and the group of the entry.
    fileprivate mutating func name(as entry: FollowEntry) {
        device = DeviceID(rawValue: entry.name)
        group = entry.group
    }
}
