package import TrackEngine

/// A message on the confirmation topic, looked at: the records that a consumer has stored, or why it confirms nothing.
package enum ConfirmationMessage: Sendable, Hashable {
    /// These records are stored.
    case records([RecordID])
    /// Nothing is confirmed, for this reason. It quotes nothing of the message.
    case malformed(String)

    /// The longest payload, in bytes: what fits the largest message to this client, some 1,600 ids.
    package static let maximumPayload = PacketScreen.maximumMessage

    /// Reads a confirmation: the id of one record as a text, or a JSON array of ids. One element that is no id makes the
    /// whole message malformed.
    ///
    /// Retained confirmations are refused: they may be older than what the consumer has lost since.
    package static func parse(_ message: IncomingMessage) -> ConfirmationMessage {
        if message.isRetained { return .malformed("expected a message that is not retained") }
        if message.isTooLong { return .malformed("expected at most \(maximumPayload) bytes") }
        let expected = "expected the id of a record, or a JSON array of ids"
        guard message.payload.first(where: { !isBlank($0) }) == UInt8(ascii: "[") else {
            let word = message.payload.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
            guard let id = RecordID(String(decoding: word, as: UTF8.self)) else { return .malformed(expected) }
            return .records([id])
        }
        // Where the JSON goes wrong is of less use than what was expected.
        guard let elements = JSONValue(ifReadable: message.payload, maximumDepth: 2)?.array else {
            return .malformed(expected)
        }
        let ids = elements.compactMap { $0.string.flatMap(RecordID.init) }
        return ids.count == elements.count ? .records(ids) : .malformed(expected)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
