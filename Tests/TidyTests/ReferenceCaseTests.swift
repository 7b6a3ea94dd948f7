import Foundation
import Testing

/// Every case that the designs name is a test by its name.
@Suite struct ReferenceCaseTests {
    /// A file of tests of either kind.
    private struct TestFile {
        let text: String
        let names: Set<Substring>

        init(_ text: String) {
            self.text = text
            var names: Set<Substring> = []
            // A function that no attribute makes a test holds nothing, and a comment even less.
            var isTest = false
            for line in text.split(separator: "\n") where !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") {
                if line.contains("@Test") { isTest = true }
                guard let start = line.range(of: "func ") ?? line.range(of: "def test_") else { continue }
                let isPython = line[start].hasPrefix("def")
                let name = isPython ? line[start.lowerBound...].dropFirst("def ".count) : line[start.upperBound...]
                if isTest || isPython { names.insert(name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
                isTest = false
            }
            self.names = names
        }

        /// Whether it has the test, and the case of it where the name ends with the id of one: `name[id]`.
        func has(_ test: String) -> Bool {
            let name = test.prefix { $0 != "[" }
            let id = test.dropFirst(name.count + 1).dropLast()
            return names.contains(name) && (id.isEmpty || text.contains("\"\(id)\""))
        }
    }

    private static func files() throws -> [TestFile] {
        let swift = try SourceTree.files(in: ["Tests"]).map(\.text)
        let acceptance = SourceTree.root.appending(path: "Acceptance")
        let python = try FileManager.default.contentsOfDirectory(at: acceptance, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "py" }.map { try String(contentsOf: $0, encoding: .utf8) }
        return (swift + python).map(TestFile.init)
    }

    @Test func everyRowHasItsTest() throws {
        let files = try Self.files()
        for row in ReferenceCases.all { #expect(files.contains { $0.has(row.test) }, "\(row.row): \(row.test)") }
    }

    @Test func noRowIsListedTwice() {
        #expect(Set(ReferenceCases.all.map(\.row)).count == ReferenceCases.all.count)
    }
}
