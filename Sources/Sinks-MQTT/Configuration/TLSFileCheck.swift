import CMosquitto
import TrackEngine

extension ConfigurationCheck {
    /// Reads the files as each connection will, so files that can never be used are found before the first
    /// connection.
    mutating func files(of tls: MQTTSink.Configuration.TLSOptions) {
        if let file = tls.certificateAuthorityFile, !TLSFileCheck().trusts(file) {
            problem("tls.certificateAuthorityFile", file, "a readable PEM file with at least one certificate")
        }
        guard let file = tls.certificateFile, let keyFile = tls.keyFile else { return }
        let context = TLSFileCheck()
        let hasCertificate = context.takesCertificate(file)
        if !hasCertificate {
            problem("tls.certificateFile", file, "a readable PEM file with at least one certificate")
        }
        if FileStatus.following(keyFile)?.isPrivate == false {
            problem("tls.keyFile", keyFile, "a file that only its owner may use (mode 0600)")
        } else if !TLSFileCheck().takesKey(keyFile) {
            problem("tls.keyFile", keyFile, "a readable PEM file with a private key without passphrase")
        } else if hasCertificate, !context.takesKey(keyFile) {
            problem("tls.keyFile", keyFile, "the private key of the certificate")
        }
    }
}

/// OpenSSL's check of PEM files.
private struct TLSFileCheck: ~Copyable {
    private let context = SSL_CTX_new(TLS_client_method())

    deinit { SSL_CTX_free(context) }

    /// Whether a file has certificate authorities to trust.
    borrowing func trusts(_ file: String) -> Bool {
        take(file) { SSL_CTX_load_verify_locations($0, file, nil) }
    }

    /// Whether a file has a certificate to present.
    borrowing func takesCertificate(_ file: String) -> Bool {
        take(file) { SSL_CTX_use_certificate_chain_file($0, file) }
    }

    /// Whether a file has a private key without a passphrase, and one that matches the certificate if that was
    /// loaded.
    borrowing func takesKey(_ file: String) -> Bool {
        take(file) { context in
            // Without this OpenSSL prompts for the passphrase on the terminal.
            SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
            return SSL_CTX_use_PrivateKey_file(context, file, SSL_FILETYPE_PEM)
        }
    }

    /// Whether a call accepts a regular file; it would wait for the writer of a pipe. Without memory there is no
    /// check here, and the connection reports the error.
    private borrowing func take(_ file: String, _ call: (OpaquePointer) -> Int32) -> Bool {
        guard FileStatus.following(file)?.kind == .regular else { return false }
        guard let context else { return true }
        ERR_clear_error()
        defer { ERR_clear_error() }
        return call(context) == 1
    }
}
