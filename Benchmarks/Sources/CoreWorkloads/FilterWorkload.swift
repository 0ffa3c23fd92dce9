import CBaseline
import Measure
import TrackEngine

/// CalmGeo's rule over the same bytes, in Swift and in C.
public final class FilterWorkload {
    private let fixes: [Fix]
    private var kept: [Int] = []
    private var keptInC: [Int64]

    /// Over so many fixes in memory.
    public init(count: Int) {
        fixes = SampleTrack.fixes(count)
        keptInC = [Int64](repeating: 0, count: count)
        kept.reserveCapacity(count)
        precondition(fixes.withUnsafeBytes(Self.isLaidOutAsInC), "Fix.swift and cbaseline.h do not agree")
    }

    private static func isLaidOutAsInC(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let fixes = bytes.bindMemory(to: Fix.self)
        return fixes.indices.allSatisfy { index in
            let inC = bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Fix>.stride, as: cbaseline_fix.self)
            return inC.latitude == fixes[index].coordinate.latitude
                && inC.longitude == fixes[index].coordinate.longitude
                && inC.speed == fixes[index].speed
        }
    }

    private static let rule = cbaseline_rule(base: 16, multiplier: 3.1)
    private static let repetitions = 200

    /// The rule in batches of so many fixes.
    public func batches(of length: Int) -> Contender {
        contender { [self] in
            var sampler = DistanceSampler(DistanceFilter())
            fixes.withUnsafeBufferPointer { fixes in
                var start = 0
                while start < fixes.count {
                    let batch = UnsafeBufferPointer(rebasing: fixes[start..<min(start + length, fixes.count)])
                    kept.removeAll(keepingCapacity: true)
                    sampler.sample(batch.span, into: &kept)
                    start += length
                }
            }
        }
    }

    /// The rule asked for one fix after the other.
    public func eachFix() -> Contender {
        contender { [self] in
            var sampler = DistanceSampler(DistanceFilter())
            var count = 0
            for fix in fixes where sampler.keeps(fix) { count += 1 }
            keep(count)
        }
    }

    /// `Coordinate.distance(to:)` for every fix.
    public func measuringEach() -> Contender {
        contender { [self] in
            let filter = DistanceFilter()
            var last = fixes[0].coordinate
            var count = 0
            for fix in fixes where filter.keeps(distance: last.distance(to: fix.coordinate), speed: fix.speed) {
                last = fix.coordinate
                count += 1
            }
            keep(count)
        }
    }

    /// The same arithmetic in C, in batches.
    public func planeInC(batches length: Int) -> Contender {
        inC(length, cbaseline_sample_plane)
    }

    /// The haversine in C, in batches.
    public func haversineInC(batches length: Int) -> Contender {
        inC(length, cbaseline_sample_haversine)
    }

    private typealias Sample = (
        UnsafeRawPointer?, Int, Int, cbaseline_rule, UnsafeMutablePointer<cbaseline_anchor>?,
        UnsafeMutablePointer<Int64>?
    ) -> Int

    private func inC(_ length: Int, _ sample: @escaping Sample) -> Contender {
        contender { [self] in
            var anchor = cbaseline_anchor_at(fixes[0].coordinate.latitude, fixes[0].coordinate.longitude)
            fixes.withUnsafeBytes { bytes in
                keptInC.withUnsafeMutableBufferPointer { kept in
                    var start = 0
                    while start < fixes.count {
                        let batch = bytes.baseAddress.map { $0 + start * MemoryLayout<Fix>.stride }
                        let count = min(length, fixes.count - start)
                        keep(sample(batch, MemoryLayout<Fix>.stride, count, Self.rule, &anchor, kept.baseAddress))
                        start += length
                    }
                }
            }
        }
    }

    private func contender(_ run: @escaping () -> Void) -> Contender {
        Contender(units: fixes.count * Self.repetitions) { for _ in 0..<Self.repetitions { run() } }
    }
}
