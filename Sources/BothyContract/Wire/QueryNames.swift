/// Names of query parameters that one side writes and the other reads.
public enum QueryNames {
    /// The entry of a feed above which a page begins that goes up.
    public static let above = "above"
    /// Where a page of a feed begins, as the one before it said.
    public static let after = "after"
    /// The cursor of what a client has seen, for a deletion.
    public static let asOf = "asOf"
    /// The revision that named blocks or a patch refer to.
    public static let base = "base"
    /// The revision that was seen, for a deletion.
    public static let baseRevisionId = "baseRevisionId"
    /// What is done where a name is taken, or a file was changed meanwhile.
    public static let conflict = "conflict"
    /// A place in the drive's log.
    public static let cursor = "cursor"
    /// `true`: content is to be kept as a file, and not shown in place.
    public static let download = "download"
    /// The place in a plan of the first block that is named.
    public static let from = "from"
    /// A person's, with an `@` or without.
    public static let handle = "handle"
    /// How many entries a page has at most.
    public static let limit = "limit"
    /// A file's, whose content is the body.
    public static let name = "name"
    public static let orderBy = "orderBy"
    /// Where a page begins, as the one before it said.
    public static let page = "page"
    public static let parentId = "parentId"
    public static let path = "path"
    /// `true`: past the trash.
    public static let permanent = "permanent"
    /// A post that a stream of events tells of too.
    public static let post = "post"
    /// What people are to the caller: a ``PersonRelation``.
    public static let relation = "relation"
    /// What a hashtag begins with.
    public static let prefix = "prefix"
    /// What is searched for.
    public static let searchText = "q"
    /// RFC 3339; of a feed, the `arrival` of an earlier page.
    public static let since = "since"
    /// `true`: of what has a star.
    public static let starred = "starred"
    public static let timeoutSeconds = "timeoutSeconds"
    /// `true`: of what lies in the trash.
    public static let trashed = "trashed"
    /// How an upload's bytes come.
    public static let uploadType = "uploadType"
}
