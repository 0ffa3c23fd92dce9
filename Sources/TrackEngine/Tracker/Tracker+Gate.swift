/// Tracking that is off by a ``RecordingGate``.
extension Tracker {
    /// Sets the gate that decides which positions may be recorded; call it before the first run.
    package func use(_ gate: any RecordingGate) { self.gate = gate }

    /// Adapts the gate and the configuration to the sources' tracks before the first fix arrives.
    func prepareGate() async {
        guard let gate else { return }
        await gate.prepare()
        await gateChanged()
    }

    /// Handles a gate that was opened or closed for all places; call it after the change. If the gate was closed, the
    /// leg of each live source ends.
    package func gateChanged() async {
        for processor in processors {
            await processor.change(after: .gateChanged) { $0.gateChanged(processor.environment.rules) }
        }
        guard gate?.isClosed == true else { return }
        do { try await forgetLiveCheckpoints() } catch {
            publisher.storeFailed("\(error)")
        }
    }

    /// Whether recording of a source is off at this moment.
    package func isOff() async -> Bool {
        for processor in processors where await processor.isOff { return true }
        return false
    }
}
