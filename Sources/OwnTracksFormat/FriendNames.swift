package import TrackEngine
package import TrackEngineSettings

/// What the devices are called of which a receiver tells, and what it tells of them as the agent wants to know it.
///
/// A device's name is that of its card, unless another device has that already, else `user/device` of its topic, else its two
/// characters.
package struct FriendNames: Sendable {
    /// How many devices are taken; a receiver that tells of more is believed no more of them.
    package static let limit = 256
    /// The longest name, in characters.
    package static let longestName = 64

    /// Names of cards, by what the cards belong to.
    private var names: [String: String] = [:]
    /// Who has a name, for each name that was given.
    private var owners: [String: String] = [:]

    /// No card is known.
    package init() {}

    /// The devices of a reply.
    ///
    /// - Parameters:
    ///   - friends: what the reply tells.
    ///   - own: `user/device` of the agent itself, which is no friend of its own.
    ///   - source: who reports.
    ///   - now: a place that is dated later counts as of this moment, or it would hide all that follow; one of another day is none.
    package mutating func devices(
        of friends: [ReceivedReply.Friend], except own: String, source: SourceID, now: Timestamp
    ) -> [FollowedDevice] {
        for friend in friends { learn(friend) }
        return friends.compactMap { friend in
            guard let location = friend.location, let fix = location.fix,
                friend.device.map(RecorderName.folded) != RecorderName.folded(own),
                fix.time < now.advanced(by: .seconds(86_400)),
                let name = name(of: friend)
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
        // A card without a topic belongs to all who have its two characters.
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
    /// By what a card and a location are known to belong together.
    fileprivate var key: String? { device ?? trackerID.flatMap { $0.isEmpty ? nil : $0 } }
}
