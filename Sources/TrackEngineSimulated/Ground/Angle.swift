/// Sine, cosine and arctangent in degrees, computed only with `+`, `−`, `×`, `÷` and the square root.
///
/// IEEE 754 defines these operations to the last bit, while every C library has a sine of its own. A seed thus results
/// in the same fixes, bit for bit, on every machine. The error is a few units in the last place.
package enum Angle {
    /// Sine and cosine of an angle in degrees; exact at multiples of 90°.
    package static func sineAndCosine(ofDegrees degrees: Double) -> (sine: Double, cosine: Double) {
        let rest = degrees.remainder(dividingBy: 90)  // exact, within ±45
        let quarter = Int(((degrees - rest) / 90).remainder(dividingBy: 4))
        let (sine, cosine) = series(atRadians: rest * (.pi / 180))
        switch quarter {
        case 0: return (sine, cosine)
        case 1, -3: return (cosine, -sine)
        case -1, 3: return (-cosine, sine)
        default: return (-sine, -cosine)  // 2 or -2: a remainder by 4 has no other value
        }
    }

    /// The Taylor series of both, for angles within ±π/4, for which the remainder is less than 10⁻¹⁷ after eight
    /// terms.
    private static func series(atRadians angle: Double) -> (sine: Double, cosine: Double) {
        let square = angle * angle
        var sine = 1.0
        var cosine = 1.0
        for term in stride(from: 18.0, through: 2, by: -2) {
            sine = 1 - square / (term * (term + 1)) * sine
            cosine = 1 - square / (term * (term - 1)) * cosine
        }
        return (angle * sine, cosine)
    }

    /// The direction of a vector in degrees, counter-clockwise from the x axis, -180 to 180; 0 for the null vector.
    package static func arctangent(y: Double, x: Double) -> Double {
        let (height, width) = (abs(y), abs(x))
        guard height > 0 || width > 0 else { return 0 }
        let slope = height <= width ? height / width : width / height
        let acute = arctangent(ofSlope: slope) * (180 / .pi)
        let firstQuarter = height <= width ? acute : 90 - acute
        let upperHalf = x < 0 ? 180 - firstQuarter : firstQuarter
        return y < 0 ? -upperHalf : upperHalf
    }

    /// The arctangent of 0...1 in radians: the angle is halved twice, which leaves a slope under 0.2 for the series.
    private static func arctangent(ofSlope slope: Double) -> Double {
        var slope = slope
        for _ in 0..<2 { slope /= 1 + (1 + slope * slope).squareRoot() }
        let square = slope * slope
        var sum = 0.0
        for power in stride(from: 23.0, through: 1, by: -2) { sum = 1 / power - square * sum }
        return 4 * slope * sum
    }

    /// The direction as an angle in 0 ..< 360 degrees.
    package static func inFullCircle(_ degrees: Double) -> Double {
        let remainder = degrees.truncatingRemainder(dividingBy: 360)
        let positive = remainder < 0 ? remainder + 360 : remainder
        return positive < 360 ? positive : 0
    }
}
