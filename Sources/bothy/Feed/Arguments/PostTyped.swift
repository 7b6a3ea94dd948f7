import BothyContract
import BothyPresentation
import Foundation

/// The text of a post or a comment, as somebody typed it.
enum PostTyped {
    /// - Parameter words: Markdown; “-” alone reads it from standard input.
    /// - Throws: a usage error for more than a post may have.
    static func text(_ words: [String]) throws -> PostText {
        guard let written = PostEncoder.text(of: try typed(words)) else {
            throw Complaint.usage(
                "The post is too long.",
                remedy: "The limits are 10,000 characters, \(limit) of text, and 5,000 paragraphs and list entries.")
        }
        return written
    }

    private static var limit: String { ByteText.text(Int64(FeedLimits.maximumContentBytes)) }

    private static func typed(_ words: [String]) throws -> String {
        guard words == ["-"] else { return words.joined(separator: " ") }
        let data = try FileHandle.standardInput.read(upToCount: FeedLimits.maximumContentBytes + 1) ?? Data()
        guard data.count <= FeedLimits.maximumContentBytes, let typed = String(data: data, encoding: .utf8) else {
            throw Complaint.usage("A post is a text of at most \(limit).")
        }
        return typed
    }
}
