import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("What a killed process leaves behind")
struct RecoveryTests {
    /// Every length to which a power cut can leave the bytes of a delivery that was not confirmed.
    @Test(arguments: Samples.formats)
    func `a torn end is cut off, wherever it is torn`(_ format: TrackFormat) async throws {
        try await withDirectory { directory in
            try await write([0, 1], format, in: directory)
            let (part, state) = (directory.names[0], ".trackengine.state")
            let (settled, settledState) = (Array(try directory.text(part).utf8), try directory.text(state))
            try await write([2], format, in: directory)
            let longer = Array(try directory.text(part).utf8)
            let common = zip(settled, longer).prefix { $0 == $1 }.count
            for length in stride(from: common, through: longer.count, by: 7) {
                // New bytes over old ones up to somewhere, and what the old ones had behind that.
                let torn = longer[..<length] + settled.dropFirst(length)
                try directory.write(String(decoding: torn, as: UTF8.self), to: part)
                try directory.write(settledState, to: state)
                try await write([3], format, in: directory)
                #expect(try directory.seconds() == [0, 1, 3], "torn at \(length)")
            }
        }
    }

    @Test func `a file that somebody has removed or cut is no obstacle, and is left alone`() async throws {
        try await withDirectory { directory in
            try await write([0], .csv, in: directory)
            try FileManager.default.removeItem(atPath: directory.path + "/track_2026-03-01.csv.part")
            try await write([1], .csv, in: directory)
            #expect(try directory.seconds() == [1])
            try directory.write("cut", to: "track_2026-03-01.csv.part")
            try await write([2], .csv, in: directory)
            #expect(directory.names == ["track_2026-03-01.csv.part", "track_2026-03-01_2.csv.part"])
            #expect(try directory.text("track_2026-03-01.csv.part") == "cut")
            #expect(try directory.seconds(in: ["track_2026-03-01_2.csv.part"]) == [2])
        }
    }

    @Test func `a file that is removed under the sink is noticed`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path)
            _ = try await sink.deliver(Samples.batch([0]))
            try FileManager.default.removeItem(atPath: directory.path + "/track_2026-03-01.ndjson.part")
            _ = try await sink.deliver(Samples.batch([1]))
            #expect(try directory.seconds() == [1])
            await sink.close()
        }
    }

    @Test(arguments: [
        "", "\n", "{}\n", "garbage", sealed("{}"), sealed("garbage"), sealed(#"{"version":2,"recent":[]}"#),
        sealed(#"{"version":1,"file":"../x","recent":[]}"#), stateWith(length: 9e18), stateWith(length: -1),
        stateWith(length: 0.5), stateWith(length: 0), stateWith(length: 100, closing: "]"),
    ])
    func `a state that is not the sink's is no obstacle, and the file under way stays`(_ text: String) async throws {
        try await withDirectory { directory in
            try await write([0], .csv, in: directory)
            try directory.write(text, to: ".trackengine.state")
            try await write([1], .csv, in: directory)
            #expect(directory.names == ["track_2026-03-01.csv.part", "track_2026-03-01_2.csv.part"])
            #expect(try directory.seconds() == [0, 1])
        }
    }

    /// A state that only damage can make.
    private static func stateWith(length: Double, closing: String = "") -> String {
        let file = #""file":"track_2026-03-01.\#(closing.isEmpty ? "csv" : "gpx").part""#
        let rest = #""closing":"\#(closing)","records":1,"moving":true,"recent":[]}"#
        return sealed(#"{"version":1,\#(file),"length":\#(length),\#(rest)"#)
    }

    private static func sealed(_ json: String) -> String {
        String(decoding: SinkState.sealed(Array((json + "\n").utf8)), as: UTF8.self)
    }

    private func write(_ seconds: [Int], _ format: TrackFormat, in directory: Directory) async throws {
        let sink = try Samples.sink(in: directory.path, format)
        _ = try await sink.deliver(Samples.batch(seconds))
        await sink.close()
    }
}

@Suite("The plan of a recovery")
struct RecoveryPlanTests {
    private static let progress: FileProgress = {
        var progress = FileProgress(name: TrackFileName(prefix: "track", start: "2026-03-01", format: .gpx))
        progress.length = 100
        progress.closing = Array("</trkseg></trk>\n</gpx>\n".utf8)
        progress.records = 2
        return progress
    }()
    private static let empty = FileProgress(name: progress.name)

    @Test(
        arguments: [
            (.none, nil, .missing, .nothing),
            (.writing(empty), nil, .missing, .nothing),
            (.writing(empty), 0, .missing, .discard(empty)),
            (.writing(empty), 50, .missing, .discard(empty)),
            (.writing(progress), 100, .missing, .resume(progress)),
            (.writing(progress), 200, .missing, .resume(progress)),
            (.writing(progress), 99, .missing, .abandon(progress)),
            (.writing(progress), nil, .missing, .abandon(progress)),
            (.finishing(progress, as: "f"), 123, .missing, .finish(progress, as: "f")),
            (.finishing(progress, as: "f"), 122, .missing, .abandon(progress)),
            (.finishing(progress, as: "f"), nil, .missing, .abandon(progress)),
            (.finishing(progress, as: "f"), nil, .ours, .removePart(progress)),
            (.finishing(progress, as: "f"), 123, .foreign, .finishElsewhere(progress)),
            (.finishing(progress, as: "f"), 122, .foreign, .abandon(progress)),
            (.finishing(progress, as: "f.gz"), nil, .ours, .removePart(progress)),
            (.finishing(progress, as: "f.gz"), 123, .ours, .removePart(progress)),
            (.finishing(progress, as: "f.gz"), 123, .foreign, .finishElsewhere(progress)),
            (.finishing(progress, as: "f.gz"), 123, .missing, .finish(progress, as: "f.gz")),
        ] as [(SinkState.File, Int64?, RecoveryPlan.Target, RecoveryPlan)])
    func `follows from the state and what is there`(
        _ state: SinkState.File, _ partSize: Int64?, _ final: RecoveryPlan.Target, _ plan: RecoveryPlan
    ) {
        #expect(RecoveryPlan(state, partSize: partSize, final: final) == plan)
    }

    @Test(arguments: [
        SinkState.File.none, .writing(empty), .writing(progress), .finishing(progress, as: "track_2026-03-01.gpx.gz"),
    ])
    func `the state is read back as it was written`(_ file: SinkState.File) {
        let state = SinkState(file: file, recent: [RecordID(rawValue: 1), RecordID(rawValue: .max)])
        #expect(SinkState(state.bytes) == state)
    }

    @Test func `whatever is changed in it, it is not taken for a state`() {
        let state = SinkState(file: .writing(Self.progress), recent: [RecordID(rawValue: 7)])
        var chance = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            var bytes = state.bytes
            Mutation.apply(to: &bytes, using: &chance)
            #expect(bytes == state.bytes || SinkState(bytes) == nil)
        }
    }

    @Test func `the largest state is read`() {
        let ids = (0..<SinkState.maximumRecords).map { RecordID(rawValue: UInt128($0)) }
        let state = SinkState(file: .writing(Self.progress), recent: ids)
        #expect(state.bytes.count <= SinkState.maximumSize)
        #expect(SinkState(state.bytes) == state)
    }
}
