import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import Testing

@testable import BothyWeb

@Suite struct ViewsTests {
    @Test(arguments: Views.Name.allCases)
    func everyViewEscapesByTheHousesOwnRule(_ view: Views.Name) {
        #expect(view.text.hasPrefix("{{% CONTENT_TYPE:BOTHY}}\n"), "\(view) escapes as the library does")
        #expect(!view.text.contains("{{{") && !view.text.contains("{{&"), "\(view) writes something unescaped")
    }

    @Test(arguments: Views.Name.allCases)
    func everyAttributeIsQuotedAndNothingIsInline(_ view: Views.Name) {
        #expect(view.text.firstMatch(of: #/=\{\{/#) == nil, "an attribute without quotes")
        #expect(view.text.firstMatch(of: #/\son\w+=|\sstyle=|<style|javascript:/#) == nil, "something inline")
        #expect(!view.text.contains("<script>"))
    }

    @Test(arguments: Views.Name.allCases)
    func everyPhraseOfAViewIsInTheCatalogue(_ view: Views.Name) {
        for match in view.text.matches(of: #/\{\{words\.(\w+)\}\}/#) where !["language", "units"].contains(match.1) {
            #expect(Phrase(rawValue: String(match.1)) != nil, "\(view): \(match.1)")
        }
    }

    /// What a person or a hostile client may call a file.
    static let names = [
        #"<script>alert(1)</script>"#, #"" onfocus=alert(1) x=""#, #"' onfocus='alert(1)"#,
        "\"\u{301} onfocus=alert(1) x=",
        "<\u{338}img src=x onerror=alert(1)>", "&lt;b&gt;", "{{token}}", "{{{token}}}", "a\u{0}b", "<!--", "]]>",
        "\">\u{200D}<svg onload=alert(1)>",
    ]

    @Test(arguments: names)
    func aNameIsTextWhateverItSays(_ name: String) throws {
        let item = FolderItem(
            id: ItemID("019a"), name: name, mimeType: "image/png", size: 1, modifiedAt: Timestamp(seconds: 0))
        let clock = PersonsClock(now: Timestamp(seconds: 0), zone: .gmt)
        let row = FileRowView(FileListRow(item, words: .english, clock: clock), .english)
        let html = try Views().render(
            .fragment,
            [
                "placed": [["row": row, "before": ""] as [String: Any]], "words": WordsView(words: .english),
                "icons": "/icons", "token": "SECRET",
            ])
        let plain = try Views().render(
            .fragment,
            [
                "placed": [
                    [
                        "row": FileRowView(FileListRow(item.named("x"), words: .english, clock: clock), .english),
                        "before": "",
                    ] as [String: Any]
                ],
                "words": WordsView(words: .english), "icons": "/icons", "token": "SECRET",
            ])
        func count(_ mark: String, _ text: String) -> Int {
            text.unicodeScalars.count { $0 == mark.unicodeScalars.first }
        }
        for mark in ["<", ">", "\""] {
            #expect(count(mark, html) == count(mark, plain), "\(mark) of the name came through: \(html)")
        }
        #expect(!html.contains("SECRET"))
    }
}

extension FolderItem {
    fileprivate func named(_ name: String) -> FolderItem {
        var item = self
        item.name = name
        return item
    }
}
