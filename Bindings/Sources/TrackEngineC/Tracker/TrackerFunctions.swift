// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The functions have their names in C.

import CMessage
import CTrackEngine
import Glibc
import TrackEngine

@c @implementation
public func te_tracker_new(
    _ config: UnsafePointer<te_tracker_config>?, _ error: UnsafeMutablePointer<te_status>?
) -> OpaquePointer? {
    result(error) { () throws(CallError) in
        guard !was_forked() else { throw .forked }
        watch_forks()
        let settings = try TrackerSettings(config)
        let started = waiting { () async -> Result<RunningTracker, CallError> in
            do throws(CallError) { return .success(try await .start(settings)) } catch { return .failure(error) }
        }
        guard let started else { throw .stopped }
        return OpaquePointer(Unmanaged.passRetained(try started.get()).toOpaque())
    }
}

@c @implementation
public func te_tracker_push(_ tracker: OpaquePointer?, _ fixes: UnsafePointer<te_fix>?, _ count: Int) -> te_status {
    status { () throws(CallError) in
        let (running, taken) = (try known(tracker), try FixArray(fixes, count).fixes)
        guard waiting({ await running.push(taken) }) == true else { throw .stopped }
    }
}

@c @implementation
public func te_tracker_settle(_ tracker: OpaquePointer?, _ token: UInt64, _ settled: Int) -> te_status {
    status { () throws(CallError) in
        try known(tracker).deliveries.report(token) { (count) throws(CallError) in
            guard (0...count).contains(settled) else { throw .argument("settled: expected 0 to \(count)") }
            return .success(Receipt(settled: settled))
        }
    }
}

@c @implementation
public func te_tracker_fail(
    _ tracker: OpaquePointer?, _ token: UInt64, _ recovery: UInt32, _ retryAfter: UInt64,
    _ reason: UnsafePointer<CChar>?
) -> te_status {
    status { () throws(CallError) in
        let error = DeliveryError(
            try DeliveryError.Recovery(recovery, retryAfter: retryAfter), text(reason) ?? "no reason given")
        try known(tracker).deliveries.report(token) { (_) throws(CallError) in .failure(error) }
    }
}

@c @implementation
public func te_tracker_sync(_ tracker: OpaquePointer?) -> te_status {
    status { () throws(CallError) in
        let running = try known(tracker)
        guard waiting({ await running.sync() }) == true else { throw .stopped }
    }
}

@c @implementation
public func te_tracker_status(
    _ tracker: OpaquePointer?, _ error: UnsafeMutablePointer<te_status>?
) -> UnsafeMutablePointer<CChar>? {
    result(error) { () throws(CallError) in
        let running = try known(tracker)
        guard let status = waiting({ await running.status() }), let text = strdup(status.json.text) else {
            throw .stopped
        }
        return text
    }
}

@c @implementation
public func te_string_free(_ text: UnsafeMutablePointer<CChar>?) { free(text) }

@c @implementation
public func te_tracker_stop(_ tracker: OpaquePointer?) -> te_status {
    status { () throws(CallError) in
        let running = try known(tracker)
        _ = waiting { await running.stop() }
    }
}

@c @implementation
public func te_tracker_free(_ tracker: OpaquePointer?) {
    guard let tracker, !was_forked() else { return }
    let running = Unmanaged<RunningTracker>.fromOpaque(UnsafeRawPointer(tracker)).takeRetainedValue()
    _ = waiting { await running.stop() }
}

private func known(_ tracker: OpaquePointer?) throws(CallError) -> RunningTracker {
    guard let tracker else { throw .argument("tracker = NULL: expected a tracker") }
    guard !was_forked() else { throw .forked }
    return Unmanaged<RunningTracker>.fromOpaque(UnsafeRawPointer(tracker)).takeUnretainedValue()
}

extension DeliveryError.Recovery {
    /// Reads a caller's number.
    fileprivate init(_ number: UInt32, retryAfter milliseconds: UInt64) throws(CallError) {
        switch number {
        case TE_RETRY:
            let wait = Duration.milliseconds(Int64(min(milliseconds, 86_400_000)))  // a day
            self = .retry(after: milliseconds == 0 ? nil : wait)
        case TE_SMALLER: self = .smaller
        case TE_REJECTED: self = .rejected
        case TE_NEEDS_OPERATOR: self = .needsOperator
        default: throw .argument("recovery = \(number): expected TE_RETRY to TE_NEEDS_OPERATOR")
        }
    }
}
