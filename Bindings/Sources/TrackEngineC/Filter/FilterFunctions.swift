// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The functions have their names in C.

import CTrackEngine
import TrackEngine

@c @implementation
public func te_filter_new(
    _ config: UnsafePointer<te_filter_config>?, _ error: UnsafeMutablePointer<te_status>?
) -> OpaquePointer? {
    result(error) { () throws(CallError) in
        var settings = RecordingConfiguration()
        var wallClock: Timestamp?
        if let config {
            try check(config.pointee.size, MemoryLayout<te_filter_config>.size, "config")
            settings = try recordingSettings(config.pointee.tracking)
            let time = config.pointee.wall_clock
            wallClock = time == 0 ? nil : Timestamp(nanosecondsSince1970: time)
        }
        let filter = UnsafeMutablePointer<TrackFilter>.allocate(capacity: 1)
        filter.initialize(to: TrackFilter(settings, wallClock: wallClock))
        return OpaquePointer(filter)
    }
}

@c @implementation
public func te_filter_free(_ filter: OpaquePointer?) {
    guard let filter = filter.map(UnsafeMutablePointer<TrackFilter>.init) else { return }
    filter.pointee.deallocate()
    filter.deinitialize(count: 1)
    filter.deallocate()
}

@c @implementation
public func te_filter_push(
    _ filter: OpaquePointer?, _ fixes: UnsafePointer<te_fix>?, _ count: Int,
    _ decisions: UnsafeMutablePointer<te_decisions>?
) -> te_status {
    status { () throws(CallError) in try known(filter).pointee.push(FixArray(fixes, count), decisions) }
}

@c @implementation
public func te_filter_flush(_ filter: OpaquePointer?, _ decisions: UnsafeMutablePointer<te_decisions>?) -> te_status {
    status { () throws(CallError) in try known(filter).pointee.decideAll(endingLeg: false, decisions) }
}

@c @implementation
public func te_filter_interrupt(
    _ filter: OpaquePointer?, _ decisions: UnsafeMutablePointer<te_decisions>?
) -> te_status {
    status { () throws(CallError) in try known(filter).pointee.decideAll(endingLeg: true, decisions) }
}

@c @implementation
public func te_filter_odometer(_ filter: OpaquePointer?) -> Double {
    filter.map { UnsafeMutablePointer<TrackFilter>($0).pointee.odometer } ?? 0
}

private func known(_ filter: OpaquePointer?) throws(CallError) -> UnsafeMutablePointer<TrackFilter> {
    guard let filter else { throw .argument("filter = NULL: expected a filter") }
    return UnsafeMutablePointer(filter)
}
