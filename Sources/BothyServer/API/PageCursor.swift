import BothyContract
import Foundation

/// The opaque `page` of a list: where the page before ended, as base64url of a small JSON value.
///
/// It holds no secret and grants nothing, so it is not signed: one that someone made up reads as a place in their own
/// list, or is refused.
package enum PageCursor {
    /// Bytes of the longest name, twice over, and then some.
    private static let maximumLength = 4096

    package static func text(_ position: some Encodable) throws -> String {
        try WireCoding.encodeStably(position).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// - Throws: `page_invalid`.
    package static func read<Position: Decodable>(_ type: Position.Type, from text: String?) throws -> Position? {
        guard let text else { return nil }
        guard text.utf8.count <= maximumLength else { throw invalid }
        var base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while base64.utf8.count % 4 != 0 { base64 += "=" }
        // What cannot be read is refused as no cursor of ours.
        guard let data = Data(base64Encoded: base64), let position = try? WireCoding.decode(type, from: data) else {
            throw invalid
        }
        return position
    }

    package static var invalid: Problem {
        Problem(.pageInvalid, "“page” should be the “next” of the page before, of the same list in the same order.")
    }
}
