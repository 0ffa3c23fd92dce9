import Dispatch
import Glibc

/// libFuzzer's own main function (FuzzerInterface.h): runs until a limit of its options is reached or an input crashes.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target of this process. Set once, before the fuzzer begins, and only read afterwards.
nonisolated(unsafe) private var chosen: FuzzTarget?

/// `fuzz TARGET [libFuzzer's options and folders]`; the linker's name for the program's main function.
@_cdecl("fuzz_main")
public func main(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
    let name = count > 1 ? arguments[1].map { String(cString: $0) } : nil
    chosen = FuzzTarget.all.first { $0.name == name }
    guard chosen != nil else {
        print("usage: fuzz TARGET [-max_total_time=SECONDS] [CORPUS]\ntargets:")
        for target in FuzzTarget.all { print("  \(target.name)") }
        return name == "--list" ? 0 : 64
    }
    arguments[1] = arguments[0]
    var rest = arguments + 1
    var number = count - 1
    return runDriver(&number, &rest) { testOneInput($0, $1) }
}

/// By this name libFuzzer's own main function, which is linked but never called, expects the test.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
    examine(Array(UnsafeBufferPointer(start: bytes, count: length)))
    return 0
}

/// Runs the target on an input and waits for it; memory that grows beyond the bound is a finding.
private func examine(_ input: [UInt8]) {
    let before = peakMemory()
    let isDone = DispatchSemaphore(value: 0)
    // libFuzzer calls from a thread of its own, which may wait: the target runs on Swift's.
    Task {
        await chosen?.run(input)
        isDone.signal()
    }
    isDone.wait()
    let grown = peakMemory() - before
    precondition(grown <= mostMemory, "one input took \(grown) KiB, more than \(mostMemory)")
}

/// What one input may take, in KiB. libFuzzer's own -malloc_limit_mb works in programs with the address sanitizer only.
private let mostMemory = 64 * 1024

/// The most memory that this process has had so far, in KiB.
private func peakMemory() -> Int {
    var usage = rusage()
    getrusage(.init(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
}
