import SQLiteAccess
package import TrackEngine
package import TrackEngineSettings

/// How a history stands, for whoever asks without waiting for its thread.
package final class HistoryHealth: Sendable {
    /// Points of one device that cannot be read, by the first time behind them that can.
    private struct Stretch: Hashable {
        let device: Int64
        let end: Int64
    }

    /// The room on a disk that refused points need.
    struct Need {
        let directory: String
        /// How much of the disk has to be free, in bytes.
        let bytes: Int64

        /// Whether there is less.
        var isOpen: Bool { PosixFile.space(at: directory).map { $0.free < bytes } ?? true }
    }

    private struct State {
        /// Why the last points that came were not taken.
        var refusal: StoreError?
        /// The room that those points need, where the disk had none.
        var need: Need?
        /// Where each stretch begins, in milliseconds since 1970.
        var damage: [Stretch: Int64] = [:]
        /// Tables other than that of the points of which a part cannot be read.
        var tables: Set<String> = []
        /// What there was before the history was written anew.
        var copy: String?

        var isFull: Bool { refusal?.code == .full && need?.isOpen ?? true }
    }

    /// How many stretches are remembered at most.
    private static let capacity = 1_000

    private let state = PthreadMutex(State())

    /// Whether the disk had no room for points that came, and still has none for as many.
    package var isFull: Bool { state.withLock { $0.isFull } }

    /// How many stretches of time were found that cannot be read, and the time of the oldest.
    package var damage: (stretches: Int, first: Timestamp?) {
        state.withLock { state in
            (state.damage.count, state.damage.values.min().map { Timestamp(millisecondsSince1970: max($0, 0)) })
        }
    }

    /// Points came and were not taken, and need some room on a full disk.
    func noteRefusal(_ refusal: StoreError, _ need: Need?) {
        state.withLock { ($0.refusal, $0.need) = (refusal, need) }
    }

    /// Points were taken. That does not end a full disk: they may have been fewer than those that were refused.
    func noteAddition() { state.withLock { if !$0.isFull { ($0.refusal, $0.need) = (nil, nil) } } }

    /// The disk has room again.
    func noteRoom() { state.withLock { if $0.refusal?.code == .full { ($0.refusal, $0.need) = (nil, nil) } } }

    /// Points of a device cannot be read in a range of milliseconds.
    func noteDamage(of device: Int64, _ times: Range<Int64>) {
        state.withLock { state in
            let stretch = Stretch(device: device, end: times.upperBound)
            guard state.damage.count < Self.capacity || state.damage[stretch] != nil else { return }
            state.damage[stretch] = min(state.damage[stretch] ?? .max, times.lowerBound)
        }
    }

    /// A part of a table cannot be read that has no times.
    func noteDamage(ofTable table: String) { state.withLock { _ = $0.tables.insert(table) } }

    /// The tables, other than that of the points, of which a part cannot be read.
    package var damagedTables: Set<String> { state.withLock { $0.tables } }

    /// The damaged file that is kept beside the history; `nil` where there is none.
    package var damagedCopy: String? {
        get { state.withLock { $0.copy } }
        set { state.withLock { $0.copy = newValue } }
    }

    /// What an operator must be told.
    package var statusItems: [StatusItem] {
        var items: [StatusItem] = []
        if let (refusal, isFull) = state.withLock({ state in state.refusal.map { ($0, state.isFull) } }),
            isFull || refusal.code != .full
        {
            items.append(
                StatusItem(
                    isFull ? "full" : "failure", isFull ? .flag(true) : .text("\(refusal)"),
                    text: "no new points are kept: \(isFull ? "the disk is full" : "\(refusal)")", tone: .bad))
        }
        if let text = damageText {
            items.append(
                StatusItem("damaged", .count(damage.stretches + damagedTables.count), text: text, tone: .bad))
        }
        if let copy = damagedCopy {
            items.append(
                StatusItem(
                    "copy", .text(copy),
                    text: "a damaged history was written anew; the unreadable part is in \(copy)", tone: .bad))
        }
        return items
    }

    /// What cannot be read; `nil` for nothing.
    private var damageText: String? {
        let (stretches, first) = damage
        var parts: [String] = []
        if stretches > 0 {
            let since = first.map { ", the oldest from \($0.rfc3339(.seconds)) on" } ?? ""
            parts.append("\(stretches) stretch\(stretches == 1 ? "" : "es") of time left out\(since)")
        }
        let tables = damagedTables.sorted()
        if !tables.isEmpty {
            parts.append("a part of the table\(tables.count == 1 ? "" : "s") \(tables.joined(separator: ", "))")
        }
        return parts.isEmpty ? nil : "damaged: \(parts.joined(separator: "; "))"
    }
}
