package import TrackEngine
package import TrackEngineSettings

/// The names of other devices that a server reports. Converts these reports to those of the agent.
///
/// A device has the name on its card, unless another device has that already. Otherwise it has `user/device` of its
/// topic, or else its two characters.
package struct FriendNameTable: Sendable {
    /// The most devices; further devices in a server's reports are ignored.
    package static let limit = 256
    /// The longest name, in characters.
    package static let longestName = 64

    /// Names on cards, by the key that relates cards to locations.
    private var names: [String: String] = [:]
    /// The key of the device that has each assigned name.
    private var owners: [String: String] = [:]
    /// The positions of each device with a name, by its key.
    private var positions: [String: DevicePositions] = [:]

    /// No names are known.
    package init() {}

    /// The devices in a reply. A position with a lost latitude or longitude (0) is ignored.
    ///
    /// - Parameters:
    ///   - friends: the devices in the reply.
    ///   - own: `user/device` of the agent itself, which is not reported.
    ///   - source: the source that reports the devices.
    ///   - now: the current time. It replaces a later time of a position, which would hide all later positions. A
    ///     position more than a day ahead is ignored.
    package mutating func devices(
        of friends: [ReceivedReply.Friend], except own: String, source: SourceID, now: Timestamp
    ) -> [FollowedDevice] {
        for friend in friends { learn(friend) }
        return friends.compactMap { friend in
            guard let location = friend.location, let fix = location.fix,
                friend.device.map(RecorderName.folded) != RecorderName.folded(own),
                fix.time < now.advanced(by: .seconds(86_400)),
                let key = friend.key, let name = name(of: friend),
                positions[key, default: DevicePositions()].accepts(fix)
            else { return nil }
            var device = FollowedDevice(DeviceID(rawValue: name), source: source)
            device.fix = fix.time > now ? fix.retimed(now, adding: []) : fix
            device.host = location.host
            return device
        }
    }

    private mutating func learn(_ friend: ReceivedReply.Friend) {
        guard let name = friend.name.flatMap(Self.shown), let key = friend.key,
            names[key] != nil || names.count < Self.limit
        else { return }
        names[key] = name
    }

    private mutating func name(of friend: ReceivedReply.Friend) -> String? {
        guard let key = friend.key else { return nil }
        // A card without a topic belongs to all devices with its two characters.
        let card = names[key] ?? friend.trackerID.flatMap { names[$0] }
        for name in [card, Self.shown(key)].compactMap(\.self) {
            if let owner = owners[name] {
                if owner == key { return name }
            } else if owners.count < Self.limit {
                owners[name] = key
                return name
            }
        }
        return nil
    }

    private static func shown(_ text: String) -> String? {
        let line = ReceiverText.oneLine(text, atMost: longestName)
        return line.isEmpty ? nil : line
    }
}

extension ReceivedReply.Friend {
    /// The key that relates a card and a location.
    fileprivate var key: String? { device ?? trackerID.flatMap { $0.isEmpty ? nil : $0 } }
}
