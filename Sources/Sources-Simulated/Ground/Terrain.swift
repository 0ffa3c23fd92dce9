/// Rolling ground under a ``LocalPlane``: smooth, the same for everyone, and without meaning beyond that.
package enum Terrain {
    /// The height of the ground above mean sea level, in metres: 22 to 58, with grades of at most 3 %.
    package static func height(at place: GroundPosition) -> Double {
        let eastWave = Angle.sineAndCosine(ofDegrees: place.east * (360.0 / 4_700)).sine
        let northWave = Angle.sineAndCosine(ofDegrees: place.north * (360.0 / 6_100)).sine
        return 40 + 10 * eastWave + 8 * northWave
    }
}
