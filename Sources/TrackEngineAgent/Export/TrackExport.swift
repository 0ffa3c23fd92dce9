package import TrackEngine
import TrackEngineFiles

/// Writes stored records as one document, a page of the store at a time.
///
/// Records that are stored while the export runs are not part of it.
package struct TrackExport: Sendable {
    /// Records after a sequence number, in the order of acceptance, oldest first.
    package typealias Page = @Sendable (_ after: RecordSequence, _ limit: Int) async throws -> [TrackRecord]

    private static let pageLength = 500
    /// The approximate number of bytes per piece.
    private static let pieceLength = 32_768

    private let request: ExportRequest
    private let last: RecordSequence
    private let page: Page

    /// An export of the records up to `last`.
    package init(_ request: ExportRequest, upTo last: RecordSequence, page: @escaping Page) {
        self.request = request
        self.last = last
        self.page = page
    }

    /// Passes the document on in pieces, each of whole records.
    package func run(_ hand: ([UInt8]) async throws -> Void) async throws {
        var writer = request.format.makeWriter(namesSource: true)
        var bytes: [UInt8] = []
        writer.begin(&bytes)
        for source in try await passes() {
            try await forEachRecord { record in
                if let source, record.source != source { return }
                writer.append(record.draft, to: &bytes)
                guard bytes.count >= Self.pieceLength else { return }
                try await hand(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        writer.end(&bytes)
        if !bytes.isEmpty { try await hand(bytes) }
    }

    /// One pass for all sources if they may be mixed, otherwise one for each.
    private func passes() async throws -> [SourceID?] {
        if request.format.mixesSources { return [nil] }
        var sources: [SourceID] = []
        try await forEachRecord { record in
            if !sources.contains(record.source) { sources.append(record.source) }
        }
        return sources
    }

    private func forEachRecord(_ body: (TrackRecord) async throws -> Void) async throws {
        var place = RecordSequence.zero
        while place < last {
            try Task.checkCancellation()  // the agent may stop; a pass may find no records for a long time
            let records = try await page(place, Self.pageLength)
            guard let end = records.last?.sequence else { return }
            for record in records where record.sequence <= last && request.includes(record) { try await body(record) }
            place = end
        }
    }
}
