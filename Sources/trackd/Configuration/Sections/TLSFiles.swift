/// Files in PEM form, by absolute path, for sinks that speak TLS.
package struct TLSFiles: Sendable, Hashable {
    /// The certificate authorities to trust, instead of the system's.
    package var ca: String?
    /// This client's certificate with its chain; needs ``key``.
    package var certificate: String?
    /// The certificate's private key.
    package var key: String?

    static let fields: [Field<Self>] = [
        .text("ca", \.ca, .absolutePath),
        .text("certificate", \.certificate, .absolutePath),
        .text("key", \.key, .absolutePath),
    ]
}
