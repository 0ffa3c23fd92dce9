import TrackEngine

/// The kinds of days that the detectors are scored on. Each seed gives another one of a kind.
enum Scenario: String, CaseIterable, Sendable {
    case carTown = "car in town"
    case carDrift = "parked car that drifts"
    case schoolRun = "school run"
    case queue = "queue on the road"
    case tunnel = "tunnels"
    case ferry = "ferry"
    case walk = "walk with stops"
    case indoors = "indoors, bad reception"
    case sparseHome = "home, a fix each 15 minutes"
    case sparseCar = "car, a fix each 30 s"
    case garage = "underground garage"
    case trackingOff = "tracking off in between"
    case bicycle = "bicycle"
    case train = "train"
    case deliveries = "deliveries"
    case phone = "phone without speeds"
    case antimeridian = "across the antimeridian"
    case liar = "indoors, a receiver that lies"
    case minutely = "phone, a fix each minute, no speeds"
    case filtered = "phone that tells only 50 m of movement"
    case bus = "bus in town"
    case logger = "walk, a fix each 10 m without speed or accuracy"
    case plainPhone = "walk, a phone without speed or accuracy"

    func track(seed: UInt64) -> LabelledTrack {
        let number = UInt64(Self.allCases.firstIndex(of: self) ?? 0)
        var journey = Journey(
            seed: seed &* 1_000_003 &+ number, reception: reception,
            home: self == .antimeridian
                ? Coordinate(latitude: -16.8, longitude: 179.995) : Coordinate(latitude: 52.52, longitude: 13.4))
        live(&journey)
        let track = journey.track("\(rawValue) \(seed)")
        return switch self {
        case .filtered: track.filtered(metres: 50)
        case .logger: track.filtered(metres: 10)
        default: track
        }
    }

    private var reception: Reception {
        switch self {
        case .carTown, .schoolRun, .walk, .deliveries: .town
        case .carDrift, .queue, .tunnel, .ferry, .garage, .bicycle, .train, .antimeridian: .car
        case .indoors: .town
        case .sparseHome: Reception(error: 15, memory: 60, speedError: nil, interval: 900)
        case .sparseCar: Reception(error: 3, speedError: 0.3, interval: 30)
        case .trackingOff, .phone, .filtered: .phone
        case .liar: .car
        case .minutely: Reception(error: 8, speedError: nil, interval: 60)
        case .bus: .town
        case .logger: Reception(error: 2.5, memory: 60, speedError: nil, tellsAccuracy: false)
        case .plainPhone: Reception(error: 6, memory: 60, speedError: nil, interval: 5, tellsAccuracy: false)
        }
    }

