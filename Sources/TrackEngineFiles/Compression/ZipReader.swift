internal import CZlib

/// Reads one file from a zip archive in pieces, in the order of its bytes and without its directory: the first file
/// that is wanted. All others are skipped.
///
/// Supports files that are stored or deflated, of less than 4 GiB and without a password; others are skipped, too, and
/// listed if they are wanted. The output has pieces of the caller's size; a file that inflates to more than
/// ``maximumLength`` counts as damaged at that point.
package struct ZipReader: ~Copyable {
    /// The maximum length of the file: 1 GiB.
    package static let maximumLength = 1 << 30
    /// The maximum number of names that are kept.
    package static let mostNames = 256
    /// The maximum number of bytes of a name that are read.
    private static let maximumName = 1024

    /// An entry of the archive.
    private struct Entry {
        /// Whether the end of the data is found by inflating it.
        let isDeflated: Bool
        /// Whether sizes and checksum follow the data.
        let hasDescriptor: Bool
        let checksum: UInt32
        /// The number of compressed bytes that remain; 0 if unknown.
        var left: Int
        let isWanted: Bool
    }

    /// A file of an archive.
    package struct Member: Sendable, Hashable {
        /// Its place among the files; names may occur twice.
        package let index: Int
        package let name: String
    }

    /// The next part of the archive.
    private enum Phase {
        /// The header of an entry, with the bytes read so far.
        case header([UInt8])
        /// The data of an entry.
        case data(Entry)
        /// The checksum after the data, with the bytes read so far.
        case descriptor(Entry, [UInt8])
        /// Data of unknown length that cannot be inflated, up to its descriptor.
        case search(DescriptorSearch)
        /// The wanted file does not have the expected checksum.
        case mismatch
        /// The directory, or unreadable data after the wanted file.
        case end
    }

    private let isWanted: @Sendable (Member) -> Bool
    private var inflater: Inflater?
    private var stage = Phase.header([])
    private var checksum: UInt = 0
    private var length = 0
    /// The name of the file that is read; `nil` before it was found.
    package var name: String? { found.first?.name }
    /// Whether that file has been read to its end.
    private var isTaken = false
    /// The number of files so far.
    private var memberCount = 0
    /// The wanted files so far that can be read, at most ``mostNames``; the first of them is read.
    package private(set) var found: [Member] = []
    /// The wanted files so far that cannot be read, and what would be expected of them, at most ``mostNames``.
    package private(set) var unreadable: [(name: String, expectation: String)] = []

    /// - Parameter isWanted: whether to read a file.
    package init(isWanted: @escaping @Sendable (Member) -> Bool) { self.isWanted = isWanted }

    /// Whether the archive may end here.
    package var isComplete: Bool {
        switch stage {
        case .end: true
        case .header: isTaken
        case .data, .descriptor, .search, .mismatch: false
        }
    }

    /// Consumes some of the input and writes its contents to the output, like ``Inflater/inflate(_:into:)``.
    package mutating func read(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Inflater.Progress {
        switch stage {
        case .header(let held): return readHeader(held, input)
        case .data(let entry): return entry.isDeflated ? inflate(entry, input, output) : copy(entry, input, output)
        case .descriptor(let entry, let held): return readDescriptor(entry, held, input)
        case .search(var search):
            let taken = search.skip(input)
            stage = search.isAtEnd ? .header([]) : .search(search)
            return .moved(taken: taken, made: 0)
        case .mismatch: return .damaged("expected another checksum: the file is damaged")
        case .end: return .moved(taken: input.count, made: 0)
        }
    }

    // MARK: Headers

    private mutating func readHeader(_ held: [UInt8], _ input: UnsafeRawBufferPointer) -> Inflater.Progress {
        var bytes = held
        let needed = Self.headerLength(held)
        bytes.append(contentsOf: input.prefix(needed - held.count))
        let taken = bytes.count - held.count
        stage = .header(bytes)
        if bytes.count >= 4, !bytes.starts(with: Self.entryMark) {
            stage = .end
            if isTaken || !unreadable.isEmpty { return .moved(taken: taken, made: 0) }
            let isDirectory = bytes.starts(with: [0x50, 0x4b])
            return .damaged(
                "expected \(isDirectory ? "a recorded track in the archive" : "another file or the directory")")
        }
        guard bytes.count >= 30, bytes.count == Self.headerLength(bytes) else { return .moved(taken: taken, made: 0) }
        guard let reason = begin(bytes) else { return .moved(taken: taken, made: 0) }
        stage = .end
        return isTaken ? .moved(taken: taken, made: 0) : .damaged(reason)
    }

    private static let entryMark: [UInt8] = [0x50, 0x4b, 3, 4]

    /// The length of a header with the bytes read so far.
    private static func headerLength(_ bytes: [UInt8]) -> Int {
        if bytes.count < 4 { return 4 }
        return bytes.count < 30 ? 30 : 30 + number(bytes, 26, 2) + number(bytes, 28, 2)
    }

    /// The number in some bytes, least significant first.
    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Starts the entry of a header; returns the problem if it is invalid.
    private mutating func begin(_ header: [UInt8]) -> String? {
        let (flags, method) = (Self.number(header, 6, 2), Self.number(header, 8, 2))
        let size = Self.number(header, 18, 4)
        let nameLength = min(Self.number(header, 26, 2), Self.maximumName)
        let text = String(decoding: header[30..<(30 + nameLength)], as: UTF8.self)
        let hasDescriptor = flags & 8 != 0
        guard size < 0xffff_ffff else { return "expected files of less than 4 GiB" }
        let member = Member(index: memberCount, name: text)
        memberCount += 1
        let isKnown = size > 0 || !hasDescriptor
        let defect: String? =
            if flags & 1 != 0 {
                "expected an archive without a password"
            } else if method != 0 && method != 8 {
                "expected files that are stored or deflated"
            } else if method == 0 && !isKnown {
                "expected the size of a stored file"
            } else {
                nil
            }
        let isListed = isWanted(member)
        if isListed, let defect, unreadable.count < Self.mostNames { unreadable.append((text, defect)) }
        let isWanted = isListed && defect == nil && found.isEmpty
        if isListed, defect == nil, found.count < Self.mostNames { found.append(member) }
        if defect != nil, !isKnown {
            stage = .search(DescriptorSearch())
            return nil
        }
        let entry = Entry(
            isDeflated: method == 8 && (isWanted || !isKnown), hasDescriptor: hasDescriptor,
            checksum: UInt32(truncatingIfNeeded: Self.number(header, 14, 4)), left: size, isWanted: isWanted)
        inflater = nil
        if entry.isDeflated {
            inflater = Inflater(isBare: true)
            if inflater == nil { return "expected memory for zlib" }
        }
        (checksum, length) = (0, 0)
        if entry.isDeflated || size > 0 {
            stage = .data(entry)
        } else if hasDescriptor {
            stage = .descriptor(entry, [])
        } else {
            end(entry, checksum: 0)
        }
        return nil
    }

    // MARK: Data

    private mutating func copy(
        _ entry: Entry, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> Inflater.Progress {
        let count = min(entry.left, input.count, output.count)
        output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
        var rest = entry
        rest.left -= count
        stage = .data(rest)
        return made(count, of: output, taken: count, rest, isAtEnd: rest.left == 0)
    }

    private mutating func inflate(
        _ entry: Entry, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> Inflater.Progress {
        let progress = inflater?.inflate(input, into: output) ?? .damaged("expected memory for zlib")
        guard case .moved(let taken, let count) = progress else { return progress }
        return made(count, of: output, taken: taken, entry, isAtEnd: inflater?.isComplete ?? true)
    }

    /// Handles the output of an entry's data, which is returned only if the entry is wanted.
    private mutating func made(
        _ count: Int, of output: UnsafeMutableRawBufferPointer, taken: Int, _ entry: Entry, isAtEnd: Bool
    ) -> Inflater.Progress {
        length += count
        guard length <= Self.maximumLength || !entry.isWanted && !entry.isDeflated else {
            return .damaged("expected files of at most 1 GiB")
        }
        if entry.isWanted {
            checksum = crc32(checksum, output.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(count))
        }
        if isAtEnd {
            if entry.hasDescriptor {
                stage = .descriptor(entry, [])
            } else {
                end(entry, checksum: entry.checksum)
            }
        }
        return .moved(taken: taken, made: entry.isWanted ? count : 0)
    }

    /// Reads `PK\u{7}\u{8}`, which is optional, the checksum and the sizes.
    private mutating func readDescriptor(
        _ entry: Entry, _ held: [UInt8], _ input: UnsafeRawBufferPointer
    ) -> Inflater.Progress {
        var bytes = held
        let hasMark = held.count < 4 || held.starts(with: [0x50, 0x4b, 7, 8])
        let needed = held.count < 4 ? 4 : hasMark ? 16 : 12
        bytes.append(contentsOf: input.prefix(needed - held.count))
        let taken = bytes.count - held.count
        stage = .descriptor(entry, bytes)
        guard held.count >= 4, bytes.count == needed else { return .moved(taken: taken, made: 0) }
        let sum = UInt32(truncatingIfNeeded: Self.number(bytes, needed - 12, 4))
        end(entry, checksum: sum)
        return .moved(taken: taken, made: 0)
    }

    private mutating func end(_ entry: Entry, checksum expected: UInt32) {
        stage = entry.isWanted && UInt(expected) != checksum ? .mismatch : .header([])
        if entry.isWanted { isTaken = true }
    }
}
