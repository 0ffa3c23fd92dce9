package import TrackEngine
package import TrackEngineSettings

/// How the followed devices stand, from one reply to the next: a value that decides what is news.
package struct FollowedPlaces: Sendable {
    /// What is known of a device.
    private struct Known: Sendable {
        var report: FollowedDevice
        var presence = PlacePresence()
        /// The time of its place as the server told it.
        var told: Timestamp?
    }

    /// A device of which something new is known.
    package struct News: Sendable, Hashable {
        package let report: FollowedDevice
        /// The named place to which it has come just now.
        package let arrival: String?
    }

    private let places: [NamedPlace]
    private let source: SourceID
    private var known: [String: Known] = [:]

    package init(source: SourceID, places: [NamedPlace]) {
        self.source = source
        self.places = places
    }

    /// How the devices stand that were asked for, by name.
    package var reports: [FollowedDevice] {
        known.values.map(\.report).sorted { $0.device.rawValue < $1.device.rawValue }
    }

    /// Takes a reply to a question about some devices; returns those of which something is new. A place that is older than
    /// what is known is none.
    package mutating func take(_ reply: [String: ReportedPlace], about entries: [FollowEntry]) -> [News] {
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
                if isNew, isOlder {
                    known[id] = device
                    return device.report == before ? nil : News(report: device.report, arrival: nil)
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
            return device.report == before ? nil : News(report: device.report, arrival: arrival)
        }
    }

    /// Takes that a question about all of some devices was not answered; returns those of which that is new. Where they were last
    /// stays.
    package mutating func fail(_ reason: String, about entries: [FollowEntry]) -> [News] {
        entries.compactMap { entry in
            var device = known[entry.id.revealed] ?? Known(report: FollowedDevice("", source: source))
            let before = device.report
            device.report.name(as: entry)
            device.report.failure = reason
            known[entry.id.revealed] = device
            return device.report == before ? nil : News(report: device.report, arrival: nil)
        }
    }

    /// Forgets the devices that are followed no more, and returns their names.
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
    /// Gives it the name and the group that it has here.
    fileprivate mutating func name(as entry: FollowEntry) {
        device = DeviceID(rawValue: entry.name)
        group = entry.group
    }
}
