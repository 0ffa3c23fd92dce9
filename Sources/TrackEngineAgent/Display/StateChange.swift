package import Logging

/// A change in a running agent. It contains no position, because it goes into logs.
package struct StateChange: Sendable, Hashable {
    /// The part of the agent that has changed.
    package enum Subject: String, Sendable, Hashable {
        case source, sink, store, tracking
    }

    /// The part of the agent that has changed.
    package let subject: Subject
    /// The name of the source or sink; the store has none.
    package let name: String?
    /// The new state in a few words: `receiving`, `backing off`.
    package let state: String
    /// Additional details.
    package let detail: String?
    /// Whether the change needs attention.
    package let isTrouble: Bool

    init(_ subject: Subject, _ name: String? = nil, _ state: String, _ detail: String? = nil, isTrouble: Bool = false) {
        self.subject = subject
        self.name = name
        self.state = state
        self.detail = detail
        self.isTrouble = isTrouble
    }

    /// The change for users: `sink home: backing off: 503 Service Unavailable`.
    package var line: String {
        let whole = [name.map { "\(subject) \($0)" } ?? "\(subject)", state, detail]
        return whole.compactMap(\.self).joined(separator: ": ")
    }

    /// The log level of the change.
    package var level: Logger.Level { isTrouble ? .warning : .notice }

    /// The metadata for a log, where the message is always the same.
    package var metadata: Logger.Metadata {
        var facts: Logger.Metadata = ["state": "\(state)"]
        if let name { facts["\(subject)"] = "\(name)" }
        if let detail { facts["detail"] = "\(detail)" }
        return facts
    }
}
