#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads the names in a directory one after the other, so that a directory of any size costs the memory of one name.
///
/// `.` and `..` are left out. What is made or removed meanwhile may be among the names or not.
package struct DirectoryReader: ~Copyable {
    private let stream: OpaquePointer
    private let path: String

    /// Opens a directory.
    package init(_ path: String) throws(SystemError) {
        try self.init(path, at: AT_FDCWD, path)
    }

    /// Begins with the first name of a directory that is open, whatever has been read from that descriptor.
    ///
    /// - Parameter path: what errors call it.
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

    /// The next name, `nil` behind the last one.
    ///
    /// - Throws: when the list breaks off, so that nobody takes what it lacks for missing.
    package mutating func next() throws(SystemError) -> String? {
        while true {
            errno = 0  // only so can an error be told from the end
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

    /// The names in a directory, sorted; of more than `most` those that the system tells first.
    package static func names(in path: String, atMost most: Int) throws(SystemError) -> [String] {
        var reader = try DirectoryReader(path)
        var names: [String] = []
        while names.count < most, let name = try reader.next() { names.append(name) }
        return names.sorted()
    }
}
