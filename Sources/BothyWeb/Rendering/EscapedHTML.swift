import Mustache

/// How text gets into a page.
///
/// The library's own escaping goes by characters as people see them, so `"` with a combining accent after it passes as a
/// letter that needs none, and a file's name could end its attribute. This one goes by Unicode scalars.
struct EscapedHTML: MustacheContentType {
    /// Every view begins with `{{% CONTENT_TYPE:BOTHY}}`; a test holds them to it.
    static let name = "BOTHY"

    func escapeText(_ text: String) -> String {
        guard text.utf8.contains(where: Self.isSpecial) else { return text }
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 32)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\0": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0: true
        default: false
        }
    }
}
