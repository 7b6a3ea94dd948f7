import BothyClient
import Testing

/// What is shown of two texts is true of both.
@Suite struct TextComparisonTests {
    private func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    @Test(arguments: 0..<200)
    func everyLineStandsWhereItIsSaidToStand(_ seed: Int) throws {
        var random = SystemRandomNumberGenerator()
        let old = (0..<Int.random(in: 0...40, using: &random)).map { _ in "\(Int.random(in: 0..<6, using: &random))" }
        var new = old
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let place = Int.random(in: 0...new.count, using: &random)
            if Bool.random(using: &random) || place == new.count {
                new.insert("\(Int.random(in: 0..<9, using: &random))", at: place)
            } else {
                new.remove(at: place)
            }
        }
        let around = Int.random(in: 0...4, using: &random)
        let comparison = try TextComparison(old: bytes(old), new: bytes(new), around: around)
        #expect(comparison.isSame == (old == new))
        var (left, right) = (0, 0)
        for part in comparison.parts {
            (left, right) = (left + part.skipped, right + part.skipped)
            for line in part.lines {
                if line.kind != .added {
                    left += 1
                    #expect(line.oldNumber == left && old[left - 1] == line.text, "\(old) \(new)")
                }
                if line.kind != .removed {
                    right += 1
                    #expect(line.newNumber == right && new[right - 1] == line.text, "\(old) \(new)")
                }
            }
            #expect(part.lines.prefix { $0.kind == .same }.count <= around)
            #expect(part.lines.contains { $0.kind != .same })
        }
        #expect(left + comparison.skippedAtEnd == old.count && right + comparison.skippedAtEnd == new.count)
        let lines = comparison.parts.flatMap(\.lines)
        #expect(lines.count { $0.kind == .added } == comparison.added)
        #expect(lines.count { $0.kind == .removed } == comparison.removed)
        #expect(comparison.added - comparison.removed == new.count - old.count)
    }

    @Test func linesThatAreSkippedAreTheSameInBoth() throws {
        let old = (0..<100).map { "line \($0)" }
        var new = old
        new[50] = "other"
        let comparison = try TextComparison(old: bytes(old), new: bytes(new))
        #expect(comparison.parts.count == 1 && comparison.parts[0].skipped == 47 && comparison.skippedAtEnd == 46)
        #expect(comparison.parts[0].lines.map(\.kind) == [.same, .same, .same, .removed, .added, .same, .same, .same])
    }

    @Test func anotherEndOfLineIsAnotherLine() throws {
        let comparison = try TextComparison(old: Array("a\r\nb".utf8), new: Array("a\nb".utf8))
        #expect(comparison.parts[0].lines.map(\.text) == ["a\r", "a", "b"])
        #expect(try TextComparison(old: Array("a".utf8), new: Array("a\n".utf8)).added == 1)
        #expect(try TextComparison(old: Array("é".utf8), new: Array("e\u{301}".utf8)).added == 1)
    }

    @Test func whatIsNoTextOrTooMuchIsRefused() {
        #expect(throws: TextComparison.Refusal.notText) { try TextComparison(old: [0], new: []) }
        #expect(throws: TextComparison.Refusal.notText) { try TextComparison(old: [0xFF], new: []) }
        let large = [UInt8](repeating: 0x61, count: TextComparison.mostBytes + 1)
        #expect(throws: TextComparison.Refusal.tooLarge) { try TextComparison(old: large, new: []) }
        let (old, new) = ((0..<3000).map { "o\($0)" }, (0..<3000).map { "n\($0)" })
        #expect(throws: TextComparison.Refusal.tooDifferent) { try TextComparison(old: bytes(old), new: bytes(new)) }
    }
}
