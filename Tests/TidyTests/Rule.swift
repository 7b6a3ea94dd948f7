import Testing

/// One rule of the house: what it says, where it holds, and how a file breaks it.
struct Rule: Sendable, CustomTestStringConvertible {
    var name: String
    var folders: [String]
    var offences: @Sendable (SourceFile) -> [Offence]
    /// Sources that break it: a rule that cannot fail holds nothing.
    var planted: [Planted]

    struct Planted: Sendable {
        var path: String
        var text: String
    }

    var testDescription: String { name }

    /// A rule that looks at one line of code at a time.
    static func perLine(
        _ name: String, in folders: [String] = ["Sources", "Benchmarks", "Simulation"], planted: [Planted],
        offence: @escaping @Sendable (SourceFile, Substring) -> String?
    ) -> Rule {
        Rule(
            name: name, folders: folders,
            offences: { file in
                file.code.compactMap { number, line in
                    offence(file, line).map { Offence(path: file.path, line: number, what: $0) }
                }
            },
            planted: planted)
    }
}
