/// Decisions without a new fix: by time, on request, and at the end of a track.
extension TrackState {
    /// Processes the deadlines up to a moment.
    mutating func timeout(at now: TrackInstant, _ notes: inout StepNotes) {
        pipeline.value.timeout(at: now) { notes.note($0, $1) }
        let isOff = policy.isAtOffPlace
        detect(givingContext: !isOff, &notes) { detection, report in
            detection.pass(to: now) { event in
                // The object's position must stay unknown; the end of an earlier trip is reported.
                if !isOff || event.content.kind.isOfTheWayBefore { report(event) }
            }
        }
    }

    /// Passes a request to the detector. Returns whether the detector fulfilled it.
    mutating func perform(_ request: EventRequest, _ notes: inout StepNotes) -> Bool {
        var isDone = false
        detect(&notes) { isDone = $0.perform(request, report: $1) }
        return isDone
    }

    /// Ends open events because the recording has ended.
    mutating func end(_ notes: inout StepNotes) { detect(&notes) { $0.end(report: $1) } }

    /// Notes the events that the detector finds, with the present state of the pipeline.
    private mutating func detect(
        givingContext: Bool = true, _ notes: inout StepNotes,
        _ body: (inout EventDetection, (DetectorEvent) -> Void) -> Void
    ) {
        guard detection != nil else { return }
        let (isMoving, odometer) = (pipeline.value.isMoving, pipeline.value.odometer)
        let found = notes.events.count
        if var boxed = detection.take() {
            body(&boxed.value) { notes.note($0, isMoving: isMoving, odometer: odometer) }
            detection = boxed
        }
        if givingContext { notes.give(context, toEventsFrom: found) }
    }

    /// Records the newest position.
    mutating func request(_ notes: inout StepNotes) {
        notes.movesReference = pipeline.value.request { notes.note($0, $1) }
    }

    /// Decides all undecided fixes.
    mutating func decideAll(_ notes: inout StepNotes) { pipeline.value.decideAll { notes.note($0, $1) } }
}
