/// How a source and its pipeline stand, readable at any time.
public struct SourceReport: Sendable, Hashable {
    /// The source.
    public let id: SourceID
    /// How the source is doing.
    public package(set) var status = SourceStatus.connecting
    /// How many fixes it has emitted since the start.
    public package(set) var fixes = 0
    /// How many of them became records, and how many records time alone caused.
    public package(set) var recorded = 0
    /// How many events were found in its track; they are records, too.
    public package(set) var events = 0
    /// In which named places the object is and on which trip, as far as an event detector knows, whether or not a record says so.
    public package(set) var context: RecordContext?
    /// How many records there were for each cause.
    public package(set) var causes: [RecordCause: Int] {
        get { causeCounts.dictionary }
        set { causeCounts = CaseCounts(newValue) }
    }
    /// How far the object has travelled since its track began, in metres.
    public package(set) var odometer = 0.0
    /// How many fixes were rejected, by reason. With the rule `deviation` the unneeded ones are counted once that is known.
    public package(set) var rejected: [RejectionReason: Int] {
        get { rejectionCounts.dictionary }
        set { rejectionCounts = CaseCounts(newValue) }
    }
    /// Why every fix of a live source has been refused for a minute or more, where that is so.
    public package(set) var steadyRefusal: SteadyRefusal?
    /// How much input could not become a fix, by kind.
    public package(set) var problems: [SourceProblem.Kind: Int] = [:]
    /// The last such problems, at most ``problemLimit``, oldest first.
    public package(set) var recentProblems: [SourceProblem] = []
    /// The last fix that passed the gates.
    public package(set) var latest: Fix?
    /// What a record of that fix would say, while it is undecided whether it becomes one.
    var undecided: RecordPlan?
    /// Whether the object is where nobody is to know that it is, as far as that is known.
    package var hidesPlace = false
    /// Whether the network may be named.
    var secrecy = NetworkSecrecy()
    /// When the last fix was emitted, by the machine's clock.
    public package(set) var lastArrival: Timestamp?
    /// Whether the last record says that the object moves.
    public package(set) var isMoving = false
    /// Whether the source is asked to look seldom, because nothing has moved for long.
    public package(set) var isStandby = false
    /// What the object's state becomes if it does not move, and when; absent where nothing is due, and where time is the
    /// fixes' own.
    public package(set) var nextRest: NextRest?
    /// The same by the clock of the tracker, as the pipeline says it.
    var restDeadline: RestDeadline?

    /// ``causes`` as it is counted, for every step of the pipeline.
    var causeCounts = CaseCounts<RecordCause>()
    /// ``rejected`` as it is counted.
    var rejectionCounts = CaseCounts<RejectionReason>()

    /// How many problems ``recentProblems`` holds.
    public static let problemLimit = 20

    package init(id: SourceID) { self.id = id }
}

/// A state of rest that an object comes to unless it moves before.
public struct NextRest: Sendable, Hashable {
    /// A state of rest.
    public enum State: String, Sendable, Hashable, BitwiseCopyable, CaseIterable {
        /// A record says that the object rests.
        case still
        /// The source is asked to look seldom.
        case standby
    }

    /// What comes next.
    public let state: State
    /// When, by the machine's clock.
    public let due: Timestamp

    /// A state and when it is due.
    public init(_ state: State, due: Timestamp) {
        self.state = state
        self.due = due
    }
}

/// A report that a source's synchronous calls and its lane write, and anybody reads.
final class SourceLog: Sendable {
    private let report: PthreadMutex<SourceReport>
    private let onChange: @Sendable () -> Void

    init(id: SourceID, onChange: @escaping @Sendable () -> Void = {}) {
        report = PthreadMutex(SourceReport(id: id))
        self.onChange = onChange
    }

    var current: SourceReport { report.withLock { $0 } }

    func update(_ change: (inout SourceReport) -> Void) {
        report.withLock { change(&$0) }
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
        onChange()
    }
}
