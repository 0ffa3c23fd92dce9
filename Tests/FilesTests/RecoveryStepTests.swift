import Foundation
import Synchronization
import Testing
import TrackEngine
import TrackEngineFiles

/// What a new session does before it relies on what the last one has left.
@Suite("The steps of a recovery")
struct RecoveryStepTests {
    @Test func `a state that was renamed is brought to the disk before its records are confirmed`() async throws {
        try await withDirectory { directory in
            let disk = ScriptedDisk()
            let sink = try Samples.sink(in: directory.path, probe: disk.probe)
            _ = try await sink.deliver(Samples.batch([0]))
            disk.fail(.syncDirectory, times: 1)
            await #expect(throws: DeliveryError.self) { _ = try await sink.deliver(Samples.batch([1])) }
            disk.forget()
            let batch = Samples.batch([1])
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await sink.close()
            let steps = disk.steps.filter { $0 != .look }
            #expect(steps == [.open, .syncParent, .syncDirectory, .write, .truncate, .sync])
            #expect(try directory.seconds() == [0, 1])
        }
    }

    @Test func `a state that cannot be brought to the disk confirms nothing`() async throws {
        try await withDirectory { directory in
            let disk = ScriptedDisk()
            let sink = try Samples.sink(in: directory.path, probe: disk.probe)
            _ = try await sink.deliver(Samples.batch([0]))
            disk.fail(.syncDirectory, times: 2)
            for _ in 0..<2 {
                await #expect(throws: DeliveryError.self) { _ = try await sink.deliver(Samples.batch([1])) }
            }
            _ = try await sink.deliver(Samples.batch([1]))
            await sink.close()
            #expect(try directory.seconds() == [0, 1])
        }
    }

    @Test func `a directory made by a run that ended there is brought to the disk by the next`() async throws {
        try await withDirectory { directory in
            let disk = ScriptedDisk()
            let sink = try Samples.sink(in: directory.path, probe: disk.probe)
            let batch = Samples.batch([0])
            disk.fail(.syncParent, times: 1)
            await #expect(throws: DeliveryError.self) { _ = try await sink.deliver(batch) }
            #expect(FileManager.default.fileExists(atPath: directory.path))
            disk.forget()
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await sink.close()
            #expect(disk.steps.prefix(2) == [.open, .syncParent])
        }
    }

