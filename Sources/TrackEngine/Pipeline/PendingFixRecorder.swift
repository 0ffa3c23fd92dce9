/// The recorder of a rule that decides about fixes later.
///
/// One word in size, because each fix passes through the pipeline with every rule. A recorder stored within the
/// pipeline would cost more there than all other parts.
enum PendingFixRecorder: Sendable, Hashable {
    /// The rule decides at once. Also the state while the recorder is taken out to be changed.
    case none
    /// The rule is `deviation`.
    case deviation(Box<DeviationRecorder>)

    /// Creates the recorder of a configuration's rule.
    init(_ configuration: RecordingConfiguration) {
        self = DeviationRecorder(configuration).map { .deviation(Box($0)) } ?? .none
    }

    /// Whether the rule decides late.
    var isPresent: Bool { if case .deviation = self { true } else { false } }

    /// The moment at which the newest fix must be recorded even if it is not needed.
    var deadline: TrackInstant? {
        guard case .deviation(let recorder) = self else { return nil }
        return recorder.value.deadline
    }

    /// Returns the earlier one of two deadlines. Never inlined, so that rules without a recorder have no cost.
    @inline(never)
    func deadline(orEarlier other: TrackInstant?) -> TrackInstant? {
        guard let deadline else { return other }
        return min(deadline, other ?? deadline)
    }

    /// Whether fixes have come after the last recorded one.
    var hasUndecided: Bool {
        guard case .deviation(let recorder) = self else { return false }
        return recorder.value.hasUndecided
    }

    /// Returns the same state under another configuration.
    func reconfigured(_ configuration: RecordingConfiguration) -> PendingFixRecorder {
        guard case .deviation(let recorder) = self else { return PendingFixRecorder(configuration) }
        return recorder.value.reconfigured(configuration).map { .deviation(Box($0)) } ?? .none
    }
}
