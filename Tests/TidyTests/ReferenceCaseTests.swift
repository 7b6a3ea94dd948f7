import Foundation
import Testing

/// Every case that the designs name is a test by its name.
@Suite struct ReferenceCaseTests {
    /// Names of all tests, of both kinds.
    private static func tests() throws -> Set<Substring> {
        let swift = try SourceTree.files(in: ["Tests"]).map(\.text)
        let acceptance = SourceTree.root.appending(path: "Acceptance")
        let python = try FileManager.default.contentsOfDirectory(at: acceptance, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "py" }.map { try String(contentsOf: $0, encoding: .utf8) }
        var names: Set<Substring> = []
        for line in (swift + python).joined(separator: "\n").split(separator: "\n") {
            guard let start = line.range(of: "func ") ?? line.range(of: "def ") else { continue }
            names.insert(line[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
        return names
    }

    @Test func everyRowHasItsTest() throws {
        let tests = try Self.tests()
        for row in ReferenceCases.all { #expect(tests.contains(row.test[...]), "\(row.row)") }
    }

    @Test func noRowIsListedTwice() {
        #expect(Set(ReferenceCases.all.map(\.row)).count == ReferenceCases.all.count)
    }
}
