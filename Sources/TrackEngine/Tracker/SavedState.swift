/// How much of a track's state the store has.
struct SavedState: Sendable {
    /// The last checkpoint in the store; an event without a new position is stored with it.
    var checkpoint: SourceCheckpoint?
    /// The position in a recording up to which the store has records.
    var progress = RecordingProgress.none
    /// Whether the store has the present state.
    var isCurrent = true
    /// Whether the store has a state in which the object is hidden.
    private var showsHidden = false

    /// Notes the last record of an earlier run, of this or another recording.
    mutating func note(_ last: SourceCheckpoint?) {
        if let last { progress = .stored(last) }
    }

    /// Notes that the track continues from the last record of an earlier run.
    mutating func resume(_ last: SourceCheckpoint?) {
        guard let last else { return }
        (checkpoint, progress) = (last, .taken(last.last.fix))
    }

    /// Notes that a recording is read from its start.
    mutating func beginRecording() {
        // It is another one than that of the earlier run.
        if case .stored = progress { progress = .none }
    }

    /// Notes that a step is taken over. Returns whether the object is hidden, and the store does not show that.
    mutating func adopt(_ notes: borrowing StepNotes, isHidden: Bool) -> Bool {
        if let fix = notes.reference { progress = .taken(fix) }
        if !isHidden { showsHidden = false }
        let isNewlyHidden = isHidden && !showsHidden
        if notes.fixes > 0 || isNewlyHidden { isCurrent = false }
        return isNewlyHidden
    }

    /// The checkpoint for a state without a new checkpoint. A recording without a checkpoint begins from its start.
    func checkpoint(_ environment: SourceProcessorEnvironment) -> SourceCheckpoint? {
        if checkpoint != nil || environment.isRecording { return checkpoint }
        return .withoutPlace(of: environment.source.id, device: environment.device)
    }

    /// Notes that the store has the state of a track.
    mutating func save(_ track: TrackState) {
        isCurrent = true
        showsHidden = track.isConcealed
    }

    /// Notes that the store has a checkpoint, with the state of a track unless neither events nor the tracker's own
    /// events are recorded.
    mutating func save(_ checkpoint: SourceCheckpoint?, of track: TrackState) {
        guard let checkpoint, !checkpoint.detectorState.isEmpty else { return }
        self.checkpoint = checkpoint
        showsHidden = track.isConcealed
    }
}

/// The state in which an earlier run left a source's track, as far as the rules of this run let it be known.
struct SavedRun: Sendable {
    /// The checkpoint; absent if its position is hidden now: the source begins afresh.
    let checkpoint: SourceCheckpoint?
    /// The odometer, in metres.
    let odometer: Double?
    /// The rest of its state; absent if the hidden areas have changed.
    let state: SourceProcessorState?
    /// Whether there is a state that cannot be read.
    let isDamaged: Bool

    init(_ checkpoint: SourceCheckpoint?, odometer: Double?, state bytes: [UInt8]?, under rules: PositionRules) {
        self.odometer = odometer
        self.checkpoint = checkpoint.flatMap { $0.hasPlace && !rules.hides($0.last.fix) ? $0 : nil }
        let read = bytes.flatMap { SourceProcessorState($0) }
        isDamaged = bytes != nil && read == nil
        state = read.flatMap { $0.signature == rules.signature ? $0 : nil }
    }
}

/// The position in a recording up to which the store has records.
enum RecordingProgress {
    /// No records, or the source is no recording.
    case none
    /// The last record of an earlier run, of this or another recording. To `taken` or `none`.
    case stored(SourceCheckpoint)
    /// The last record of this recording.
    case taken(Fix)
}
