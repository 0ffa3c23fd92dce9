package import TrackEngine

/// The reply of a receiver in OwnTracks' HTTP mode: an array of messages, of which those are kept that mean something to an agent.
///
/// A reply owes nothing: what cannot be read is left out and counted.
package struct ReceivedReply: Sendable, Hashable {
    /// Where others are, in the order of the reply.
    package private(set) var friends: [Friend] = []
    /// Commands, not yet looked at.
    package private(set) var commands: [JSONValue] = []
    /// How many messages could not be read, or were encrypted for somebody else.
    package private(set) var unreadable = 0

    /// The most messages of a reply that are looked at.
    package static let maximumMessages = 1000
    /// The most commands of a reply.
    package static let maximumCommands = 16

    /// Another device, as a message tells of it.
    package struct Friend: Sendable, Hashable {
        /// `user/device`, where the message has a topic.
        package var device: String?
        /// The two characters on the map.
        package var trackerID: String?
        /// Where it is; `nil` for a card, which only names it.
        package var location: ReceivedLocation?
        /// What a card calls it.
        package var name: String?
    }

    /// Reads a reply.
    ///
    /// - Parameters:
    ///   - bytes: the body, of a size that the exchange bounds.
    ///   - secret: opens what is encrypted. Where there is one, commands count only if they are.
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
        // A server's own result, as ours and some others write it, and messages that say nothing to an agent.
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
