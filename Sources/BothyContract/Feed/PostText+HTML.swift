extension PostText {
    /// Its one spelling as HTML: `p`, `h1` to `h3`, `blockquote`, `ul`, `ol`, `li`, `pre`, `strong`, `em`, `code`, `a` and `br`, and
    /// of attributes those of links. Read again, it is the same text.
    public var html: String {
        var html = ""
        var open = Frame.none
        for block in blocks {
            let frame = Frame(block.kind)
            if frame != open {
                html += open.end + frame.begin
                open = frame
            }
            let tag = Self.tag(block.kind)
            html += "<\(tag)>"
            for run in block.runs { Self.write(run, isPreformatted: block.kind == .code, to: &html) }
            html += "</\(tag)>"
        }
        return html + open.end
    }

    /// What stands around blocks that follow each other.
    private enum Frame: Equatable {
        case none, quote, bullets, numbers

        init(_ kind: Kind) {
            switch kind {
            case .quote: self = .quote
            case .item(let isNumbered): self = isNumbered ? .numbers : .bullets
            case .paragraph, .heading, .code: self = .none
            }
        }

        private var tag: String? {
            switch self {
            case .none: nil
            case .quote: "blockquote"
            case .bullets: "ul"
            case .numbers: "ol"
            }
        }

        var begin: String { tag.map { "<\($0)>" } ?? "" }
        var end: String { tag.map { "</\($0)>" } ?? "" }
    }

    private static func tag(_ kind: Kind) -> String {
        switch kind {
        case .paragraph, .quote: "p"
        case .heading(let level): "h\(min(max(level, 1), 3))"
        case .item: "li"
        case .code: "pre"
        }
    }

    private static func write(_ run: Run, isPreformatted: Bool, to html: inout String) {
        var ends = [String]()
        if let link = run.link {
            html += "<a href=\"\(escaped(link))\" rel=\"nofollow noopener noreferrer\">"
            ends.append("</a>")
        }
        let marks = [(run.isStrong, "strong"), (run.isEmphasised, "em"), (run.isCode && !isPreformatted, "code")]
        for (isOn, tag) in marks where isOn {
            html += "<\(tag)>"
            ends.append("</\(tag)>")
        }
        let text = escaped(run.text)
        html += isPreformatted ? text : text.replacing("\n", with: "<br>")
        html += ends.reversed().joined()
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
