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
        return notice.tone.rawValue + "." + Data(sentence.utf8).base64EncodedString()
    }

    static func notice(in text: String) -> Notice? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, parts[1].utf8.count <= 2 * longest, let tone = Notice.Tone(rawValue: String(parts[0])),
            let data = Data(base64Encoded: String(parts[1])), let sentence = String(data: data, encoding: .utf8)
        else { return nil }
        return Notice(sentence, tone: tone)
    }
}
