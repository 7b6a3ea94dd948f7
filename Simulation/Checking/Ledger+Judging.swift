import BothyContract

/// What is to be judged.
extension Ledger {
    func words(_ hash: ContentHash) -> String { stories[hash]?.words ?? String(hash.hex.prefix(8)) }

    /// Somebody wrote it, and nobody ever took it away: it must be there, where a person finds it.
    var wanted: [ContentHash] {
        stories.filter {
            $0.value.removers.isEmpty && !$0.value.isShaken && !$0.value.isPurged && !$0.value.isOlderThanReturn
        }
        .map(\.key).sorted()
    }

    /// Moved by one person, and deleted by others where it was: they had not heard of that, nor the one who moved it of them. It
    /// stays, except for what is deleted at a replica: that is sent as it was meant, whatever the file is called by then.
    var movedAgainstDeletion: [ContentHash] {
        stories.filter { _, story in
            story.isUnique && story.written == 1 && story.relocations.count == 1 && !story.deletions.isEmpty
                && story.deletions.allSatisfy(\.isBlind) && !story.isMoreThanMoved && !story.isShaken && !story.isPurged
                && story.respellers.isSubset(of: story.relocations.map(\.actor))
        }
        .map(\.key).sorted()
    }

    /// Written once, and taken away by a person: it must not come back.
    var deleted: [ContentHash] {
        stories.filter { _, story in
            story.isUnique && story.written == 1 && !story.removers.isEmpty && !story.mayComeBack && !story.isShaken
                && (story.movers.isEmpty || story.movers.union(story.removers).count == 1)
        }
        .map(\.key).sorted()
    }

    /// Somebody wrote it, and nobody deleted it for good.
    func isToBeKept(_ hash: ContentHash) -> Bool {
        stories[hash].map { !$0.isPurged && !($0.isShaken && $0.isOnDevicesAlone) } ?? false
    }
}

extension [ContentHash] {
    fileprivate func sorted() -> [ContentHash] { sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
}