    @Test(arguments: [false, true])
    func `a name that cannot be looked up is taken for neither there nor missing`(_ gzip: Bool) async throws {
        for looks in 0...6 {
            try await withDirectory { directory in
                let disk = ScriptedDisk()
                let sink = try Samples.sink(in: directory.path, .csv, .hour, { $0.gzip = gzip }, probe: disk.probe)
                _ = try await sink.deliver(Samples.batch([0, 1]))
                disk.fail(.rename, times: 1)
                await #expect(throws: DeliveryError.self) { _ = try await sink.deliver(Samples.batch([3600])) }
                disk.fail(.look, times: 1, after: looks)
                _ = try? await sink.deliver(Samples.batch([3600]))  // retention passes over what it cannot look up
                disk.fail(.look, times: 0)
                _ = try await sink.deliver(Samples.batch([3600]))
                await sink.close()
                #expect(
                    directory.names == [
                        "track_2026-03-01T10Z.csv" + (gzip ? ".gz" : ""), "track_2026-03-01T11Z.csv.part",
                    ])
                #expect(try directory.seconds() == [0, 1, 3600])
            }
        }
    }

    @Test(arguments: ["", ".gz"])
    func `a file of others that takes the final name in the last step is no copy`(_ ending: String) async throws {
        try await withDirectory { directory in
            let disk = ScriptedDisk()
            let sink = try Samples.sink(
                in: directory.path, .csv, .hour, { $0.gzip = ending == ".gz" }, probe: disk.probe)
            _ = try await sink.deliver(Samples.batch([0, 1]))
            disk.fail(.rename, times: 1)
            await #expect(throws: DeliveryError.self) { _ = try await sink.deliver(Samples.batch([3600])) }
            try directory.write("mine", to: "track_2026-03-01T10Z.csv" + ending)
            _ = try await sink.deliver(Samples.batch([3600]))
            await sink.close()
            #expect(try directory.text("track_2026-03-01T10Z.csv" + ending) == "mine")
            #expect(
                directory.names == [
                    "track_2026-03-01T10Z.csv" + ending, "track_2026-03-01T10Z_2.csv" + ending,
                    "track_2026-03-01T11Z.csv.part",
                ])
            #expect(try directory.seconds(in: ["track_2026-03-01T10Z_2.csv" + ending]) == [0, 1])
        }
    }

    @Test func `a file under way that somebody moves away is not written on`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, .csv)
            let part = "track_2026-03-01.csv.part"
            _ = try await sink.deliver(Samples.batch([0]))
            try FileManager.default.moveItem(
                atPath: directory.path + "/" + part, toPath: directory.path + "/archived.csv")
            let archived = try directory.text("archived.csv")
            _ = try await sink.deliver(Samples.batch([1]))
            await sink.close()
            #expect(try directory.text("archived.csv") == archived)
            #expect(try directory.seconds(in: [part]) == [1])
        }
    }

    /// The state that names the records is there, and the process ends before anybody has heard of them.
    @Test(arguments: [false, true])
    func `records that were not confirmed are written again where their file is gone`(_ isCut: Bool) async throws {
        try await withDirectory { directory in
            let disk = ScriptedDisk()
            let sink = try Samples.sink(in: directory.path, .csv, probe: disk.probe)
            let part = "track_2026-03-01.csv.part"
            _ = try await sink.deliver(Samples.batch([0]))
            disk.fail(.syncDirectory, times: 1)
            await #expect(throws: DeliveryError.self) { _ = try await sink.deliver(Samples.batch([1])) }
            if isCut {
                try directory.write("cut", to: part)
            } else {
                try FileManager.default.removeItem(atPath: directory.path + "/" + part)
            }
            let batch = Samples.batch([1])
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await sink.close()
            #expect(try directory.seconds(in: [directory.names.last ?? ""]) == [1])
        }
    }

    @Test func `a file under way that another one has replaced is not written on`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, .csv)
            let part = "track_2026-03-01.csv.part"
            _ = try await sink.deliver(Samples.batch([0]))
            let copy = try directory.text(part)
            try FileManager.default.moveItem(
                atPath: directory.path + "/" + part, toPath: directory.path + "/archived.csv")
            try directory.write(copy, to: part)
            _ = try await sink.deliver(Samples.batch([1]))
            await sink.close()
            #expect(try directory.text("archived.csv") == copy)
            #expect(try directory.seconds(in: [part]) == [0, 1])
        }
    }

    @Test(arguments: [false, true])
    func `a full disk is freed of files that are too old before anything is written`(
        _ isUnderWay: Bool
    ) async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            if isUnderWay {
                let sink = try Samples.sink(in: directory.path, .csv)
                _ = try await sink.deliver(Samples.batch([0]))
                await sink.close()
            }
            let old = "track_2026-02-20.csv"
            try directory.write("old", to: old)
            let sink = try Samples.sink(in: directory.path, .csv, .day, { $0.keepDays = 2 }) {
                step throws(FileFailure) in
                if step == .write, FileManager.default.fileExists(atPath: directory.path + "/" + old) {
                    throw FileFailure("no space left on device")
                }
            }
            let batch = Samples.batch([86_400])
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await sink.close()
            #expect(!directory.names.contains(old))
            #expect(try directory.seconds() == (isUnderWay ? [0, 86_400] : [86_400]))
        }
    }

    @Test(arguments: [FileStep.compress, .rename, .writeState, .replaceState])
    func `a file that cannot be completed leaves no temporary one`(_ step: FileStep) async throws {
        try await withDirectory { directory in
            let disk = ScriptedDisk()
            let sink = try Samples.sink(in: directory.path, .csv, .hour, { $0.gzip = true }, probe: disk.probe)
            _ = try await sink.deliver(Samples.batch([0, 1]))
            disk.fail(step, times: 1)
            await #expect(throws: DeliveryError.self) { _ = try await sink.deliver(Samples.batch([3600])) }
            #expect(try directory.temporaryNames() == [])
            _ = try await sink.deliver(Samples.batch([3600]))
            await sink.close()
            #expect(try directory.seconds() == [0, 1, 3600])
        }
    }

    @Test func `temporary files of a run that was killed go at the next start, and nothing of others`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            let others = [".gz.new", "a.trackengine.gz.new", ".trackengine.gz.new.bak", "track_2026-02-01.csv.gz.new"]
            for name in others + [".trackengine.gz.new", ".trackengine.state.new"] {
                try directory.write("torn", to: name)
            }
            let sink = try Samples.sink(in: directory.path, .csv) { $0.gzip = true }
            _ = try await sink.deliver(Samples.batch([0]))
            await sink.close()
            #expect(try directory.temporaryNames() == [])
            for name in others { #expect(try directory.text(name) == "torn", "\(name)") }
        }
    }
}

extension Directory {
    /// What of the directory is no file of the track and lasts only while another one is made.
    fileprivate func temporaryNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasPrefix(".trackengine.") && $0.hasSuffix(".new") }
    }
}

/// Counts the steps and lets some fail.
private final class ScriptedDisk: Sendable {
    private struct State {
        var steps: [FileStep] = []
        /// Which of the next steps of a kind fail.
        var failures: [FileStep: Range<Int>] = [:]
    }

    private let state = Mutex(State())

    var steps: [FileStep] { state.withLock(\.steps) }

    var probe: FileProbe { { (step) throws(FileFailure) in try self.take(step) } }

    func forget() { state.withLock { $0.steps = [] } }

    /// Lets so many of the next steps of a kind fail, after others that succeed.
    func fail(_ step: FileStep, times: Int, after successes: Int = 0) {
        state.withLock { $0.failures[step] = successes..<successes + times }
    }

    private func take(_ step: FileStep) throws(FileFailure) {
        let isFailing = state.withLock { state in
            state.steps.append(step)
            guard let range = state.failures[step], range.upperBound > 0 else { return false }
            state.failures[step] = max(range.lowerBound - 1, 0)..<range.upperBound - 1
            return range.lowerBound == 0
        }
        if isFailing { throw FileFailure("Input/output error") }
    }
}
