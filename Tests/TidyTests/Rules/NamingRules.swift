/// Names that say nothing, and objects that everybody holds.
enum NamingRules {
    private static let emptyWords: Set<String> = [
        "Manager", "Helper", "Helpers", "Util", "Utils", "Utility", "Utilities", "Common", "Base", "Impl",
    ]

    private static let keywords = ["class ", "struct ", "enum ", "actor ", "protocol ", "typealias "]

    static let emptyTypeNames = Rule.perLine(
        "no type is called Manager, Helper, Util, Common, Base or Impl",
        in: ["Sources", "Benchmarks", "Simulation", "Tests"],
        planted: [
            .init(path: "Sources/BothyServer/Uploads/A.swift", text: "final class Upload" + "Manager {}\n"),
            .init(
                path: "Sources/BothyClient/Network/B.swift", text: "    package struct HTTP" + "Helpers: Sendable {\n"),
            .init(path: "Tests/BothyClientTests/C.swift", text: "actor Base" + "Repository {}\n"),
        ]
    ) { _, line in
        guard let name = declaredType(line) else { return nil }
        return words(of: name).first(where: emptyWords.contains).map { "\(name) says «\($0)», which says nothing" }
    }

    static let emptyFileNames = Rule(
        name: "no file or folder is called so either",
        folders: ["Sources", "Benchmarks", "Simulation", "Tests"],
        offences: { file in
            let parts = file.path.split(separator: "/").flatMap { words(of: $0.prefix { $0 != "." }) }
            return parts.filter(emptyWords.contains).map {
                Offence(path: file.path, line: 1, what: "the path says «\($0)», which says nothing")
            }
        },
        planted: [
            .init(path: "Sources/BothyServer/Utils/Strings.swift", text: ""),
            .init(path: "Sources/BothyClient/Network/Retry+Helper.swift", text: ""),
        ])

    static let sharedObjects = Rule.perLine(
        "nothing of ours is a shared object: one place per process builds the graph",
        planted: [.init(path: "Sources/BothyClient/Network/A.swift", text: "    package static let shared = Cache()\n")]
    ) { _, line in
        guard line.contains("static ") else { return nil }
        return line.contains(#/\bstatic\s+(let|var)\s+(shared|instance|current|singleton)\b/#) ? "a shared object" : nil
    }

    static let finalClasses = Rule.perLine(
        "classes are final",
        planted: [.init(path: "Sources/BothyServer/Jobs/A.swift", text: "package class JobRunner {\n")]
    ) { _, line in
        let declaration =
            #/^\s*((?:@\w+(?:\([^)]*\))?\s+|public |package |private |fileprivate |final |open )*)class\s+[A-Z]\w*/#
        guard let match = line.firstMatch(of: declaration) else { return nil }
        return match.1.contains("final ") ? nil : "this class is not final"
    }

    /// The type that a line declares.
    static func declaredType(_ line: Substring) -> String? {
        guard keywords.contains(where: line.contains) else { return nil }
        return line.firstMatch(of: #/^\s*(?:[@\w()]+\s+)*(?:class|struct|enum|actor|protocol|typealias)\s+([A-Z]\w*)/#)
            .map { String($0.1) }
    }

    /// `HTTPHelper2` → `HTTP`, `Helper2`. `Base64` is one word, and no `Base`.
    static func words(of name: some StringProtocol) -> [String] {
        String(name).matches(of: #/[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*/#).map { String($0.0) }
    }
}
