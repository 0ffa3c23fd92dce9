package import Logging
public import TrackEngine
public import TrackEngineSettings

/// Writes records into files of a directory, a new file each day, hour or trip or from a size on.
///
/// A record is settled when it is on the disk (fsync of the file, and of the note how far the file is valid): a power cut
/// or a kill at any moment costs no settled record and leaves no half one, and what was written but not settled is cut off
/// at the next start. The file under way ends in `.part` and is a complete document after each delivery.
///
/// A directory belongs to one sink; a second one waits with an error. Whatever goes wrong with it (full, missing, not
/// writable) is temporary: the drain keeps the records and tries again.
public final class FileSink: FixSink {
    /// How long ``close()`` waits for a disk that does not answer.
    static let closingTime = Duration.seconds(5)

    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID

    private let writer: PthreadMutex<DirectoryWriter>
    /// What the writer said last; it may be in a call that takes long.
    private let reported = PthreadMutex(FileSinkStatus())

    /// Makes a sink; the directory is not looked at before the first delivery.
    ///
    /// - Parameters:
    ///   - id: the sink's name, under which the store keeps its cursor.
    ///   - configuration: where files go, what is in them, and how long they stay.
    /// - Throws: everything that is wrong with the configuration.
    public convenience init(id: SinkID = "file", configuration: Configuration) throws(ConfigurationError) {
        try self.init(id: id, configuration: configuration, logger: Logger(label: "track-engine.file"))
    }

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - now: the machine's wall clock, beyond which no file's age counts.
    ///   - probe: called before each step that the sink takes on the disk.
    package init(
        id: SinkID, configuration: Configuration, logger: Logger,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        probe: @escaping FileProbe = { (_) throws(FileFailure) in }
    ) throws(ConfigurationError) {
        var problems = configuration.problems
        if id.rawValue.isEmpty {
            problems.append(ConfigurationProblem(key: "id", value: "(empty)", expectation: "a name for the sink"))
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        var logger = logger
        logger[metadataKey: "sink"] = "\(id)"
        self.id = id
        writer = PthreadMutex(DirectoryWriter(configuration, logger: logger, now: now, probe: probe))
    }

    /// Writes the batch and settles what the disk has.
    ///
    /// Records that a file has from the delivery before are not written again. Those that the format has no
    /// place for are named in ``/TrackEngine/Receipt/refused``: without a valid position, and in NMEA also those before 1980
    /// or after 2079. More than 10 000 records are confirmed in parts.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let result: Result<Receipt, DeliveryError>
        do {
            result = try await BlockingCall.run { [writer, reported] in
                writer.withLock { writer in
                    let result = writer.deliver(batch)
                    let status = writer.status
                    reported.withLock { $0 = status }
                    return result
                }
            }
        } catch {
            throw DeliveryError(.retry(), error is CancellationError ? "cancelled" : "\(error)")
        }
        return try result.get()
    }

    /// Lets go of the directory. The file under way stays as it is, and a sink made later goes on with it.
    public func close() async {
        await withTaskGroup { group in
            group.addTask { [writer] in
                // Cancelled: the thread goes on alone. Without a thread the end of the process lets go.
                try? await BlockingCall.run { writer.withLock { $0.close() } }
            }
            group.addTask { try? await Task.sleep(for: Self.closingTime) }  // cancelled when the other one is done
            await group.next()
            group.cancelAll()
        }
    }
}

extension FileSink: StatusReporting {
    /// The file under way, and what the directory keeps.
    public func statusItems(now: Timestamp) -> [StatusItem] { reported.withLock(\.items) }
}
