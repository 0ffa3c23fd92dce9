internal import ArgumentParser
internal import TrackEngine
import TrackEngineFiles
internal import TrackEngineSimulated

/// `trackd simulate`: writes the fixes of simulated vehicles to standard output, as fast as it can.
struct SimulateCommand: AsyncParsableCommand {
    /// The formats that are useful for simulated vehicles.
    enum Output: String, CaseIterable, ExpressibleByArgument {
        case ndjson, nmea, gpx

        var format: TrackFormat {
            switch self {
            case .ndjson: .ndjson
            case .nmea: .nmea
            case .gpx: .gpx
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Write the fixes of simulated vehicles to standard output.",
        discussion: """
            The same options always give the same bytes. With more than one vehicle, JSON lines come in order of time \
            and name their source; GPX has one track after the other; NMEA knows of one vehicle only.
            """)

    @Option(help: "How many vehicles drive.")
    var vehicles = 1

    @Option(help: ArgumentHelp("How long they drive: 90, 90s, 15m, 2h.", valueName: "duration"))
    var duration = DurationArgument(seconds: 600)

    @Option(help: "The seed of all random values.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Fixes per second, 1 to 10.", valueName: "hz"))
    var rate = 1

    @Option(help: "ndjson, nmea or gpx.")
    var output = Output.ndjson

    func validate() throws {
        if output == .nmea, vehicles > 1 {
            throw ValidationError("NMEA has no place for a vehicle's name: use --vehicles 1 or another --output.")
        }
        do throws(ConfigurationError) {
            try configurationOfAll.validate()
            _ = try configurationOfAll.fleet(vehicles: vehicles)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// On the main actor, because writing blocks and must not occupy a thread of the cooperative pool.
    @MainActor func run() async throws {
        CommandOutput.ignoreBrokenPipes()
        let fleet = try SimulatedTracks(
            configurationOfAll.fleet(vehicles: vehicles), merged: output.format.mixesSources)
        do throws(CommandOutput.WriteError) {
            try write(fleet)
        } catch  where error.isBrokenPipe {
            return  // the reader has closed the pipe
        }
    }

    private var configurationOfAll: SimulatedSource.Configuration {
        SimulatedSource.Configuration(seed: seed, rate: rate, duration: duration.duration)
    }

    private func write(_ fleet: SimulatedTracks) throws(CommandOutput.WriteError) {
        var writer = output.format.makeWriter(namesSource: vehicles > 1)
        var standardOutput = CommandOutput()
        writer.begin(&standardOutput.bytes)
        for record in fleet {
            writer.append(record, to: &standardOutput.bytes)
            try standardOutput.flushIfFull()
        }
        writer.end(&standardOutput.bytes)
        try standardOutput.flush()
    }
}
