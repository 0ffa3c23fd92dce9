import Foundation

/// A day of a van as a file of fixes: at home, a drive to the depot, half an hour there, and back. One fix each ten seconds.
struct RecordedDay {
    static let home = (latitude: 53.5, longitude: 10.0)
    static let depot = (latitude: 53.5 + 9000 / 111_300.0, longitude: 10.0)

    /// Writes the file; returns its path.
    static func write(in folder: String) throws -> String {
        let path = folder + "/day.csv"
        var text = "time,lat,lon,hacc,speed\n"
        for (second, metres, speed) in places {
            text += "\(1_772_359_200 + second),\(home.latitude + metres / 111_300),10.0,5,\(speed)\n"
        }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Seconds since the beginning, metres north of home, metres per second.
    private static var places: [(Int, Double, Double)] {
        let legs: [(seconds: Int, speed: Double)] = [(1800, 0), (900, 10), (1800, 0), (900, -10), (1800, 0)]
        var places: [(Int, Double, Double)] = []
        var (second, metres) = (0, 0.0)
        for leg in legs {
            for _ in 0..<leg.seconds / 10 {
                places.append((second, metres, abs(leg.speed)))
                second += 10
                metres += leg.speed * 10
            }
        }
        return places
    }

    /// What an agent is told to find in it.
    static let events = """
        events:
          visits: true
          trips: true
          heartbeat: 900
          places:
            - {name: Home, latitude: 53.5, longitude: 10.0, radius: 150}
            - {id: depot-1, name: Depot, latitude: \(depot.latitude), longitude: 10.0, radius: 200, dwell: 600}
        """
}
