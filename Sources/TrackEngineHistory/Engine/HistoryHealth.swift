import SQLiteAccess
package import TrackEngine
package import TrackEngineSettings

/// The health of a history, readable without waiting for its thread.
package final class HistoryHealth: Sendable {
    /// Unreadable points of one device, identified by the first readable time after them.
    private struct UnreadableSpan: Hashable {
        let device: Int64
        let end: Int64
    }

    /// The disk space that refused points need.
    struct Space {
        let directory: String
        /// The free space that is needed, in bytes.
        let bytes: Int64

        /// Whether less space is free.
        var isOpen: Bool { DatabaseFile.space(at: directory).map { $0.free < bytes } ?? true }
    }

    /// Additions that were refused since the history was opened.
    package struct RejectionCount: Sendable, Hashable {
        package var count: Int
        /// The error for the last one.
        package var last: StoreError
        package var time: Timestamp
    }

    private struct State {
        /// The error for the last addition that was refused, if none was made since.
        var refusal: StoreError?
        /// The number of refused additions, and the last of them.
        var refusals: RejectionCount?
        /// The space that those points need, if the disk was full.
        var need: Space?
        /// The beginning of each stretch, in milliseconds since 1970.
        var damage: [UnreadableSpan: Int64] = [:]
        /// The devices with rows out of order, which lead searches astray until they are removed.
        var misplaced: Set<Int64> = []
        /// Whether pages of a table cannot be reached.
        var hasDamagedTree = false
        /// Tables with unreadable parts, other than that of the points.
        var tables: Set<String> = []
        /// The number of damaged copies that removals erased.
        var erased = 0
        /// The number of damaged copies that were erased on a full disk.
        var erasedForRoom = 0
        /// The paths of the damaged databases that rewrites replaced.
        var copies: [String] = []

        var isFull: Bool { refusal?.code == .full && need?.isOpen ?? true }
    }

    /// The most stretches that are remembered.
    private static let capacity = 1_000

    private let state = SystemMutex(State())

    /// Whether the disk had no room for added points, and still has none for as many.
    package var isFull: Bool { state.withLock { $0.isFull } }

    /// The number of unreadable stretches of time, and the beginning of the oldest.
    package var damage: (stretches: Int, first: Timestamp?) {
        state.withLock { state in
            (state.damage.count, state.damage.values.min().map { Timestamp(millisecondsSince1970: max($0, 0)) })
        }
    }

    /// Notes that points were refused, and the space that they need on a full disk.
    func noteRefusal(_ refusal: StoreError, _ need: Space?) {
        state.withLock { ($0.refusal, $0.need) = (refusal, need) }
    }

    /// Counts an addition that was refused after all attempts.
    func countRefusal(_ refusal: StoreError, at time: Timestamp = .now()) {
        state.withLock { state in
            state.refusals = RejectionCount(count: (state.refusals?.count ?? 0) + 1, last: refusal, time: time)
        }
    }

    /// The additions that were refused since the history was opened; `nil` when there were none.
    package var refusals: RejectionCount? { state.withLock { $0.refusals } }

    /// Notes that points were added. A full disk may persist: they may have been fewer than those that were refused.
    func noteAddition() { state.withLock { if !$0.isFull { ($0.refusal, $0.need) = (nil, nil) } } }

    /// Notes that the disk has room again.
    func noteRoom() { state.withLock { if $0.refusal?.code == .full { ($0.refusal, $0.need) = (nil, nil) } } }

    /// Notes that points of a device cannot be read in a range of milliseconds.
    func noteDamage(of device: Int64, _ times: Range<Int64>) {
        state.withLock { state in
            let stretch = UnreadableSpan(device: device, end: times.upperBound)
            guard state.damage.count < Self.capacity || state.damage[stretch] != nil else { return }
            state.damage[stretch] = min(state.damage[stretch] ?? .max, times.lowerBound)
        }
    }

    /// Notes that rows of a device are out of order; points in a range of milliseconds.
    func noteMisplaced(of device: Int64, _ times: Range<Int64>? = nil) {
        if let times { noteDamage(of: device, times) }
        state.withLock { _ = $0.misplaced.insert(device) }
    }

    /// Whether a device has rows out of order.
    func hasMisplaced(of device: Int64) -> Bool { state.withLock { $0.misplaced.contains(device) } }

    /// Notes that a device has no rows out of order any more.
    func forgetMisplaced(of device: Int64) { state.withLock { _ = $0.misplaced.remove(device) } }

    /// Notes that a part of a table without times cannot be read.
    func noteDamage(ofTable table: String) { state.withLock { _ = $0.tables.insert(table) } }

    /// Notes that pages of a table cannot be reached; the next addition writes the history anew.
    func noteDamage(ofTree table: String) {
        noteDamage(ofTable: table)
        state.withLock { $0.hasDamagedTree = true }
    }

    /// Whether pages of a table cannot be reached.
    var hasDamagedTree: Bool { state.withLock { $0.hasDamagedTree } }

    /// Whether a search for the place of a new row may be led astray.
    var misleads: Bool { state.withLock { $0.hasDamagedTree || !$0.misplaced.isEmpty } }

    /// Notes that the history was written anew.
    func noteRewrite() { state.withLock { ($0.hasDamagedTree, $0.misplaced) = (false, []) } }

    /// In place of a table's name: commits after damage in the log.
    static let log = "log"

    /// The tables with unreadable parts, other than that of the points.
    package var damagedTables: Set<String> { state.withLock { $0.tables } }

    /// Whether any part of the history cannot be read.
    var hasDamage: Bool { state.withLock { !$0.damage.isEmpty || !$0.tables.isEmpty } }

    /// The paths of the damaged databases that are kept next to the history.
    package var damagedCopies: [String] {
        get { state.withLock { $0.copies } }
        set { state.withLock { $0.copies = newValue } }
    }

    /// Notes that a removal, or a full disk, erased damaged copies.
    func noteErased(_ copies: Int, forRoom: Bool = false) {
        state.withLock { state in if forRoom { state.erasedForRoom += copies } else { state.erased += copies } }
    }

    /// Status items for the operator.
    package var statusItems: [StatusField] {
        var items: [StatusField] = []
        if let (refusal, isFull) = state.withLock({ state in state.refusal.map { ($0, state.isFull) } }),
            isFull || refusal.code != .full
        {
            items.append(
                StatusField(
                    isFull ? "full" : "failure", isFull ? .flag(true) : .text("\(refusal)"),
                    text: "no new points are kept: \(isFull ? "the disk is full" : "\(refusal)")", tone: .bad))
        }
        if let refusals {
            let time = refusals.time.rfc3339(.seconds)
            items.append(
                StatusField(
                    "refused", .count(refusals.count),
                    text: "points refused \(refusals.count)×, the last time at \(time): \(refusals.last)",
                    tone: .warning))
        }
        if let text = damageText {
            items.append(
                StatusField("damaged", .count(damage.stretches + damagedTables.count), text: text, tone: .bad))
        }
        let copies = damagedCopies.joined(separator: ", ")
        if !copies.isEmpty {
            items.append(
                StatusField(
                    "copy", .text(copies),
                    text: "the unreadable part of a damaged history is in \(copies)", tone: .bad))
        }
        if let erasedItem { items.append(erasedItem) }
        return items
    }

    private var erasedItem: StatusField? {
        let (removed, forRoom) = state.withLock { ($0.erased, $0.erasedForRoom) }
        func copies(_ count: Int) -> String { "\(count) damaged cop\(count == 1 ? "y" : "ies") of the history" }
        var parts: [String] = []
        if removed > 0 { parts.append("a removal erased \(copies(removed)): any device may have had points there") }
        if forRoom > 0 { parts.append("\(copies(forRoom)) erased to make room on the full disk") }
        guard !parts.isEmpty else { return nil }
        return StatusField(
            "erased", .count(removed + forRoom), text: parts.joined(separator: "; "), tone: .warning)
    }

    /// A summary of the unreadable parts; `nil` when all can be read.
    private var damageText: String? {
        let (stretches, first) = damage
        var parts: [String] = []
        if stretches > 0 {
            let since = first.map { ", the oldest from \($0.rfc3339(.seconds)) on" } ?? ""
            parts.append("\(stretches) stretch\(stretches == 1 ? "" : "es") of time left out\(since)")
        }
        let tables = damagedTables.subtracting([Self.log]).sorted()
        if !tables.isEmpty {
            parts.append("a part of the table\(tables.count == 1 ? "" : "s") \(tables.joined(separator: ", "))")
        }
        if damagedTables.contains(Self.log) {
            parts.append("the commits after damage in the log, with what they removed")
        }
        return parts.isEmpty ? nil : "damaged: \(parts.joined(separator: "; "))"
    }
}
