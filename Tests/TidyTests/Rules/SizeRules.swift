/// What a reader can hold in mind.
enum SizeRules {
    static let mostLines = 500

    static let files = Rule(
        name: "a file has at most \(mostLines) lines",
        folders: ["Sources", "Benchmarks", "Simulation", "Tests"],
        offences: { file in
            let count = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
            return count <= mostLines ? [] : [Offence(path: file.path, line: count, what: "\(count) lines")]
        },
        planted: [
            .init(path: "Sources/BothyServer/Uploads/A.swift", text: String(repeating: "\n", count: mostLines + 1))
        ])

    static let leftovers = Rule(
        name: "nothing is left for later without an entry in the roadmap",
        folders: ["Sources", "Benchmarks", "Simulation", "Tests"],
        offences: { file in
            file.lines.enumerated().filter {
                $0.element.utf8.contains(UInt8(ascii: "/")) && $0.element.contains(#/\b(TO[D]O|FIX[M]E|XX[X])\b/#)
            }
            .map { Offence(path: file.path, line: $0.offset + 1, what: "left for later") }
        },
        planted: [.init(path: "Sources/BothyServer/Uploads/A.swift", text: "// TO" + "DO: check the hash\n")])
}
