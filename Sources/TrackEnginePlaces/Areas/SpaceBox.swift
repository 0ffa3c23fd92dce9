import TrackEngine

/// A box in space, parallel to the axes, with numbers in single precision that are rounded outwards by a metre.
struct SpaceBox: Sendable, BitwiseCopyable {
    private var least: SIMD4<Float>
    private var most: SIMD4<Float>

    init(_ corners: (least: EarthVector, most: EarthVector)) {
        least = Self.vector(corners.least) - 1
        most = Self.vector(corners.most) + 1
    }

    /// The box around a straight line, with a margin in metres on all sides.
    init(from: EarthVector, to: EarthVector, margin: Double) {
        let (from, to) = (Self.vector(from), Self.vector(to))
        let margin = SIMD4<Float>(repeating: Float(margin) * 1.000_001 + 1)
        least = from.replacing(with: to, where: to .< from) - margin
        most = from.replacing(with: to, where: to .> from) + margin
    }

    /// The box around other boxes, at least one.
    init(around boxes: ArraySlice<SpaceBox>) {
        self = boxes[boxes.startIndex]
        for box in boxes {
            least.replace(with: box.least, where: box.least .< least)
            most.replace(with: box.most, where: box.most .> most)
        }
    }

    private static func vector(_ point: EarthVector) -> SIMD4<Float> {
        SIMD4(Float(point.x), Float(point.y), Float(point.z), 0)
    }

    /// Whether the boxes have a common point.
    @inline(__always)
    func meets(_ other: SpaceBox) -> Bool { !any((least .> other.most) .| (most .< other.least)) }
}
