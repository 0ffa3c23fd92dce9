package import TrackEngine
package import TrackEngineSettings

/// A parsed and validated template of requests: the same records always give the same request.
package struct RequestTemplate: Sendable {
    /// A request that can be sent.
    package struct Request: Sendable, Hashable {
        package let endpoint: Endpoint
        package let body: [UInt8]
        /// The values for its header fields.
        let subject: TemplateSubject
    }

    /// The invalid part of a template, and the reason.
    package struct Malformed: Error, Sendable, Hashable {
        package let key: String
        package let value: String
        package let expectation: String
    }

    package let address: AddressTemplate
    package let method: HTTPSink.Configuration.Method
    package let style: RequestHeaderList.Style
    /// Whether a request contains a whole batch.
    package let isBatch: Bool
    private let body: BodyTemplate?
    private let record: BodyTemplate?
    private let device: DeviceID

    package init(_ configuration: HTTPSink.Configuration) throws(Malformed) {
        let preset = configuration.preset?.parts
        let format = configuration.format ?? preset?.format ?? .json
        // Configured parts replace those of the preset. A body without `records` also disables the preset's record.
        let bodyText = configuration.body ?? preset?.body
        let keepsRecord = configuration.body.map { $0.contains("%{records") } ?? true
        let recordText = configuration.record ?? (keepsRecord ? preset?.record : nil)
        device = configuration.deviceID
        method = configuration.method ?? preset?.method ?? .post
        let hasOwnRecord = configuration.record != nil
        let url = preset?.address(for: configuration.url, hasOwnRecord: hasOwnRecord) ?? configuration.url
        address = try Self.part("url", "***") { () throws(TemplateProblem) in try AddressTemplate(url) }
        record = try recordText.map { text throws(Malformed) in
            try Self.part("record", "…") { () throws(TemplateProblem) in try BodyTemplate(text, format) }
        }
        isBatch = recordText != nil
        let whole = bodyText ?? (isBatch ? "%{records}" : nil)
        body = try whole.map { text throws(Malformed) in
            try Self.part("body", "…") { () throws(TemplateProblem) in
                try BodyTemplate(text, format, wrapping: recordText != nil)
            }
        }
        var style = RequestHeaderList.Style(contentType: body == nil ? nil : format.contentType)
        style.tokenScheme = preset?.tokenScheme ?? "Bearer"
        self.style = style
        try checkFields(format, demandsPosition: configuration.kinds.contains(.location))
        try checkHeaders(configuration.credentials.headers)
    }

    private static func part<Part>(
        _ key: String, _ value: String, _ make: () throws(TemplateProblem) -> Part
    ) throws(Malformed) -> Part {
        do throws(TemplateProblem) { return try make() } catch {
            throw Malformed(key: key, value: value, expectation: error.expectation)
        }
    }

    /// Checks rules between the parts.
    private func checkFields(
        _ format: HTTPSink.Configuration.Format, demandsPosition: Bool
    ) throws(Malformed) {
        if method == .get, body != nil {
            throw Malformed(key: "body", value: "…", expectation: "none with GET, which has the fields in its url")
        }
        if address.fieldNames.contains(.records) || record?.fields.contains(.records) == true {
            throw Malformed(key: "record", value: "…", expectation: "the field records in the body alone")
        }
        guard isBatch else {
            if body?.fields.contains(.records) == true {
                throw Malformed(
                    key: "record", value: "(missing)", expectation: "a template for the records of the body")
            }
            let fields = address.fieldNames + (body?.fields ?? [])
            guard demandsPosition else { return }
            guard fields.contains(.latitude), fields.contains(.longitude) else {
                throw Malformed(
                    key: "body", value: body == nil ? "(missing)" : "…",
                    expectation: "%{latitude} and %{longitude} in url or body")
            }
            return
        }
        if format == .form {
            throw Malformed(key: "record", value: "…", expectation: "none with the format form, which has one record")
        }
        let outside = address.fieldNames + (body?.fields ?? [])
        if let field = outside.first(where: { !$0.isOfRequest }) {
            throw Malformed(
                key: address.fieldNames.contains(field) ? "url" : "body", value: "…",
                expectation: "%{\(field.rawValue)} in record, because a request has several records")
        }
        if body?.fields.filter({ $0 == .records }).count != 1 {
            throw Malformed(key: "body", value: "…", expectation: "%{records} once, where the records of the batch go")
        }
    }

    /// The fields that each record can fill.
    var fieldsOfRecord: Set<RecordField> {
        Set((isBatch ? record?.fields : address.fieldNames + (body?.fields ?? [])) ?? [])
    }
}

// MARK: Filling in

extension RequestTemplate {
    /// The request for one record; `nil` if its address would be too long.
    package func request(for record: TrackRecord) -> Request? {
        let subject = TemplateSubject(record: record, device: device)
        return request(subject, records: [])
    }

    /// The request for a batch; `nil` if its address would be too long.
    package func request(for batch: [TrackRecord]) -> Request? {
        let records = batch.map { each in
            record?.filled(TemplateSubject(record: each, device: device)) ?? []
        }
        return request(TemplateSubject(record: nil, device: device, count: batch.count), records: records)
    }

    private func request(_ subject: TemplateSubject, records: [[UInt8]]) -> Request? {
        guard let endpoint = address.filled(subject) else { return nil }
        return Request(
            endpoint: endpoint, body: body?.filled(subject, records: records) ?? [], subject: subject)
    }
}

extension AddressTemplate {
    /// The same for callers that do not need the reason why a text is invalid, or have already reported it.
    init?(ifReadable text: String) {
        do throws(TemplateProblem) { try self.init(text) } catch { return nil }
    }
}
