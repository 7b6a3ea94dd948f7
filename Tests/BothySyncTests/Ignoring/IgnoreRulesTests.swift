import BothyClient
import BothySync
import Testing

/// The language is gitignore's, as gitignore(5) of git 2.43 describes it.
@Suite struct IgnoreRulesTests {
    private func rules(_ text: String) -> IgnoreRules {
        var rules = IgnoreRules()
        rules.setFile(text, in: .root)
        return rules
    }

    @Test func aPersonIsToldInWhichLineARuleStands() {
        let text = Array("# what is built\n*.o\r\n\n*.log\n*.o  \n".utf8)
        #expect(IgnorePattern.number(ofLine: "*.log", in: text) == 4)
        #expect(IgnorePattern.number(ofLine: "*.o", in: text) == 5)
        #expect(IgnorePattern.number(ofLine: "*.tmp", in: text) == nil)
    }

    @Test(arguments: [
        ("*.o", "a/b/c.o", true), ("*.o", "c.obj", false), ("/c.o", "a/c.o", false), ("/c.o", "c.o", true),
        ("a/b", "a/b", true), ("a/b", "x/a/b", false), ("**/b", "x/a/b", true), ("a/**", "a/x/y", true),
        ("a/**", "a", false), ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true), ("?.txt", "é.txt", true),
        ("[a-c].txt", "b.txt", true), ("[!a-c].txt", "b.txt", false), ("[[:digit:]]", "7", true), ("\\#a", "#a", true),
        ("\\!a", "!a", true), ("a\\ ", "a ", true), ("a  ", "a", true), ("# a", "# a", false), ("a[", "a[", false),
        ("*a*b*c", "xaxbxc", true), ("*a*b*c", "xaxbxd", false), ("a*", "a", true), ("*", "anything", true),
    ])
    func aLineMeansWhatGitMeansByIt(_ line: String, _ place: String, _ isLeftOut: Bool) {
        let match = rules(line).matchWithFolders(Place(text: place), kind: .file)
        #expect((match != nil) == isLeftOut, "\(line) on \(place)")
    }

    @Test func aLaterLineBeatsAnEarlierOne_andNothingBelowALeftOutFolderIsTakenIn() {
        let rules = rules("*.log\n!keep.log\nbuild/\n!build/keep.log")
        #expect(rules.match("a.log", kind: .file)?.rule == "*.log")
        #expect(rules.match("keep.log", kind: .file) == nil)
        #expect(rules.matchWithFolders("build/keep.log", kind: .file)?.rule == "build/")
        #expect(rules.match("build", kind: .file) == nil, "the slash asks for a folder")
    }

    @Test func aDeeperFileBeatsAHigherOne_andOptionsBeatBoth() {
        var rules = rules("*.pdf")
        rules.setFile("!*.pdf", in: "docs")
        #expect(rules.match("a.pdf", kind: .file)?.source == ".bothyignore")
        #expect(rules.match("docs/a.pdf", kind: .file) == nil)
        rules.exclude(["/docs/a.pdf"])
        rules.largestFile = 100
        rules.leftOutEndings = ["iso"]
        #expect(rules.match("docs/a.pdf", kind: .file)?.source == "--exclude")
        #expect(rules.match("b", kind: .file, size: 101)?.source == "--max-size")
        #expect(rules.match("c.ISO", kind: .file)?.rule == "*.iso")
    }

    @Test func aPatternOfStarsTakesNoLongerThanItsLengthSays() {
        let rules = rules(String(repeating: "*a", count: 100) + "b")
        #expect(rules.match(Place(text: String(repeating: "a", count: 255)), kind: .file) == nil)
    }

    @Test func aPatternOfManyFoldersTakesNoLongerThanItsLengthSays() {
        let rules = rules(String(repeating: "**/a/", count: 100) + "b")
        let place = Place(text: Array(repeating: "a", count: 300).joined(separator: "/"))
        #expect(rules.match(place, kind: .file) == nil)
        #expect(rules.match(place.appending("b"), kind: .file) != nil)
    }

    /// What `**` means, told without a thought to how long it takes.
    private func isMatch(_ pieces: ArraySlice<Substring>, _ names: ArraySlice<Substring>) -> Bool {
        guard let piece = pieces.first else { return names.isEmpty }
        guard piece == "**" else { return names.first == piece && isMatch(pieces.dropFirst(), names.dropFirst()) }
        if pieces.count == 1 { return !names.isEmpty }
        return (names.startIndex...names.endIndex).contains { isMatch(pieces.dropFirst(), names[$0...]) }
    }

    @Test func foldersThatStandForAnyMeanWhatTheyAreSaidToMean() {
        let pieces = ["**", "a", "b"]
        let names = ["a", "b"]
        for pattern in words(of: pieces, upTo: 5) where pattern.contains("/") && !pattern.contains("**/**") {
            for place in words(of: names, upTo: 5) {
                let expected = isMatch(pattern.split(separator: "/")[...], place.split(separator: "/")[...])
                let isLeftOut = rules(pattern).match(Place(text: place), kind: .file) != nil
                #expect(isLeftOut == expected, "\(pattern) on \(place)")
            }
        }
    }

    private func words(of names: [String], upTo most: Int) -> [String] {
        var all = names
        var longest = names
        for _ in 1..<most {
            longest = longest.flatMap { word in names.map { word + "/" + $0 } }
            all += longest
        }
        return all
    }

    @Test func linesThatEndAsOnWindowsAreLines() {
        let rules = rules("# made by Notepad\r\n*.o\r\n\r\n/build/\r\n")
        #expect(rules.match("a.o", kind: .file)?.rule == "*.o")
        #expect(rules.match("build", kind: .folder)?.rule == "/build/")
        #expect(rules.match("a.c", kind: .file) == nil)
    }

    @Test func aFileFromElsewhereMayTightenAndNotLoosen() {
        #expect(IgnoreChange.from("*.o\n", to: "*.o\n*.tmp\n") == .tightens)
        #expect(IgnoreChange.from("*.o\nsecret\n", to: "*.o\n") == .loosens(["secret"]))
        #expect(IgnoreChange.from("*.o\n", to: "*.o\n!a.o\n") == .loosens(["!a.o"]))
    }

    @Test func whatAnotherDeviceLoosensStaysLeftOutUntilAPersonAgrees() {
        let review = IgnoreReview.of("*.o\n", heeded: "*.o\nsecret\n", isFromHere: false)
        #expect(review == IgnoreReview(heeded: "*.o\nsecret\n", loosening: ["secret"]))
        var rules = rules("*.o\n")
        rules.keepFile(review.heeded, in: .root)
        #expect(rules.match("secret", kind: .file)?.rule == .formerPattern("secret"))
        #expect(rules.match("secret", kind: .file)?.source == ".bothyignore")
        #expect(rules.match("a.o", kind: .file)?.source == ".bothyignore")
        rules.keepFile(nil, in: .root)
        #expect(rules.match("secret", kind: .file) == nil)
    }

    @Test func whatThePersonHereChangesHoldsAtOnce_andSoDoesWhatTightens() {
        #expect(IgnoreReview.of("", heeded: "secret\n", isFromHere: true) == IgnoreReview(heeded: "", loosening: []))
        let tighter = IgnoreReview.of("secret\n*.tmp\n", heeded: "secret\n", isFromHere: false)
        #expect(tighter == IgnoreReview(heeded: "secret\n*.tmp\n", loosening: []))
    }

    @Test func aFileOfRulesThatIsTakenAwayElsewhereLoosensAllOfThem() {
        #expect(IgnoreReview.of(nil, heeded: "a\nb\n", isFromHere: false).loosening == ["a", "b"])
    }

    /// A file in a folder may take in again what one above it leaves out.
    @Test func aNewFileBelowThatTakesInAgainLoosens() {
        #expect(IgnoreReview.of("!*.pdf\n", heeded: nil, isFromHere: false).loosening == ["!*.pdf"])
    }
}
