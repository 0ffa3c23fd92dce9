/// The tracker's own events in a live source's track: pauses, its end, and the power supply.
extension TrackState {
    /// Sets the kinds of the tracker's own events to record from now on.
    mutating func tell(_ kinds: RecordKinds) { telling.kinds = timeBase == .arrival ? kinds : [] }

    /// Ends the leg for a pause, if one has begun, and records that.
    mutating func beginPause(_ environment: SourceProcessorEnvironment, _ notes: inout StepNotes) {
        let rules = environment.rules
        policy.endedLegs = rules.endedLegs
        let latest = latest  // read before the leg ends, after which the pipeline has no latest fix
        stopRecording(&notes)
        guard rules.isStopped, let fix = telling.pause(at: latest) else { return }
        tell(.action(.paused), at: fix, environment, &notes)
    }

    /// Records that a pause has ended, at the position where it began, if its beginning was recorded.
    mutating func endPause(_ environment: SourceProcessorEnvironment, _ notes: inout StepNotes) {
        guard let fix = telling.paused else { return }
        tell(.action(.resumed), at: fix, environment, &notes)
        telling.resumed()
    }

    /// Records that the tracker stops, at the newest fix.
    mutating func tellEnd(_ environment: SourceProcessorEnvironment, _ notes: inout StepNotes) {
        guard telling.kinds.contains(.action), let fix = latest else { return }
        tell(.action(.willTerminate), at: fix, environment, &notes)
    }

    /// Records a change of the power supply.
    mutating func notePower(_ environment: SourceProcessorEnvironment, _ notes: inout StepNotes) {
        guard telling.kinds.contains(.power), let state = environment.hostStatus()?.batteryState,
            telling.isNews(state)
        else { return }
        if telling.power != nil, let fix = latest { tell(.power, at: fix, environment, &notes) }
        telling.power = state
    }

    /// Records an event at the position of a fix, at the machine's time, or at the time of the fix if that is later.
    private mutating func tell(
        _ content: RecordContent, at fix: Fix, _ environment: SourceProcessorEnvironment, _ notes: inout StepNotes
    ) {
        let found = notes.events.count
        notes.note(
            DetectorEvent(content, at: fix.kept(at: max(environment.wallClock(), fix.time))),
            isMoving: pipeline.value.isMoving, odometer: pipeline.value.odometer)
        notes.give(context, toEventsFrom: found)
    }
}

extension Fix {
    /// Returns the same position at another time, without the values measured only at the old time.
    fileprivate func kept(at time: Timestamp) -> Fix {
        time == self.time
            ? self
            : Fix(time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy)
    }
}
