import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// Settings with which a receiver acknowledges records that it does not store or show: for each receiver the values
/// that are named, and those that are not.
@Suite struct OverlandCautionTests {
    /// The keys of the warnings about a sink, beside a recording that suits every receiver unless another is given.
    private func keys(
        _ path: String, preset: OverlandPreset? = nil, maximumThreshold: Double? = 100, minimumAccuracy: Double? = 200,
        _ change: (inout OverlandSettings) -> Void = { _ in }
    ) throws -> [String] {
        var settings = OverlandSettings()
        let report = ProblemReport()
        report.allowsSecretsInFile = true
        let members = [("url", "https://x.example\(path)")] + (preset.map { [("preset", $0.rawValue)] } ?? [])
        let table = ConfigurationNode.Content.table(
            members.map { .init(key: $0.0, node: ConfigurationNode(.scalar(.init($0.1)), .none)) })
        var decoder = TableDecoder(path: "", layers: [ConfigurationNode(table, .none)], report)
        settings.read(&decoder)
        try #require(report.problems.isEmpty)
        change(&settings)
        var tracking = RecordingConfiguration()
        (tracking.maximumThreshold, tracking.minimumAccuracy) = (maximumThreshold, minimumAccuracy)
        return settings.cautions(beside: tracking, sourceCount: 1).map { String($0.prefix { $0 != " " }) }
    }

    typealias Change = @Sendable (inout OverlandSettings) -> Void

    struct Row: Sendable, CustomTestStringConvertible {
        let receiver: OverlandPreset
        /// A path by which the receiver is known without a preset.
        let path: String
        /// The keys that are named without a preset.
        let bare: [String]
        /// Values beside the preset, and the keys that are named.
        var changes: [(keys: [String], change: Change)] = []
        /// Keys that are named whatever is set.
        var always: [String] = []

        var testDescription: String { receiver.rawValue }
    }

    private static let rows: [Row] = [
        Row(
            receiver: .wayfinder, path: "/api/wayfinder/overland", bare: ["url", "integerSpeed", "battery"],
            changes: [
                (["integerSpeed"], { $0.configuration.integerSpeed = false }),
                (["battery"], { $0.configuration.unknownBattery = .unknown }),
                (["battery"], { $0.configuration.unknownBattery = .omitted }),
                (["profile"], { $0.configuration.profile = .trace }), ([], { $0.configuration.assumedAccuracy = nil }),
            ]),
        Row(
            receiver: .geopulse, path: "/api/overland", bare: ["assumedAccuracy"],
            changes: [
                (["assumedAccuracy"], { $0.configuration.assumedAccuracy = nil }),
                ([], { $0.configuration.assumedAccuracy = 1 }), ([], { $0.configuration.unknownBattery = .mains }),
                (["events"], { $0.events = [.visit] }),
            ]),
        Row(
            receiver: .reitti, path: "/api/v1/ingest/overland", bare: ["assumedAccuracy"],
            changes: [
                (["assumedAccuracy"], { $0.configuration.assumedAccuracy = nil }), ([], { $0.events = [.heartbeat] }),
                (["events"], { $0.events = [.heartbeat, .trip] }),
            ]),
        Row(
            receiver: .compass, path: "/api/input", bare: [],
            changes: [
                ([], { $0.token = .environment("T") }), ([], { $0.configuration.tokenParameter = nil }),
                (["token"], { ($0.token, $0.configuration.tokenParameter) = (.environment("T"), nil) }),
                (
                    ["token"],
                    {
                        ($0.auth.refreshUrl, $0.configuration.tokenParameter) = ("https://login.example", nil)
                    }
                ), ([], { $0.events = [.visit, .action] }),
            ]),
        Row(
            receiver: .incognita, path: "/dump", bare: ["profile"],
            changes: [
                (["profile"], { $0.configuration.profile = .overland }),
                (["profile"], { $0.configuration.profile = .calmgeo }),
                (["timestamps"], { $0.configuration.timestampPrecision = .milliseconds }),
            ]),
        Row(
            receiver: .phpTracksRecorder, path: "/record.php", bare: ["battery"],
            changes: [
                (["battery"], { $0.configuration.unknownBattery = .unknown }),
                ([], { $0.configuration.unknownBattery = .omitted }), (["events"], { $0.events = [.action] }),
            ]),
        Row(
            receiver: .phonetrack, path: "/apps/phonetrack/log/overland/t/van", bare: ["battery"],
            changes: [
                (["battery"], { $0.configuration.unknownBattery = .unknown }),
                ([], { $0.configuration.unknownBattery = .omitted }), (["events"], { $0.events = [.trip] }),
            ], always: ["url"]),
        Row(
            receiver: .overlandTS, path: "/api/locations", bare: ["success"],
            changes: [
                (["success"], { $0.configuration.success = nil }),
                (["success"], { $0.configuration.success = .resultOK }),
                ([], { $0.configuration.success = .any2xx }),
            ]),
        Row(
            receiver: .pyoverland, path: "/submit/t", bare: ["maximumBodyLength"],
            changes: [
                (["maximumBodyLength"], { $0.configuration.maximumBodyLength = nil }),
                (["maximumBodyLength"], { $0.configuration.maximumBodyLength = 202_401 }),
                ([], { $0.configuration.maximumBodyLength = 202_400 }),
            ]),
        Row(
            receiver: .overlandFlask, path: "/api", bare: [],
            changes: [
                (["battery"], { $0.configuration.unknownBattery = .omitted }),
                ([], { $0.configuration.unknownBattery = .mains }), (["events"], { $0.events = [.visit] }),
            ]),
        Row(
            receiver: .dawarich, path: "/api/v1/overland/batches", bare: [],
            changes: [
                ([], { ($0.configuration.assumedAccuracy, $0.configuration.unknownBattery) = (nil, .omitted) }),
                (["events"], { $0.events = [.visit] }),
            ]),
        Row(
            receiver: .webhook, path: "/in", bare: [],
            changes: [
                ([], { ($0.configuration.success, $0.configuration.unknownBattery) = (nil, .unknown) }),
                ([], { $0.events = [.visit] }),
            ]),
    ]

