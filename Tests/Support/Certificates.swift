import Foundation

/// Certificates made for one run with the `openssl` program, in a folder that goes away.
package struct Certificates: Sendable {
    private let directory: String

    package init(in directory: String) async throws {
        self.directory = directory
        try await openssl(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"]
                + ["-subj", "/CN=test authority", "-keyout", path("ca.key"), "-out", path("ca.pem")])
    }

    package var authority: String { path("ca.pem") }

    /// A certificate of the authority for a subject alternative name; its two files.
    package func certificate(
        _ name: String, for alternative: String, expired: Bool = false
    ) async throws -> (certificate: String, key: String) {
        let (key, request, certificate) = (path("\(name).key"), path("\(name).csr"), path("\(name).pem"))
        try await openssl(
            ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
                + ["-subj", "/CN=\(name)", "-addext", "subjectAltName=\(alternative)", "-keyout", key, "-out", request])
        try await openssl(
            ["x509", "-req", "-in", request, "-CA", authority, "-CAkey", path("ca.key"), "-CAcreateserial"]
                + ["-copy_extensions", "copy", "-days", expired ? "-1" : "30", "-out", certificate])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        return (certificate, key)
    }

    private func path(_ name: String) -> String { "\(directory)/\(name)" }

    private func openssl(_ arguments: [String]) async throws {
        let process = try ChildProcess("/usr/bin/openssl", arguments)
        guard await process.exit() == 0 else { throw ReceiverError(description: "openssl: \(process.text)") }
    }
}
