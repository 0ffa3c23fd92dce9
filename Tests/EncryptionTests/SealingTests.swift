import Encryption
import TestSupport
import Testing

struct SecretBoxTests {
    // From NaCl's own tests, tests/secretbox.c, which libsodium runs as test/default/secretbox.c.
    private let key = bytes("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389")
    private let nonce = bytes("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37")
    private let message = bytes(
        "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f4"
            + "1db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0"
            + "a089bc76897040e082f937763848645e0705")
    private let box = bytes(
        "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b"
            + "4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99"
            + "832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5")

    @Test func `a message of NaCl's own tests is sealed to its bytes`() throws {
        let sealed = try SecretBox(key: key).seal(message, nonce: nonce)
        #expect(sealed == nonce + box)
        #expect(try SecretBox(key: key).open(sealed) == message)
    }

    @Test func `a changed or shortened message does not open`() throws {
        let secretBox = try SecretBox(key: key)
        let sealed = try secretBox.seal([1, 2, 3])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: EncryptionError.notAuthentic) { try secretBox.open(changed) }
            #expect(throws: EncryptionError.notAuthentic) { try secretBox.open(Array(sealed[..<index])) }
        }
    }

    @Test func `an empty message is one too`() throws {
        let secretBox = try SecretBox(key: key)
        #expect(try secretBox.open(secretBox.seal([])) == [])
    }

    @Test func `keys of another length are refused`() {
        #expect(throws: EncryptionError.keyLength(expected: 32)) { try SecretBox(key: [1, 2, 3]) }
        #expect(throws: EncryptionError.keyLength(expected: 32)) {
            try ContentCipher(key: Array(repeating: 0, count: 33))
        }
    }
}

struct ContentCipherTests {
    // draft-irtf-cfrg-xchacha-03, section A.3.1.
    private let key = bytes("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f")
    private let nonce = bytes("404142434445464748494a4b4c4d4e4f5051525354555657")
    private let context = bytes("50515253c0c1c2c3c4c5c6c7")
    private let payload = Array(
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
            .utf8)

    @Test func `the draft's vector is sealed to its authenticator`() throws {
        let sealed = try ContentCipher(key: key).seal(payload, boundTo: context, nonce: nonce)
        #expect(Array(sealed[24..<40]) == bytes("bd6d179d3e83d43b9576579493c0e939"))
        #expect(Array(sealed.suffix(16)) == bytes("c0875924c1c7987947deafd8780acf49"))
        #expect(try ContentCipher(key: key).open(sealed, boundTo: context) == payload)
    }

    @Test func `a payload does not open in another's place`() throws {
        let seal = try ContentCipher(key: key)
        let sealed = try seal.seal(payload, boundTo: context)
        #expect(throws: EncryptionError.notAuthentic) { try seal.open(sealed, boundTo: context + [0]) }
        #expect(throws: EncryptionError.notAuthentic) { try seal.open(sealed, boundTo: []) }
    }

    @Test func `a payload sealed twice has different bytes`() throws {
        let seal = try ContentCipher(key: ContentCipher.makeKey())
        #expect(try seal.seal(payload, boundTo: []) != seal.seal(payload, boundTo: []))
    }

    @Test func `a random key opens nothing of another`() throws {
        let sealed = try ContentCipher(key: ContentCipher.makeKey()).seal(payload, boundTo: [])
        let other = try ContentCipher(key: ContentCipher.makeKey())
        #expect(throws: EncryptionError.notAuthentic) { try other.open(sealed, boundTo: []) }
    }
}

/// Bytes from hexadecimal digits.
private func bytes(_ text: String) -> [UInt8] {
    var digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }[...]
    var bytes: [UInt8] = []
    while let high = digits.popFirst(), let low = digits.popFirst() { bytes.append(high << 4 | low) }
    return bytes
}
