package import NIOSSL
package import TrackEngine
package import TrackEngineSettings

extension ConfigurationCheck {
    /// Loads the files. TLS 1.2 at least, full verification, whatever they are. Problems are under the names that the sinks'
    /// own configurations have for them.
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

    /// Reports a key that is not that of the certificate; what cannot be read has been reported.
    private mutating func pair(in tls: TLSConfiguration, _ keyFile: String) {
        guard !tls.certificateChain.isEmpty, tls.privateKey != nil else { return }
        var alone = tls
        alone.trustRoots = .certificates([])
        // Why no connection can have both is of no use to a user who is told what is expected.
        if (try? NIOSSLContext(configuration: alone)) == nil {
            problem("tls.keyFile", keyFile, "the private key of the certificate beside it")
        }
    }

    private mutating func certificates(_ key: String, _ file: String) -> [NIOSSLCertificate] {
        // A read from a pipe would wait for a writer.
        let isFile = FileStatus.following(file)?.kind == .regular
        // Unreadable counts as empty: reported below.
        let found = isFile ? (try? NIOSSLCertificate.fromPEMFile(file)) ?? [] : []
        if found.isEmpty { problem(key, file, "a readable PEM file with at least one certificate") }
        return found
    }

    private mutating func privateKey(_ key: String, _ file: String) -> NIOSSLPrivateKey? {
        // Why a key cannot be loaded is of no use to a user who is told what is expected.
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
