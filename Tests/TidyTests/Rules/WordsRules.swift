/// What a person reads on a screen comes from one catalogue.
enum WordsRules {
    private static let screens: Set = ["BothyPresentation", "BothyWeb"]
    private static let catalogue = "Sources/BothyPresentation/Words/"

    /// What nobody reads on a page: what must not happen, what goes to a program, and what a cookie is made of.
    private static let unread = ["preconditionFailure(", "precondition(", "throw Problem(", "Data(\""]

    static let sentences = Rule.perLine(
        "what a screen says is in Words, and nowhere else on its way to a person",
        planted: [
            .init(
                path: "Sources/BothyPresentation/Trash/A.swift",
                text: "state.notice = Notice(\"The trash is empty.\")\n"),
            .init(
                path: "Sources/BothyWeb/Settings/B.swift",
                text: "return \"\\(browser) seen on \\(system) lately\"\n"),
        ]
    ) { file, line in
        guard screens.contains(file.target), !file.path.hasPrefix(catalogue) else { return nil }
        guard !unread.contains(where: line.contains) else { return nil }
        let said = texts(in: line).first { !$0.hasPrefix("<") && $0.contains(#/[A-Za-z]{2,} [a-z]{2,}/#) }
        return said.map { "says «\($0)» itself" }
    }

    static let failures = Rule.perLine(
        "a failure becomes a sentence by Words.failure, which knows what can be done on a screen",
        planted: [
            .init(path: "Sources/BothyWeb/Serving/A.swift", text: "let text = failure.words\n"),
            .init(
                path: "Sources/BothyPresentation/Upload/B.swift",
                text: "state.advice = one.failure?.remedy\n"),
            .init(path: "Sources/BothyPresentation/Synced/C.swift", text: "look.failure.map { $0.words }\n"),
        ]
    ) { file, line in
        guard screens.contains(file.target), !file.path.hasPrefix(catalogue) else { return nil }
        let isTaken = line.contains(#/ailure\??\.(?:map \{ \$0\.)?(?:words|remedy)\b/#)
        return isTaken ? "takes a failure's own words" : nil
    }

    /// What stands between quotation marks, without what is put into it.
    private static func texts(in line: Substring) -> [String] {
        var texts = [String]()
        var (text, depth) = (String?.none, 0)
        var previous: Character = " "
        for character in line {
            defer { previous = character }
            guard let open = text else {
                if character == "\"", previous != "\\" { text = "" }
                continue
            }
            switch character {
            case "(" where previous == "\\" || depth > 0: depth += 1
            case ")" where depth > 0: depth -= 1
            case "\"" where depth == 0 && previous != "\\":
                texts.append(open)
                text = nil
            default: if depth == 0 { text = open + String(character) }
            }
        }
        return texts
    }
}
