/// A box in space, parallel to the axes, with its numbers in single precision and rounded to the outside by a metre.
struct SpaceBox: Sendable, BitwiseCopyable {
    private var least: SIMD4<Float>
    private var most: SIMD4<Float>

    init(_ corners: (least: EarthVector, most: EarthVector)) {
        least = Self.vector(corners.least) - 1
        most = Self.vector(corners.most) + 1
    }

    /// The box about a straight line, and so many metres on all sides.
    init(from: EarthVector, to: EarthVector, margin: Double) {
        let (from, to) = (Self.vector(from), Self.vector(to))
        let margin = SIMD4<Float>(repeating: Float(margin) * 1.000_001 + 1)
        least = from.replacing(with: to, where: to .< from) - margin
        most = from.replacing(with: to, where: to .> from) + margin
    }

    /// The box about boxes, at least one.
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

    /// Whether both have a point in common.
    @inline(__always)
    func meets(_ other: SpaceBox) -> Bool { !any((least .> other.most) .| (most .< other.least)) }

    /// Where the middle is on a curve that passes neighbours one after another (G. M. Morton, 1966): the bits of the three
    /// coordinates in turn, in steps of 7 m.
    var mortonKey: UInt64 {
        let middle = (least + most) / 2
        return (0..<3).reduce(0) { $0 | Self.spread(UInt64(max(0, min(middle[$1] + 7e6, 14e6)) / 7)) << UInt64($1) }
    }

    /// The lowest 21 bits with two zeros between each.
    private static func spread(_ number: UInt64) -> UInt64 {
        var bits = number & 0x1f_ffff
        bits = (bits | bits << 32) & 0x001f_0000_0000_ffff
        bits = (bits | bits << 16) & 0x001f_0000_ff00_00ff
        bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f
        bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3
        return (bits | bits << 2) & 0x1249_2492_4924_9249
    }
}
