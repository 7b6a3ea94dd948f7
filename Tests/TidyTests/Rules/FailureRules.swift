/// A failure that is passed over says why it may be.
enum FailureRules {
    /// Lines above it in which the reason may stand.
    private static let reach = 5

    static let reasons = Rule(
        name: "a try? that decides something has its reason beside it, or up to \(reach) lines above, as a comment",
        folders: ["Sources", "Benchmarks", "Simulation"],
        offences: { file in
            file.code.compactMap { number, code in
                guard passesOver(code), !hasComment(file, from: number - reach, to: number) else { return nil }
                return Offence(path: file.path, line: number, what: "a failure is passed over, and nothing says why")
            }
        },
        planted: [
            .init(path: "Sources/bothy/A.swift", text: "let records = (try? await store.all()) ?? []\n"),
            .init(path: "Sources/bothy/A.swift", text: "// Why.\n\n\n\n\n\n\ntry? close()\n"),
            .init(path: "Sources/bothy/A.swift", text: "let url = \"http://a\"\ntry? close()\n"),
        ])

    static let emptyCatches = Rule(
        name: "a catch that does nothing says why",
        folders: ["Sources", "Benchmarks", "Simulation"],
        offences: { file in
            file.code.compactMap { number, code in
                guard code.contains(#/\}\s*catch\b[^{]*\{\s*(?:\}\s*)?$/#) else { return nil }
                // The lines are numbered from 1: this is the one after it.
                let isOver = code.contains(#/\{\s*\}\s*$/#) || file.lines[number].allSatisfy { " }".contains($0) }
                return isOver ? Offence(path: file.path, line: number, what: "an empty catch") : nil
            }
        },
        planted: [
            .init(path: "Sources/bothy/A.swift", text: "do { try close() } catch {}\n"),
            .init(path: "Sources/bothy/A.swift", text: "do {\n    try close()\n} catch is Refused {\n}\n"),
        ])

    /// A wait that is cancelled, and one of several results, are no failures that are passed over.
    private static func passesOver(_ code: Substring) -> Bool {
        code.contains(#/\btry\?\s/#) && !code.contains(".sleep(") && !code.contains(".get()")
    }

    private static func hasComment(_ file: SourceFile, from first: Int, to last: Int) -> Bool {
        // What is cut off a line of code is a comment; a line without code that is not blank is one.
        file.lines[max(0, first - 1)..<last].enumerated().contains { offset, line in
            let number = max(1, first) + offset
            guard line.contains("//") else { return false }
            return file.code.first { $0.number == number }.map { $0.text.utf8.count < line.utf8.count } ?? true
        }
    }
}
