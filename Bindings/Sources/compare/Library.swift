import CTrackEngine
import Glibc

/// The functions of a built library, loaded as a program of another language loads them.
struct Library: @unchecked Sendable {  // functions alone
    typealias New =
        @convention(c) (
            UnsafePointer<te_filter_config>?, UnsafeMutablePointer<te_status>?
        ) -> OpaquePointer?
    typealias Push =
        @convention(c) (
            OpaquePointer?, UnsafePointer<te_fix>?, Int, UnsafeMutablePointer<te_decisions>?
        ) -> te_status
    typealias Flush = @convention(c) (OpaquePointer?, UnsafeMutablePointer<te_decisions>?) -> te_status
    typealias Free = @convention(c) (OpaquePointer?) -> Void
    typealias Odometer = @convention(c) (OpaquePointer?) -> Double
    typealias Name = @convention(c) (UInt32) -> UnsafePointer<CChar>?
    typealias LastError = @convention(c) () -> UnsafePointer<CChar>?

    let new: New
    let push: Push
    let flush: Flush
    let free: Free
    let odometer: Odometer
    let causeName: Name
    let rejectionName: Name
    let lastError: LastError

    init(path: String) throws(Failure) {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw Failure("\(path): \(String(cString: dlerror()))")
        }
        func function<Function>(_ name: String) throws(Failure) -> Function {
            guard let symbol = dlsym(handle, name) else { throw Failure("expected the function \(name)") }
            return unsafeBitCast(symbol, to: Function.self)
        }
        new = try function("te_filter_new")
        push = try function("te_filter_push")
        flush = try function("te_filter_flush")
        free = try function("te_filter_free")
        odometer = try function("te_filter_odometer")
        causeName = try function("te_cause_name")
        rejectionName = try function("te_rejection_name")
        lastError = try function("te_last_error")
    }

    /// Creates a filter with settings in JSON.
    func filter(_ tracking: String, wallClock: Int64 = 0) throws(Failure) -> OpaquePointer {
        var error = TE_OK
        let filter = tracking.withCString { text in
            var config = te_filter_config(
                size: UInt32(MemoryLayout<te_filter_config>.size), reserved: 0, tracking: text, wall_clock: wallClock)
            return new(&config, &error)
        }
        guard let filter else { throw Failure("te_filter_new: \(String(cString: lastError()!))") }
        return filter
    }
}

/// The reason why a comparison failed.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
