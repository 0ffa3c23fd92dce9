package import TrackEngine
import TrackEngineSettings

/// A small file that only its owner can read. It holds names, ids or secrets, and is encrypted where the store is.
///
/// A plain file is encrypted on the first use with a key, and its former plain bytes are overwritten. Contents are
/// bound to the file's place: moved to another file's place, they do not open.
///
/// Each change has a number. The file `NAME.count` next to the file keeps the newest number, encrypted as well. While
/// it exists, a plain file, an older file and a missing file are refused. An attacker with access to the disk can
/// restore an older file together with its older `NAME.count`, or remove both. This is indistinguishable from a disk
/// restored from a backup.
package struct EncryptedFile: Sendable {
    /// The file's path.
    package let path: String
    private let kind: String?
    private let key: StoreKey?
    private let limit: Int
    private let environment: EncryptedFileEnvironment

    /// The default limit of a file's size, in bytes.
    package static let largest = 15 << 20

    /// A file that is or will be there.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - kind: the kind of files that it belongs to; `nil` for the name of its directory. A file of another kind
    ///     does not open.
    ///   - limit: the most bytes that it may hold: no more are written, and no more are read.
    ///   - key: the store's; `nil` where the store is in plain.
    ///   - environment: a hook after each step on disk, for tests.
    package init(
        _ path: String, kind: String? = nil, limit: Int = EncryptedFile.largest, key: StoreKey?,
        environment: EncryptedFileEnvironment = EncryptedFileEnvironment()
    ) {
        self.path = path
        self.kind = kind
        self.limit = limit
        self.key = key
        self.environment = environment
    }

    /// Returns the file's contents and its status, which identifies this version; `nil` where there is no file.
    ///
    /// - Throws: when it cannot be read, when others may read it, when it is encrypted and does not open, or when it
    ///   is not the one that was written last.
    package func read() throws(PrivateFileError) -> (bytes: [UInt8], status: FileStatus)? {
        // The number is read before the file: a concurrent writer of both writes the number after the file.
        let number = try countedNumber()
        guard let (bytes, status) = try PrivateFile.read(path, atMost: EncryptedContent.length(of: limit)) else {
            guard number == nil else { throw refusal("the encrypted file that was here; to begin anew") }
            return nil
        }
        let opened = try opened(bytes, since: number)
        guard opened.count <= limit else { throw PrivateFileError("\(path): expected at most \(limit) bytes") }
        return (opened, status)
    }

    /// Replaces the file, through to the disk. One caller at a time.
    ///
    /// - Throws: also for more bytes than would be read again.
    @discardableResult
    package func replace(with bytes: [UInt8]) throws(PrivateFileError) -> FileStatus {
        guard bytes.count <= limit else {
            throw PrivateFileError(
                "\(path): expected at most \(limit) bytes, not \(bytes.count); the file is unchanged")
        }
        guard let key else {
            let status = try PrivateFile.replace(path, with: bytes)
            try removeCount()
            return status
        }
        let present = try contents()
        let sealed = try? present.flatMap { bytes throws(PrivateFileError) in try EncryptedContent(bytes, path) }
        // An unreadable number is written anew: a caller that must not replace the file has read it before, and got
        // an error.
        let number = max((try? countedNumber()) ?? 0, sealed?.open(place(), key)?.number ?? 0) + 1
        // During a change of the store's key, each key that opens the file still opens it afterwards.
        if let sealed, sealed.count > 1, let next = try sealed.holding((bytes, number), place(), key) {
            let status = try write(next)
            if next.isCurrent { try count(number, key) }
            return status
        }
        let status = try replacePlain(with: EncryptedContent((bytes, number), place(), key))
        try count(number, key)
        return status
    }

    /// Encrypts a plain file, and adds the number where an encrypted file has none; an encrypted file with a number
    /// is left unchanged.
    ///
    /// - Throws: an error with `isWrongKey` for a file in plain where an encrypted one was.
    package func encrypt() throws(PrivateFileError) {
        guard let key else { return }
        let number = try countedNumber()
        guard let bytes = try contents() else { return try eraseRemains() }
        guard let sealed = try EncryptedContent(bytes, path) else {
            guard number == nil else { throw plainRefusal }
            try replacePlain(with: EncryptedContent((bytes, 1), place(), key))
            return try count(1, key)
        }
        try eraseRemains()
        guard number == nil, sealed.count == 1, let opened = sealed.open(place(), key) else { return }
        if !sealed.isCurrent { try write(EncryptedContent((opened.bytes, opened.number + 1), place(), key)) }
        try count(sealed.isCurrent ? opened.number : opened.number + 1, key)
    }

    /// Sets an unreadable file aside, for inspection by a person; another one may then take its place.
    package func setAside() throws(PrivateFileError) {
        try removeCount()
        if try contents() != nil { try PrivateFile.setAside(path) }
    }
}

