/// Which release of the agent this is.
enum Release {
    /// The version that `--version` prints and consumers are told.
    static let version = "0.1.0"
}
