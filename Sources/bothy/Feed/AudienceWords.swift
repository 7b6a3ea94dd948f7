import BothyContract

/// Who may read a post, in words.
enum AudienceWords {
    /// «for Anna and Ben only»; nil for everyone.
    static func mark(_ audience: PostAudience) -> String? {
        switch audience.kind {
        case .everyone: nil
        case .followers: "for followers only"
        case .people: "for \(names(audience)) only"
        }
    }

    /// The same of a draft: whom it names may be chosen last.
    static func mark(ofDraft audience: PostAudience) -> String? {
        let isOpen = audience.kind == .people && audience.people?.isEmpty ?? true
        return isOpen ? "for people not chosen yet" : mark(audience)
    }

    /// The same of what waits.
    ///
    /// - Parameter names: of people who are known here.
    static func mark(_ audience: NewPostAudience?, names: [Int64: String]) -> String? {
        guard let audience else { return nil }
        let people = (audience.people ?? []).map { AuthorPreview(id: $0, name: names[$0] ?? "number \($0)") }
        return mark(PostAudience(kind: audience.kind, people: people))
    }

    /// A sentence.
    static func told(_ audience: PostAudience, author: String) -> String {
        switch audience.kind {
        case .everyone: "Everybody with an account on this server can read it."
        case .followers: "The followers of \(author) can read it."
        case .people: "Only \(names(audience)) and \(author) can read it."
        }
    }

    /// Of what waits: « to your followers»; nothing for everyone.
    static func suffix(_ audience: NewPostAudience?) -> String {
        switch audience?.kind {
        case nil, .everyone: ""
        case .followers: " to your followers"
        case .people: " to \(counted(audience?.people?.count ?? 0))"
        }
    }

    private static func counted(_ people: Int) -> String { people == 1 ? "1 person" : "\(people) people" }

    private static func names(_ audience: PostAudience) -> String {
        let names = (audience.people ?? []).map(\.name)
        guard let last = names.last else { return "some people" }
        return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and \(last)"
    }
}
