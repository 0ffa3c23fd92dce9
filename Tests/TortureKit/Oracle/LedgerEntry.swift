import TrackEngine

/// One line of the ledger that a workload keeps outside the reach of the faults: what it was about to do, and what the
/// store has answered.
package enum LedgerEntry: Hashable, Sendable {
    /// What comes now: a word for the report.
    case phase(String)
    /// The store is open.
    case opened
    /// A record is about to be appended.
    case intent(number: Int)
    /// The append of a record has returned.
    case accepted(number: Int, sequence: Int64)
    /// The append of a record has thrown.
    case failed(number: Int)
    /// A sink's receiver has got all records of its queue up to here; the settlement follows.
    case delivered(sink: SinkID, through: Int64)
    /// The settlement has returned.
    case settled(sink: SinkID, through: Int64)
    /// A receiver has refused a record; the settlement follows.
    case refusing(sink: SinkID, sequence: Int64)
    /// The settlement that makes it a dead letter has returned.
    case refused(sink: SinkID, sequence: Int64)
    /// The store was closed and says that records whose append threw may be there.
    case unsure
    /// A call has thrown.
    case error(code: String)
    /// The store could not be opened, for good.
    case gaveUp
    /// The workload has ended in order.
    case ended
}

extension LedgerEntry {
    /// The line, without its end.
    package var line: String {
        switch self {
        case .phase(let name): "phase \(name)"
        case .opened: "opened"
        case .intent(let number): "intent \(number)"
        case .accepted(let number, let sequence): "accepted \(number) \(sequence)"
        case .failed(let number): "failed \(number)"
        case .delivered(let sink, let place): "delivered \(sink.rawValue) \(place)"
        case .settled(let sink, let place): "settled \(sink.rawValue) \(place)"
        case .refusing(let sink, let place): "refusing \(sink.rawValue) \(place)"
        case .refused(let sink, let place): "refused \(sink.rawValue) \(place)"
        case .unsure: "unsure"
        case .error(let code): "error \(code)"
        case .gaveUp: "gave-up"
        case .ended: "ended"
        }
    }

    /// Reads a line; `nil` when it is none, such as one that a kill has cut.
    package init?(line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        let numbers = words.dropFirst().map { Int64($0) ?? -1 }
        let sink = SinkID(rawValue: words.count > 1 ? words[1] : "")
        switch (words.first, words.count) {
        case ("phase", 2): self = .phase(words[1])
        case ("opened", 1): self = .opened
        case ("intent", 2): self = .intent(number: Int(numbers[0]))
        case ("accepted", 3): self = .accepted(number: Int(numbers[0]), sequence: numbers[1])
        case ("failed", 2): self = .failed(number: Int(numbers[0]))
        case ("delivered", 3): self = .delivered(sink: sink, through: numbers[1])
        case ("settled", 3): self = .settled(sink: sink, through: numbers[1])
        case ("refusing", 3): self = .refusing(sink: sink, sequence: numbers[1])
        case ("refused", 3): self = .refused(sink: sink, sequence: numbers[1])
        case ("unsure", 1): self = .unsure
        case ("error", 2): self = .error(code: words[1])
        case ("gave-up", 1): self = .gaveUp
        case ("ended", 1): self = .ended
        default: return nil
        }
    }

    /// All whole lines of a ledger.
    package static func entries(of text: String) -> [LedgerEntry] {
        text.split(separator: "\n").compactMap(LedgerEntry.init)
    }
}
