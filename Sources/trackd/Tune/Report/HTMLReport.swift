/// placeholder
package struct HTMLReport {
    package init(_ tuning: Tuning, files: [String]) {}
    package var bytes: [UInt8] { [] }
}
