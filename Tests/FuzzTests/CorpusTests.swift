import Foundation
import TestSupport
import Testing

/// The fuzz targets with what is committed for them; `make fuzz` goes on from there for longer.
@Suite("Fuzz targets", .serialized)
struct CorpusTests {
    @Test
    func `Each target has a corpus, and each corpus a target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus).sorted()
        #expect(folders == FuzzTarget.all.map(\.name).sorted())
        for target in FuzzTarget.all { #expect(try Self.inputs(of: target).count >= 2, "\(target.name)") }
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `No input of the corpus, and no mutation of one, crashes its target`(_ name: String) async throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        var random = SeededGenerator(seed: 0x7261_636b)
        for input in try Self.inputs(of: target) {
            await target.run(input)
            for round in 0..<200 {
                if round % 16 == 0 { await Task.yield() }  // other tests share these threads
                var bytes = input
                for _ in 0..<Int.random(in: 1...6, using: &random) { Mutation.apply(to: &bytes, using: &random) }
                await target.run(bytes)
            }
        }
    }

    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Corpus"

    private static func inputs(of target: FuzzTarget) throws -> [[UInt8]] {
        let folder = corpus + "/" + target.name
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
        }
    }
}
