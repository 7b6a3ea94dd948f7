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
        let parts = [
            notice.tone.rawValue, Data(sentence.utf8).base64EncodedString(), notice.subject.map(text),
        ]
        return parts.compactMap { $0 }.joined(separator: ".")
    }

    static func notice(in text: String) -> Notice? {
        let parts = text.split(separator: ".", maxSplits: 2).map(String.init)
        guard parts.count >= 2, parts[1].utf8.count <= 2 * longest, let tone = Notice.Tone(rawValue: parts[0]),
            let data = Data(base64Encoded: parts[1]), let sentence = String(data: data, encoding: .utf8)
        else { return nil }
        return Notice(sentence, tone: tone, subject: parts.count == 3 ? subject(in: parts[2]) : nil)
    }

    private enum Mark: String {
        case deletedPost = "deleted"
        case postedDraft = "posted"
    }

    /// It names what was done and no address: a forged one brings back what is the person's own, if they press it.
    private static func text(of subject: Notice.Subject) -> String {
        switch subject {
        case .deletedPost(let id): "\(Mark.deletedPost.rawValue)-\(id)"
        case .postedDraft(let id): "\(Mark.postedDraft.rawValue)-\(id)"
        }
    }

    private static func subject(in text: String) -> Notice.Subject? {
        let parts = text.split(separator: "-", maxSplits: 1).map(String.init)
        guard parts.count == 2, let mark = Mark(rawValue: parts[0]), let id = Int64(parts[1]) else { return nil }
        switch mark {
        case .deletedPost: return .deletedPost(id)
        case .postedDraft: return .postedDraft(id)
        }
    }

    /// A notice as views name things.
    static func context(_ notice: Notice) -> [String: Any] {
        // What has no name here would be looked for in the page around it.
        var context: [String: Any] = [
            "tone": notice.tone.rawValue, "text": notice.text, "undo": false, "posted": false,
        ]
        switch notice.subject {
        case .deletedPost(let id):
            context["undo"] =
                ["link": Destination.postTrash.link, "act": "restore", "ids": [["id": id]]] as [String: Any]
        case .postedDraft(let id): context["posted"] = id
        case nil: break
        }
        return context
    }
}
