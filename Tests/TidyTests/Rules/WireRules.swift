import Foundation

/// Wire strings live once, in BothyContract.
enum WireRules {
    /// Header names that are ours, as `HeaderNames.swift` declares them, and our media types.
    static let strings: [String] = {
        let names = SourceTree.root.appending(path: "Sources/BothyContract/Wire/HeaderNames.swift")
        let text = (try? String(contentsOf: names, encoding: .utf8)) ?? ""
        return text.matches(of: #/= "([^"]+)"/#).map { String($0.1) } + [
            "application/problem+json", "application/vnd.bothy.folder", "application/vnd.bothy.blocks",
            "application/vnd.bothy.block-marks", "application/vnd.bothy.patch",
        ]
    }()

    static let once = Rule.perLine(
        "header names and media types of ours are written in BothyContract and nowhere else",
        planted: [
            .init(path: "Sources/BothyClient/Network/A.swift", text: "request.headers[\"X-Chunk-Hash\"] = hash\n"),
            .init(path: "Sources/BothyServer/API/B.swift", text: "let name = HTTPField.Name(\"bothy-cursor\")!\n"),
            .init(path: "Sources/bothy/C.swift", text: "if type == \"application/vnd.bothy.folder\" {\n"),
        ]
    ) { file, line in
        guard file.target != "BothyContract", line.contains("\"") else { return nil }
        let lowercased = line.lowercased()
        return strings.first { lowercased.contains("\"\($0.lowercased())\"") }.map { "writes \"\($0)\" again" }
    }
}
