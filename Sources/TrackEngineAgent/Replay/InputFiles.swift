import TrackEngine
import TrackEngineFiles

/// Reads the recorded files of a command, one after the other.
///
/// Problems go to standard error with their lines; so does a progress bar on a terminal. An unreadable file is
/// reported and counted, and the others are still read. The path `-` is standard input.
struct InputFiles: ~Copyable {
    private let options: ReplayOptions
    private var bar: ProgressLine?
    /// Whether a file could not be read, or not to its end.
    private(set) var hasFailed = false
    /// The number of problems over all files: input that could not become a fix.
    private(set) var problems = 0

    /// Makes a reader of files.
    init(_ options: ReplayOptions, environment: [String: String]) {
        self.options = options
        bar = ProgressLine(environment: environment)
    }

    /// Reads a file to its end and passes its fixes on, in pieces.
    mutating func read<Failure: Error>(
        _ path: String, _ take: ([Fix]) throws(Failure) -> Void
    ) throws(Failure) {
        let name = path == "-" ? "standard input" : path
        let file = path == "-" ? "/dev/stdin" : path
        var list = ProblemList(file: name)
        let options = options
        let opened = attempt(name) { () throws(ReplayError) in try ReplayFile(path: file, options: options) }
        guard let opened else { return }
        while let chunk = attempt(name, { () throws(ReplayError) in try opened.next() }) ?? nil {
            problems += chunk.problems.count
            for problem in chunk.problems { say(list.note(problem)) }
            bar?.show(name, read: chunk.bytesRead, of: chunk.totalBytes)
            try take(chunk.fixes)
        }
        say(list.rest)
    }

    /// The result of `body`; `nil` if the file cannot be used, which is reported.
    private mutating func attempt<Result>(_ name: String, _ body: () throws(ReplayError) -> Result) -> Result? {
        do throws(ReplayError) {
            return try body()
        } catch {
            hasFailed = true
            say("\(name): \(error.reason)")
            return nil
        }
    }

    /// Prints a line to standard error, above the bar.
    mutating func say(_ line: String?) {
        guard let line else { return }
        bar?.clear()
        ErrorOutput.write(line + "\n")
    }

    /// Removes the bar.
    mutating func finish() { bar?.clear() }
}
