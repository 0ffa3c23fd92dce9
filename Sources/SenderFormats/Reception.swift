package import TrackEngineHistory

/// What a request says: points to be kept, what cannot be kept and why, and what is only to be shown.
package struct Reception: Sendable, Hashable {
    /// The points in the order of the request.
    package var points: [ReceivedPoint] = []
    /// The first of what is no point, each with the reason; at most ``listedRefusals``.
    package private(set) var refusals: [Refusal] = []
    /// How many elements are no points.
    package private(set) var refusalCount = 0
    /// Where the device is now, while older points still wait in the sender: Overland's `current`. Not kept, because it comes
    /// again as a point.
    package var current: ReceivedPoint?
    /// The trip that is under way, as Overland tells it.
    package var trip: TripUnderWay?

    /// How many elements have nothing of the format.
    private var foreignCount = 0

    /// How many refusals are listed.
    package static let listedRefusals = 100

    /// Nothing.
    package init() {}

    /// Something in a request that is no point.
    package struct Refusal: Sendable, Hashable {
        /// Its place in the request, from 0.
        package let index: Int
        /// What was expected, or what it is instead.
        package let reason: String
    }

    /// Takes the next element of the request.
    mutating func take(_ result: Result<ReceivedPoint, PointProblem>) {
        switch result {
        case .success(let point): points.append(point)
        case .failure(let problem):
            if refusals.count < Self.listedRefusals {
                refusals.append(Refusal(index: points.count + refusalCount, reason: problem.description))
            }
            refusalCount += 1
            if problem.isForeign { foreignCount += 1 }
        }
    }

    /// This reception, unless all that came is of another format: a sender that was pointed to the wrong address must not
    /// be told that its points are kept.
    func ofOwnFormat() throws(UnreadableRequest) -> Reception {
        guard foreignCount > 0, foreignCount == points.count + refusalCount, let first = refusals.first else {
            return self
        }
        throw UnreadableRequest(first.reason)
    }

    /// Names the device of the points that name none.
    mutating func setDevice(_ device: String) {
        for index in points.indices where points[index].device == nil { points[index].device = device }
        if current?.device == nil { current?.device = device }
    }
}

/// A point, and what its sender calls the device.
package struct ReceivedPoint: Sendable, Hashable {
    /// The name that the sender gives the device; who may write under which name is for the server to decide.
    package var device: String?
    /// Where it was.
    package var point: HistoryPoint
}

/// A trip that a sender says is under way.
package struct TripUnderWay: Sendable, Hashable {
    /// The sender's word: `bicycle`, `train` and so on; at most ``longestMode`` bytes.
    package let mode: String
    /// When it began, as the sender writes it.
    package let start: String
    /// Its length in metres, by the sender's own measure.
    package let distance: Double?

    /// How many bytes of a text of a trip are kept.
    static let longestText = 64
}

/// Why something in a request is no point.
struct PointProblem: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String
    /// Whether it has nothing of the format that was expected.
    let isForeign: Bool

    init(_ description: String, isForeign: Bool = false) {
        self.description = description
        self.isForeign = isForeign
    }
}
