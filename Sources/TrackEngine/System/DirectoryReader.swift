import Glibc

/// Reads the names in a directory one after the other, so that a directory of any size costs the memory of one name.
///
/// `.` and `..` are omitted. Entries created or removed meanwhile may or may not be among the names.
package struct DirectoryReader: ~Copyable {
    private let stream: OpaquePointer
    private let path: String

    /// Opens a directory.
    package init(_ path: String) throws(SystemError) {
        try self.init(path, at: AT_FDCWD, path)
    }

    /// Begins with the first name of an open directory, regardless of earlier reads from that descriptor.
    ///
    /// - Parameters:
    ///   - directory: the open directory.
    ///   - path: the directory's name in errors.
    package init(_ directory: Descriptor, path: String) throws(SystemError) {
        try self.init(".", at: directory.raw, path)
    }

    private init(_ name: String, at directory: Int32, _ path: String) throws(SystemError) {
        let raw = openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw SystemError("cannot list \(path)") }
        guard let stream = fdopendir(raw) else {
            let error = SystemError("cannot list \(path)")
            close(raw)
            throw error
        }
        self.stream = stream
        self.path = path
    }

    deinit { closedir(stream) }

    /// Returns the next name, `nil` after the last one.
    ///
    /// - Throws: when the list breaks off, so that the remaining names are not taken as missing.
    package mutating func next() throws(SystemError) -> String? {
        while true {
            errno = 0  // required to distinguish an error from the end
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError("cannot list \(path)") }
                return nil
            }
            // An entry is as long as its name. Its `d_name` as a value would be 256 bytes, beyond the system's buffer.
            guard let start = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let name = String(cString: (UnsafeRawPointer(entry) + start).assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { return name }
        }
    }

    /// Returns the names in a directory, sorted; of more than `most` those that the system returns first.
    package static func names(in path: String, atMost most: Int) throws(SystemError) -> [String] {
        var reader = try DirectoryReader(path)
        var names: [String] = []
        while names.count < most, let name = try reader.next() { names.append(name) }
        return names.sorted()
    }
}
