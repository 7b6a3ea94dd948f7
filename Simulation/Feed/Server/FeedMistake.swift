/// A mistake that is planted in the server's model, to see that it is found. What it shows is what a device would that made the
/// same mistake on its side: a request id that is not sent is one that nobody knows again.
package enum FeedMistake: String, CaseIterable, Sendable {
    /// What comes again is done again.
    case forgetsRequestIds
    /// A like counts also where the person likes the post already.
    case countsEveryLike
    /// Who may read a post is not asked.
    case readsToAnyone
    /// The first entry of each page but the first is left out.
    case skipsBetweenPages
    /// Some posts are said to be there, and are not kept.
    case losesPosts
}
