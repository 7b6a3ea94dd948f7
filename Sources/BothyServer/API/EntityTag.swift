import BothyContract
import HTTPTypes
import Hummingbird

/// `If-Match` of a request (RFC 9110 §13.1.1).
package struct Precondition: Sendable {
    /// The tags that are good; nil where every version is.
    private let tags: [String]?

    /// Any version will do.
    package static let none = Precondition(tags: nil)

    private init(tags: [String]?) { self.tags = tags }

    package init(_ headers: HTTPFields) {
        let values = headers[values: .ifMatch]
        let tags = values.flatMap { $0.split(separator: ",") }.map { $0.trimmingBlanks }
        self.tags = values.isEmpty || tags.contains("*") ? nil : tags
    }

    /// - Throws: `version_mismatch`, also for a tag of another epoch.
    package func check(_ current: EntityTag) throws {
        guard let tags, !tags.contains(current.text) else { return }
        throw Problem(.versionMismatch, "The file is at version \(current.version) now.").with {
            $0.currentVersion = current.version
        }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
