/// By whom a post is in a feed, as its reader is shown it.
///
/// An entry names who shared the post first. Where that was taken back, the reader has muted that one, or their account is disabled, somebody
/// else whom the reader follows may have shared it too: the post stays at its place then, by the first of those.
enum EntryBringer {
    /// SQL for who shared it, as the reader is shown it; null for what nobody shared, and where there is nobody to show.
    ///
    /// - Parameter entry: the name of the table `feed_entries` in the statement.
    static func shown(of entry: String) -> String {
        """
        CASE WHEN \(entry).shared_by IS NULL
            OR \(stands(entry)) AND \(mayBeShown("\(entry).shared_by", to: "\(entry).reader_id"))
            THEN \(entry).shared_by
        ELSE (
            SELECT os.person_id FROM post_reactions os
            WHERE os.author_id = \(entry).author_id AND os.post_id = \(entry).post_id AND os.shared > 0
                AND (os.person_id = \(entry).reader_id OR EXISTS (
                    SELECT 1 FROM follows osf
                    WHERE osf.follower_id = \(entry).reader_id AND osf.author_id = os.person_id))
                AND \(mayBeShown("os.person_id", to: "\(entry).reader_id"))
            ORDER BY os.shared LIMIT 1)
        END
        """
    }

    /// SQL that is true for what nobody shared, and for a share that has not been taken back.
    static func stands(_ entry: String) -> String {
        """
        (\(entry).shared_by IS NULL OR EXISTS (
            SELECT 1 FROM post_reactions oes WHERE oes.author_id = \(entry).author_id AND oes.post_id = \(entry).post_id
                AND oes.person_id = \(entry).shared_by AND oes.shared = \(entry).entry_id))
        """
    }

    /// SQL that is true where the post is in the feed without regard to who shared it, so that it stays where there is nobody to show.
    static func needsNoSharer(_ entry: String, post: String) -> String {
        """
        (\(entry).shared_by IS NULL OR \(post).author_id = \(entry).reader_id OR \(post).audience = 'people' OR EXISTS (
            SELECT 1 FROM follows onf WHERE onf.follower_id = \(entry).reader_id AND onf.author_id = \(post).author_id))
        """
    }

    private static func mayBeShown(_ person: String, to reader: String) -> String {
        """
        (\(isHeard(person, by: reader)) AND EXISTS (
            SELECT 1 FROM accounts osa WHERE osa.user_id = \(person) AND osa.disabled = 0))
        """
    }

    /// SQL that is true where the reader has not muted somebody.
    static func isHeard(_ person: String, by reader: String) -> String {
        "NOT EXISTS (SELECT 1 FROM mutes osm WHERE osm.person_id = \(reader) AND osm.other_id = \(person))"
    }
}
