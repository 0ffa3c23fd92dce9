import Foundation
import TestSupport
import Testing
import TrackEngine

@Suite struct DescriptorContentsTests {
    @Test func `Contents end at the end of the file, or with more bytes than the limit`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
            let file = try #require(Descriptor.open(folder + "/a", O_RDWR | O_CREAT))
            #expect(file.write(bytes) && file.sync())
            #expect(file.status?.size == 200_000)
            #expect(Descriptor.open(folder + "/a", O_RDONLY)?.contents(atMost: 200_000) == bytes)
            let part = try #require(Descriptor.open(folder + "/a", O_RDONLY)?.contents(atMost: 199_999))
            #expect(part.count > 199_999)
            #expect(Descriptor.open(folder + "/missing", O_RDONLY) == nil)
            #expect(errno == ENOENT)
        }
    }

    @Test func `Bytes are written and read at an offset, and overwritten with zeros`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let file = try #require(Descriptor.open(folder + "/a", O_RDWR | O_CREAT))
            #expect(file.write([1, 2, 3, 4]) && file.write([9, 9], at: 1))
            var bytes = [UInt8](repeating: 7, count: 5)
            #expect(bytes.withUnsafeMutableBytes { file.read(into: $0, at: 1) } == 3)
            #expect(bytes == [9, 9, 4, 7, 7])
            #expect(file.overwrite(3))
            #expect(Descriptor.open(folder + "/a", O_RDONLY)?.contents(atMost: 10) == [0, 0, 0, 4])
        }
    }

    @Test func `A failed call is reported, and sets the error number`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            #expect(Descriptor.open(folder + "/a", O_WRONLY | O_CREAT)?.contents(atMost: 1) == nil)
            #expect(errno == EBADF)
            let file = try #require(Descriptor.open(folder + "/a", O_RDONLY))
            #expect(!file.write([1]))
            #expect(errno == EBADF)
        }
    }
}

@Suite struct FileContentTests {
    @Test func `A small regular file is read, and others are refused with a reason`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a"
            let file = try #require(Descriptor.open(path, O_WRONLY | O_CREAT))
            #expect(file.write([1, 2, 3]))
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: path)
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            let content = try FileContent.read(path, limit: 3)
            #expect(content.bytes == [1, 2, 3] && content.status.isPrivateToUser)
            #expect(try FileContent.read(folder + "/link", limit: 3, .followsLinks).bytes == [1, 2, 3])
            #expect(throws: FileContent.Failure.tooLarge(limit: 2)) { try FileContent.read(path, limit: 2) }
            #expect(throws: FileContent.Failure.missing) { try FileContent.read(path + "/b", limit: 2) }
            for name in ["link", "pipe", "."] {
                #expect(throws: FileContent.Failure.notRegular) { try FileContent.read("\(folder)/\(name)", limit: 3) }
            }
        }
    }
}

@Suite struct FileLockTests {
    @Test func `A lock is taken once, and free again after its last reference`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            func open() throws -> Descriptor { try #require(Descriptor.open(folder + "/lock", O_RDWR | O_CREAT)) }
            var lock = FileLock.take(try open())
            #expect(lock != nil)
            #expect(try FileLock.take(open()) == nil)
            #expect(errno == EWOULDBLOCK)
            // As a program has it that this process is just starting.
            let copy = dup(lock?.file.raw ?? -1)
            defer { close(copy) }
            lock = nil
            #expect(try FileLock.take(open()) != nil)
        }
    }
}

@Suite struct DirectoryEntryReplacementTests {
    @Test func `A file is replaced as a whole, and one that is to be created only if there is none`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let (path, entry) = (folder + "/a", try DirectoryEntry(folder + "/a"))
            try entry.place([1], as: ".new", .creating)
            entry.remove(adding: ".new")
            #expect(throws: DirectoryEntry.ReplacementError.self) { try entry.place([2], as: ".new", .creating) }
            #expect(try FileContent.read(path, limit: 1).bytes == [1])
            entry.remove(adding: ".new")
            let status = try entry.place([3], as: ".new", mode: 0o640)
            #expect(try FileContent.read(path, limit: 1).bytes == [3])
            #expect(status.mode == 0o640 && status.identity == FileStatus.at(path)?.identity)
            #expect(FileStatus.at(path + ".new") == nil)
        }
    }

    @Test func `An error has the step and the error number`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            #expect(mkdir(folder + "/a", 0o700) == 0)
            let entry = try DirectoryEntry(folder + "/a")
            do throws(DirectoryEntry.ReplacementError) {
                try entry.place([1], as: ".new")
                Issue.record("a directory was replaced")
            } catch {
                #expect(error.step == .place && error.code == EISDIR)
            }
            do throws(DirectoryEntry.ReplacementError) {
                try entry.place([1], as: ".new")
                Issue.record("the temporary file was replaced")
            } catch {
                #expect(error.step == .create && error.code == EEXIST)
            }
        }
    }
}
