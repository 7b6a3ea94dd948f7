import BothyContract
import Foundation
import Testing

@Suite struct FileNameTests {
    private static let pieces = [
        "a", "Z", "ü", "u\u{308}", "é", "e\u{301}", "한", "\u{1112}\u{1161}\u{11ab}", "🏔", "\u{202E}", ".", " ", "\\",
        "-", "'", "$(x)", "%2f", "\u{FB01}", "٣", "\u{200D}", "ﷺ",
    ]

    @Test(arguments: 0..<500 as Range<UInt64>)
    func aNameThatIsTakenIsNormalAndShortAndStaysAsItIs(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let name = (0..<Int.random(in: 0...90, using: &dice)).map { _ in Self.pieces.randomElement(using: &dice)! }
            .joined()
        let kept: String
        do throws(FileName.Fault) {
            kept = try FileName.normalized(name)
        } catch {
            let composed = name.precomposedStringWithCanonicalMapping
            switch error {
            case .empty: #expect(composed.isEmpty)
            case .tooLong(let bytes): #expect(bytes > 255 && bytes == composed.utf8.count)
            case .dots: #expect(composed == "." || composed == "..")
            case .slash, .controlCharacter: Issue.record("no piece has one: \(name.debugDescription)")
            }
            return
        }
        #expect((1...FileName.maximumBytes).contains(kept.utf8.count))
        #expect(Array(try FileName.normalized(kept).utf8) == Array(kept.utf8))
        #expect(Array(try FileName.normalized(name.decomposedStringWithCanonicalMapping).utf8) == Array(kept.utf8))
    }

    @Test func whatCannotBeANameIsRefused() {
        #expect(throws: FileName.Fault.empty) { try FileName.normalized("") }
        for name in [".", ".."] { #expect(throws: FileName.Fault.dots) { try FileName.normalized(name) } }
        for name in ["/", "a/b", "/etc/passwd", "..//"] {
            #expect(throws: FileName.Fault.slash) { try FileName.normalized(name) }
        }
        for scalar in (0..<32).map({ Unicode.Scalar(UInt8($0)) }) + ["\u{7F}", "\u{80}", "\u{9F}"] {
            #expect(throws: FileName.Fault.controlCharacter) { try FileName.normalized("a\(scalar)b") }
        }
        let tooLong = String(repeating: "é", count: 128)
        #expect(throws: FileName.Fault.tooLong(bytes: 256)) { try FileName.normalized(tooLong) }
        #expect(throws: Never.self) { try FileName.normalized(tooLong.dropLast() + "e") }
        #expect(throws: Never.self) { try FileName.normalized("...") }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func aCounterMakesAnotherNameOfTheSameKind(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let stem = (0..<Int.random(in: 1...60, using: &dice)).map { _ in ["a", "é", "🏔"].randomElement(using: &dice)! }
        let suffix = ["", ".pdf", ".tar.gz", ".JPEG"].randomElement(using: &dice)!
        let name = try FileName.normalized(stem.joined() + suffix)
        let counter = Int.random(in: 1...100_000, using: &dice)
        let numbered = FileName.numbered(name, counter)
        #expect(try FileName.normalized(numbered) == numbered)
        #expect(numbered != name)
        #expect(FileName.split(numbered).suffix == FileName.split(name).suffix)
        #expect(FileName.numbered(name, counter) != FileName.numbered(name, counter + 1))
    }

    @Test func theCounterStandsBeforeTheSuffix() {
        #expect(FileName.numbered("report.pdf", 1) == "report (1).pdf")
        #expect(FileName.numbered("archive.tar.gz", 2) == "archive.tar (2).gz")
        #expect(FileName.numbered(".profile", 1) == ".profile (1)")
        #expect(FileName.numbered("Makefile", 3) == "Makefile (3)")
        #expect(FileName.numbered("a.thisisnosuffixatall", 1) == "a.thisisnosuffixatall (1)")
        #expect(FileName.numbered("ends.", 1) == "ends. (1)")
    }

    @Test func theStemGivesWayWhereTheCounterDoesNotFit() throws {
        let name = String(repeating: "🏔", count: 62) + ".pdf"
        let numbered = FileName.numbered(name, 12)
        #expect(numbered.utf8.count <= FileName.maximumBytes)
        #expect(numbered.hasSuffix("🏔 (12).pdf"))
    }

    @Test func aConflictCopySaysWhereItIsFromAndFits() throws {
        #expect(
            FileName.conflict("report.pdf", device: "kitchen", day: "2026-11-20")
                == "report (kitchen's conflict 2026-11-20).pdf")
        #expect(
            FileName.conflict("report.pdf", device: "a/b\n", day: "2026-11-20", attempt: 1)
                == "report (ab's conflict 2026-11-20 2).pdf")
        let long = String(repeating: "🏔", count: 63)
        let name = FileName.conflict(long, device: String(repeating: "x", count: 200), day: "2026-11-20", attempt: 7)
        #expect(try FileName.normalized(name) == name)
    }
}
