import BothySync

extension FuzzTarget {
    /// A `.bothyignore`, which may come from another device; its last line is the place that is asked for.
    static let ignoreFiles = FuzzTarget(
        "ignore-files",
        words: ["**/", "/**", "*", "?", "[a-z]", "[!", "[[:alpha:]]", "!", "\\", "/", "\n", "\r\n", "é"]
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let names = (lines.last.map { Substring($0) } ?? "").split(separator: "/").map { NodeName(String($0)) }
        var rules = IgnoreRules()
        rules.setFile(text, in: .root)
        let place = Place(names)
        for kind in [NodeKind.file, .folder] {
            guard let match = rules.match(place, kind: kind) else { continue }
            let isThere = IgnoreRules.patterns(text).contains { .pattern($0.text) == match.rule && !$0.isNegated }
            try require(isThere, "“\(match.rule)” leaves out \(place.text), and is no line of the file")
        }
        try require(IgnoreRules.patterns(text).count <= lines.count, "more patterns than lines")
        try require(IgnoreChange.from(text, to: text) == .tightens, "a file that is as it was loosens itself")
    }
}
