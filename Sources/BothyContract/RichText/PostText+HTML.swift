extension PostText {
    /// Its one spelling as HTML: `p`, `h1` to `h3`, `blockquote`, `ul`, `ol`, `li`, `pre`, `strong`, `em`, `u`, `s`, `code`, `a` and
    /// `br`, and of attributes those of links. Read again, it is the same text.
    public var html: String {
        var html = ""
        for placed in placedBlocks {
            let block = placed.block
            for frame in placed.begins { html += "<\(Self.tag(frame))>" }
            if let tag = Self.tag(block.kind) { html += "<\(tag)>" }
            // The first line feed behind `<pre>` is none.
            if block.kind == .code, block.plain.first == "\n" { html += "\n" }
            for run in block.runs { Self.write(run, isPreformatted: block.kind == .code, to: &html) }
            if let tag = Self.tag(block.kind) { html += "</\(tag)>" }
            for frame in placed.ends { html += "</\(Self.tag(frame))>" }
        }
        return html
    }

    private static func tag(_ frame: PostFrame) -> String {
        switch frame {
        case .quote: "blockquote"
        case .list(let isNumbered, _): isNumbered ? "ol" : "ul"
        case .entry: "li"
        }
    }

    /// - Returns: nil for what its frame is all around.
    private static func tag(_ kind: Kind) -> String? {
        switch kind {
        case .paragraph, .quote: "p"
        case .heading(let level): "h\(min(max(level, 1), 3))"
        case .item: nil
        case .code: "pre"
        }
    }

    private static func write(_ run: Run, isPreformatted: Bool, to html: inout String) {
        var ends = [String]()
        if let reference = run.reference {
            html += "<a href=\"\(reference.address)\" class=\"\(reference.kind)\">"
            ends.append("</a>")
        } else if let link = run.link {
            html += "<a href=\"\(escaped(link))\" rel=\"\(PostLink.relation)\">"
            ends.append("</a>")
        }
        let marks = [
            (run.isStrong, "strong"), (run.isEmphasised, "em"), (run.isUnderlined, "u"), (run.isStruck, "s"),
            (run.isCode && !isPreformatted, "code"),
        ]
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
