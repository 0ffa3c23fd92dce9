import TrackEngine
import TrackEngineSimulated

/// One call of the store, or something that happens to it, with all its values: what a sequence without some of its moves
/// does follows from the rest alone, so that a failing sequence can be shrunk.
enum ModelMove: Sendable, Hashable {
    case append(count: Int, age: Int)
    /// A receiver takes a part of the next batch and refuses each `refusal`-th record.
    case deliver(sink: SinkID, limit: Int, taken: Int, refusal: Int)
    /// The last settlement comes once more.
    case settleAgain
    case prune(isClockConfirmed: Bool)
    case requeue(SinkID?)
    case drop(SinkID?)
    case configure(maxDays: Int, maxRecords: Int, maxBytes: Int64, keepSynced: Int, sinks: [SinkID])
    case clear
    case forgetCheckpoints
    /// The files as they are become the store, as after `kill -9`.
    case crash
    case reopen
    /// The wall clock moves, forwards or back.
    case clock(seconds: Int)
}

extension ModelMove {
    static let sinks: [SinkID] = ["a", "b"]

    /// A random sequence.
    ///
    /// - Parameter isBounded: whether the quota in bytes is among the settings, with appends that reach it.
    static func sequence(_ count: Int, isBounded: Bool, using random: inout SplitMix64) -> [ModelMove] {
        let goesBack = Bool.random(using: &random)
        let first = configuration(isBounded, using: &random)
        return [first] + (0..<count).map { _ in move(isBounded, goesBack, using: &random) }
    }

    private static func move(_ isBounded: Bool, _ goesBack: Bool, using random: inout SplitMix64) -> ModelMove {
        let sink = sinks[Int.random(in: 0...1, using: &random)]
        let some = Bool.random(using: &random) ? sink : nil
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<28:
            let count = isBounded ? Int.random(in: 50...400, using: &random) : Int.random(in: 1...9, using: &random)
            return .append(count: count, age: Int.random(in: 0...200_000, using: &random))
        case 28..<54:
            let limit = isBounded ? Int.random(in: 1...300, using: &random) : Int.random(in: 1...6, using: &random)
            return .deliver(
                sink: sink, limit: limit, taken: Int.random(in: 0...limit, using: &random),
                refusal: Int.random(in: 1...6, using: &random))
        case 54..<57: return .settleAgain
        case 57..<63: return .prune(isClockConfirmed: true)
        case 63..<65: return .prune(isClockConfirmed: false)
        case 65..<69: return .requeue(some)
        case 69..<72: return .drop(some)
        case 72..<77: return configuration(isBounded, using: &random)
        case 77..<78: return .clear
        case 78..<80: return .forgetCheckpoints
        case 80..<86: return .crash
        case 86..<90: return .reopen
        default:
            let forwards = [Int.random(in: 1...60_000, using: &random), 86_400, 8 * 86_400]
            let jumps = goesBack ? forwards + [-86_400, -3_600] : forwards
            return .clock(seconds: jumps[Int.random(in: 0..<jumps.count, using: &random)])
        }
    }

    private static func configuration(_ isBounded: Bool, using random: inout SplitMix64) -> ModelMove {
        let choices: [[SinkID]] = [["a", "b"], ["a", "b"], ["a"], []]
        return .configure(
            maxDays: isBounded ? 0 : [0, 1, 2].randomElement(using: &random) ?? 0,
            maxRecords: isBounded ? 0 : [0, 0, 12].randomElement(using: &random) ?? 0,
            maxBytes: isBounded ? 1 << 18 : 0,
            keepSynced: isBounded ? 0 : [0, 0, 1].randomElement(using: &random) ?? 0,
            sinks: choices.randomElement(using: &random) ?? [])
    }
}
