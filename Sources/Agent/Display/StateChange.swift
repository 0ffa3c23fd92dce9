package import Logging

/// Something about a running agent that has changed. It names no position: it goes into logs.
package struct StateChange: Sendable, Hashable {
    /// What it is about.
    package enum Subject: String, Sendable, Hashable {
        case source, sink, store, tracking
    }

    /// What it is about.
    package let subject: Subject
    /// The name of the source or sink; the store has none.
    package let name: String?
    /// What holds from now on, in a few words: `receiving`, `backing off`.
    package let state: String
    /// What there is to say besides.
    package let detail: String?
    /// Whether somebody should look.
    package let isTrouble: Bool

    init(_ subject: Subject, _ name: String? = nil, _ state: String, _ detail: String? = nil, isTrouble: Bool = false) {
        self.subject = subject
        self.name = name
        self.state = state
        self.detail = detail
        self.isTrouble = isTrouble
    }

    /// For a person: `sink home: backing off: 503 Service Unavailable`.
    package var line: String {
        let whole = [name.map { "\(subject) \($0)" } ?? "\(subject)", state, detail]
        return whole.compactMap(\.self).joined(separator: ": ")
    }

    /// How important it is.
    package var level: Logger.Level { isTrouble ? .warning : .notice }

    /// For a log: the message is always the same, and these are its facts.
    package var metadata: Logger.Metadata {
        var facts: Logger.Metadata = ["state": "\(state)"]
        if let name { facts["\(subject)"] = "\(name)" }
        if let detail { facts["detail"] = "\(detail)" }
        return facts
    }
}
