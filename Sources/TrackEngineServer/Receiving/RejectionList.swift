import CoreMetrics
import TrackEngine

/// The newest elements of senders' requests that are no points, for people who search for missing points.
final class RejectionList: Sendable {
    /// One of them.
    struct Entry: Sendable, Hashable {
        let time: Timestamp
        let sender: DeviceID
        let format: String
        let reason: String
    }

    /// How many are kept.
    static let limit = 200

    private let state = SystemMutex((entries: [Entry](), total: 0))
    private let counter: Counter

    /// An empty list.
    ///
    /// - Parameter counter: counts the added entries.
    init(counter: Counter) { self.counter = counter }

    /// Adds the refusals of a reception, and the values without which its points are kept; these are not counted.
    func add(_ reception: RequestContent, from sender: DeviceID, in format: String, at time: Timestamp) {
        guard reception.refusalCount > 0 || !reception.unread.isEmpty else { return }
        let unread = reception.unread.sorted { $0.key < $1.key }.map { name, count in
            "expected a number in '\(name)', without which \(count == 1 ? "a point is" : "\(count) points are") kept"
        }
        let reasons = reception.refusals.suffix(Self.limit).map(\.reason) + unread
        add(
            reasons.map { Entry(time: time, sender: sender, format: format, reason: ReceiverText.bounded($0)) },
            counting: reception.refusalCount)
    }

    /// Adds points that are refused for one reason.
    func add(_ count: Int, _ reason: String, from sender: DeviceID, in format: String, at time: Timestamp) {
        guard count > 0 else { return }
        let entry = Entry(time: time, sender: sender, format: format, reason: reason)
        add([entry], counting: count)
    }

    /// Adds a request that could not be read at all.
    func add(_ problem: UnreadableRequest, from sender: DeviceID, in format: String, at time: Timestamp) {
        let entry = Entry(
            time: time, sender: sender, format: format, reason: ReceiverText.bounded(problem.description))
        add([entry], counting: 1)
    }

    private func add(_ newest: [Entry], counting count: Int) {
        counter.increment(by: count)
        state.withLock { state in
            state.total += count
            state.entries = Array((state.entries + newest).suffix(Self.limit))
        }
    }

    /// The newest ones, oldest first, and how many there were in all but values alone.
    var current: (entries: [Entry], total: Int) { state.withLock { $0 } }
}
