/// What decides about fixes later than at once, if the recording rule does.
///
/// One word, because each fix goes through the pipeline with every rule, and a recorder within the pipeline costs more
/// there than all the rest.
enum LateRecorder: Sendable, Hashable {
    /// The rule decides at once. Also while the recorder is taken out to be changed.
    case none
    /// The rule is `deviation`.
    case deviation(Boxed<DeviationRecorder>)

    /// The recorder of a configuration's rule.
    init(_ configuration: RecordingConfiguration) {
        self = DeviationRecorder(configuration).map { .deviation(Boxed($0)) } ?? .none
    }

    /// Whether the rule decides late.
    var isPresent: Bool { if case .deviation = self { true } else { false } }

    /// When the newest fix must be recorded even if it were not needed.
    var deadline: TrackInstant? {
        guard case .deviation(let recorder) = self else { return nil }
        return recorder.value.deadline
    }

    /// The earlier one of two deadlines. Never inlined, so that rules without a recorder do not pay for it.
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

    /// The same state under another configuration.
    func reconfigured(_ configuration: RecordingConfiguration) -> LateRecorder {
        guard case .deviation(let recorder) = self else { return LateRecorder(configuration) }
        return recorder.value.reconfigured(configuration).map { .deviation(Boxed($0)) } ?? .none
    }
}
