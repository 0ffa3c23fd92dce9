internal import CZlib

/// Takes one file out of a zip archive piece by piece, in the order of its bytes and without its directory: the first one
/// whose name is wanted. All others are passed over.
///
/// Understood are files that are stored or deflated, of less than 4 GiB and without a password. Output comes in pieces of
/// the caller's size; a file that inflates to more than ``maximumLength`` counts as damaged there.
package struct ZipReader: ~Copyable {
    /// How long the file may be: 1 GiB.
    package static let maximumLength = 1 << 30
    /// How many names are kept.
    package static let mostNames = 256
    /// How many bytes of a name are taken.
    private static let maximumName = 1024

    /// An entry of the archive.
    private struct Entry {
        let isDeflated: Bool
        /// Whether sizes and checksum stand behind the data.
        let hasDescriptor: Bool
        let checksum: UInt32
        /// How many compressed bytes are left; 0 where they are not known.
        var left: Int
        let isWanted: Bool
    }

    /// Which part of the archive comes next.
    private enum Stage {
        /// The header of an entry, of which these bytes are there.
        case header([UInt8])
        /// The data of an entry.
        case data(Entry)
        /// The checksum behind the data, of which these bytes are there.
        case descriptor(Entry, [UInt8])
        /// The wanted file has another checksum than it should.
        case mismatch
        /// The directory, or what cannot be read behind the wanted file.
        case end
    }

    private let isWanted: @Sendable (String) -> Bool
    private var inflater: Inflater?
    private var stage = Stage.header([])
    private var checksum: UInt = 0
    private var length = 0
    /// The name of the file that was taken; `nil` before it was found.
    package private(set) var name: String?
    /// Whether that file has been read to its end.
    private var isTaken = false
    /// The names of more such files so far, at most ``mostNames``.
    package private(set) var passedOver: [String] = []

    /// - Parameter isWanted: whether a file of this name is to be taken.
    package init(isWanted: @escaping @Sendable (String) -> Bool) { self.isWanted = isWanted }

    /// Whether the archive may end here.
    package var isComplete: Bool {
        switch stage {
        case .end: true
        case .header: isTaken
        case .data, .descriptor, .mismatch: false
        }
    }

    /// Takes some of the input and puts what it holds into the output, as ``Inflater/inflate(_:into:)`` does.
    package mutating func read(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Inflater.Progress {
        switch stage {
        case .header(let held): return readHeader(held, input)
        case .data(let entry): return entry.isDeflated ? inflate(entry, input, output) : copy(entry, input, output)
        case .descriptor(let entry, let held): return readDescriptor(entry, held, input)
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
            if isTaken { return .moved(taken: taken, made: 0) }
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

    /// How long a header is of which some bytes are there.
    private static func headerLength(_ bytes: [UInt8]) -> Int {
        if bytes.count < 4 { return 4 }
        return bytes.count < 30 ? 30 : 30 + number(bytes, 26, 2) + number(bytes, 28, 2)
    }

    /// The number of some bytes, the lowest one first.
    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Begins the entry of a header; returns what is wrong with it.
    private mutating func begin(_ header: [UInt8]) -> String? {
        let (flags, method) = (Self.number(header, 6, 2), Self.number(header, 8, 2))
        let size = Self.number(header, 18, 4)
        let nameLength = min(Self.number(header, 26, 2), Self.maximumName)
        let text = String(decoding: header[30..<(30 + nameLength)], as: UTF8.self)
        guard flags & 1 == 0 else { return "expected an archive without a password" }
        guard method == 0 || method == 8 else { return "expected files that are stored or deflated" }
        let hasDescriptor = flags & 8 != 0
        guard method == 8 || !hasDescriptor else { return "expected the size of a stored file" }
        guard size < 0xffff_ffff else { return "expected files of less than 4 GiB" }
        let hasWantedName = isWanted(text)
        let isWanted = hasWantedName && name == nil
        if isWanted {
            name = text
        } else if hasWantedName, passedOver.count < Self.mostNames {
            passedOver.append(text)
        }
        let entry = Entry(
            isDeflated: method == 8, hasDescriptor: hasDescriptor,
            checksum: UInt32(truncatingIfNeeded: Self.number(header, 14, 4)), left: size, isWanted: isWanted)
        inflater = nil
        if entry.isDeflated {
            inflater = Inflater(isBare: true)
            if inflater == nil { return "expected memory for zlib" }
        }
        (checksum, length) = (0, 0)
        if entry.isDeflated || size > 0 {
            stage = .data(entry)
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

    /// Notes what was made of an entry's data, which is handed out only if it is wanted.
    private mutating func made(
        _ count: Int, of output: UnsafeMutableRawBufferPointer, taken: Int, _ entry: Entry, isAtEnd: Bool
    ) -> Inflater.Progress {
        length += count
        guard length <= Self.maximumLength else { return .damaged("expected files of at most 1 GiB") }
        checksum = crc32(checksum, output.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(count))
        if isAtEnd {
            if entry.hasDescriptor {
                stage = .descriptor(entry, [])
            } else {
                end(entry, checksum: entry.checksum)
            }
        }
        return .moved(taken: taken, made: entry.isWanted ? count : 0)
    }

    /// Reads `PK\u{7}\u{8}`, which may be missing, checksum and sizes.
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
