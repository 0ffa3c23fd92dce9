/// PEM files for sinks that use TLS, given by absolute path.
public struct TLSFiles: Sendable, Hashable {
    /// The certificate authorities to trust, instead of the system's.
    public var ca: String?
    /// This client's certificate with its chain; needs ``key``.
    public var certificate: String?
    /// The certificate's private key.
    public var key: String?

    /// The system's authorities and no client certificate.
    public init() {}

    /// The key for a file option in the sinks' own configurations, such as `tls.certificateAuthorityFile`; `nil` for
    /// any other option.
    package static func key(ofOption name: String) -> String? {
        switch name {
        case "tls.certificateAuthorityFile": "tls.ca"
        case "tls.certificateFile": "tls.certificate"
        case "tls.keyFile": "tls.key"
        case _: nil
        }
    }

    /// The keys `ca`, `certificate` and `key`.
    public static let fields: [Field<Self>] = [
        .text("ca", \.ca, .absolutePath)
            .meaning("A PEM file of the certificate authorities to trust, instead of the system's."),
        .text("certificate", \.certificate, .absolutePath)
            .meaning("A PEM file of this client's certificate with its chain; needs key."),
        .text("key", \.key, .absolutePath)
            .meaning("A PEM file of the certificate's private key, which only its owner may read."),
    ]
}
