import BothyContract
import HTTPTypes

/// `If-Match` of a request about a draft, whose entity tag is its version in quotes.
package struct DraftPrecondition: Sendable {
    /// What is good; nil where everything is.
    private let tags: [String]?

    /// Any version will do, or none.
    package static let none = DraftPrecondition(tags: nil)

    private init(tags: [String]?) { self.tags = tags }

    package init(_ headers: HTTPFields) {
        let values = headers[values: .ifMatch]
        tags =
            values.isEmpty ? nil : values.flatMap { $0.split { $0 == "," || $0 == " " || $0 == "\t" } }.map(String.init)
    }

    /// - Parameter version: that of the draft; nil where there is none.
    /// - Throws: `version_mismatch`.
    package func check(_ version: Int64?) throws {
        guard let tags else { return }
        if let version, tags.contains("*") || tags.contains(Self.tag(version)) { return }
        let said = version.map { "The draft is at version \($0) now." } ?? "This draft no longer exists."
        throw Problem(.versionMismatch, said).with { $0.currentVersion = version }
    }

    package static func tag(_ version: Int64) -> String { "\"\(version)\"" }
}