    @Test func `every receiver has its row`() {
        #expect(Set(Self.rows.map(\.receiver)) == Set(OverlandPreset.allCases) && Self.rows.count == 12)
    }

    @Test(arguments: rows)
    func `a preset leaves no trap, and each value beside it that makes one is named`(_ row: Row) throws {
        let path = row.path
        #expect(try keys(path, preset: row.receiver) == row.always)
        for (index, (wanted, change)) in row.changes.enumerated() {
            #expect(try keys(path, preset: row.receiver, change) == wanted + row.always, "change \(index)")
        }
    }

    @Test(arguments: rows)
    func `a receiver that its path tells has the traps of its preset`(_ row: Row) throws {
        #expect(try keys(row.path) == row.bare + row.always)
        #expect(try keys("/proxy" + row.path) == row.bare + row.always)
        #expect(try keys(row.path + "?a=/dump") == row.bare + row.always, "the query tells nothing")
        #expect(try keys("/t/token" + row.path) == [], "a server of ours")
    }

    @Test(
        arguments: [
            (100.0, 200.0, []), (100.1, 200, ["tracking.maximumThreshold"]), (nil, 200, ["tracking.maximumThreshold"]),
            (100, 200.1, ["tracking.minimumAccuracy"]), (100, nil, ["tracking.minimumAccuracy"]),
            (nil, nil, ["tracking.maximumThreshold", "tracking.minimumAccuracy"]), (1, 1, []),
        ] as [(Double?, Double?, [String])])
    func `incognita's map wants places at most 100 m apart that are exact to 200 m`(
        _ maximumThreshold: Double?, _ minimumAccuracy: Double?, _ wanted: [String]
    ) throws {
        for receiver in OverlandPreset.allCases where ![.phonetrack, .pyoverland].contains(receiver) {
            let found = try keys(
                "", preset: receiver, maximumThreshold: maximumThreshold, minimumAccuracy: minimumAccuracy)
            #expect(found == (receiver == .incognita ? wanted : []), "\(receiver)")
        }
    }
}
