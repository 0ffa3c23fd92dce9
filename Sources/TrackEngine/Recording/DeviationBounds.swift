/// How far a rebuilt track may be from the fixes, in metres.
struct DeviationBounds: Sendable, Hashable, BitwiseCopyable {
    /// Over ground.
    let horizontal: Double
    /// In height; absent when heights do not matter.
    let vertical: Double?
}
