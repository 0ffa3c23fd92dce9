public import TrackEngine

/// A record as a receiver holds it.
public struct ReceivedRecord: Sendable, Hashable {
    /// The record's name.
    public let id: RecordID
    /// All of it, in a form in which equal records are equal texts.
    public let payload: String

    /// A record as received.
    public init(id: RecordID, payload: String) {
        self.id = id
        self.payload = payload
    }
}

/// What ``SinkLaws`` need to judge a sink: the sink, and the far end, seen and moved by other means than the sink.
public struct SinkBench: Sendable {
    /// What the receiver can be made to do. Laws about anything else are not examined.
    public var capabilities: Set<Capability>
    /// Makes a sink for a receiver in the given mood; sinks for different moods may share one receiver.
    public var makeSink: @Sendable (Mood) async throws -> any FixSink
    /// What the receiver holds for good, in order of arrival, repetitions included.
    public var received: @Sendable () async throws -> [ReceivedRecord]
    /// How many deliveries have reached the receiver, whatever became of them. Asked only where it can be silent.
    public var attempts: @Sendable () async throws -> Int
    /// Makes the receiver unreachable.
    public var takeDown: @Sendable () async throws -> Void
    /// Makes the receiver reachable again, with what it held.
    public var bringUp: @Sendable () async throws -> Void

    /// What not every receiver can be made to do: a file, say, refuses nothing and is always there.
    public enum Capability: Sendable, Hashable, CaseIterable {
        /// It can refuse a record: ``Mood/refusing(_:)``.
        case refusal
        /// It can take in a delivery and never answer: ``Mood/silent``.
        case silence
        /// It can be taken down and brought up again.
        case outage
    }

    /// How a receiver treats deliveries.
    public enum Mood: Sendable, Hashable {
        /// It takes them.
        case willing
        /// It takes in a delivery and never answers.
        case silent
        /// It refuses all deliveries that contain this record.
        case refusing(RecordID)
    }

    /// A bench made of its parts; by default its receiver can do everything.
    public init(
        capabilities: Set<Capability> = Set(Capability.allCases),
        makeSink: @escaping @Sendable (Mood) async throws -> any FixSink,
        received: @escaping @Sendable () async throws -> [ReceivedRecord],
        attempts: @escaping @Sendable () async throws -> Int = { 0 },
        takeDown: @escaping @Sendable () async throws -> Void = {},
        bringUp: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.capabilities = capabilities
        self.makeSink = makeSink
        self.received = received
        self.attempts = attempts
        self.takeDown = takeDown
        self.bringUp = bringUp
    }
}
