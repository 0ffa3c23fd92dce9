package import TrackEngine

/// A parsed message on the confirmation topic: the records that a consumer has stored, or the reason for its
/// rejection.
package enum ConfirmationMessage: Sendable, Hashable {
    /// These records are stored.
    case records([RecordID])
    /// No record is confirmed, for this reason, which quotes no part of the message.
    case malformed(String)

    /// The longest payload, in bytes: the largest message to this client has room for about 1,600 ids.
    static let maximumPayload = PacketScreen.maximumMessage

    /// Parses a confirmation: the id of one record as text, or a JSON array of ids. One element that is no id makes
    /// the whole message malformed.
    ///
    /// Retained confirmations are refused: the consumer may have lost records since they were published.
    package static func parse(_ message: ReceivedMessage) -> ConfirmationMessage {
        if message.isRetained { return .malformed("expected a message that is not retained") }
        if message.isTooLong { return .malformed("expected at most \(maximumPayload) bytes") }
        let expected = "expected the id of a record, or a JSON array of ids"
        guard message.payload.first(where: { !isBlank($0) }) == UInt8(ascii: "[") else {
            let word = message.payload.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
            guard let id = RecordID(String(decoding: word, as: UTF8.self)) else { return .malformed(expected) }
            return .records([id])
        }
        // The expected form is more useful than the position of a syntax error.
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
