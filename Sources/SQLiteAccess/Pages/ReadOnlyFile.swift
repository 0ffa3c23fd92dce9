package import TrackEngine

/// A file with random read access. A read error is reported as an error, never as missing or different bytes.
///
/// Never a database that this process has open: closing the file would release SQLite's locks (fcntl_locking(2)).
package final class ReadOnlyFile {
    package let path: String
    package let size: Int64
    private let file: Descriptor
    private let willRead: @Sendable (String) throws(StoreError) -> Void

    /// Opens a file; `nil` when there is none.
    ///
    /// - Parameter willRead: called with the path before each read; a test's failure ends the read.
    package init?(
        _ path: String, willRead: @escaping @Sendable (String) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws(StoreError) {
        guard let file = try DatabaseFile.openForReading(path) else { return nil }
        guard let status = file.status else { throw DatabaseFile.failure("examine", path) }
        self.path = path
        self.file = file
        self.willRead = willRead
        size = status.size
    }

    /// Fills a buffer from an offset in the file on; returns the number of bytes read.
    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int {
        try willRead(path)
        guard let count = file.read(into: buffer, at: offset) else { throw DatabaseFile.failure("read", path) }
        return count
    }

    /// Reads bytes from an offset on; fewer at the end of the file.
    package func bytes(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = 0
        var failure: StoreError?
        // A closure with a typed throw cannot be passed through the standard library's rethrowing function.
        bytes.withUnsafeMutableBytes { buffer in
            do throws(StoreError) { length = try read(at: offset, into: buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        bytes.removeLast(count - length)
        return bytes
    }

    /// Reads the whole file and discards its bytes, to find out whether it is readable.
    package func probe() throws(StoreError) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
        defer { block.deallocate() }
        var offset: Int64 = 0
        while offset < size {
            _ = try read(at: offset, into: block)
            offset += Int64(block.count)
        }
    }
}
