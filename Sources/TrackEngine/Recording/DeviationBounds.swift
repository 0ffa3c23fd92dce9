/// The maximum distance of a rebuilt track from the fixes, in metres.
struct DeviationBounds: Sendable, Hashable, BitwiseCopyable {
    /// Over ground.
    let horizontal: Double
    /// In height; absent when heights are ignored.
    let vertical: Double?
}
