import TrackEngineSettings

/// The trusted authorities and the client's own certificate. TLS 1.2 or later; names and chains are always verified,
/// and verification cannot be turned off.
public struct TLSOptions: Sendable, Hashable {
    /// A PEM file of certificate authorities that replace the system's. Default none.
    public var certificateAuthorityFile: String?
    /// A PEM file with the client's certificate and its chain, for receivers that request one. Default none.
    public var certificateFile: String?
    /// A PEM file with the certificate's private key, readable by its owner only. Default none.
    public var keyFile: String?

    /// The system's authorities, no certificate.
    public init(certificateAuthorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
        self.certificateAuthorityFile = certificateAuthorityFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }

    /// The same files under the names of the settings.
    var files: TLSFiles {
        get {
            var files = TLSFiles()
            (files.ca, files.certificate, files.key) = (certificateAuthorityFile, certificateFile, keyFile)
            return files
        }
        set { (certificateAuthorityFile, certificateFile, keyFile) = (newValue.ca, newValue.certificate, newValue.key) }
    }
}
