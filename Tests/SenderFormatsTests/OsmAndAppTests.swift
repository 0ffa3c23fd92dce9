import Testing
import TrackEngine
import TrackEngineServer

/// The app OsmAnd and Traccar's clients share names of parameters and not their units.
@Suite struct OsmAndAppTests {
    private func fix(_ query: String) throws -> Fix {
        try #require(
            try TraccarSender().read(SenderRequest(query: ParameterList(query), time: Golden.received)).points.first
        ).point.fix
    }

    @Test(arguments: [
        "id=van-7&lat=53.55&lon=9.98&timestamp=1772359200123&hdop=4.5&altitude=12.0&speed=10.5&bearing=181.0",
        "lat=53.55&lon=9.98&timestamp=1772359200123&hdop=4.5&altitude=12.0&speed=10.5",
    ])
    func `The app OsmAnd sends metres per second, and its accuracy as hdop`(_ query: String) throws {
        let fix = try fix(query)
        #expect(fix.time == Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 123_000_000))
        #expect(fix.speed == 10.5 && fix.altitude == 12)
        #expect(fix.horizontalAccuracy == 4.5 && fix.horizontalDilution == nil)
    }

    @Test func `An accuracy of 0 of the app OsmAnd is not known`() throws {
        #expect(try fix("id=1&lat=53.55&lon=9.98&timestamp=1772359200123&hdop=0.0&speed=0.0").horizontalAccuracy == nil)
    }

    @Test(arguments: [
        "id=van-7&lat=53.551235&lon=9.9876543&timestamp=1772359200123&speed=10.5",
        "lat=53.55&lon=-9.98&timestamp=1772359200123&altitude=0.0&speed=10.5&bearing=1.5E-4",
        "id=1&lat=53.55&lon=9.98&timestamp=1772359200123&accuracy=4.5&speed=10.5",
        "lat=-33.8688197&lon=151.2092955&timestamp=1772359200123&altitude=24.0&speed=10.5&bearing=90.0",
    ])
    func `The app OsmAnd is known without hdop by numbers as Java writes them`(_ query: String) throws {
        let fix = try fix(query)
        #expect(fix.speed == 10.5)
        #expect(fix.horizontalAccuracy == (query.contains("accuracy") ? 4.5 : nil))
    }

    /// 10.5 knots are 5.402 m/s.
    @Test(arguments: [
        "lat=53.55123456789&lon=9.98&timestamp=1772359200123&speed=10.5",
        "lat=53.55&lon=9.98&timestamp=1772359200123&speed=10.5&altitude=12",
        "lat=53.55&lon=9.98&timestamp=1772359200&speed=10.5",
        "lat=53.55&lon=9.98&timestamp=1772359200123&speed=10.5&hdop=0.9&accuracy=4.5",
    ])
    func `Without hdop, numbers of another form or names of Traccar's clients mean knots`(_ query: String) throws {
        #expect(try fix("id=1&" + query).speed.map { ($0 * 1000).rounded() } == 5402)
    }

    private static let names = [
        "batt=63", "charge=true", "motion=true", "odometer=1200", "sat=9", "mock=false",
        "driverUniqueId=7", "event=1", "alarm=sos", "accuracy=4.5", "hdop=4.5", "altitude=12.0", "bearing=181.0",
    ]

    /// All combinations of up to three names beside those of every request.
    private static let combinations: [String] = {
        var found = [""]
        for first in names.indices {
            found.append("&" + names[first])
            for second in names.indices.dropFirst(first + 1) {
                found.append("&\(names[first])&\(names[second])")
                for third in names.indices.dropFirst(second + 1) {
                    found.append("&\(names[first])&\(names[second])&\(names[third])")
                }
            }
        }
        return found
    }()

    @Test func `Whatever names the address of the app OsmAnd has, its speeds are metres per second`() throws {
        for names in Self.combinations {
            let fix = try fix("id=1&lat=53.551235&lon=9.98765&timestamp=1772359200123&speed=10.5" + names)
            #expect(fix.speed == 10.5, "\(names)")
            let hasRadius = names.contains("hdop") || names.contains("accuracy")
            #expect(fix.horizontalAccuracy == (hasRadius ? 4.5 : nil), "\(names)")
            #expect(fix.horizontalDilution == nil, "\(names)")
        }
    }

    /// Traccar's clients calculate 20.41 knots from 10.5 m/s.
    @Test(arguments: [
        "timestamp=1772359200&speed=20.41036285", "timestamp=1772359200&speed=20.41",
        "timestamp=1772359200123&speed=20.4103628509", "timestamp=2026-03-01T10:00:00Z&speed=20.41",
    ])
    func `Whatever names a client of Traccar sends, its speeds are knots`(_ parameters: String) throws {
        for names in Self.combinations {
            // In milliseconds, a request with the names of OsmAnd's own address alone is taken for one of the app.
            if parameters.contains("0123&"), names.contains("hdop"),
                !Self.names.prefix(10).contains(where: { names.contains($0) })
            {
                continue
            }
            let fix = try fix("id=1&lat=53.551235&lon=9.98765&\(parameters)" + names)
            #expect(fix.speed.map { ($0 * 100).rounded() } == 1050, "\(names)")
            #expect(fix.horizontalDilution == (names.contains("hdop") ? 4.5 : nil), "\(names)")
        }
    }

    @Test func `With valid=true a sender declares knots`() throws {
        let fix = try fix("lat=53.551235&lon=9.98765&timestamp=1772359200123&speed=10.0&hdop=4.5&valid=true")
        #expect(fix.speed.map { ($0 * 1000).rounded() } == 5144)
    }

    /// Ten knots are 5.144 m/s.
    @Test(arguments: [
        "timestamp=1772359200&hdop=0.9&accuracy=5", "timestamp=1772359200&hdop=0.9",
        "timestamp=1772359200123&accuracy=5",
        "timestamp=1772359200123&hdop=0.9&accuracy=5", "timestamp=1772359200123&hdop=0.9&batt=63",
        "timestamp=1772359200123&hdop=0.9&motion=true", "timestamp=2026-03-01T10:00:00Z&hdop=0.9",
        "timestamp=1772359200123",
    ])
    func `All others send knots`(_ parameters: String) throws {
        let fix = try fix("id=1&lat=53.55&lon=9.98&speed=10&\(parameters)")
        #expect(fix.speed.map { ($0 * 1000).rounded() } == 5144)
        #expect(fix.horizontalDilution.map { ($0 * 10).rounded() } == (parameters.contains("hdop") ? 9 : nil))
    }
}
