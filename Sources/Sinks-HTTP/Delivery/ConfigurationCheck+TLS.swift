package import NIOSSL
package import TrackEngine
package import TrackEngineSettings

extension ConfigurationCheck {
    /// Loads the files. With any files, TLS 1.2 is the minimum and verification is complete. Problems are reported
    /// under the names of the files in the sinks' own configurations.
    package mutating func tls(_ files: TLSFiles) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.certificateVerification = .fullVerification
        if let file = files.ca {
            tls.trustRoots = .certificates(certificates("tls.certificateAuthorityFile", file))
        }
        if let file = files.certificate, let keyFile = files.key {
            tls.certificateChain = certificates("tls.certificateFile", file).map { .certificate($0) }
            tls.privateKey = privateKey("tls.keyFile", keyFile).map { .privateKey($0) }
            pair(in: tls, keyFile)
        }
        return tls
    }

    /// Reports a key that does not match the certificate; unreadable files were reported already.
    private mutating func pair(in tls: TLSConfiguration, _ keyFile: String) {
        guard !tls.certificateChain.isEmpty, tls.privateKey != nil else { return }
        var alone = tls
        alone.trustRoots = .certificates([])
        // The user needs the expectation, not the reason why no connection can use both files.
        if (try? NIOSSLContext(configuration: alone)) == nil {
            problem("tls.keyFile", keyFile, "the private key of the certificate")
        }
    }

    private mutating func certificates(_ key: String, _ file: String) -> [NIOSSLCertificate] {
        // A read from a pipe would wait for a writer.
        let isFile = FileStatus.following(file)?.kind == .regular
        // Unreadable counts as empty, which is reported below.
        let found = isFile ? (try? NIOSSLCertificate.fromPEMFile(file)) ?? [] : []
        if found.isEmpty { problem(key, file, "a readable PEM file with at least one certificate") }
        return found
    }

    private mutating func privateKey(_ key: String, _ file: String) -> NIOSSLPrivateKey? {
        // The user needs the expectation, not the reason why a key cannot be loaded.
        guard let status = FileStatus.following(file), status.kind == .regular,
            let loaded = try? NIOSSLPrivateKey(file: file, format: .pem)
        else {
            problem(key, file, "a readable PEM file with a private key without passphrase")
            return nil
        }
        guard status.isPrivate else {
            problem(key, file, "a file that only its owner may use (mode 0600)")
            return nil
        }
        return loaded
    }
}
