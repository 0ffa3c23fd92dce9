/// The fixes and problems of a file, in chunks, for asynchronous code.
/// ```swift
/// for try await chunk in ReplayReader(path: "drive.nmea.gz") {
///     for fix in chunk.fixes { … }
/// }
/// ```
/// The reader does not read ahead: it reads the next piece when the next chunk is requested. Reading and decoding
/// happen on a thread of its own that ends with the iterator, so neither a slow disk nor a silent pipe holds up other
/// tasks. Cancelling the task ends the iteration.
public struct ReplayReader: AsyncSequence, Sendable {
    private let path: String
    private let options: ReplayOptions

    /// Names a file; it is opened when the iteration begins.
    public init(path: String, options: ReplayOptions = ReplayOptions()) {
        self.path = path
        self.options = options
    }

    /// Begins to read from the start of the file.
    public func makeAsyncIterator() -> Iterator {
        Iterator(path: path, options: options)
    }

    /// Reads one file from start to end.
    public struct Iterator: AsyncIteratorProtocol {
        private let path: String
        private let options: ReplayOptions
        private var file: ReplayFileThread?

        fileprivate init(path: String, options: ReplayOptions) {
            self.path = path
            self.options = options
        }

        /// The next chunk; `nil` at the end of the file or when the task is cancelled.
        ///
        /// - Throws: ``ReplayError`` when the file cannot be opened or read, or is of no known format.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ReplayError) -> ReplayChunk? {
            if let file { return try await file.next() }
            let file = try ReplayFileThread(path: path, options: options)
            self.file = file
            return try await file.next()
        }

        /// The next chunk, as ``next(isolation:)``.
        public mutating func next() async throws(ReplayError) -> ReplayChunk? {
            try await next(isolation: nil)
        }
    }
}

/// A ``ReplayFile`` on a thread of its own.
private actor ReplayFileThread {
    private let path: String
    private let options: ReplayOptions
    private let interruption = Interruption()
    private let thread: ReadingThread
    private var file: ReplayFile?

    init(path: String, options: ReplayOptions) throws(ReplayError) {
        guard let thread = ReadingThread() else {
            throw ReplayError(.unreadable, path: path, "expected a free thread and two free file descriptors")
        }
        self.path = path
        self.options = options
        self.thread = thread
    }

    deinit { thread.stop() }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// The next chunk; a cancelled task waits no longer than a silent pipe's patience.
    nonisolated func next() async throws(ReplayError) -> ReplayChunk? {
        let result = await withTaskCancellationHandler {
            await read()
        } onCancel: {
            interruption.request()
        }
        return try result.get()
    }

    private func read() -> Result<ReplayChunk?, ReplayError> {
        guard !interruption.isRequested else { return .success(nil) }
        return Result { () throws(ReplayError) in
            let chunk = try openFile().next()
            return interruption.isRequested ? nil : chunk
        }
    }

    private func openFile() throws(ReplayError) -> ReplayFile {
        if let file { return file }
        let opened = try ReplayFile(path: path, options: options, interruption: interruption)
        file = opened
        return opened
    }
}
