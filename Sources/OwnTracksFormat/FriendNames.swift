package import TrackEngine
package import TrackEngineSettings

/// What the devices are called of which a receiver tells, and what it tells of them as the agent wants to know it.
///
/// A device's name is that of its card, else `user/device` of its topic, else its two characters.
package struct FriendNames: Sendable {
    /// How many cards are remembered.
    package static let limit = 1000
    /// The longest name, in characters.
    package static let longestName = 64

    private var names: [String: String] = [:]

    /// No card is known.
    package init() {}

    /// The devices of a reply.
    ///
    /// - Parameters:
    ///   - friends: what the reply tells.
    ///   - own: `user/device` of the agent itself, which is no friend of its own.
    ///   - source: who reports.
    package mutating func devices(
        of friends: [ReceivedReply.Friend], except own: String, source: SourceID
    ) -> [FollowedDevice] {
        for friend in friends { learn(friend) }
        return friends.compactMap { friend in
            guard let location = friend.location, let fix = location.fix, friend.device != own,
                let name = name(of: friend)
            else { return nil }
            var device = FollowedDevice(DeviceID(rawValue: name), source: source)
            device.fix = fix
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

    private func name(of friend: ReceivedReply.Friend) -> String? {
        // A card without a topic belongs to all who have its two characters.
        if let key = friend.key, let name = names[key] ?? friend.trackerID.flatMap({ names[$0] }) { return name }
        return (friend.device ?? friend.trackerID).flatMap(Self.shown)
    }

    private static func shown(_ text: String) -> String? {
        let line = ReceiverText.oneLine(text, atMost: longestName)
        return line.isEmpty ? nil : line
    }
}

extension ReceivedReply.Friend {
    /// By what a card and a location are known to belong together.
    fileprivate var key: String? { device ?? trackerID }
}
