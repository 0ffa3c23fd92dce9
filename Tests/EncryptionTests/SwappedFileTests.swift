import Encryption
import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineSettings

/// Somebody who has the disk, and not the key, puts other files in the places of encrypted ones.
@Suite struct SwappedFileTests {
    private static let key = StoreKey.random()
    private static let (old, new) = (Array("old".utf8), Array("new".utf8))

    private static func copy(_ path: String, to other: String) throws {
        try? FileManager.default.removeItem(atPath: other)  // there may be none
        try FileManager.default.copyItem(atPath: path, toPath: other)
    }

    /// What is said of a file; `nil` where it is read.
    private static func refusal(_ path: String, kind: String? = nil) -> String? {
        do throws(PrivateFileError) {
            _ = try EncryptedFile(path, kind: kind, key: key).read()
            return nil
        } catch { return error.description }
    }

    @Test func `a file in plain is refused where an encrypted one was, until a person accepts it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            let file = EncryptedFile(path, key: Self.key)
            try file.replace(with: Self.new)
            try PrivateFile.replace(path, with: Self.old)
            let expected = try #require(Self.refusal(path))
            expectMessage(expected, begin: path, replacing: [folder: "FOLDER"])
            #expect { try file.encrypt() } throws: { "\($0)" == expected }
            await #expect { try await EncryptedFiles(in: folder).encrypt(under: Self.key) } throws: {
                "\($0)".contains(expected)
            }
            #expect(try PrivateFile.read(path, atMost: 100)?.bytes == Self.old)
            try FileManager.default.removeItem(atPath: path + ".count")
            #expect(try file.read()?.bytes == Self.old)
            try file.encrypt()
            #expect(try PrivateFile.read(path, atMost: 1_000)?.bytes != Self.old && file.read()?.bytes == Self.old)
        }
    }

    @Test func `an older file is refused, and none at all where there was one`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            let file = EncryptedFile(path, key: Self.key)
            try file.replace(with: Self.old)
            try Self.copy(path, to: path + ".kept")
            try file.replace(with: Self.new)
            try Self.copy(path + ".kept", to: path)
            #expect(Self.refusal(path)?.contains("found an older one; to accept it, remove \(path).count") == true)
            try FileManager.default.removeItem(atPath: path)
            #expect(Self.refusal(path)?.contains("to begin anew, remove \(path).count") == true)
            try FileManager.default.removeItem(atPath: path + ".count")
            #expect(try file.read() == nil)
        }
    }

    @Test func `a number that was changed, or is that of another file, is refused`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            try EncryptedFile(path, key: Self.key).replace(with: Self.new)
            try EncryptedFile(folder + "/b.json", key: Self.key).replace(with: Self.new)
            try Self.copy(folder + "/b.json.count", to: path + ".count")
            expectMessage(Self.refusal(path), begin: path + ".count", replacing: [folder: "FOLDER"])
            try PrivateFile.replace(path + ".count", with: [1])
            #expect(Self.refusal(path) != nil)
        }
    }

    @Test(arguments: [("tokens", "miataru", nil), ("one", "two", nil), ("state", "other", "state")])
    func `a file of another kind, or of a neighbour, does not open`(
        _ own: String, _ other: String, _ kind: String?
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            for name in [own, other] {
                #expect(mkdir("\(folder)/\(name)", 0o700) == 0)
                try EncryptedFile("\(folder)/\(name)/home.json", kind: kind, key: Self.key).replace(with: Self.old)
            }
            for end in ["", ".count"] {
                try Self.copy("\(folder)/\(own)/home.json\(end)", to: "\(folder)/\(other)/home.json\(end)")
            }
            // A directory whose files have a kind may get another name.
            #expect((Self.refusal("\(folder)/\(other)/home.json", kind: kind) == nil) == (kind != nil))
        }
    }

    @Test func `files of a kind change their key, and are written in plain, in a directory of any name`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/places.json"
            let files = EncryptedFiles(in: folder, names: ["places.json"], kind: "state")
            try EncryptedFile(path, kind: "state", key: Self.key).replace(with: Self.old)
            let next = StoreKey.random()
            try await files.admit(next, beside: Self.key)
            try await files.restrict(to: next)
            #expect(try EncryptedFile(path, kind: "state", key: next).read()?.bytes == Self.old)
            try await files.decrypt(with: next)
            #expect(try PrivateFile.read(path, atMost: 100)?.bytes == Self.old)
            try await files.encrypt(under: Self.key)
            #expect(Self.refusal(path, kind: "state") == nil)
        }
    }

    @Test func `who ends between the file and its number has neither refused`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            try EncryptedFile(path, key: Self.key).replace(with: Self.old)
            var environment = EncryptedFileEnvironment()
            environment.didTake = { step throws(PrivateFileError) in
                if step == .replaced { throw PrivateFileError("it ends here") }
            }
            let ending = EncryptedFile(path, key: Self.key, environment: environment)
            #expect(throws: PrivateFileError.self) { try ending.replace(with: Self.new) }
            let file = EncryptedFile(path, key: Self.key)
            #expect(try file.read()?.bytes == Self.new)
            try file.replace(with: Self.old)
            #expect(try file.read()?.bytes == Self.old)
        }
    }

    @Test func `no more is written than is read again`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            for key in [nil, Self.key] {
                let file = EncryptedFile(folder + "/a.json", limit: 100, key: key)
                try file.replace(with: Array(repeating: 1, count: 100))
                #expect(throws: PrivateFileError.self) { try file.replace(with: Array(repeating: 2, count: 101)) }
                #expect(try file.read()?.bytes == Array(repeating: 1, count: 100))
            }
        }
    }

    // MARK: - Files of earlier releases

    /// A file as releases before the numbers wrote it.
    private static func writeFirstVersion(_ path: String, _ bytes: [UInt8]) throws {
        let name = try #require(path.split(separator: "/").last)
        let outer = try ContentCipher(key: DerivedKey.derive(from: key.bytes, number: 1, purposes: "TrkFiles"))
        let own = try ContentCipher.makeKey()
        let sealed = try outer.seal(own, boundTo: Array("track-engine key \(name)".utf8))
        let body = try ContentCipher(key: own).seal(bytes, boundTo: Array("track-engine file \(name)".utf8))
        try PrivateFile.replace(path, with: Array("TEPF".utf8) + [1, 1] + sealed + body)
    }

    @Test func `a file of an earlier release is read, gets a number, and is refused from then on`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            try Self.writeFirstVersion(path, Self.old)
            let file = EncryptedFile(path, key: Self.key)
            #expect(try file.read()?.bytes == Self.old)
            try await EncryptedFiles(in: folder).encrypt(under: Self.key)
            #expect(try file.read()?.bytes == Self.old)
            try Self.writeFirstVersion(path, Self.old)
            #expect(Self.refusal(path)?.contains("found an older one") == true)
        }
    }

    @Test func `the key of a file of an earlier release can be changed, and it gets its number afterwards`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let (path, next) = (folder + "/a.json", StoreKey.random())
            try Self.writeFirstVersion(path, Self.old)
            let files = EncryptedFiles(in: folder)
            try await files.admit(next, beside: Self.key)
            try EncryptedFile(path, key: Self.key).replace(with: Self.new)
            for key in [Self.key, next] { #expect(try EncryptedFile(path, key: key).read()?.bytes == Self.new) }
            try await files.restrict(to: next)
            try await files.encrypt(under: next)
            #expect(try EncryptedFile(path, key: next).read()?.bytes == Self.new)
            #expect(FileManager.default.fileExists(atPath: path + ".count"))
        }
    }
}
