import Testing

/// The program that runs the tests. SwiftPM would write one that looks for XCTest's tests in the compiler's index,
/// which takes a fifth of the build.
@main
private struct Runner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
