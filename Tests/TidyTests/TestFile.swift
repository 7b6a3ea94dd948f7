/// A file of tests of either kind, as the list of reference cases sees it.
struct TestFile {
    struct Function {
        let name: Substring
        /// An attribute, or a name that pytest looks for, makes it a test.
        let isTest: Bool
        /// It never runs, wherever.
        let isDisabled: Bool
        let body: Substring
    }

    let text: String
    private let functions: [Function]
    /// By name, functions that look at something themselves.
    private let looking: Set<Substring>

    init(swift text: String) { self.init(text, Self.swiftFunctions(in: text)) }

    init(python text: String) { self.init(text, Self.pythonFunctions(in: text)) }

    private init(_ text: String, _ functions: [Function]) {
        self.text = text
        self.functions = functions
        looking = Set(functions.filter { Self.looks($0.body) }.map(\.name))
    }

    /// Whether it has the test, and the case of it where the name ends with the id of one: `name[id]`. One that is disabled is none, and
    /// neither is one that could not fail.
    func has(_ test: String) -> Bool {
        let name = test.prefix { $0 != "[" }
        let id = test.dropFirst(name.count + 1).dropLast()
        let isThere = functions.contains { $0.name == name && $0.isTest && !$0.isDisabled && holds($0) }
        return isThere && (id.isEmpty || text.contains("\"\(id)\""))
    }

    /// Whether it looks at what came out, itself or by another function of its file.
    private func holds(_ function: Function) -> Bool {
        if Self.looks(function.body) { return true }
        let calls = function.body.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "(" }
        return calls.contains { call in
            call.split(separator: "(", omittingEmptySubsequences: false).dropLast().contains { looking.contains($0) }
        }
    }

    /// What fails a test where it does not hold; of a conformance suite, a check throws.
    private static let looks = [
        "#expect(", "#expect {", "#require(", "Issue.record(", "check.run(", "assert ", "assert_", "expect(",
        "pytest.raises(", "wait_until(",
    ]

    private static func looks(_ body: Substring) -> Bool {
        lines(body).contains { line in !isComment(line) && looks.contains { line.contains($0) } }
    }

    // MARK: - Reading

    private static func lines(_ text: some StringProtocol) -> [Substring] {
        Substring(text).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func isComment(_ line: Substring) -> Bool {
        let start = line.drop { $0 == " " }
        return start.hasPrefix("//")
            || start.hasPrefix("#") && !start.hasPrefix("#expect") && !start.hasPrefix("#require")
    }

    private static func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    private static func name(_ line: Substring, after keyword: String) -> Substring? {
        guard let start = line.range(of: keyword) else { return nil }
        return line[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// As `swift format` sets them: a function ends with a brace that stands where it began.
    private static func swiftFunctions(in text: String) -> [Function] {
        let lines = lines(text)
        var found = [Function]()
        var attributes = ""
        for (index, line) in lines.enumerated() where !isComment(line) {
            let start = line.drop { $0 == " " }
            if start.hasPrefix("@") || !attributes.isEmpty { attributes += line }
            if start.isEmpty || start.hasPrefix("@Suite") { attributes = "" }
            guard let name = name(line, after: "func ") else { continue }
            let isOneLine = line.contains("{") && line.hasSuffix("}")
            let end = "\(String(repeating: " ", count: indent(line)))}"
            let last = isOneLine ? index : lines[index...].firstIndex { $0 == end } ?? index
            found.append(
                Function(
                    name: name, isTest: attributes.contains("@Test"), isDisabled: attributes.contains(".disabled("),
                    body: body(lines, index...last)))
            attributes = ""
        }
        return found
    }

    /// By how far the lines stand in.
    private static func pythonFunctions(in text: String) -> [Function] {
        let lines = lines(text)
        var found = [Function]()
        var decorators = ""
        for (index, line) in lines.enumerated() where !isComment(line) {
            let start = line.drop { $0 == " " }
            if start.isEmpty { decorators = "" }
            if start.hasPrefix("@") || !decorators.isEmpty { decorators += line }
            guard start.hasPrefix("def "), let name = name(line, after: "def ") else { continue }
            let rest = lines[(index + 1)...]
            let end = rest.firstIndex {
                !$0.drop { $0 == " " }.isEmpty && indent($0) <= indent(line) && !$0.hasPrefix(")")
            }
            found.append(
                Function(
                    name: name, isTest: name.hasPrefix("test_"),
                    isDisabled: ["mark.skip(", "mark.skip\n", "mark.xfail"].contains { decorators.contains($0) },
                    body: body(lines, index...((end ?? lines.endIndex) - 1))))
            decorators = ""
        }
        return found
    }

    private static func body(_ lines: [Substring], _ range: ClosedRange<Int>) -> Substring {
        guard let first = lines.first else { return "" }
        return first.base[lines[range.lowerBound].startIndex..<lines[range.upperBound].endIndex]
    }
}
