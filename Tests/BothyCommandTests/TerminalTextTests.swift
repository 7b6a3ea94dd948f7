import BothyContract
import Testing

@testable import bothy

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("\u{1B}]0;owned\u{07}", "\\u{1B}]0;owned\\u{7}"),
        ("photo\u{202E}gpj.exe", "photo\\u{202E}gpj.exe"),
        ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"),
        ("line\nbreak\r", "line\\u{A}break\\u{D}"),
        ("c1\u{9B}31m", "c1\\u{9B}31m"),
        ("sep\u{2028}x\u{2029}", "sep\\u{2028}x\\u{2029}"),
        ("\u{FEFF}bom", "\\u{FEFF}bom"),
        ("\u{200F}mark\u{061C}", "\\u{200F}mark\\u{61C}"),
    ])
    func whatActsIsWrittenOut(_ name: String, _ shown: String) {
        #expect(TerminalText.safe(name) == shown)
    }

    @Test(arguments: ["report.pdf", "übergröße.txt", "日本語.txt", "👩‍👩‍👧 family.jpg", "نامه‌ها", "a\\b 'c' \"d\" $(e)"])
    func whatOnlyShowsStaysAsItIs(_ name: String) {
        #expect(TerminalText.safe(name) == name)
    }

    @Test func nothingSafeActsWhateverTheName() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var name = ""
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                guard let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &random)) else { continue }
                name.unicodeScalars.append(scalar)
            }
            #expect(!TerminalText.safe(name).unicodeScalars.contains { $0.acts })
        }
    }

    @Test func wideCharactersTakeTwoColumnsAndMarksNone() {
        #expect(TerminalText.width("abc") == 3)
        #expect(TerminalText.width("日本") == 4)
        #expect(TerminalText.width("e\u{301}") == 1)
        #expect(TerminalText.width("👩‍👩‍👧") == 2)
    }

    @Test func aFittedNameKeepsBothEndsAndItsRoom() {
        for columns in 1...30 {
            for name in ["a-very-long-name-of-a-file.tar.gz", "日本語の長い名前のファイル.txt", "short"] {
                let fitted = TerminalText.fitted(name, to: columns)
                #expect(TerminalText.width(fitted) <= columns)
            }
        }
        #expect(TerminalText.fitted("abcdefghij.txt", to: 9) == "abcd….txt")
    }
}
