/// The tracker's own events in a live source's track: pauses, its end, and the power supply.
extension TrackState {
    /// Sets the kinds of the tracker's own events to record from now on.
    mutating func recordOwnEvents(_ kinds: RecordKinds) { ownEvents.kinds = timeBase == .arrival ? kinds : [] }

    /// Ends the leg for a pause, if one has begun, and records that.
    mutating func beginPause(_ environment: SourceProcessorEnvironment, _ notes: inout StepNotes) {
        let rules = environment.rules
        policy.endedLegs = rules.endedLegs
        let latest = latest  // read before the leg ends, after which the pipeline has no latest fix
        stopRecording(&notes)
        guard rules.isStopped, let fix = ownEvents.pause(at: latest) else { return }
        record(.action(.paused), at: fix, environment, &notes)
    }

    /// Records that a pause has ended, at the position where it began, if its beginning was recorded.
    mutating func endPause(_ environment: SourceProcessorEnvironment, _ notes: inout StepNotes) {
        guard let fix = ownEvents.paused else { return }
        record(.action(.resumed), at: fix, environment, &notes)
        ownEvents.resumed()
    }

    /// Records that the tracker stops, at the newest fix.
    mutating func noteEnd(_ environment: SourceProcessorEnvironment, _ notes: inout StepNotes) {
        guard ownEvents.kinds.contains(.action), let fix = latest else { return }
        record(.action(.willTerminate), at: fix, environment, &notes)
    }

    /// Records a change of the power supply.
    mutating func notePower(_ environment: SourceProcessorEnvironment, _ notes: inout StepNotes) {
        guard ownEvents.kinds.contains(.power), let state = environment.hostStatus()?.batteryState,
            ownEvents.isNews(state)
        else { return }
        if ownEvents.power != nil, let fix = latest { record(.power, at: fix, environment, &notes) }
        ownEvents.power = state
    }

    /// Records an event at the position of a fix, at the machine's time, or at the time of the fix if that is later.
    private mutating func record(
        _ content: RecordContent, at fix: Fix, _ environment: SourceProcessorEnvironment, _ notes: inout StepNotes
    ) {
        let found = notes.events.count
        notes.note(
            DetectorEvent(content, at: fix.moved(to: max(environment.wallClock(), fix.time))),
            isMoving: pipeline.value.isMoving, odometer: pipeline.value.odometer)
        notes.give(context, toEventsFrom: found)
    }
}

extension Fix {
    /// Returns the same position at another time, without the values measured only at the old time.
    fileprivate func moved(to time: Timestamp) -> Fix {
        time == self.time
            ? self
            : Fix(time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy)
    }
}