// MARK: - A change of key

extension EncryptedFile {
    /// Whether the file exists and is encrypted, determined without its key.
    package var isSealed: Bool {
        // The code that needs an unreadable file reports it.
        (try? contents()).flatMap { $0 }.map { EncryptedContent.isMarked($0) } ?? false
    }

    /// Lets one more key open an encrypted file.
    ///
    /// - Throws: an error with `isWrongKey` when it opens with neither.
    package func admit(_ next: StoreKey) throws(PrivateFileError) {
        for part in [Self.whole, Self.counted] {
            guard let bytes = try contents(part), let contents = try EncryptedContent(bytes, path + part),
                contents.open(place(part), next) == nil
            else { continue }
            guard let key else { throw missing }
            guard let admitted = try contents.admitting(next, beside: key, place(part)) else { throw wrong(part) }
            try write(admitted, part)
        }
    }

    /// Removes all keys of an encrypted file but this one.
    ///
    /// - Throws: an error with `isWrongKey` when it does not open with it.
    package func restrict() throws(PrivateFileError) {
        guard let key else { return }
        for part in [Self.whole, Self.counted] {
            guard let bytes = try contents(part), let contents = try EncryptedContent(bytes, path + part) else {
                continue
            }
            guard let opened = contents.open(place(part), key) else { throw wrong(part) }
            guard contents.count > 1 else { continue }
            let numbered = (opened.bytes, max(1, opened.number))  // one of version 1 had none
            try write(EncryptedContent(numbered, place(part), key), part)
        }
    }

    /// Replaces an encrypted file by its plain contents.
    package func decrypt() throws(PrivateFileError) {
        guard let bytes = try contents(), EncryptedContent.isMarked(bytes) else { return try removeCount() }
        let opened = try opened(bytes, since: countedNumber())
        try removeCount()  // first: an encrypted file without a number is readable, a plain file with a number is not
        try PrivateFile.erase(path + Self.plain)  // left over from an interrupted encryption
        try PrivateFile.replace(path, with: opened)
        try environment.didTake(.replaced)
    }
}

// MARK: - The number of the newest change

extension EncryptedFile {
    /// The suffix of the files with numbers.
    static let counted = ".count"

    /// The number of the newest change; `nil` where none was counted, or where there is no key.
    private func countedNumber() throws(PrivateFileError) -> UInt64? {
        guard let key, let bytes = try contents(Self.counted) else { return nil }
        // A file that is not in this format is damaged, and does not open either.
        let contents = try? EncryptedContent(bytes, path + Self.counted)
        guard let opened = contents?.open(place(Self.counted), key) else { throw wrong(Self.counted) }
        return opened.number
    }

    private func count(_ number: UInt64, _ key: StoreKey) throws(PrivateFileError) {
        // As with the file itself, each key that opens the number still opens it afterwards.
        let present = try? contents(Self.counted).flatMap { bytes throws(PrivateFileError) in
            try EncryptedContent(bytes, path + Self.counted)
        }
        if let present, present.count > 1, let next = try present.holding(([], number), place(Self.counted), key) {
            try write(next, Self.counted)
        } else {
            try write(EncryptedContent(([], number), place(Self.counted), key), Self.counted)
        }
    }

    private func removeCount() throws(PrivateFileError) {
        guard try PrivateFile.erase(path + Self.counted) else { return }
        try environment.didTake(.erased)
    }
}

