import TrackEngine
package import TrackEngineHistory

/// The contents of a request: points to keep, elements that are no points with the reasons, and values that are only
/// shown.
package struct RequestContent: Sendable, Hashable {
    /// The points in the order of the request.
    package var points: [ReceivedPoint] = []
    /// How many points earlier portions of the request had.
    private var earlierPoints = 0
    /// The first elements that are no points, each with the reason; at most ``listedRefusals``.
    package private(set) var refusals: [Rejection] = []
    /// How many points are kept without a value that cannot be read, by its name.
    package private(set) var unread: [String: Int] = [:]
    /// The number of elements that are no points.
    package private(set) var refusalCount = 0
    /// The present position of the device, while older points still wait in the sender: Overland's `current`. It is
    /// not kept, because it comes again as a point.
    package var current: ReceivedPoint?
    /// The current trip, as Overland reports it.
    package var trip: SenderTrip?

    /// True when the reply has to be one that Overland understands, regardless of the format of the points.
    var isFromOverland = false

    /// The number of elements that are valid messages without a position, as their sender intends.
    package private(set) var otherCount = 0
    /// The number of elements that have no part of the format.
    private var foreignCount = 0
    /// The expectation that the first element without a readable place or time did not meet.
    private var incompleteReason: String?
    /// The number of elements of the format that are no points.
    private var unusableCount = 0

    /// How many refusals are listed.
    static let listedRefusals = 100

    /// An empty reception.
    package init() {}

    /// An element of a request that is no point.
    package struct Rejection: Sendable, Hashable {
        /// Its place in the request, from 0.
        package let index: Int
        /// The expected format, or the actual kind of the element.
        package let reason: String
    }

    /// How many points the request has.
    package var pointCount: Int { earlierPoints + points.count }

    /// Continues with a later portion of the same request. Kept points and listed refusals of a portion are not held;
    /// only the number of its points stays, for the reply.
    package mutating func join(_ next: RequestContent) {
        earlierPoints = pointCount + next.pointCount
        current = next.current ?? current
        trip = next.trip
        isFromOverland = isFromOverland || next.isFromOverland
    }

    /// Takes the next element of the request.
    mutating func take(_ result: Result<ReceivedPoint, PointProblem>) {
        switch result {
        case .success(let point):
            for name in point.unread { unread[name, default: 0] += 1 }
            points.append(point)
        case .failure(let problem) where problem.kind == .otherMessage: otherCount += 1
        case .failure(let problem):
            if refusals.count < Self.listedRefusals {
                refusals.append(Rejection(index: pointCount + otherCount + refusalCount, reason: problem.description))
            }
            refusalCount += 1
            if problem.kind == .incomplete, incompleteReason == nil { incompleteReason = problem.description }
            switch problem.kind {
            case .foreign: foreignCount += 1
            case .incomplete, .unusable: unusableCount += 1
            case .unread, .otherMessage: break
            }
        }
    }

    /// Returns this reception, unless the whole request is in another format: a sender with the wrong address must
    /// not get the reply that its points are kept.
    func ofOwnFormat() throws(UnreadableRequest) -> RequestContent {
        guard foreignCount > 0, unusableCount == 0, otherCount == 0, points.isEmpty, let first = refusals.first else {
            return self
        }
        throw UnreadableRequest(first.reason)
    }

    /// This reception of a sender of single points, unless its place or time cannot be read. Such senders are given
    /// an address that a person writes, and with a wrong one no point would ever be kept.
    func ofSinglePoints() throws(UnreadableRequest) -> RequestContent {
        guard points.isEmpty, let incompleteReason else { return self }
        throw UnreadableRequest(incompleteReason)
    }

    /// Whether there are points, and all of them lie after a moment.
    func liesAll(after latest: Timestamp) -> Bool {
        !points.isEmpty && points.allSatisfy { $0.point.fix.time > latest }
    }

    /// Whether a point lies after a moment.
    private func hasPoints(after latest: Timestamp) -> Bool { points.contains { $0.point.fix.time > latest } }

    /// This reception with points refused that lie after a moment.
    func refusingPoints(after latest: Timestamp) -> RequestContent {
        var checked = self
        if let current, current.point.fix.time > latest { checked.current = nil }
        guard hasPoints(after: latest) else { return checked }
        checked.points = []
        for point in points {
            guard point.point.fix.time > latest else {
                checked.points.append(point)
                continue
            }
            checked.take(
                .failure(PointProblem(.unusable, "expected a time that is not days ahead of the server's clock")))
        }
        return checked
    }

    /// Names the device of the points that name none.
    mutating func setDevice(_ device: String) {
        for index in points.indices where points[index].device == nil { points[index].device = device }
        if current?.device == nil { current?.device = device }
    }
}

/// A point, and the sender's name for the device.
package struct ReceivedPoint: Sendable, Hashable {
    /// The name that the sender gives the device. The server decides which sender may write under which name.
    package var device: String?
    /// The position of the device.
    package var point: HistoryPoint
    /// The names of its values that cannot be read, and without which it is kept.
    let unread: [String]
}

/// A trip that a sender reports as under way.
package struct SenderTrip: Sendable, Hashable {
    /// The sender's word: `bicycle`, `train` and so on; at most ``longestText`` bytes.
    package let mode: String
    /// The begin, as the sender writes it.
    package let start: String
    /// Its length in metres, by the sender's own measure.
    package let distance: Double?

    /// How many bytes of a text of a trip are kept.
    static let longestText = 64
}

/// The reason why an element of a request is no point.
struct PointProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The consequence for the request as a whole.
    enum Kind: Sendable, Hashable {
        /// It has no part of the expected format.
        case foreign
        /// Its place or its time is missing or cannot be read, or the place is not on the earth.
        case incomplete
        /// It is of the format, and cannot be kept.
        case unusable
        /// It is of the format, and its sender does not mean it for a point.
        case otherMessage
        /// It was not read.
        case unread
    }

    let kind: Kind
    let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
