import Glibc
import TrackEngine

/// Releases the pages of program code that only the start needed.
///
/// Starting uses code all over the program and its libraries. For each page used, the kernel maps fifteen neighbours
/// as well (newer ones: the whole large folio), so far more code counts as resident than a running agent uses. Such
/// pages are copies of files: once they are unmapped, the kernel may use the memory for other purposes, and pages
/// that are needed again are mapped again without reading the disk. Measured on Linux 6.18 with one fix per second,
/// statically linked: 35 MB resident after the start, 21 MB from then on. With Swift's libraries next to the program:
/// 39 MB, which remain if no page is released, and 18 MB.
package enum StartCodePages {
    /// Unmaps every page of executable code; has no effect if the kernel does not report which pages are safe to unmap.
    package static func release() {
        for range in releasableRanges(smaps: readSmaps()) {
            guard let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
            madvise(start, Int(range.upperBound - range.lowerBound), MADV_DONTNEED)
        }
    }

    /// The addresses of code that is identical to a file, from the text of `/proc/self/smaps` (proc(5)).
    ///
    /// Unmapping pages that differ from their file, because of relocations or a debugger's breakpoints, would lose
    /// the differences; mappings with such pages (`Anonymous` or `Private_Dirty` over 0) are left out.
    package static func releasableRanges(smaps: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var candidate: Range<UInt>?
        var clean = 0
        for line in smaps.split(separator: "\n") {
            if let code = codeRange(header: line) {
                (candidate, clean) = (code, 0)
            } else if line.hasPrefix("Private_Dirty:") || line.hasPrefix("Anonymous:") {
                if line.split(separator: " ").dropFirst().first == "0" { clean += 1 }
            } else if line.hasPrefix("VmFlags:") {  // the last line of each mapping
                if let candidate, clean == 2, !candidate.isEmpty { ranges.append(candidate) }
                candidate = nil
            }
        }
        return ranges
    }

    /// The addresses of a mapping of code from a file, by its header; empty for other mappings, `nil` for a line that
    /// is not a header: `55b689856000-55b68c1b4000 r-xp 00000000 fe:00 1234 /usr/bin/trackd`.
    private static func codeRange(header line: Substring) -> Range<UInt>? {
        let fields = line.split(separator: " ")
        guard fields.count >= 5, fields[1].utf8.count == 4 else { return nil }
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
        guard fields[1] == "r-xp", fields[4] != "0" else { return bounds[0]..<bounds[0] }
        return bounds[0]..<bounds[1]
    }

    private static func readSmaps() -> String {
        // Without the list, no pages are released.
        (try? FileContent.read("/proc/self/smaps", limit: 8_388_608))?.text ?? ""
    }
}
