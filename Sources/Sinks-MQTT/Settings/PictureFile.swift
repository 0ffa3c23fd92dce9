import Glibc

/// A picture that a configuration names.
enum PictureFile {
    /// The bytes of a regular file; `nil` for one that cannot be read, or has more than a limit.
    static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return (0...limit).contains(count) ? Array(bytes.prefix(count)) : nil
    }
}
