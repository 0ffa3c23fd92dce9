import Foundation
import Synchronization
import Testing
import TrackEngine
import TrackEngineFiles

/// Other programs make files of the sink's names in the very moment in which it does.
@Suite("Files of others")
struct ForeignFileTests {
    @Test func `one that takes the name of the file under way is kept`() async throws {
        try await withDirectory { directory in
            let name = "track_2026-03-01.csv.part"
            let sink = try sink(in: directory, .createPart, name, gzip: false)
            await #expect(throws: DeliveryError.self) { _ = try await sink.deliver(Samples.batch([0])) }
            for second in 0...1 { _ = try await sink.deliver(Samples.batch([second])) }
            await sink.close()
            #expect(try directory.text(name) == "mine")
            #expect(try directory.seconds(in: ["track_2026-03-01_2.csv.part"]) == [0, 1])
        }
    }

    @Test(arguments: [FileStep.compress, .rename])
    func `one that takes the final name meanwhile is kept`(_ step: FileStep) async throws {
        try await withDirectory { directory in
            let ending = step == .compress ? ".csv.gz" : ".csv"
            let name = "track_2026-03-01" + ending
            let sink = try sink(in: directory, step, name, gzip: step == .compress)
            _ = try await sink.deliver(Samples.batch([0, 1]))
            await #expect(throws: DeliveryError.self) { _ = try await sink.deliver(Samples.batch([86_400])) }
            _ = try await sink.deliver(Samples.batch([86_400]))
            await sink.close()
            #expect(try directory.text(name) == "mine")
            #expect(directory.names == [name, "track_2026-03-01_2" + ending, "track_2026-03-02.csv.part"])
            #expect(try directory.seconds(in: ["track_2026-03-01_2" + ending]) == [0, 1])
        }
    }

    /// A sink beside which another program makes a file once, before that step.
    private func sink(in directory: Directory, _ step: FileStep, _ name: String, gzip: Bool) throws -> FileSink {
        let isMade = Mutex(false)
        let probe: FileProbe = { next throws(FileFailure) in
            let isFirst = isMade.withLock { isMade in
                guard next == step, !isMade else { return false }
                isMade = true
                return true
            }
            guard isFirst else { return }
            do { try directory.write("mine", to: name) } catch { throw FileFailure("\(error)") }
        }
        return try Samples.sink(in: directory.path, .csv, .day, { $0.gzip = gzip }, probe: probe)
    }
}
