import Foundation
import Testing
import TrackEngineSimulated

@Suite struct AngleTests {
    @Test(
        arguments: [
            (0.0, 0.0, 1.0), (30, 0.5, 0.75.squareRoot()), (90, 1, 0), (135, 0.5.squareRoot(), -0.5.squareRoot()),
            (180, 0, -1), (270, -1, 0), (-90, -1, 0), (-180, 0, -1), (360, 0, 1), (720, 0, 1), (450, 1, 0),
        ] as [(Double, Double, Double)])
    func `sine and cosine of well-known angles`(degrees: Double, sine: Double, cosine: Double) {
        let result = Angle.sineAndCosine(ofDegrees: degrees)
        #expect(abs(result.sine - sine) < 1e-15)
        #expect(abs(result.cosine - cosine) < 1e-15)
    }

    @Test func `sine and cosine agree with the C library`() {
        for degrees in stride(from: -800.0, through: 800, by: 0.37) {
            let result = Angle.sineAndCosine(ofDegrees: degrees)
            #expect(abs(result.sine - sin(degrees * .pi / 180)) < 4e-15)
            #expect(abs(result.cosine - cos(degrees * .pi / 180)) < 4e-15)
        }
    }

    @Test(
        arguments: [
            (0.0, 1.0, 0.0), (1, 1, 45), (1, 0, 90), (1, -1, 135), (0, -1, 180), (-1, -1, -135), (-1, 0, -90),
            (-1, 1, -45),
            (0, 0, 0),
        ] as [(Double, Double, Double)])
    func `the direction of the eight winds`(y: Double, x: Double, degrees: Double) {
        #expect(abs(Angle.arctangent(y: y, x: x) - degrees) < 1e-13)
    }

    @Test func `the arctangent agrees with the C library`() {
        for degrees in stride(from: -179.9, through: 179.9, by: 0.13) {
            let (y, x) = (3 * sin(degrees * .pi / 180), 3 * cos(degrees * .pi / 180))
            #expect(abs(Angle.arctangent(y: y, x: x) - atan2(y, x) * 180 / .pi) < 1e-13)
        }
    }

    @Test(arguments: [(0.0, 0.0), (360, 0), (-90, 270), (725, 5), (-1e-20, 0)])
    func `any angle has a place in the full circle`(degrees: Double, expected: Double) {
        #expect(Angle.inFullCircle(degrees) == expected)
    }
}
