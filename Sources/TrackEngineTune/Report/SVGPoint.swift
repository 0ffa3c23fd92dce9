internal import TrackEngine

/// A point in a drawing; x grows to the right, y downward.
package struct SVGPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The distance to another point.
    func distance(to other: SVGPoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

/// The size of a drawing in its own units, which are pixels on a small screen.
struct SVGSize: Sendable, Hashable {
    var width: Double
    var height: Double

    /// The size of one of several adjacent drawings.
    static let panel = SVGSize(width: 360, height: 240)
}

extension Double {
    /// The number with one decimal, for drawings.
    var svg: String {
        var bytes: [UInt8] = []
        bytes.appendFixed(self, decimals: 1)
        return String(decoding: bytes, as: UTF8.self)
    }
}
