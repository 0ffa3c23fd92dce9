/// Conversions between the engine's accuracies, about 95 %, and the standard deviations in GST, in metres.
///
/// A radius is twice the root of the sum of both variances (2 DRMS, which contains 95 to 98 %), the accuracy of a
/// height is twice its deviation:
///
/// | north, east, height | radius, accuracy of the height |
/// |---|---|
/// | 3 m, 4 m, 2.5 m | 2 · √(9 + 16) m = 10 m, 5 m |
/// | 2 m, 2 m, 2 m | 2 · √8 m = 5.657 m, 4 m |
///
/// The writer uses the inverse, for a circle: 5.657 m are 2 m along each axis.
enum NMEAAccuracy {
    /// The radius for deviations along both axes.
    static func radius(north: Double, east: Double) -> Double { 2 * (north * north + east * east).squareRoot() }

    /// The deviation along each axis for a radius.
    static func deviation(radius: Double) -> Double { radius / (2 * 2.0.squareRoot()) }

    /// The accuracy of a height for its deviation.
    static func height(deviation: Double) -> Double { 2 * deviation }

    /// The deviation of a height for its accuracy.
    static func deviation(height: Double) -> Double { height / 2 }
}
