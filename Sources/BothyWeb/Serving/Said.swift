import BothyPresentation
import Foundation

/// What a form came to, told on the page that the browser goes to next: a form's own answer would be sent again with each
/// reload. A forged one only looks odd: it is text, and is shown once.
enum Said {
    /// Bytes of a sentence that a cookie carries.
    private static let longest = 600
    /// Seconds in which the next page is to be asked for.
    static let seconds = 30

    static func text(of notice: Notice) -> String {
        let sentence = String(decoding: notice.text.utf8.prefix(longest), as: UTF8.self)
        let parts = [notice.tone.rawValue, Data(sentence.utf8).base64EncodedString(), notice.undo.map(text)]
        return parts.compactMap { $0 }.joined(separator: ".")
    }

    static func notice(in text: String) -> Notice? {
        let parts = text.split(separator: ".", maxSplits: 2).map(String.init)
        guard parts.count >= 2, parts[1].utf8.count <= 2 * longest, let tone = Notice.Tone(rawValue: parts[0]),
            let data = Data(base64Encoded: parts[1]), let sentence = String(data: data, encoding: .utf8)
        else { return nil }
        return Notice(sentence, tone: tone, undo: parts.count == 3 ? undo(in: parts[2]) : nil)
    }

    /// It names what was done and no address: a forged one brings back what is the person's own, if they press it.
    private static func text(of undo: Notice.Undo) -> String {
        switch undo {
        case .deletedPost(let id): "\(deletedPost)\(id)"
        }
    }

    private static func undo(in text: String) -> Notice.Undo? {
        guard text.hasPrefix(deletedPost) else { return nil }
        return Int64(text.dropFirst(deletedPost.count)).map(Notice.Undo.deletedPost)
    }

    private static let deletedPost = "post-"

    /// The form that takes it back, as views name things.
    static func form(for undo: Notice.Undo) -> [String: Any] {
        switch undo {
        case .deletedPost(let id): ["link": Destination.postTrash.link, "act": "restore", "ids": [["id": id]]]
        }
    }
}
