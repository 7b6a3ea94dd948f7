import BothyContract

extension Words {
    /// The words of a post in one line, for a list of its author's own; or that there are none.
    ///
    /// - Parameter warning: what stands before it.
    func line(of text: PostText, behind warning: String? = nil) -> String {
        let line = text.plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let words = line.isEmpty ? self[.draftNothing] : String(line.prefix(FeedLimits.summaryLength))
        return warning.map { "\(filled(.contentWarningOf, ShownName.of($0))) · \(words)" } ?? words
    }

    /// «3 pictures or videos»; nil for none.
    func attachments(_ count: Int) -> String? {
        count == 0 ? nil : counted(count, one: .postAttachmentOne, many: .postAttachmentMany)
    }

    /// «2 photos and 1 video»; as ``attachments(_:)`` where it is not known what each is.
    func attachments(_ count: Int, _ types: [OpenWord<AttachmentType>]?) -> String? {
        guard let known = types?.compactMap(\.known), known.count == count else { return attachments(count) }
        let photos = known.count { $0 == .image }
        let told = [
            photos == 0 ? nil : counted(photos, one: .postPhotoOne, many: .postPhotoMany),
            photos == count ? nil : counted(count - photos, one: .postVideoOne, many: .postVideoMany),
        ].compactMap(\.self)
        return told.count == 2 ? filled(.postPhotosAndVideos, told[0], told[1]) : told.first
    }
}
