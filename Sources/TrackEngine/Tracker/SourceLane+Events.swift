extension SourceLane {
    // MARK: Events

    /// Has another detector go on from what the present one knows.
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

    /// Shows what the detector knows; what a step changes is shown with the step.
    func showContext() {
        let context = isOff ? nil : detection?.value.context
        log.update { $0.context = context }
        tellGate()
    }

    /// Has the detector do what somebody asks for; returns whether it did.
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
        // A trip that was asked for before the first fix is an event of none.
        await keepState()
        leaveTurn()
        return isDone
    }

    // MARK: Of the tracker itself

    /// Tells other things of the tracker from now on.
    func tell(_ kinds: RecordKinds) async {
        await takeTurn()
        telling.kinds = isLive ? kinds : []
        leaveTurn()
    }

    /// Tells that a pause begins, where the newest fix is.
    func tellPause(_ step: inout Step, at latest: Fix?) {
        guard let fix = step.telling.pause(at: latest) else { return }
        step.tell(.action(.paused), at: fix.kept(at: now(after: fix)))
    }

    /// Tells that a pause has ended, where it began, if there was one to be told of.
    func resume(_ step: inout Step) {
        guard let fix = telling.paused else { return }
        step.tell(.action(.resumed), at: fix.kept(at: now(after: fix)))
        step.telling.resumed()
    }

    /// A pause has ended: that is told now, unless a fix was faster.
    func pauseEnded() async {
        await takeTurn()
        if !isPaused, telling.paused != nil {
            var step = newStep()
            resume(&step)
            try? await commit(step)  // cancelled while stopping: nobody is told
        }
        leaveTurn()
    }

    /// Tells that the tracker stops, where the newest fix is.
    func tellEnd(_ step: inout Step) {
        guard telling.kinds.contains(.action), let fix = step.latest else { return }
        step.tell(.action(.willTerminate), at: fix.kept(at: now(after: fix)))
    }

    /// Tells that the power supply is another one than before.
    func notePower(_ step: inout Step) {
        guard telling.kinds.contains(.power), let state = environment.hostStatus()?.batteryState,
            telling.isNews(state)
        else { return }
        if telling.power != nil, let fix = step.latest {
            step.tell(.power, at: fix.kept(at: now(after: fix)))
        }
        step.telling.power = state
    }

    /// The machine's time, or that of a fix which is later.
    private func now(after fix: Fix) -> Timestamp { max(environment.wallClock(), fix.time) }
}

extension Fix {
    /// The same place at another time; what was measured at the old time only is left out.
    fileprivate func kept(at time: Timestamp) -> Fix {
        time == self.time
            ? self
            : Fix(time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy)
    }
}
