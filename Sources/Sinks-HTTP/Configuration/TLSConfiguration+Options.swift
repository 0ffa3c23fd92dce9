import NIOSSL
import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ConfigurationCheck {
    /// Loads the files that the options name. TLS 1.2 at least, full verification, whatever the options say.
    mutating func tls(_ options: OverlandSink.Configuration.TLSOptions) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.certificateVerification = .fullVerification
        if let file = options.certificateAuthorityFile {
            tls.trustRoots = .certificates(certificates("tls.certificateAuthorityFile", file))
        }
        if let file = options.certificateFile, let keyFile = options.keyFile {
            tls.certificateChain = certificates("tls.certificateFile", file).map { .certificate($0) }
            tls.privateKey = privateKey("tls.keyFile", keyFile).map { .privateKey($0) }
        }
        return tls
    }

    private mutating func certificates(_ key: String, _ file: String) -> [NIOSSLCertificate] {
        let found = (try? NIOSSLCertificate.fromPEMFile(file)) ?? []  // unreadable counts as empty: reported below
        if found.isEmpty { problem(key, file, "a readable PEM file with at least one certificate") }
        return found
    }

    private mutating func privateKey(_ key: String, _ file: String) -> NIOSSLPrivateKey? {
        var status = stat()
        // Why a key cannot be loaded is of no use to a user who is told what is expected.
        guard stat(file, &status) == 0, let loaded = try? NIOSSLPrivateKey(file: file, format: .pem) else {
            problem(key, file, "a readable PEM file with a private key without passphrase")
            return nil
        }
        guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
            problem(key, file, "a file that only its owner may use (mode 0600)")
            return nil
        }
        return loaded
    }
}
