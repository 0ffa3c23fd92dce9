/// The status of a source and its pipeline, readable at any time.
public struct SourceReport: Sendable, Hashable {
    /// The source.
    public let id: SourceID
    /// The status of the source.
    public package(set) var status = SourceStatus.connecting
    /// The number of fixes that the source has emitted since the start.
    public package(set) var fixes = 0
    /// The number of records, from fixes and from deadlines.
    public package(set) var recorded = 0
    /// The number of events found in its track; they are records, too.
    public package(set) var events = 0
    /// The named places in which the object is and its trip, as far as an event detector knows, whether or not a record
    /// contains them.
    public package(set) var context: RecordContext?
    /// The number of records for each cause.
    public package(set) var causes: [RecordCause: Int] {
        get { causeCounts.dictionary }
        set { causeCounts = CaseCounts(newValue) }
    }
    /// The distance that the object has travelled since its track began, in metres.
    public package(set) var odometer = 0.0
    /// The number of rejected fixes for each reason. With the rule `deviation`, unneeded fixes are counted once they
    /// are known to be unneeded.
    public package(set) var rejected: [RejectionReason: Int] {
        get { rejectionCounts.dictionary }
        set { rejectionCounts = CaseCounts(newValue) }
    }
    /// The reason why every fix of a live source has been rejected for a minute or more; `nil` otherwise.
    public package(set) var steadyRefusal: RejectionWarning?
    /// The number of inputs that could not become a fix, for each kind of problem.
    public package(set) var problems: [SourceProblem.Kind: Int] = [:]
    /// The last such problems, at most ``problemLimit``, oldest first.
    public package(set) var recentProblems: [SourceProblem] = []
    /// The last fix that passed the gates.
    public package(set) var latest: Fix?
    /// The record that the latest fix would become, while that is undecided.
    var undecided: RecordPlan?
    /// Whether the object's position is hidden, as far as known.
    package var hidesPlace = false
    /// Decides whether records may name the network.
    var disclosure = NetworkPrivacy()
    /// The time at which the last fix was emitted, by the machine's clock.
    public package(set) var lastArrival: Timestamp?
    /// Whether the object moves, by the last record.
    public package(set) var isMoving = false
    /// Whether the source is asked for infrequent fixes, because the object has rested for long.
    public package(set) var isStandby = false
    /// The next state of rest if the object does not move, and its time; absent if none is due, and where time is the
    /// fixes' own.
    public package(set) var nextRest: PendingRest?
    /// The same by the tracker's clock, as the pipeline reports it.
    var restDeadline: RestDeadline?

    /// The counters behind ``causes``, updated in every step of the pipeline.
    var causeCounts = CaseCounts<RecordCause>()
    /// The counters behind ``rejected``.
    var rejectionCounts = CaseCounts<RejectionReason>()

    /// The maximum number of problems in ``recentProblems``.
    public static let problemLimit = 20

    package init(id: SourceID) { self.id = id }
}

/// A state of rest that an object enters unless it moves before.
public struct PendingRest: Sendable, Hashable {
    /// A state of rest.
    public enum State: String, Sendable, Hashable, BitwiseCopyable, CaseIterable {
        /// The object rests, and a record of it is made.
        case still
        /// The source is asked for infrequent fixes.
        case standby
    }

    /// The next state.
    public let state: State
    /// The time at which the state is due, by the machine's clock.
    public let due: Timestamp

    /// Creates a state with its due time.
    public init(_ state: State, due: Timestamp) {
        self.state = state
        self.due = due
    }
}

/// The demand on a source, and a report that its synchronous calls and its processor write, and any task reads.
final class SourceLog: Sendable {
    let demand: DemandSignal
    private let report: SystemMutex<SourceReport>

    init(_ id: SourceID, _ demand: FixDemand) {
        self.demand = DemandSignal(demand)
        report = SystemMutex(SourceReport(id: id))
    }

    var current: SourceReport { report.withLock { $0 } }

    func update(_ change: (inout SourceReport) -> Void) {
        report.withLock { change(&$0) }
    }

    /// The status with moments by the machine's clock.
    func report(_ environment: SourceProcessorEnvironment) -> SourceReport {
        var report = current
        if environment.rules.isLive {
            if let rest = report.restDeadline {
                let wait = environment.watch.remaining(until: rest.moment)
                report.nextRest = PendingRest(rest.state, due: environment.wallClock().advanced(by: wait))
            }
            if !report.disclosure.isShown(at: environment.watch.now) { report.hidesPlace = true }
        }
        report.restDeadline = nil
        return report
    }

    /// Counts fixes that are not used. They are not reported to observers.
    func count(_ withheld: Int, of received: ReceivedBatch, _ reason: RejectionReason) {
        update { report in
            report.fixes += withheld
            report.rejectionCounts.add(withheld, of: reason)
            if let arrival = received.lastArrival { report.lastArrival = arrival }
        }
    }

    func note(_ problem: SourceProblem) {
        update { report in
            report.problems[problem.kind, default: 0] += 1
            report.recentProblems.append(problem)
            if report.recentProblems.count > SourceReport.problemLimit { report.recentProblems.removeFirst() }
        }
    }

    func set(_ status: SourceStatus) {
        update { $0.status = status }
    }
}
