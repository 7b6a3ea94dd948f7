import BothyClient
import BothySync
import Foundation
import Testing

/// The language of `.bothyignore` is gitignore's. Git itself says what that is: made-up files of rules are held against it, odd lines included.
@Suite struct IgnoreReferenceTests {
    private static let names = [
        "a", "b", "ab", "A", "7", "a.o", ".o", "-", "a b", "a ", "[a]", "a]", "!a", "#a", "\\a", "*",
    ]
    private static let pieces = [
        "a", "b", "ab", "A", "7", ".o", "o", " ", "*", "*", "**", "***", "?", "/", "/", "\\", "[", "]", "!", "^", "-",
        "#", ":",
        "[ab]", "[!a]", "[^b]", "[a-c]", "[--0]", "[]a]", "[a/b]", "[[:alpha:]]", "[![:digit:]]", "[[:nothing:]]",
        "[[:a]",
        "[\\]a]", "[a-\\c]", "\\*", "\\ ", "\\!", "**/", "/**", "/**/", "\t",
    ]
    private static let endings = [
        "\n", "\n", "\r\n", " \n", "  \r\n", " \r\n", "\r\r\n", "\\ \n", "/\r\n", "/ \r\n", "",
    ]

    private let folder: TemporaryFolder
    /// By their paths; true for a folder.
    private let places: [(place: Place, isFolder: Bool)]

    init() throws {
        folder = try TemporaryFolder()
        var places = [(Place, Bool)]()
        for name in Self.names {
            places += [(Place([NodeName(name)]), false), (Place(["d", NodeName(name)]), false)]
            for (above, isFolder) in [("a", true), ("ab", true)] where !["a", "ab"].contains(name) {
                places.append((Place([NodeName(above + "d"), NodeName(name)]), !isFolder))
            }
        }
        places += [
            ("x", true), ("x/a", true), ("x/a/b", true), ("x/a/b/a", false), ("x/a/b/ab", false), ("x/a/a.o", false),
            ("x/ab", true), ("x/ab/a", false), ("x/ab/b", true), ("x/ab/b/7", false), ("d", true), ("ad", true),
            ("abd", true), ("d/x", true), ("d/x/a", false), ("d/x/x", true), ("d/x/x/b", false),
        ]
        self.places = places.sorted { $0.0 < $1.0 }
        for (place, isFolder) in self.places {
            if isFolder { try folder.makeFolder(place.text) } else { try folder.write(place.text, "") }
        }
        _ = try git(["init", "-q", "."])
    }

    @Test(arguments: 1...4) func aFileOfRulesLeavesOutWhatGitLeavesOut(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            try compare(root: Self.rules(&dice), in: Bool.random(using: &dice) ? Self.rules(&dice) : nil)
        }
    }

    /// Notepad writes such lines: with the spaces still there, what was to be left out was sent.
    @Test func spacesBeforeTheEndOfALineOfWindowsAreNoPartOfIt() throws {
        try compare(root: "a/  \r\nx/ \r\nab \r\n\u{FEFF}b\r\n", in: nil)
        try compare(root: "\u{FEFF}a\r\n", in: "\u{FEFF}# b\nb \t \r\n")
    }

    // MARK: - Pieces

    private static func rules(_ dice: inout SeededGenerator) -> String {
        (1...Int.random(in: 1...4, using: &dice)).map { _ in line(&dice) }.joined()
    }

    private static func line(_ dice: inout SeededGenerator) -> String {
        let count = Int.random(in: 1...5, using: &dice)
        return (0..<count).map { _ in pieces.randomElement(using: &dice)! }.joined() + endings.randomElement(
            using: &dice)!
    }

    private func compare(root: String, in below: String?) throws {
        try folder.write(".gitignore", root)
        try folder.write("x/.gitignore", below ?? "")
        var rules = IgnoreRules()
        rules.setFile(root, in: .root)
        rules.setFile(below, in: "x")
        let expected = try leftOutByGit()
        let found = places.filter { rules.matchWithFolders($0.place, kind: $0.isFolder ? .folder : .file) != nil }
        #expect(Set(found.map(\.place)) == expected, "\(root.debugDescription), in x: \(below.debugDescription)")
    }

    private func leftOutByGit() throws -> Set<Place> {
        let asked = places.map { $0.place.text + "\0" }.joined()
        let told = try git(["check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"], asked)
        // The file of rules, the number of the line, the line, and the path.
        let fields = told.split(separator: "\0", omittingEmptySubsequences: false).dropLast()
        #expect(fields.count == places.count * 4)
        return Set(
            stride(from: 0, to: fields.count, by: 4).compactMap { at in
                fields[at].isEmpty || fields[at + 2].hasPrefix("!") ? nil : Place(text: String(fields[at + 3]))
            })
    }

    private func git(_ arguments: [String], _ input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-c", "core.excludesFile=/dev/null", "-c", "core.ignoreCase=false"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.path,
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": folder.path,
        ]
        let (asked, told) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (asked, told)
        try process.run()
        // Less than a pipe holds.
        try asked.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try asked.fileHandleForWriting.close()
        let answer = try told.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // 1: nothing is left out.
        #expect(process.terminationStatus <= 1)
        return String(decoding: answer, as: UTF8.self)
    }
}
