internal import TrackEngine

extension TripDetector {
    func write(to writer: inout StateWriter) {
        switch phase {
        case .none: writer.write(UInt8(0))
        case .begun(let leg):
            writer.write(UInt8(1))
            leg.write(to: &writer)
        case .running(let trip):
            writer.write(UInt8(2))
            trip.write(to: &writer)
        }
    }

    /// Continues from a saved phase.
    mutating func resume(from reader: inout StateReader) -> Bool {
        switch reader.number(UInt8.self) {
        case 0: phase = .none
        case 1:
            guard let leg = Leg(from: &reader) else { return false }
            phase = .begun(leg)
        case 2:
            guard let trip = ReportedTrip(from: &reader, device: device) else { return false }
            phase = .running(trip)
        default: return false  // no such phase
        }
        return true
    }
}

extension TripDetector.Leg {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(mark)
        writer.write(place)
        writer.write(isPresent: isDeparture)
    }

    fileprivate init?(from reader: inout StateReader) {
        guard let mark = reader.mark(), let place = reader.validCoordinate(),
            let isDeparture = reader.isPresent()
        else { return nil }
        self.init(mark: mark, place: place, isDeparture: isDeparture)
    }
}

extension TripDetector.ReportedTrip {
    fileprivate func write(to writer: inout StateWriter) {
        leg.write(to: &writer)
        writer.write(requestedMode?.rawValue ?? 0)
        writer.write(isPresent: startPlace != nil)
        if let startPlace {
            writer.write(startPlace.id)
            writer.write(startPlace.name)
        }
    }

    fileprivate init?(from reader: inout StateReader, device: DeviceID) {
        guard let leg = TripDetector.Leg(from: &reader), let mode = reader.number(UInt8.self),
            mode == 0 || TripMode(rawValue: mode) != nil,
            let startPlace = reader.optional({ (reader: inout StateReader) -> PlaceName? in
                guard let id = reader.text(), let name = reader.text() else { return nil }
                return PlaceName(id: id, name: name)
            })
        else { return nil }
        self.init(
            id: EventID(device: device, kind: .trip, beginning: leg.mark.time), leg: leg,
            requestedMode: TripMode(rawValue: mode), startPlace: startPlace)
    }
}

extension TravelMeter {
    func write(to writer: inout StateWriter) {
        writer.write(reading)
        writer.write(climb.metres)
        writer.write(climb.reference)
        writer.write(optional: lastTime)
        writer.write(lastSpeed)
        writer.write(baseTime)
        writer.write(basePlace)
        writer.write(reckoned)
    }

    init?(from reader: inout StateReader) {
        guard let reading = reader.reading(), let climbed = reader.double(), let reference = reader.double(),
            let lastTime = reader.optional({ $0.time() }), let lastSpeed = reader.double(),
            let baseTime = reader.time(), let basePlace = reader.validCoordinate(), let reckoned = reader.double()
        else { return nil }
        self.init()
        self.reading = reading
        climb = ClimbMeter(metres: climbed, reference: reference)
        (self.lastTime, self.lastSpeed) = (lastTime, lastSpeed)
        (self.baseTime, self.basePlace, self.reckoned) = (baseTime, basePlace, reckoned)
    }
}
