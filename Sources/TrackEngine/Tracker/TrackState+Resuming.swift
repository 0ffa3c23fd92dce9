/// Continuing a track: after a restart, and after a change of the rules about positions.
extension TrackState {
    /// Continues from an earlier run. Returns whether the detector could read its state.
    mutating func resume(_ earlier: SavedRun, _ environment: SourceProcessorEnvironment) -> Bool {
        let isRecording = environment.isRecording
        var isRead = true
        if let metres = earlier.odometer { pipeline.value.resume(odometer: metres) }
        let record = earlier.checkpoint?.last.fix.time
        if let state = earlier.state {
            isRead = detection?.value.resume(from: state, after: isRecording ? record : nil) != false
            ownEvents.goOn(paused: state.paused, power: state.power)
        }
        if let checkpoint = earlier.checkpoint {
            pipeline.value.resume(
                from: checkpoint, at: environment.watch.now, wallClock: environment.wallClock(), isAhead: isRecording)
            // A recording continues at the record, any other source after the last fix that was processed.
            if let odometer = earlier.state?.odometer, !isRecording || earlier.state?.last == record {
                pipeline.value.exactOdometer = odometer
            }
            policy.recording = .on
        }
        beginOffPlace(environment.rules)
        return isRead
    }

    /// Begins detection anew.
    mutating func beginDetection(_ detector: (any EventDetector)?, of source: any FixSource) {
        detection = detector.map { Box(EventDetection($0, of: source)) }
    }

    /// Replaces the detector; the new one continues from the state of the present one.
    mutating func replaceDetector(_ detector: (any EventDetector)?, of source: any FixSource) {
        detection = detector.map { detector in
            var next = EventDetection(detector, of: source)
            if let detection { next.goOn(from: detection.value) }
            return Box(next)
        }
    }

    /// Begins in the off state if the object is at a place where tracking is off, as far as known. Undecided fixes may
    /// lie at that place: they are not recorded.
    private mutating func beginOffPlace(_ rules: PositionRules) {
        guard !policy.isAtOffPlace, !rules.admits(latest, context) else { return }
        policy.recording = .offPlace(pipeline)
        pipeline.value.interrupt { _, _ in }
    }

    /// Adapts to a gate that has changed, unless recording is off everywhere.
    mutating func gateChanged(_ rules: PositionRules) {
        if rules.isOff { return }
        if !rules.admits(latest, context) {
            beginOffPlace(rules)
        } else if policy.isAtOffPlace {
            policy.recording = .on
        }
    }

    /// Begins the track anew, at the same odometer, if its newest position is hidden now. Returns whether it is.
    mutating func forgetHidden(_ configuration: RecordingConfiguration, _ rules: PositionRules) -> Bool {
        guard let latest, rules.privacyFilter?.covered(latest) != latest else { return false }
        let odometer = pipeline.value.odometer
        pipeline = Box(TrackPipeline(configuration, timeBase: timeBase))
        pipeline.value.resume(odometer: odometer)
        if policy.isAtOffPlace { policy.recording = .on }
        ownEvents.forgetPlace()
        return true
    }

    /// Returns the state that the next run needs in addition to the checkpoint; `nil` if neither events nor the
    /// tracker's own events are recorded.
    func saved(under rules: PositionRules) -> [UInt8]? {
        guard detection != nil || !ownEvents.kinds.isEmpty else { return nil }
        var state = SourceProcessorState(signature: rules.signature)
        detection?.value.write(to: &state)
        state.odometer = pipeline.value.exactOdometer
        (state.paused, state.power) = (ownEvents.paused, ownEvents.power)
        return state.bytes
    }
}
