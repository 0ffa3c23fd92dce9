import Logging
import TrackEngine

/// Waits while a store cannot be opened, for at most the total time of its environment.
struct OpenRetry {
    private let environment: StoreEnvironment
    private let logger: Logger
    private var left: ArraySlice<Duration>

    init(environment: StoreEnvironment, logger: Logger) {
        self.environment = environment
        self.logger = logger
        left = environment.pauses[...]
    }

    /// Reads, and tries again if that fails with one of the codes.
    mutating func read<Result>(
        retrying codes: Set<StoreError.Code> = [.inputOutput], _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        while true {
            do throws(StoreError) {
                return try body()
            } catch {
                guard codes.contains(error.code) else { throw error }
                try wait(after: error)
            }
        }
    }

    /// Waits for the next pause.
    ///
    /// - Throws: an error with the expectation, when all pauses have been used.
    mutating func wait(after error: StoreError) throws(StoreError) {
        guard let pause = left.popFirst() else {
            guard error.code == .inputOutput else { throw error }
            throw StoreError(
                .inputOutput,
                "the store cannot be read and has been left as it is; expected a disk without read errors: "
                    + error.message)
        }
        logger.warning("store cannot be opened, trying again", metadata: ["error": "\(error)"])
        environment.wait(pause)
    }
}
