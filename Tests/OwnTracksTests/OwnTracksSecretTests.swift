import Foundation
import OwnTracksFormat
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

@Suite("OwnTracks' encryption")
struct OwnTracksSecretTests {
    private static let message = #"{"_type":"location","lat":53.5,"lon":10,"tst":1772359200}"#

    private func opened(_ sealed: [UInt8], with secret: String) -> Result<JSONValue, OwnTracksSecret.Unreadable> {
        do throws(OwnTracksSecret.Unreadable) {
            guard let value = JSONValue(ifReadable: sealed), let key = try? OwnTracksSecret(Secret(secret)) else {
                throw .noSecret
            }
            return .success(try key.open(value))
        } catch { return .failure(error) }
    }

    @Test(arguments: ["", "a", "s3cr3t", "ü", String(repeating: "x", count: 32), String(repeating: "y", count: 50)])
    func `what a secret seals it opens, and another does not`(_ secret: String) throws {
        let sealed = try OwnTracksSecret(Secret(secret)).sealed(Array(Self.message.utf8))
        #expect(try opened(sealed, with: secret).get()["lat"]?.number == 53.5)
        #expect(
            opened(sealed, with: secret + (secret.utf8.count < 32 ? "z" : ""))
                == (secret.utf8.count < 32
                    ? .failure(.init(description: "an encrypted message that the secret does not open"))
                    : opened(sealed, with: secret)))
    }

    @Test func `of a secret the first 32 bytes count, as in the apps`() throws {
        let long = String(repeating: "k", count: 32)
        let sealed = try OwnTracksSecret(Secret(long + "tail")).sealed(Array(Self.message.utf8))
        #expect(try opened(sealed, with: long).get()["tst"]?.number == 1_772_359_200)
    }

    @Test(arguments: [
        #"{"_type":"encrypted"}"#, #"{"_type":"encrypted","data":7}"#, #"{"_type":"encrypted","data":"AA"}"#,
        #"{"_type":"encrypted","data":""}"#, #"{"_type":"encrypted","data":"AAAA"}"#,
    ])
    func `what is no encrypted message says what was expected`(_ text: String) {
        guard case .failure(let error) = opened(Array(text.utf8), with: "s") else {
            return #expect(Bool(false), "it was opened")
        }
        #expect(error.description.hasPrefix("an encrypted message"))
    }

    @Test func `an encrypted message in an encrypted one is not opened again`() throws {
        let key = try OwnTracksSecret(Secret("s"))
        let twice = key.sealed(key.sealed(Array(Self.message.utf8)))
        guard case .failure = opened(twice, with: "s") else { return #expect(Bool(false), "it was opened") }
    }

    // MARK: Another implementation

    /// What a Python script prints; `nil` where PyNaCl is not installed.
    private static func python(_ arguments: [String]) async throws -> String? {
        let script = """
            from sys import argv, exit
            try:
                from base64 import b64decode, b64encode
                from json import dumps, loads
                from nacl.secret import SecretBox
            except ImportError:
                print("no PyNaCl"); exit(0)
            box = SecretBox(argv[2].encode()[:32].ljust(32, b"\\0"))
            if argv[1] == "open":
                print(box.decrypt(b64decode(loads(argv[3])["data"])).decode())
            else:
                sealed = bytes(box.encrypt(argv[3].encode()))
                print(dumps({"_type": "encrypted", "data": b64encode(sealed).decode()}))
            """
        let child = try ChildProcess("/usr/bin/python3", ["-c", script] + arguments)
        await eventually("python ends") { child.exitCode != nil }
        #expect(child.exitCode == 0, "\(child.text)")
        let text = child.text.split(separator: "\n").first.map(String.init) ?? ""
        return text == "no PyNaCl" ? nil : text
    }

    @Test(arguments: ["s3cr3t", "üöä", String(repeating: "x", count: 40)])
    func `PyNaCl opens what is sealed here`(_ secret: String) async throws {
        let sealed = try OwnTracksSecret(Secret(secret)).sealed(Array(Self.message.utf8))
        guard let text = try await Self.python(["open", secret, String(decoding: sealed, as: UTF8.self)]) else {
            return print("skipped: python3-nacl is not installed")
        }
        #expect(text == Self.message)
    }

    @Test(arguments: ["s3cr3t", "üöä", String(repeating: "x", count: 40)])
    func `what PyNaCl seals is opened here`(_ secret: String) async throws {
        guard let text = try await Self.python(["seal", secret, Self.message]) else {
            return print("skipped: python3-nacl is not installed")
        }
        #expect(try opened(Array(text.utf8), with: secret).get() == JSONValue.parse(Self.message.utf8))
    }
}
