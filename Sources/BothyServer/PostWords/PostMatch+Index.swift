import BothyContract

extension PostMatch {
    /// True for the rows of `posts`, as `p`, that match in what the reader may look into. Whether she may read each is another
    /// matter: see ``PostAccess``.
    func condition(reader: Int64) -> PostAccess.Condition {
        let scopes = PostScope.readable(by: reader)
        switch self {
        case .tag(let tag):
            return PostAccess.Condition(
                sql: "p.post_id IN (SELECT post_id FROM post_tags WHERE scope IN (\(scopes.sql)) AND tag = ?)",
                arguments: scopes.arguments + [tag.sql])
        case .words(let terms):
            let term = """
                p.post_id IN (SELECT post_id FROM post_words
                    WHERE scope IN (\(scopes.sql)) AND word >= ? AND word < ?)
                """
            return PostAccess.Condition(
                sql: terms.map { _ in term }.joined(separator: " AND "),
                arguments: terms.flatMap { scopes.arguments + [$0.sql, PostIndex.end(of: $0).sql] })
        }
    }
}
