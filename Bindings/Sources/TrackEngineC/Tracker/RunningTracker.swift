import Logging
import Synchronization
import TrackEngine

/// A tracker that runs, with its parts.
final class RunningTracker: Sendable {
    let deliveries: DeliveryTable
    private let tracker: Tracker
    private let store: any FixStore
    private let source: PushedSource
    /// The sinks with which the library itself sends.
    private let senders: [SinkBinding]
    private let run: Task<Void, any Error>
    private let ending = Mutex<Task<Void, Never>?>(nil)

    private init(
        _ tracker: Tracker, _ store: any FixStore, _ source: PushedSource, _ deliveries: DeliveryTable,
        _ senders: [SinkBinding], _ run: Task<Void, any Error>
    ) {
        (self.tracker, self.store, self.source, self.senders) = (tracker, store, source, senders)
        (self.deliveries, self.run) = (deliveries, run)
    }

    /// Opens the store and returns when the source takes fixes.
    static func start(_ settings: TrackerSettings) async throws(CallError) -> RunningTracker {
        let logger = TrackerSettings.logger
        let store = try await makeStore(settings, logger)
        let deliveries = DeliveryTable()
        let (beginnings, beginning) = AsyncStream.makeStream(of: (any Error)?.self)
        let source = PushedSource(id: settings.source, timeBase: settings.timeBase) { beginning.yield(nil) }
        let tracker: Tracker
        do throws(ConfigurationError) {
            tracker = try Tracker(
                configuration: makeConfiguration(settings, store, source, deliveries, logger))
        } catch {
            await close(settings.senders, store)
            throw .settings(error, of: "config")
        }
        let run = Task {  // not a child: it runs until the program stops it
            do { try await tracker.run() } catch {
                beginning.yield(error)
                throw error
            }
        }
        let failure = await beginnings.first { _ in true } ?? nil
        if let failure {
            await close(settings.senders, store)
            throw .store(failure)
        }
        return RunningTracker(tracker, store, source, deliveries, settings.senders, run)
    }

    private static func makeStore(_ settings: TrackerSettings, _ logger: Logger) async throws(CallError) -> any FixStore
    {
        guard let directory = settings.directory else { return InMemoryFixStore() }
        do { return try await openStore(directory, logger) } catch { throw .store(error) }
    }

    private static func makeConfiguration(
        _ settings: TrackerSettings, _ store: any FixStore, _ source: PushedSource, _ deliveries: DeliveryTable,
        _ logger: Logger
    ) -> Tracker.Configuration {
        var configuration = Tracker.Configuration(device: settings.device, store: store, sources: [source])
        configuration.recording = settings.recording
        configuration.retention = settings.retention
        configuration.detector = settings.detector
        configuration.logger = logger
        configuration.sinks = settings.sinks.map {
            SinkBinding(CallbackSink(id: $0.id, table: deliveries, callback: $0.callback), sync: $0.sync)
        }
        configuration.sinks += settings.senders
        return configuration
    }

    // MARK: Calls

    /// Returns whether the fixes were accepted.
    func push(_ fixes: [Fix]) async -> Bool { await source.push(fixes) }

    /// Returns whether the tracker runs.
    func sync() async -> Bool {
        guard await tracker.state == .running else { return false }
        await tracker.sync()
        return true
    }

    func status() async -> TrackerStatus { await tracker.status() }

    /// Ends the run and closes the store, once; each call waits for it.
    func stop() async {
        let end = ending.withLock { ending in
            // Not a child: every caller waits for the same end.
            let end = ending ?? Task { await finish() }
            ending = end
            return end
        }
        await end.value
    }

    private func finish() async {
        await tracker.stop()
        source.end()
        do { try await run.value } catch {}  // a run throws at its start only, and that has succeeded
        await Self.close(senders, store)
    }

    private static func close(_ senders: [SinkBinding], _ store: any FixStore) async {
        // Each may take seconds to disconnect.
        await withTaskGroup { group in
            for sender in senders { group.addTask { await sender.sink.close() } }
        }
        await store.close()
    }
}
