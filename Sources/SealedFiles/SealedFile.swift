package import TrackEngine
package import TrackEngineSettings

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// A small file of its owner alone that holds names, ids or secrets, encrypted where the store is.
///
/// One in plain is read all the same: it was written before there was a key. Whatever is written with a key is encrypted, and what
/// was in plain before is overwritten. Everything is bound to the file's name: in another file's place it does not open.
package struct SealedFile: Sendable {
    /// Where it is.
    package let path: String
    private let key: StoreKey?
    private let environment: SealedFileEnvironment

    /// A file that is or will be there.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - key: the store's; `nil` where the store is in plain.
    ///   - environment: what stands in the way, for tests.
    package init(_ path: String, key: StoreKey?, environment: SealedFileEnvironment = SealedFileEnvironment()) {
        self.path = path
        self.key = key
        self.environment = environment
    }

    /// What the file holds, and what tells it from later versions; `nil` where there is none.
    ///
    /// - Throws: when it cannot be read, when others may read it, or when it is encrypted and does not open.
    package func read(atMost limit: Int) throws(PrivateFileError) -> (bytes: [UInt8], status: stat)? {
        guard let (bytes, status) = try PrivateFile.read(path, atMost: SealedContents.length(of: limit)) else {
            return nil
        }
        let opened = try opened(bytes)
        guard opened.count <= limit else { throw PrivateFileError("\(path): expected at most \(limit) bytes") }
        return (opened, status)
    }

    /// Replaces the file, through to the disk. One caller at a time.
    @discardableResult
    package func replace(with bytes: [UInt8]) throws(PrivateFileError) -> stat {
        guard let key else { return try PrivateFile.replace(path, with: bytes) }
        // While the store's key is changed, whatever opens the file opens it afterwards, too.
        if let present = try contents(), let sealed = try? SealedContents(present, path), sealed.count > 1,
            let next = try sealed.holding(bytes, name, key)
        {
            return try PrivateFile.replace(path, with: next.bytes)
        }
        return try replacePlain(with: SealedContents(bytes, name, key))
    }

    /// Encrypts a file that is in plain; one that is encrypted stays as it is.
    package func encrypt() throws(PrivateFileError) {
        guard let key else { return }
        guard let bytes = try contents(), !SealedContents.isMarked(bytes) else { return try eraseRemains() }
        try replacePlain(with: SealedContents(bytes, name, key))
    }
}

// MARK: - A change of key

extension SealedFile {
    /// Whether it is there and encrypted, looked at without its key.
    package var isSealed: Bool {
        // One that cannot be read is told by who needs it.
        (try? contents()).flatMap { $0 }.map { SealedContents.isMarked($0) } ?? false
    }

    /// Lets one more key open an encrypted file.
    ///
    /// - Throws: an error with `isWrongKey` when it opens with neither.
    package func admit(_ next: StoreKey) throws(PrivateFileError) {
        guard let bytes = try contents(), let contents = try SealedContents(bytes, path),
            contents.open(name, next) == nil
        else { return }
        guard let key else { throw missing }
        guard let admitted = try contents.admitting(next, beside: key, name) else { throw wrong }
        try write(admitted)
    }

    /// Lets the key alone open an encrypted file.
    ///
    /// - Throws: an error with `isWrongKey` when it does not open with it.
    package func restrict() throws(PrivateFileError) {
        guard let key, let bytes = try contents(), let contents = try SealedContents(bytes, path) else { return }
        guard let opened = contents.open(name, key) else { throw wrong }
        guard contents.count > 1 else { return }
        try write(SealedContents(opened, name, key))
    }

    /// Writes in plain what is encrypted.
    package func decrypt() throws(PrivateFileError) {
        guard let bytes = try contents(), SealedContents.isMarked(bytes) else { return }
        let opened = try opened(bytes)
        try PrivateFile.erase(path + Self.plain)  // what an interrupted encryption has left
        try PrivateFile.replace(path, with: opened)
        try environment.didTake(.replaced)
    }
}

// MARK: - Bytes

extension SealedFile {
    private static let plain = ".plain"
    /// More than any of these files may have.
    private static let most = 16 << 20

    /// What the contents are bound to: the name that the file had before it was set aside.
    private var name: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return PrivateFile.isSetAside(name) ? String(name.dropLast(PrivateFile.asideSuffix.count)) : name
    }

    private func contents() throws(PrivateFileError) -> [UInt8]? {
        try PrivateFile.read(path, atMost: Self.most)?.bytes
    }

    private func opened(_ bytes: [UInt8]) throws(PrivateFileError) -> [UInt8] {
        guard let contents = try SealedContents(bytes, path) else { return bytes }
        guard let key else { throw missing }
        guard let opened = contents.open(name, key) else { throw wrong }
        return opened
    }

    private var missing: PrivateFileError {
        PrivateFileError(
            "\(path): expected the store's key (store.encryption.key), because the file is encrypted", isWrongKey: true)
    }

    private var wrong: PrivateFileError {
        PrivateFileError(
            "\(path): expected a file that was encrypted under the store's key (store.encryption.key) and not changed since",
            isWrongKey: true)
    }

    private func write(_ contents: SealedContents) throws(PrivateFileError) {
        try PrivateFile.replace(path, with: contents.bytes)
        try environment.didTake(.replaced)
    }

    /// Replaces the file; one in plain keeps a second name until it is overwritten, so that an interrupted attempt can be completed.
    @discardableResult
    private func replacePlain(with sealed: SealedContents) throws(PrivateFileError) -> stat {
        let old = path + Self.plain
        if PrivateFile.isSame(path, old) != true {
            try eraseRemains()
            if let bytes = try contents(), !SealedContents.isMarked(bytes) {
                try PrivateFile.link(path, adding: Self.plain)
                try environment.didTake(.linked)
            }
        }
        let status = try PrivateFile.replace(path, with: sealed.bytes)
        try environment.didTake(.replaced)
        if try PrivateFile.erase(old) { try environment.didTake(.erased) }
        return status
    }

    /// Overwrites what interrupted changes have left.
    private func eraseRemains() throws(PrivateFileError) {
        for suffix in [Self.plain, ".new"] { try PrivateFile.erase(path + suffix) }
    }
}

/// What stands in the way of changes to sealed files; in production nothing does.
package struct SealedFileEnvironment: Sendable {
    /// A step that is through to the disk.
    package enum Step: Sendable, Hashable {
        /// A file in plain has a second name.
        case linked
        /// A file has its new contents.
        case replaced
        /// What was in plain is overwritten.
        case erased
    }

    /// Called after each step; what it throws ends the change there.
    package var didTake: @Sendable (Step) throws(PrivateFileError) -> Void = { _ in }

    package init() {}
}
