package import TrackEngine

/// The reply of a server in OwnTracks' HTTP mode: an array of messages. Those with a meaning for an agent are kept.
///
/// A reply may be empty; unreadable messages are left out and counted.
package struct ReceivedReply: Sendable, Hashable {
    /// The positions and names of other devices, in the order of the reply.
    package private(set) var friends: [Friend] = []
    /// Commands, not yet parsed.
    package private(set) var commands: [JSONValue] = []
    /// The number of messages that were unreadable, or encrypted for another recipient.
    package private(set) var unreadable = 0

    /// The most messages of a reply that are read.
    static let maximumMessages = 1000
    /// The most commands of a reply.
    package static let maximumCommands = 16

    /// Another device, as a message reports it.
    package struct Friend: Sendable, Hashable {
        /// `user/device`, if the message has a topic.
        package var device: String?
        /// The two characters on the map.
        package var trackerID: String?
        /// The location; `nil` for a card, which only has a name.
        package var location: ReceivedLocation?
        /// The name on a card.
        package var name: String?
    }

    /// Parses a reply.
    ///
    /// - Parameters:
    ///   - bytes: the body; the exchange bounds its size.
    ///   - secret: decrypts messages. If there is one, only encrypted commands are accepted.
    package init(_ bytes: [UInt8], secret: OwnTracksSecret?) {
        guard !bytes.isEmpty else { return }
        guard let value = JSONValue(ifReadable: bytes, maximumDepth: 16) else {
            unreadable = 1
            return
        }
        let messages = value.array ?? [value]
        for message in messages.prefix(Self.maximumMessages) { take(message, secret) }
        unreadable += max(0, messages.count - Self.maximumMessages)
    }

    private mutating func take(_ message: JSONValue, _ secret: OwnTracksSecret?) {
        guard message.isOwnTracksEncrypted else { return take(message, isTrusted: secret == nil) }
        guard let secret else {
            unreadable += 1
            return
        }
        do throws(OwnTracksSecret.Unreadable) { take(try secret.open(message), isTrusted: true) } catch {
            unreadable += 1
        }
    }

    private mutating func take(_ message: JSONValue, isTrusted: Bool) {
        switch message["_type"]?.string {
        case "location": friends.append(Friend(message, location: ReceivedLocation(message)))
        case "card": friends.append(Friend(message, location: nil))
        case "cmd":
            guard isTrusted, commands.count < Self.maximumCommands else {
                unreadable += 1
                return
            }
            commands.append(message)
        // A server's own result, as our server and some others write it, and messages without a meaning for an
        // agent.
        case .some: break
        case nil: if message["result"] == nil { unreadable += 1 }
        }
    }
}

extension ReceivedReply.Friend {
    fileprivate init(_ message: JSONValue, location: ReceivedLocation?) {
        device = message["topic"]?.string.flatMap(ReceivedLocation.device(ofTopic:))
        trackerID = message["tid"]?.string
        self.location = location
        name = location == nil ? message["name"]?.string : nil
    }
}