// MARK: - Bytes

extension EncryptedFile {
    private static let whole = ""
    private static let plain = ".plain"
    /// More than any of these files may have.
    private static let most = EncryptedContent.length(of: 16 << 20)

    /// The place to which the contents are bound: the file's name before it was set aside, and its directory or kind.
    private func place(_ part: String = whole) -> EncryptedContent.Place {
        let parts = path.split(separator: "/").map(String.init)
        var name = parts.last ?? path
        if PrivateFile.isSetAside(name) { name.removeLast(PrivateFile.asideSuffix.count) }
        let kind = kind ?? parts.dropLast().last ?? "."
        return EncryptedContent.Place(name: name + part, path: "\(kind)/\(name)\(part)")
    }

    private func contents(_ part: String = whole) throws(PrivateFileError) -> [UInt8]? {
        try PrivateFile.read(path + part, atMost: Self.most)?.bytes
    }

    private func opened(_ bytes: [UInt8], since number: UInt64?) throws(PrivateFileError) -> [UInt8] {
        guard let contents = try EncryptedContent(bytes, path) else {
            guard number == nil else { throw plainRefusal }
            return bytes
        }
        guard let key else { throw missing }
        guard let opened = contents.open(place(), key) else { throw wrong() }
        guard opened.number >= number ?? 0 else {
            throw refusal("the file that was written last, found an older one; to accept it")
        }
        return opened.bytes
    }

    private var missing: PrivateFileError {
        PrivateFileError(
            "\(path): expected the store's key (store.encryption.key), because the file is encrypted", isWrongKey: true)
    }

    private func wrong(_ part: String = whole) -> PrivateFileError {
        PrivateFileError(
            "\(path)\(part): expected a file that was encrypted here under the store's key (store.encryption.key) and not changed since; "
                + (kind == nil
                    ? "a directory that was renamed needs its former name back"
                    : "a renamed file needs its former name back"),
            isWrongKey: true)
    }

    private var plainRefusal: PrivateFileError { refusal("an encrypted file, found one in plain; to accept it") }

    /// The error for a file that is not the one that was written last, with the way to accept it.
    private func refusal(_ expectation: String) -> PrivateFileError {
        PrivateFileError("\(path): expected \(expectation), remove \(path)\(Self.counted)", isWrongKey: true)
    }

    @discardableResult
    private func write(_ contents: EncryptedContent, _ part: String = whole) throws(PrivateFileError) -> FileStatus {
        let status = try PrivateFile.replace(path + part, with: contents.bytes)
        try environment.didTake(part == Self.whole ? .replaced : .counted)
        return status
    }

    /// Replaces the file; one in plain keeps a second name until it is overwritten, so that an interrupted attempt
    /// can be completed.
    @discardableResult
    private func replacePlain(with sealed: EncryptedContent) throws(PrivateFileError) -> FileStatus {
        let old = path + Self.plain
        if PrivateFile.isSame(path, old) != true {
            try eraseRemains()
            if let bytes = try contents(), !EncryptedContent.isMarked(bytes) {
                try PrivateFile.link(path, adding: Self.plain)
                try environment.didTake(.linked)
            }
        }
        let status = try write(sealed)
        if try PrivateFile.erase(old) { try environment.didTake(.erased) }
        return status
    }

    /// Overwrites the remains of interrupted changes.
    private func eraseRemains() throws(PrivateFileError) {
        for suffix in [Self.plain, ".new"] { try PrivateFile.erase(path + suffix) }
    }
}

/// A hook into changes of sealed files, for tests; unused in production.
package struct EncryptedFileEnvironment: Sendable {
    /// A step that is through to the disk.
    package enum Step: Sendable, Hashable {
        /// A file in plain has a second name.
        case linked
        /// A file has its new contents.
        case replaced
        /// The number of a change is kept.
        case counted
        /// A former plain file, or the number of a change, is overwritten.
        case erased
    }

    /// Called after each step. An error that it throws ends the change there.
    package var didTake: @Sendable (Step) throws(PrivateFileError) -> Void = { _ in }

    package init() {}
}
