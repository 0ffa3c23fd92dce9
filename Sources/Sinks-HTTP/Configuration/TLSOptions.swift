import TrackEngineSettings

/// Whom to trust, and who we are. TLS 1.2 at least, names and chains always verified; there is no way to turn it off.
public struct TLSOptions: Sendable, Hashable {
    /// A PEM file of certificate authorities that replaces the system's. Default none.
    public var certificateAuthorityFile: String?
    /// A PEM file with our certificate and its chain, for receivers that ask for one. Default none.
    public var certificateFile: String?
    /// A PEM file with the certificate's private key, readable by its owner only. Default none.
    public var keyFile: String?

    /// The system's authorities, no certificate.
    public init(certificateAuthorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
        self.certificateAuthorityFile = certificateAuthorityFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }

    /// The same under the settings' names.
    var files: TLSFiles {
        var files = TLSFiles()
        (files.ca, files.certificate, files.key) = (certificateAuthorityFile, certificateFile, keyFile)
        return files
    }
}
