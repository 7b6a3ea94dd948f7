import BothyContract
import Foundation

/// An email as its owner wrote it, and as it is compared.
package struct EmailAddress: Hashable, Sendable {
    package let text: String
    /// Lower case after NFC: `Ada@Example.org` and `ada@example.org` are one account.
    package let key: String

    /// - Throws: ``Problem`` `invalid_parameter` for what is no address. Whether mail arrives there is never asked.
    package init(_ text: String) throws {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = trimmed.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
        guard AccountLimits.emailLength.contains(trimmed.utf8.count), isPlain, parts.count == 2,
            !parts[0].isEmpty, !parts[1].isEmpty
        else {
            throw Problem(
                .invalidParameter,
                "“email” is not an email address: it needs one “@” with a name before it and a host after it.")
        }
        self.text = trimmed
        self.key = Self.key(of: trimmed)
    }

    /// The key of whatever was typed at a sign-in, so that nonsense costs what a real address costs.
    package static func key(of text: String) -> String {
        text.trimmingCharacters(in: .whitespaces).precomposedStringWithCanonicalMapping.lowercased()
    }
}
