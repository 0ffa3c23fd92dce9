package import TrackEngine
package import TrackEngineSettings

/// Converts records to messages: values in, messages out. The sink decides which message is sent when.
package protocol MessageFormat: Sendable {
    /// The kinds of record that have messages.
    var kinds: RecordKinds { get }

    /// The messages with the records, in order; their counts add up to the number of records.
    ///
    /// The same records and mark give the same bytes, because a delivery may be tried again.
    ///
    /// - Parameters:
    ///   - records: at least one record, oldest first.
    ///   - isBacklog: whether newer records wait after these; then the messages are marked as old.
    func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage]

    /// A retained message with the object's current position, sent ahead of a backlog; it settles no record. The
    /// record is a position.
    func latest(_ record: TrackRecord) -> MQTTMessage?

    /// Whether the latest record has a topic of its own. Without one it is only sent ahead of a backlog: otherwise
    /// the newest record's own message is retained on the same topic.
    var latestHasOwnTopic: Bool { get }

    /// The messages published after each connect, before any record, and again after a birth message.
    var announcements: [MQTTMessage] { get }

    /// The topic on which a consumer publishes "online" when it has (re)started and needs the announcements again.
    var birthTopic: String? { get }

    /// The message that the broker publishes when the connection is lost, in the consumers' format and instead of
    /// the presence.
    var lastWill: MQTTMessage? { get }

    /// A topic for commands in the consumers' format.
    var commandTopic: String? { get }

    /// Parses a message on ``commandTopic``; `nil` for one that is not in the consumers' format.
    ///
    /// - Throws: the reason for its rejection.
    func request(_ message: ReceivedMessage, allowed: Set<MQTTCommand>) throws(RemoteRejection) -> RemoteRequest?

    /// The reply to such a command; `nil` where there is none.
    func answer(_ command: MQTTCommand, json: [UInt8]) -> MQTTMessage?

    /// The sink's health, for consumers that show it; sent after changes, at most every few seconds.
    func health(_ health: SinkHealth) -> MQTTMessage?
}

extension MessageFormat {
    /// Only positions.
    package var kinds: RecordKinds { .location }

    /// Most formats have a topic of its own for the latest record.
    package var latestHasOwnTopic: Bool { true }

    /// Most formats have no announcements.
    package var announcements: [MQTTMessage] { [] }

    /// Most formats do not need a consumer's birth message.
    package var birthTopic: String? { nil }

    /// Most formats use the presence.
    package var lastWill: MQTTMessage? { nil }

    /// Most consumers have no commands of their own.
    package var commandTopic: String? { nil }

    /// Most consumers have no commands of their own.
    package func request(
        _ message: ReceivedMessage, allowed: Set<MQTTCommand>
    ) throws(RemoteRejection) -> RemoteRequest? { nil }

    /// Most consumers have no commands of their own.
    package func answer(_ command: MQTTCommand, json: [UInt8]) -> MQTTMessage? { nil }

    /// Most formats have no message for it.
    package func health(_ health: SinkHealth) -> MQTTMessage? { nil }
}

/// A message and the number of records that its PUBACK settles.
package struct RecordMessage: Sendable, Hashable {
    /// The message to publish.
    package var message: MQTTMessage
    /// The number of records in it, next in order.
    package var recordCount: Int

    /// Creates a message with its count.
    package init(_ message: MQTTMessage, recordCount: Int = 1) {
        self.message = message
        self.recordCount = recordCount
    }
}

/// The health of a sink, for its consumers.
package struct SinkHealth: Sendable, Hashable {
    /// The number of records that wait for this sink, if known.
    package var queued: Int?
    /// The time when the broker last acknowledged a record.
    package var lastSuccess: Timestamp?
    /// The newest host status (battery), if known.
    package var host: HostStatus?

    /// Creates a health report.
    package init(queued: Int? = nil, lastSuccess: Timestamp? = nil, host: HostStatus? = nil) {
        self.queued = queued
        self.lastSuccess = lastSuccess
        self.host = host
    }
}
