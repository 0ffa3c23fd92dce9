package import TrackEngine

/// How records become messages: pure values in, messages out; what is sent when is the sink's affair.
package protocol MessageFormat: Sendable {
    /// Which kinds of records there are messages for.
    var kinds: RecordKinds { get }

    /// The messages that carry the records, in their order; the counts add up to the number of records.
    ///
    /// The same records and mark give the same bytes, because a delivery may be tried again.
    ///
    /// - Parameters:
    ///   - records: at least one record, oldest first.
    ///   - isBacklog: whether newer records wait after these, so that the messages shall say that they are old.
    func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage]

    /// A retained message that shows where the object is now, sent ahead of a backlog; settles nothing. The record is a
    /// position.
    func latest(_ record: TrackRecord) -> MQTTMessage?

    /// Whether the latest has a topic of its own. Without one it is sent ahead of a backlog only: otherwise the newest
    /// record's own message is retained where it would go.
    var latestHasOwnTopic: Bool { get }

    /// What is published after each connect, before any record, and again when the birth topic says online.
    var announcements: [MQTTMessage] { get }

    /// The topic on which a consumer says "online" when it has (re)started and needs the announcements again.
    var birthTopic: String? { get }

    /// What the broker publishes when the connection is lost, in the consumers' own words and in place of the presence.
    var lastWill: MQTTMessage? { get }

    /// A topic on which commands come in the consumers' own words.
    var commandTopic: String? { get }

    /// Reads a message on ``commandTopic``; `nil` for one that is not in the consumers' own words.
    func request(_ message: IncomingMessage, allowed: Set<MQTTCommand>) -> CommandRequest?

    /// The answer to such a command; `nil` where there is none.
    func answer(_ command: MQTTCommand, json: [UInt8]) -> MQTTMessage?

    /// How the sink is doing, for consumers that show it; sent when something changed, at most every few seconds.
    func health(_ health: SinkHealth) -> MQTTMessage?
}

extension MessageFormat {
    /// Positions alone.
    package var kinds: RecordKinds { .location }

    /// Most formats keep the latest at a topic of its own.
    package var latestHasOwnTopic: Bool { true }

    /// Most formats announce nothing.
    package var announcements: [MQTTMessage] { [] }

    /// Most formats need not know when a consumer starts.
    package var birthTopic: String? { nil }

    /// Most formats leave it to the presence.
    package var lastWill: MQTTMessage? { nil }

    /// Most consumers have no commands of their own.
    package var commandTopic: String? { nil }

    /// As above.
    package func request(_ message: IncomingMessage, allowed: Set<MQTTCommand>) -> CommandRequest? { nil }

    /// As above.
    package func answer(_ command: MQTTCommand, json: [UInt8]) -> MQTTMessage? { nil }

    /// Most formats have nowhere to say it.
    package func health(_ health: SinkHealth) -> MQTTMessage? { nil }
}

/// A message and how many records its PUBACK settles.
package struct RecordMessage: Sendable, Hashable {
    /// What is published.
    package var message: MQTTMessage
    /// How many records, next in order, it carries.
    package var recordCount: Int

    /// Makes one.
    package init(_ message: MQTTMessage, recordCount: Int = 1) {
        self.message = message
        self.recordCount = recordCount
    }
}

/// What a sink tells its consumers about itself.
package struct SinkHealth: Sendable, Hashable {
    /// Records that wait for this sink, if known.
    package var queued: Int?
    /// When the broker last acknowledged a record.
    package var lastSuccess: Timestamp?
    /// The newest host status (battery), if known.
    package var host: HostStatus?

    /// Makes one.
    package init(queued: Int? = nil, lastSuccess: Timestamp? = nil, host: HostStatus? = nil) {
        self.queued = queued
        self.lastSuccess = lastSuccess
        self.host = host
    }
}
