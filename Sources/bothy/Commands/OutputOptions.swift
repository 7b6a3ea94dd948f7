import ArgumentParser

/// `--json` and `-q`, which every command takes.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one document, or one object a line (docs/json.md has the shapes).")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing but errors and what was asked for.")
    var quiet = false

    /// Prints a line for a person, or the same as a document.
    func tell<Document: Encodable>(
        _ line: @autoclosure () -> String, _ document: @autoclosure () throws -> Document
    ) throws {
        if json {
            try print(document())
        } else if !quiet {
            Terminal().writeOutput(TerminalText.safe(line()) + "\n")
        }
    }

    /// The same for several lines.
    func tell(_ lines: [String], _ document: some Encodable) throws {
        if json {
            try print(document)
        } else if !quiet {
            for line in lines { print(line: line) }
        }
    }

    /// A line that was asked for.
    func print(line: String) { Terminal().writeOutput(TerminalText.safe(line) + "\n") }

    /// Says something to a person beside the result.
    func note(_ line: String) {
        guard !json, !quiet else { return }
        for part in line.split(separator: "\n") { Terminal().writeError(TerminalText.safe(String(part)) + "\n") }
    }

    func print(_ document: some Encodable) throws {
        Terminal().writeOutput(try JSONText.line(document) + "\n")
    }

    func print(_ table: Table) {
        guard !table.isEmpty else { return }
        Terminal().writeOutput(table.lines.joined(separator: "\n") + "\n")
    }
}
