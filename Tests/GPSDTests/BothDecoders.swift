import GPSDProtocol
import TrackEngine
import TrackEngineGPSD

/// Our decoder of gpsd's lines beside the one that reads numbers with libgps.
struct BothDecoders: ~Copyable {
    /// What the two made of one line.
    struct Outcome {
        let ours: Result<Report, MalformedReport>
        let libgps: Result<Report, MalformedReport>

        /// Whether both say the same; numbers, of which libgps rounds long ones itself, to twelve digits.
        var isAgreement: Bool {
            switch (ours, libgps) {
            case (.success(let one), .success(let other)): one.isNear(other)
            case (.failure(let one), .failure(let other)): one == other
            case (.success, .failure), (.failure, .success): false
            }
        }

        /// Whether both say the same to the last bit.
        var isIdentity: Bool { ours == libgps }
    }

    private var ours = ReportDecoder()
    private var libgps = LibgpsDecoder()

    mutating func decode(_ line: [UInt8]) -> Outcome {
        Outcome(ours: result(ofOurs: line), libgps: result(ofLibgps: line))
    }

    private mutating func result(ofOurs line: [UInt8]) -> Result<Report, MalformedReport> {
        do {
            return .success(try ours.decode(line.span))
        } catch {
            return .failure(error)
        }
    }

    private mutating func result(ofLibgps line: [UInt8]) -> Result<Report, MalformedReport> {
        do {
            return .success(try libgps.decode(line))
        } catch {
            return .failure(error)
        }
    }
}

extension Report {
    fileprivate func isNear(_ other: Report) -> Bool {
        switch (self, other) {
        case (.position(let one), .position(let other)): one.isNear(other)
        case (.sky(let one), .sky(let other)): one.isNear(other)
        case (.position, _), (.sky, _), (.version, _), (.devices, _), (.device, _), (.watch, _), (.poll, _),
            (.error, _), (.other, _):
            self == other
        }
    }
}

extension PositionReport {
    private static let numbers: [@Sendable (PositionReport) -> Double?] = [
        \.coordinate?.latitude, \.coordinate?.longitude, \.altHAE, \.altMSL, \.alt, \.geoidSeparation, \.eph, \.epx,
        \.epy, \.epv, \.speed, \.eps, \.track, \.epd,
    ]

    fileprivate func isNear(_ other: PositionReport) -> Bool {
        device == other.device && time == other.time && hasMalformedTime == other.hasMalformedTime
            && mode == other.mode && status == other.status
            && Self.numbers.allSatisfy { isSameNumber($0(self), $0(other)) }
    }
}

extension SkyReport {
    fileprivate func isNear(_ other: SkyReport) -> Bool {
        device == other.device && time == other.time && satellitesUsed == other.satellitesUsed
            && satellitesVisible == other.satellitesVisible && isSameNumber(hdop, other.hdop)
            && isSameNumber(pdop, other.pdop)
    }
}

private func isSameNumber(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one == other || abs(one - other) <= 1e-12 * abs(one)
}
