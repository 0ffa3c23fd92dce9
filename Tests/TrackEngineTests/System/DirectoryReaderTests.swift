import Foundation
import TestSupport
import Testing
import TrackEngine

@Suite struct DirectoryReaderTests {
    /// A directory with files of these names and a directory.
    private static func withNames(_ names: [String], _ body: (String) throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            for name in names { try Data().write(to: URL(fileURLWithPath: "\(directory)/\(name)")) }
            #expect(mkdir(directory + "/folder", 0o700) == 0)
            try body(directory)
        }
    }

    @Test func `all names are told, hidden and long ones too, and not the directory's own`() async throws {
        let names = [".hidden", "a name", String(repeating: "ä", count: 127)]
        try await Self.withNames(names) { directory in
            let found = try DirectoryReader.names(in: directory, atMost: 100)
            #expect(found == (names + ["folder"]).sorted())
        }
    }

    @Test func `no more names than are wanted are read`() async throws {
        try await Self.withNames((0..<20).map { "file-\($0)" }) { directory in
            for most in [5, 0] {
                let found = try DirectoryReader.names(in: directory, atMost: most)
                #expect(found.count == most)
            }
        }
    }

    @Test func `a directory that is open is read from its beginning each time`() async throws {
        try await Self.withNames(["one"]) { directory in
            let open = Descriptor(owning: Foundation.open(directory, O_RDONLY | O_DIRECTORY))
            for _ in 0..<2 {
                var reader = try DirectoryReader(open, path: directory)
                var names: Set<String> = []
                while let name = try reader.next() { names.insert(name) }
                #expect(names == ["one", "folder"])
                let behind = try reader.next()
                #expect(behind == nil)
            }
        }
    }

    @Test func `what is no directory is an error that names it`() async throws {
        try await Self.withNames(["file"]) { directory in
            for (name, code) in [("nothing", ENOENT), ("file", ENOTDIR)] {
                #expect(throws: SystemError("cannot list \(directory)/\(name)", code: code)) {
                    try DirectoryReader.names(in: "\(directory)/\(name)", atMost: 10)
                }
            }
        }
    }
}
