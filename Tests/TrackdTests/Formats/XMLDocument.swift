import Foundation
import FoundationXML
import Testing

/// What a real XML parser sees in a document.
final class XMLDocument: NSObject, XMLParserDelegate {
    /// Names of the elements in order of their beginning, with their depth.
    private(set) var elements: [String] = []
    /// The text of each element that holds text, by name, in order.
    private(set) var texts: [String: [String]] = [:]
    private var open: [(name: String, text: String)] = []

    /// Fails the test when the document is not well-formed.
    init(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        #expect(parser.parse(), "\(String(describing: parser.parserError))", sourceLocation: sourceLocation)
    }

    func count(of name: String) -> Int { elements.count { $0 == name } }

    func parser(
        _: XMLParser, didStartElement name: String, namespaceURI _: String?, qualifiedName _: String?,
        attributes _: [String: String]
    ) {
        elements.append(name)
        open.append((name, ""))
    }

    func parser(_: XMLParser, foundCharacters string: String) {
        if !open.isEmpty { open[open.count - 1].text += string }
    }

    func parser(_: XMLParser, didEndElement _: String, namespaceURI _: String?, qualifiedName _: String?) {
        guard let element = open.popLast() else { return }
        texts[element.name, default: []].append(element.text)
    }
}
