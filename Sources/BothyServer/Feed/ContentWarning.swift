import BothyContract
import Foundation

/// The line that an author puts before a post, so that what is behind it is shown to a reader who asks for it.
enum ContentWarning {
    /// - Returns: it as it is kept: without what acts on a screen, and without spaces around it.
    /// - Throws: `invalid_parameter` for more characters than it may have, and where nothing of it can be read: its author did not mean
    ///   to post without one.
    static func checked(_ asked: String) throws -> String {
        let most = FeedLimits.maximumContentWarning
        let text =
            try PlainText.checked(asked, "A content warning", most: most)?
            .trimmingCharacters(in: .whitespaces) ?? ""
        guard !text.isEmpty else {
            throw Problem(
                .invalidParameter, "A content warning has 1 to \(most) characters that can be read, or is left out.")
        }
        return text
    }

    /// The same of what is asked for a post or a draft that is there: nil leaves what it has, and an empty one takes that away.
    static func checked(change asked: String?) throws -> String? {
        try asked.map { $0.isEmpty ? $0 : try checked($0) }
    }

    /// What there is after a change that was checked.
    static func changed(_ known: String?, to asked: String?) -> String? {
        guard let asked else { return known }
        return asked.isEmpty ? nil : asked
    }
}
