/// Tracking that is off by a ``RecordingGate``.
extension Tracker {
    /// Has a gate decide what may be recorded; call it before the first run.
    package func use(_ gate: any RecordingGate) { self.gate = gate }

    /// Lets the gate and the configuration be as the sources' tracks need it, before the first fix comes.
    func prepareGate() async throws {
        guard let gate else { return }
        for lane in lanes { await lane.tellGate() }
        await gate.prepare()
        await gateChanged()
    }

    /// The gate has been closed or opened for all places: call it afterwards. Each live source's leg ends where it was closed.
    package func gateChanged() async {
        for lane in lanes { await lane.gateChanged() }
        guard gate?.isClosed == true else { return }
        do { try await forgetLiveCheckpoints() } catch {
            hub.storeFailed("\(error)")
        }
    }

    /// Whether nothing of a source is recorded at this moment, because tracking is off.
    package func isOff() async -> Bool {
        for lane in lanes where await lane.isOff { return true }
        return false
    }
}
