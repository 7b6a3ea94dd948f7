import BothyContent
import Testing

@Suite struct TextMergeTests {
    private func merge(_ base: String, _ mine: String, _ theirs: String) -> TextMerge.Result {
        TextMerge.merge(base: Array(base.utf8), mine: Array(mine.utf8), theirs: Array(theirs.utf8))
    }

    private func text(_ result: TextMerge.Result) -> String? {
        guard case .merged(let bytes) = result else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func changesInDifferentPlacesAreBothKept() {
        let base = "one\ntwo\nthree\nfour\nfive\n"
        let merged = merge(base, "ONE\ntwo\nthree\nfour\nfive\n", "one\ntwo\nthree\nfour\nFIVE\nsix\n")
        #expect(text(merged) == "ONE\ntwo\nthree\nfour\nFIVE\nsix\n")
    }

    @Test func theSameChangeOnBothSidesIsMadeOnce() {
        #expect(text(merge("a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\n")) == "a\nB\nc\n")
        #expect(text(merge("a\nb\nc\nd\ne\n", "a\nB\nc\nd\nE\n", "a\nB\nc\nd\ne\n")) == "a\nB\nc\nd\nE\n")
    }

    @Test func changesThatOverlapOrTouchAreNotMerged() {
        #expect(merge("a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n") == .overlap)
        #expect(merge("a\nb\nc\nd\n", "a\nX\nc\nd\n", "a\nb\nY\nd\n") == .overlap)
        #expect(merge("a\nb\n", "a\nb\nmine\n", "a\nb\ntheirs\n") == .overlap)
        #expect(merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n") == .overlap, "taken out here, edited there")
    }

    @Test func aMissingLastNewlineAndWindowsLinesStayAsTheyAre() {
        #expect(text(merge("a\r\nb\r\nc", "A\r\nb\r\nc", "a\r\nb\r\nc\r\nd")) == "A\r\nb\r\nc\r\nd")
        #expect(text(merge("a\r\nb\r\nx\r\nc", "A\r\nb\r\nx\r\nc", "a\r\nb\r\nx\r\nC")) == "A\r\nb\r\nx\r\nC")
    }

    @Test func whatIsNoTextIsLeftAlone() {
        #expect(TextMerge.merge(base: [1], mine: [0, 1], theirs: [2]) == .notForMerging)
        #expect(TextMerge.merge(base: [], mine: [0xFF, 0xFE], theirs: [65]) == .notForMerging)
    }

    @Test func twoTextsThatHaveNothingInCommonAreGivenUpSoon() {
        let lines = { (name: String) in (0..<30_000).map { "\(name)\($0)\n" }.joined() }
        #expect(merge(lines("a"), lines("b"), lines("c")) == .notForMerging)
    }

    /// Edits in places that keep away from each other always merge, to both; and never with markers.
    @Test func editsThatKeepAwayFromEachOtherAlwaysMerge() {
        for seed in 0..<300 as Range<UInt64> {
            var dice = SeededGenerator(seed: seed)
            let base = (0..<60).map { _ in "line \(Int.random(in: 0..<15, using: &dice))\n" }
            var (mine, theirs, both) = (base, base, base)
            // Unique lines on the borders keep what repeats from sliding into a neighbour.
            for block in 0..<6 {
                let (line, isMine) = (block * 10 + 4, Bool.random(using: &dice))
                for fence in [line - 2, line + 3] {
                    let text = "fence \(fence)\n"
                    (mine[fence], theirs[fence], both[fence]) = (text, text, text)
                }
                let edited = "edited \(block)\n"
                both[line] = edited
                if isMine { mine[line] = edited } else { theirs[line] = edited }
            }
            var fenced = base
            for block in 0..<6 { for fence in [block * 10 + 2, block * 10 + 7] { fenced[fence] = "fence \(fence)\n" } }
            #expect(text(merge(fenced.joined(), mine.joined(), theirs.joined())) == both.joined(), "seed \(seed)")
        }
    }

    /// Merging is the same from either side, and with one side unchanged gives the other.
    @Test func itDoesNotMatterWhoseSideIsWhose() {
        for seed in 0..<2_000 as Range<UInt64> {
            var dice = SeededGenerator(seed: seed)
            let base = Self.text(&dice)
            let (mine, theirs) = (Self.edited(base, &dice), Self.edited(base, &dice))
            #expect(merge(base, mine, theirs) == merge(base, theirs, mine), "seed \(seed)")
            #expect(text(merge(base, mine, base)) == mine)
            #expect(text(merge(base, base, theirs)) == theirs)
            if let merged = text(merge(base, mine, theirs)) {
                #expect(!merged.contains("<<<<") && !merged.contains(">>>>"))
                let known = Set((base + mine + theirs).split(separator: "\n"))
                #expect(merged.split(separator: "\n").allSatisfy(known.contains), "no line from nowhere")
            }
        }
    }

    private static func text(_ dice: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0..<12, using: &dice)).map { _ in "\(Int.random(in: 0..<5, using: &dice))\n" }.joined()
    }

    private static func edited(_ base: String, _ dice: inout SeededGenerator) -> String {
        var lines = base.split(separator: "\n").map(String.init)
        for _ in 0..<Int.random(in: 0..<4, using: &dice) {
            let at = Int.random(in: 0...lines.count, using: &dice)
            if Bool.random(using: &dice) || lines.isEmpty {
                lines.insert("\(Int.random(in: 5..<9, using: &dice))", at: at)
            } else {
                lines.remove(at: min(at, lines.count - 1))
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
