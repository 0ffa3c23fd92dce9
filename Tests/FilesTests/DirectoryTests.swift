import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineSettings

@Suite("The directory")
struct DirectoryTests {
    @Test func `is made with its files for owner and group alone`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, .csv, .hour) { $0.gzip = true }
            _ = try await sink.deliver(Samples.batch([0, 3600]))
            await sink.close()
            #expect(try mode(directory.path) & 0o027 == 0)
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                #expect(try mode(directory.path + "/" + name) & 0o137 == 0, "\(name)")
            }
        }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `is not looked at before the first delivery`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path)
            #expect(sink.statusItems(now: .now()).allSatisfy { $0.name != "keptFiles" })
            await sink.close()
            #expect(!FileManager.default.fileExists(atPath: directory.path))
        }
    }

    @Test func `whose own directory is missing is waited for`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path + "/below")
            let batch = Samples.batch([0])
            do throws(DeliveryError) {
                _ = try await sink.deliver(batch)
                Issue.record("delivered")
            } catch {
                #expect(error.recovery == .retry())
                expectMessage(error.reason, replacing: [directory.path: "FOLDER"])
            }
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await sink.close()
        }
    }

    @Test func `belongs to one sink, and to the next when that one is closed`() async throws {
        try await withDirectory { directory in
            let (first, second) = (try Samples.sink(in: directory.path), try Samples.sink(in: directory.path))
            _ = try await first.deliver(Samples.batch([0]))
            do throws(DeliveryError) {
                _ = try await second.deliver(Samples.batch([1]))
                Issue.record("delivered")
            } catch {
                #expect(error.recovery == .retry())
                #expect(error.reason.contains("another sink or program writes to \(directory.path)"))
            }
            await first.close()
            _ = try await second.deliver(Samples.batch([1]))
            await second.close()
            #expect(try directory.seconds() == [0, 1])
        }
    }

    @Test func `that is moved away is not written to any more`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path)
            _ = try await sink.deliver(Samples.batch([0]))
            try FileManager.default.moveItem(atPath: directory.path, toPath: directory.path + "-away")
            _ = try await sink.deliver(Samples.batch([1]))
            await sink.close()
            #expect(try directory.seconds() == [1])
            #expect(try Directory(path: directory.path + "-away").seconds() == [0])
        }
    }

    @Test(arguments: ["track_2026-03-01.ndjson.part", ".trackengine.state.new"])
    func `holds no link through which the sink would write`(_ name: String) async throws {
        try await withDirectory { directory in
            let victim = directory.path + "-victim"
            let precious = String(repeating: "precious ", count: 1000)
            try precious.write(toFile: victim, atomically: true, encoding: .utf8)
            for second in 0..<2 {
                let sink = try Samples.sink(in: directory.path)
                _ = try await sink.deliver(Samples.batch([second]))
                await sink.close()
                try? FileManager.default.removeItem(atPath: "\(directory.path)/\(name)")  // may not be there
                try FileManager.default.createSymbolicLink(
                    atPath: "\(directory.path)/\(name)", withDestinationPath: victim)
            }
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == precious)
            try FileManager.default.removeItem(atPath: "\(directory.path)/\(name)")
            #expect(try directory.seconds().last == 1)
        }
    }

    @Test func `may be reached by a link`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            let link = directory.path + "-link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path)
            let sink = try Samples.sink(in: link)
            _ = try await sink.deliver(Samples.batch([0]))
            await sink.close()
            #expect(try directory.seconds() == [0])
        }
    }

    @Test func `keeps a file of others that has the name`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            try directory.write("mine", to: "track_2026-03-01.csv")
            let sink = try Samples.sink(in: directory.path, .csv)
            _ = try await sink.deliver(Samples.batch([0]))
            try directory.write("mine too", to: "track_2026-03-01_2.csv")  // taken while the file is written
            _ = try await sink.deliver(Samples.batch([86_400]))
            await sink.close()
            #expect(try directory.text("track_2026-03-01.csv") == "mine")
            #expect(try directory.text("track_2026-03-01_2.csv") == "mine too")
            #expect(try directory.seconds(in: ["track_2026-03-01_3.csv"]) == [0])
        }
    }
}

@Suite("The sink's status")
struct FileSinkStatusTests {
    @Test func `names the file under way and counts what is kept`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, .csv, .hour)
            _ = try await sink.deliver(Samples.batch([0, 1, 3600, 7200, 7201]))
            let items = Dictionary(uniqueKeysWithValues: sink.statusItems(now: .now()).map { ($0.name, $0.value) })
            #expect(items["file"] == .text("track_2026-03-01T12Z.csv.part"))
            #expect(items["records"] == .count(2))
            #expect(items["keptFiles"] == .count(2) && items["finishedFiles"] == .count(2))
            let kept = try directory.names.dropLast().reduce(0) { try $0 + directory.text($1).utf8.count }
            #expect(items["keptBytes"] == .count(kept))
            #expect(items["bytes"] == .count(try directory.text("track_2026-03-01T12Z.csv.part").utf8.count))
            await sink.close()
        }
    }
}