    private func live(_ j: inout Journey) {
        switch self {
        case .carTown, .antimeridian:
            j.rest(j.draw(400, 900))
            for _ in 0..<3 {
                j.drive(j.draw(2_000, 5_000), speed: 13)
                j.rest(j.draw(100, 1_500))
            }
        case .carDrift:
            j.rest(200)
            j.drive(j.draw(2_000, 4_000), speed: 14)
            j.with(Reception(error: 12, memory: 400, modesty: 0.5, speedError: 0.15)) {
                $0.rest($0.draw(7_000, 12_000))
            }
            j.drive(j.draw(2_000, 4_000), speed: 14)
            j.rest(500)
        case .schoolRun:
            j.rest(600)
            j.drive(toEast: j.draw(1_200, 2_400), north: j.draw(-900, 900), speed: 11)
            j.rest(j.draw(85, 200))
            j.drive(toEast: 0, north: 0, speed: 11)
            j.rest(j.draw(900, 1_800))
            j.drive(j.draw(2_000, 4_000), speed: 12)
            j.rest(j.draw(420, 900))
        case .queue:
            j.rest(300)
            j.drive(2_000, speed: 14)
            j.creep(j.draw(400, 900))
            j.drive(2_500, speed: 14)
            j.rest(400)
        case .tunnel:
            j.rest(300)
            j.drive(2_000, speed: 20)
            j.silently { $0.go($0.draw(4_000, 12_000), speed: 25) }
            j.drive(2_000, speed: 20)
            j.silently { $0.go($0.draw(800, 3_000), speed: 12) }
            j.drive(1_500, speed: 14)
            j.rest(j.draw(400, 900))
        case .ferry:
            j.rest(300)
            j.drive(2_500, speed: 14)
            j.rest(j.draw(500, 900))  // in the queue at the quay, then on the deck
            j.go(j.draw(4_000, 7_000), speed: 8, acceleration: 0.05, winding: 0.05)
            j.rest(j.draw(90, 160))
            j.drive(3_000, speed: 14)
            j.rest(400)
        case .walk:
            j.rest(300)
            for _ in 0..<4 {
                j.go(j.draw(250, 700), speed: j.draw(1.1, 1.6))
                j.rest(j.draw(8, 40))
                j.go(j.draw(120, 400), speed: j.draw(1.1, 1.6))
                j.rest(j.draw(90, 800))
            }
            j.go(300, speed: 1.4)
            j.rest(400)
        case .indoors:
            j.rest(240)
            j.go(j.draw(600, 1_200), speed: 1.4)
            j.with(.indoors) { $0.potter($0.draw(2_400, 5_400), within: 12) }
            j.go(j.draw(600, 1_200), speed: 1.4)
            j.with(.indoors) { $0.potter($0.draw(900, 2_400), within: 8) }
            j.go(j.draw(400, 800), speed: 1.4)
            j.rest(300)
        case .sparseHome:
            j.potter(j.draw(30_000, 50_000), within: 12)
            j.drive(j.draw(20_000, 30_000), speed: 14)
            j.rest(j.draw(7_000, 15_000))
            j.drive(j.draw(20_000, 30_000), speed: 14)
            j.rest(j.draw(7_000, 9_000))
        case .sparseCar:
            j.rest(600)
            for _ in 0..<3 {
                j.drive(j.draw(4_000, 8_000), speed: 14)
                j.rest(j.draw(420, 2_000))
            }
        case .garage:
            j.rest(400)
            j.drive(j.draw(2_000, 4_000), speed: 13)
            j.silently { $0.rest($0.draw(1_200, 9_000)) }
            j.drive(j.draw(2_000, 4_000), speed: 13)
            j.rest(500)
        case .trackingOff:
            j.rest(600)
            j.go(j.draw(800, 1_500), speed: 1.4)
            j.rest(400)
            j.silently(asLeg: true) { $0.rest($0.draw(3_000, 20_000)) }
            j.rest(300)
            j.go(j.draw(800, 1_500), speed: 1.4)
            j.rest(500)
        case .bicycle:
            j.rest(300)
            for _ in 0..<3 {
                j.go(j.draw(1_000, 3_000), speed: j.draw(4, 6), acceleration: 0.7)
                j.rest(j.draw(10, 45))
                j.go(j.draw(800, 2_000), speed: j.draw(4, 6), acceleration: 0.7)
                j.rest(j.draw(80, 900))
            }
        case .liar:
            j.rest(400)
            j.drive(j.draw(2_000, 4_000), speed: 13)
            j.with(Reception(error: 22, memory: 90, modesty: 0.35, speedError: 0.9, outliersPerHour: 30)) {
                $0.potter($0.draw(3_000, 7_000), within: 10)
            }
            j.drive(j.draw(2_000, 4_000), speed: 13)
            j.rest(500)
        case .minutely:
            j.rest(900)
            for _ in 0..<3 {
                j.go(j.draw(700, 1_500), speed: j.draw(1.1, 1.5))
                j.rest(j.draw(480, 2_400))
            }
        case .filtered:
            j.rest(900)
            for _ in 0..<2 {
                j.go(j.draw(700, 1_500), speed: j.draw(1.1, 1.5))
                j.rest(j.draw(900, 4_000))
                j.drive(j.draw(2_000, 4_000), speed: 12)
                j.rest(j.draw(900, 4_000))
            }
        case .bus:
            j.rest(400)
            j.go(j.draw(200, 500), speed: 1.4)
            j.rest(j.draw(100, 400))
            for _ in 0..<6 {
                j.drive(j.draw(300, 700), speed: 11)
                j.rest(j.draw(12, 40))
            }
            j.go(j.draw(200, 600), speed: 1.4)
            j.rest(j.draw(500, 1_500))
        case .logger, .plainPhone:
            j.rest(j.draw(90, 400))
            for _ in 0..<6 {
                j.stroll(Int(j.uniform(1, 5)))
                j.rest(j.draw(85, 500))
            }
        case .train:
            j.rest(400)
            for _ in 0..<4 {
                j.go(j.draw(4_000, 12_000), speed: j.draw(25, 45), acceleration: 0.5, winding: 0.1)
                j.rest(j.draw(80, 170))
            }
            j.go(5_000, speed: 30, acceleration: 0.5, winding: 0.1)
            j.rest(500)
        case .deliveries:
            j.rest(400)
            for _ in 0..<7 {
                j.drive(j.draw(250, 1_200), speed: 9)
                j.rest(j.draw(76, 480))
            }
        case .phone:
            j.rest(500)
            j.go(j.draw(500, 900), speed: 1.4)
            j.rest(j.draw(400, 1_500))
            j.drive(j.draw(3_000, 5_000), speed: 12)
            j.rest(j.draw(400, 1_500))
            j.go(j.draw(400, 900), speed: 1.3)
            j.rest(j.draw(400, 900))
        }
    }
}

extension Journey {
    /// A whole number drawn from the journey's own chance.
    mutating func draw(_ low: Double, _ high: Double) -> Double { uniform(low, high).rounded() }
}
