public import TrackEngine

/// A simulated vehicle as a source of fixes: for demonstrations, tests and benchmarks.
///
/// In real time, each fix is emitted when it is due on the injected clock. Deadlines are counted from the start, so
/// errors do not accumulate, and a source that was held up catches up without losing a fix. As fast as possible, fixes
/// are emitted in batches on their own time. Every `run` restarts the drive.
///
/// When the engine demands fewer fixes (``/TrackEngine/FixDemand/occasional(every:)``), the source emits one per
/// interval, and in real time it sleeps in between. When the engine demands more, the source resumes at once.
public struct SimulatedSource: FixSource {
    /// The number of fixes in an `emit` when they are emitted as fast as possible.
    private static let batchSize = 100

    /// The source's name.
    public let id: SourceID
    /// The properties of the vehicle and the drive.
    public let configuration: Configuration

    private let clock: any Clock<Duration>
    private let wallClock: @Sendable () -> Timestamp

    /// Creates a source for one vehicle.
    ///
    /// - Parameters:
    ///   - id: the source's name.
    ///   - configuration: the properties of the vehicle and the drive.
    ///   - clock: the clock for real time.
    ///   - wallClock: the time of the first fix in real time, unless the configuration has one.
    /// - Throws: `ConfigurationError` with all problems of the configuration.
    public init(
        id: SourceID = "simulated", configuration: Configuration = Configuration(),
        clock: any Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
    ) throws(ConfigurationError) {
        try configuration.validate()
        self.id = id
        self.configuration = configuration
        self.clock = clock
        self.wallClock = wallClock
    }

    /// Creates a source for each vehicle of a fleet, named `simulated`, `simulated-2`, `simulated-3` …; see
    /// ``SimulatedSource/Configuration/fleet(vehicles:)``.
    public static func fleet(
        vehicles: Int, id: SourceID = "simulated", like configuration: Configuration = Configuration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(ConfigurationError) -> [SimulatedSource] {
        var sources: [SimulatedSource] = []
        for (index, member) in try configuration.fleet(vehicles: vehicles).enumerated() {
            sources.append(
                try SimulatedSource(id: Self.id(id, ofVehicle: index), configuration: member, clock: clock))
        }
        return sources
    }

    /// The name of the source for a fleet's vehicle, counted from 0.
    package static func id(_ id: SourceID = "simulated", ofVehicle index: Int) -> SourceID {
        index == 0 ? id : SourceID(rawValue: "\(id)-\(index + 1)")
    }

    /// Arrival time in real time, otherwise the fixes' own time.
    public var timeBase: TimeBase {
        switch configuration.pace {
        case .realTime: .arrival
        case .asFastAsPossible: .fixTime
        }
    }

    /// Emits the drive's fixes until the drive ends or the task is cancelled.
    public func run(_ output: FixOutput) async throws {
        switch configuration.pace {
        case .realTime: try await runInRealTime(output, on: clock)
        case .asFastAsPossible: try await runAsFastAsPossible(output)
        }
        output.status(.finished)
    }

    // MARK: As fast as possible

    private func runAsFastAsPossible(_ output: FixOutput) async throws {
        let start = configuration.startTime ?? Configuration.defaultStartTime
        var drive = SimulatedDrive(valid: configuration, startTime: start)
        var schedule = EpochSchedule(rate: configuration.rate)
        var batch: [Fix] = []
        batch.reserveCapacity(Self.batchSize)
        output.status(.receiving)
        while let epoch = drive.next() {
            try Task.checkCancellation()
            let index = drive.index - 1
            let demand = output.demand
            guard let fix = epoch.fix, schedule.next(from: index, under: demand) == index else { continue }
            schedule.emitted(index)
            batch.append(fix)
            guard batch.count == Self.batchSize || demand != .continuous else { continue }
            try await output.emit(contentsOf: batch)
            batch.removeAll(keepingCapacity: true)
        }
        try await output.emit(contentsOf: batch)
    }

    // MARK: In real time

    private func runInRealTime<C: Clock>(_ output: FixOutput, on clock: C) async throws where C.Duration == Duration {
        let begin = clock.now
        var drive = SimulatedDrive(valid: configuration, startTime: configuration.startTime ?? wallClock())
        var schedule = EpochSchedule(rate: configuration.rate)
        var status = StatusReporter(output: output)
        while true {
            let demand = output.demand
            let index = schedule.next(from: drive.index, under: demand)
            if index > drive.index { status.noteSleep() }
            let deadline = begin.advanced(by: SimulatedDrive.offset(ofEpoch: index, rate: configuration.rate))
            try await sleep(until: deadline, on: clock, while: demand, of: output)
            if clock.now < deadline {  // the demand has changed: skip the epochs until now
                drive.skip(until: begin.duration(to: clock.now))
                continue
            }
            guard let epoch = drive.epoch(index) else { return }
            status.note(epoch.fix)
            guard let fix = epoch.fix else { continue }
            schedule.emitted(index)
            try await output.emit(fix)
        }
    }

    /// Sleeps until the deadline or until the demand changes; only long sleeps are worth watching the demand.
    private func sleep<C: Clock>(
        until deadline: C.Instant, on clock: C, while demand: FixDemand, of output: FixOutput
    ) async throws where C.Duration == Duration {
        guard case .occasional = demand else { return try await clock.sleep(until: deadline, tolerance: nil) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await clock.sleep(until: deadline, tolerance: nil) }
            group.addTask { _ = await output.demand(otherThan: demand) }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }
}
