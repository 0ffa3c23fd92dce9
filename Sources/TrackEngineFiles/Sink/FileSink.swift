package import Logging
public import TrackEngine
public import TrackEngineSettings

/// Writes records into files of a directory: a new file each day, hour or trip, or above a size.
///
/// A record is settled once it is on the disk (fsync of the file, and of the state with its valid length). A power
/// cut or a kill at any moment loses no settled record and leaves no partial one; records that were written but not
/// settled are cut off at the next start. The current file's name ends in `.part`, and the file is a complete
/// document after each delivery.
///
/// A directory belongs to one sink; deliveries of a second one fail. All failures of the directory (full, missing,
/// not writable) are temporary: the delivery keeps the records and tries again.
public final class FileSink: FixSink {
    /// The longest time that ``close()`` waits for a disk that does not respond.
    static let closingTime = Duration.seconds(5)

    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID

    private let writer: SystemMutex<DirectoryWriter>
    /// The writer's last status; the writer itself may be in a call that takes long.
    private let reported = SystemMutex(FileSinkStatus())

    /// Creates a sink; it does not access the directory before the first delivery.
    ///
    /// - Parameters:
    ///   - id: the sink's name, under which the store keeps its cursor.
    ///   - configuration: the directory of the files, their contents, and their retention.
    /// - Throws: all problems of the configuration.
    public convenience init(id: SinkID = "file", configuration: Configuration) throws(ConfigurationError) {
        try self.init(id: id, configuration: configuration, logger: Logger(label: "track-engine.file"))
    }

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - now: the machine's wall clock, the upper limit for the ages of files.
    ///   - probe: called before each step of the sink on the disk.
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
        writer = SystemMutex(DirectoryWriter(configuration, logger: logger, now: now, probe: probe))
    }

    /// Writes the batch and settles the records on the disk.
    ///
    /// Records of the delivery before that a file contains are not written again. Records that the format does not
    /// support are listed in ``/TrackEngine/Receipt/refused``: without a valid position, and in NMEA also those
    /// before 1980 or after 2079. More than 10 000 records are confirmed in parts.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let result: Result<Receipt, DeliveryError>
        do {
            result = try await FileThread.run { [writer, reported] in
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

    /// Closes the directory. The current file stays as it is, and a later sink continues it.
    public func close() async {
        await withTaskGroup { group in
            group.addTask { [writer] in
                // If cancelled, the thread continues alone. Without a thread, the directory is closed at the end of
                // the process.
                try? await FileThread.run { writer.withLock { $0.close() } }
            }
            group.addTask { try? await Task.sleep(for: Self.closingTime) }  // cancelled when the other task has ended
            await group.next()
            group.cancelAll()
        }
    }
}

extension FileSink: StatusReporting {
    /// The current file, and the files in the directory.
    public func statusItems(now: Timestamp) -> [StatusField] { reported.withLock(\.items) }
}
