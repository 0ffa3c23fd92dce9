/// The unit of speed in NMEA 0183 and Traccar's protocols: a nautical mile, 1852 m, an hour.
package enum Knot {
    /// Metres per second in a knot.
    @inlinable package static var metresPerSecond: Double { 1852.0 / 3600 }
}
