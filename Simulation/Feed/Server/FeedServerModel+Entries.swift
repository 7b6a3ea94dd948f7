/// What is in whose feed, as the server's `FeedEntryTable` keeps it.
extension FeedServerModel {
    /// A new post comes to its author, to all who follow her, and to those whom it names.
    mutating func fanOut(_ id: Int64, by author: Int64) {
        guard let post = posts[id] else { return }
        bring(post, as: id, sharedBy: nil, to: followers[author, default: []].union(post.named).union([author]))
    }

    /// A post comes to the person who shares it and to all their followers. Where it is already, it stays at its place.
    mutating func share(_ id: Int64, as entry: Int64, by person: Int64) {
        guard let post = posts[id] else { return }
        bring(post, as: entry, sharedBy: person, to: followers[person, default: []].union([person]))
    }

    private mutating func bring(
        _ post: SimulatedPost, as entry: Int64, sharedBy: Int64?, to readers: Set<Int64>
    ) {
        for reader in readers where mayRead(post, reader) && entries[reader]?[post.id] == nil {
            entries[reader, default: [:]][post.id] = Entry(id: entry, sharedBy: sharedBy)
        }
    }

    /// What somebody who is followed now has posted and shared, each at its own place.
    mutating func bringPast(of author: Int64, to reader: Int64) {
        for post in posts.values where mayRead(post, reader) {
            if post.author == author {
                if entries[reader]?[post.id] == nil {
                    entries[reader, default: [:]][post.id] = Entry(id: post.id)
                } else {
                    entries[reader]?[post.id]?.sharedBy = nil
                }
            } else if let entry = post.sharers[author], entries[reader]?[post.id] == nil {
                entries[reader, default: [:]][post.id] = Entry(id: entry, sharedBy: author)
            }
        }
    }

    /// What is there by somebody who is no longer followed goes, unless it is there for another reason too.
    mutating func takeOut(_ author: Int64, from reader: Int64) {
        let gone = entries[reader, default: [:]].filter { id, entry in
            entry.sharedBy == author || entry.sharedBy == nil && posts[id]?.author == author
        }
        for id in gone.keys {
            entries[reader]?[id] = nil
            bringBack(id, to: reader)
        }
    }

    /// A post that somebody no longer shares goes out of the feeds to which that brought it, unless it is there for another reason
    /// too.
    mutating func unshare(_ id: Int64, by person: Int64) {
        for reader in people where entries[reader]?[id]?.sharedBy == person {
            entries[reader]?[id] = nil
            bringBack(id, to: reader)
        }
    }

    private mutating func bringBack(_ id: Int64, to reader: Int64) {
        guard let post = posts[id], mayRead(post, reader) else { return }
        let followed = following[reader, default: []]
        if post.author == reader || post.audience == .people || followed.contains(post.author) {
            entries[reader, default: [:]][id] = Entry(id: id)
            return
        }
        let shares = post.sharers.filter { $0.key == reader || followed.contains($0.key) }
        guard let first = shares.min(by: { $0.value < $1.value }) else { return }
        entries[reader, default: [:]][id] = Entry(id: first.value, sharedBy: first.key)
    }
}
