extension SourceLane {
    // MARK: Events

    /// Replaces the detector; the new one continues from the state of the present one.
    func replaceDetector(_ detector: (any EventDetector)?) async {
        await takeTurn()
        detection = detector.map { detector in
            var next = newDetection(detector)
            if let detection { next.value.goOn(from: detection.value) }
            return next
        }
        showContext()
        timerSignal.raise()
        leaveTurn()
    }

    /// Reports the detector's context. Changes made by a step are reported with the step.
    func showContext() {
        let context = isOff ? nil : detection?.value.context
        log.update { $0.context = context }
        tellGate()
    }

    /// Passes a request to the detector. Returns whether the detector fulfilled it.
    func perform(_ request: EventRequest) async throws(CancellationError) -> Bool {
        await takeTurn()
        guard !isPaused, watching == nil else {
            leaveTurn()
            return false
        }
        var step = newStep()
        let isDone = step.perform(request)
        isStateKept = false
        do throws(CancellationError) { try await commit(step) } catch {
            leaveTurn()
            throw error
        }
        // A trip requested before the first fix has no event yet.
        await keepState()
        leaveTurn()
        return isDone
    }

    // MARK: The tracker's own events

    /// Sets the kinds of the tracker's own events to record from now on.
    func tell(_ kinds: RecordKinds) async {
        await takeTurn()
        telling.kinds = isLive ? kinds : []
        leaveTurn()
    }

    /// Records that a pause begins, at the newest fix.
    func tellPause(_ step: inout Step, at latest: Fix?) {
        guard let fix = step.telling.pause(at: latest) else { return }
        step.tell(.action(.paused), at: fix.kept(at: now(after: fix)))
    }

    /// Records that a pause has ended, at the position where it began, if its beginning was recorded.
    func resume(_ step: inout Step) {
        guard let fix = telling.paused else { return }
        step.tell(.action(.resumed), at: fix.kept(at: now(after: fix)))
        step.telling.resumed()
    }

    /// Records the end of a pause now, unless a fix has done so.
    func pauseEnded() async {
        await takeTurn()
        if !isPaused, telling.paused != nil {
            var step = newStep()
            resume(&step)
            try? await commit(step)  // cancelled while stopping: not recorded
        }
        leaveTurn()
    }

    /// Records that the tracker stops, at the newest fix.
    func tellEnd(_ step: inout Step) {
        guard telling.kinds.contains(.action), let fix = step.latest else { return }
        step.tell(.action(.willTerminate), at: fix.kept(at: now(after: fix)))
    }

    /// Records a change of the power supply.
    func notePower(_ step: inout Step) {
        guard telling.kinds.contains(.power), let state = environment.hostStatus()?.batteryState,
            telling.isNews(state)
        else { return }
        if telling.power != nil, let fix = step.latest {
            step.tell(.power, at: fix.kept(at: now(after: fix)))
        }
        step.telling.power = state
    }

    /// The machine's time, or the time of the fix if that is later.
    private func now(after fix: Fix) -> Timestamp { max(environment.wallClock(), fix.time) }
}

extension Fix {
    /// Returns the same position at another time, without the values measured only at the old time.
    fileprivate func kept(at time: Timestamp) -> Fix {
        time == self.time
            ? self
            : Fix(time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy)
    }
}
