/// How far a post is carried into feeds when it is made, and what is left until the reader asks.
///
/// A feed is one range of one index, written when somebody posts (fan-out on write). That costs nothing for a household, and too much in
/// two cases, where the entries are written when the reader comes instead: what an author with very many followers posts, and the feed
/// of somebody who has not looked for long. Both write the same entries, so a page does not show which it was.
package struct FeedReach: Sendable {
    /// Feeds that one transaction writes into: a post of somebody with more followers comes into the others a moment later.
    package var batch = 250
    /// A person with more followers than this is *loud*: her posts are brought to each reader when that one reads.
    package var mostFollowers = 10_000
    /// Seconds of the server's lived time without a look after which a feed is no longer written, until its reader comes back.
    package var patience: Int64 = 30 * 86_400
    /// Entries that are brought at once when somebody reads, and that are kept of a feed that nobody reads.
    package var entries = 500

    package init() {}
}
