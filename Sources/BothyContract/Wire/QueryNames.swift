/// Names of query parameters that one side writes and the other reads.
public enum QueryNames {
    /// The cursor of what a client has seen, for a deletion.
    public static let asOf = "asOf"
    /// The revision that named blocks or a patch refer to.
    public static let base = "base"
    /// The revision that was seen, for a deletion.
    public static let baseRevisionId = "baseRevisionId"
    /// A place in the drive's log.
    public static let cursor = "cursor"
    /// The place in a plan of the first block that is named.
    public static let from = "from"
    /// How many entries a page has at most.
    public static let limit = "limit"
    public static let orderBy = "orderBy"
    /// Where a page begins, as the one before it said.
    public static let page = "page"
    public static let parentId = "parentId"
    public static let path = "path"
    /// `true`: past the trash.
    public static let permanent = "permanent"
    /// What is searched for.
    public static let searchText = "q"
    /// RFC 3339.
    public static let since = "since"
    public static let timeoutSeconds = "timeoutSeconds"
    /// `true`: of what lies in the trash.
    public static let trashed = "trashed"
    /// How an upload's bytes come.
    public static let uploadType = "uploadType"
}
