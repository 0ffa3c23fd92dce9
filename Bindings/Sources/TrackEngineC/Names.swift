// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The functions have their names in C.

import CTrackEngine
import TrackEngine

@c @implementation
public func te_abi_version() -> UInt32 { TE_ABI_VERSION }

@c @implementation
public func te_cause_name(_ cause: UInt32) -> UnsafePointer<CChar>? { Names.causes[cause] }

@c @implementation
public func te_rejection_name(_ rejection: UInt32) -> UnsafePointer<CChar>? { Names.rejections[rejection] }

/// Names of numbers as C texts that live as long as the program.
private struct Names: @unchecked Sendable {  // written once, before it is shared
    private let texts: [UInt32: UnsafePointer<CChar>]
    private let empty: UnsafePointer<CChar>

    static let causes = Names(RecordCause.allCases.map { (UInt32($0.number), $0.name) })
    static let rejections = Names(RejectionReason.allCases.map { (UInt32($0.number), $0.name) })

    private init(_ names: [(UInt32, String)]) {
        texts = Dictionary(names.map { ($0, Self.text($1)) }) { first, _ in first }
        empty = Self.text("")
    }

    subscript(number: UInt32) -> UnsafePointer<CChar> { texts[number] ?? empty }

    private static func text(_ name: String) -> UnsafePointer<CChar> {
        let bytes = name.utf8CString
        let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = memory.initialize(from: bytes)
        // A buffer that is not empty has an address.
        return UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
    }
}

extension RecordCause {
    /// The number in C: a TE_CAUSE_...
    var number: UInt8 { rawValue }
}

extension RejectionReason {
    /// The number in C: a TE_REJECTED_..., from 1.
    var number: UInt8 { rawValue + 1 }
}

extension Activity {
    /// The number in C: a TE_ACTIVITY_..., from 1, because 0 is an absent activity.
    var number: UInt8 { rawValue + 1 }
}
