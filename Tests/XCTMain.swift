import Dispatch
import Testing

/// The program that runs the tests. SwiftPM would write one that looks for XCTest's tests in the compiler's index,
/// which takes a fifth of the build.
///
/// Its `main` is not asynchronous: the compiler gives the body of each asynchronous one the same name, `async_Main`, and
/// the linker would take that of a program that the tests start.
@main
private struct Runner {
    static func main() {
        Task { await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
