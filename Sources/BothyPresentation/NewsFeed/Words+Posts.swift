import BothyContract

extension Words {
    /// The words of a post in one line, for a list; or that there are none.
    func line(of text: PostText) -> String {
        let line = text.plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.isEmpty ? self[.draftNothing] : String(line.prefix(FeedLimits.summaryLength))
    }

    /// «3 pictures or videos»; nil for none.
    func attachments(_ count: Int) -> String? {
        count == 0 ? nil : counted(count, one: .postAttachmentOne, many: .postAttachmentMany)
    }
}
