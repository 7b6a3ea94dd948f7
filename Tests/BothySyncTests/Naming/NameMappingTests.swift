import BothyContract
import BothySync
import Testing

@Suite struct NameMappingTests {
    static let windows = DiskTraits(tellsCaseApart: false, followsWindowsRules: true)

    @Test(arguments: [
        ("a:b", "a%3Ab"), ("what?", "what%3F"), ("end.", "end%2E"), ("end ", "end%20"), ("con", "%63on"),
        ("NUL.txt", "%4EUL.txt"), ("100%3A", "100%253A"), ("100%", "100%"), ("console", "console"),
    ])
    func whatWindowsRefusesIsMappedAndComesBack(_ name: String, _ here: String) {
        let mapped = NameMapping.localName(for: NodeName(name), on: Self.windows)
        #expect(mapped == NodeName(here))
        #expect(NameMapping.remoteName(for: NodeName(here), on: Self.windows) == NodeName(name))
    }

    @Test func everyNameComesBack() {
        let letters = Array("aZ%0:.? 23AéE\\")
        for seed in 0..<3_000 as Range<UInt64> {
            var dice = SeededGenerator(seed: seed)
            let text = String(
                (0..<Int.random(in: 1..<8, using: &dice)).map { _ in letters.randomElement(using: &dice)! })
            guard let name = try? FileName.normalized(text),
                let here = NameMapping.localName(for: NodeName(name), on: Self.windows)
            else { continue }
            #expect(NameMapping.remoteName(for: here, on: Self.windows) == NodeName(name), "\(name)")
        }
    }

    @Test func aDiskThatHoldsAllNamesGetsThemAsTheyAre() {
        for name in ["a:b", "e\u{301}", "con", "end."] {
            #expect(NameMapping.localName(for: NodeName(name), on: .exact) == NodeName(name))
        }
    }

    @Test func decomposedNamesAreTheSameOnTheServer() {
        let disk = DiskTraits(spelling: .decomposed)
        #expect(NameMapping.localName(for: "\u{e9}", on: disk) == "e\u{301}")
        #expect(NameMapping.remoteName(for: "e\u{301}", on: disk) == "\u{e9}")
        #expect(NodeName("\u{e9}") != NodeName("e\u{301}"), "and two names to every other disk")
    }

    @Test func longNamesAreCutAndToldApart() throws {
        let disk = DiskTraits(longestName: 143)
        let names = ["a", "b"].map { NodeName(String(repeating: "ö", count: 100) + $0 + ".pdf") }
        let mapped = try names.map { try #require(NameMapping.localName(for: $0, on: disk)) }
        #expect(mapped.allSatisfy { $0.byteCount <= 143 && $0.text.hasSuffix(".pdf") } && mapped[0] != mapped[1])
    }

    @Test func conflictCopiesFitAndSayWhose() {
        let name = GivenNames.conflict("report.pdf", device: "an/na", day: "2026-11-20", attempt: 0)
        #expect(name == "report (anna's conflict 2026-11-20).pdf")
        let long = NodeName(String(repeating: "x", count: 255))
        #expect(GivenNames.conflict(long, device: "anna", day: "2026-11-20", attempt: 3).byteCount <= 255)
        #expect(GivenNames.numbered("report.pdf", attempt: 0) == "report (1).pdf")
    }
}
