import BothyClient
import BothyContract

/// What became of a file whose content is known. What was found goes in, and nothing else: it is as good as what is known.
package enum FileVerdict: Equatable, Sendable {
    /// Every byte is as it was, whatever else was done to the file.
    case whole
    /// Another content, and nothing says that a person gave it one.
    case damaged(Damage, found: ContentHash)
    /// Something was done to it since, so that nobody can tell what it should hold.
    case changed
    case missing
    case unreadable(ClientFailure)

    /// What speaks against an edit.
    package enum Damage: Equatable, Sendable, CaseIterable {
        /// Nothing was done to it since its content was agreed on.
        case untouched
        /// Its size and time are as they were. Its inode has changed since: something was done to it, which may have been to put
        /// back the time of an edit.
        case timeKept
        /// It is Bothy's own, and nobody edits it.
        case ownCopy
    }

    /// Of a file in a synced folder.
    ///
    /// - Parameters:
    ///   - stamp: what the disk said of it when its content was agreed on.
    package init(of found: FoundFile, agreedUnder stamp: LocalStamp, content: ContentHash) {
        switch found {
        case .nothing: self = .missing
        case .somethingElse, .beingWritten, .file(_, nil): self = .changed
        case .unreadable(let failure): self = .unreadable(failure)
        case .file(_, content): self = .whole
        case .file(let now, .some(let hash)):
            // An edit right after it was agreed on may have left it as recent a stamp.
            guard !stamp.isRecent, now.isSameInode(as: stamp), now.isSameContent(as: stamp) else {
                self = .changed
                return
            }
            self = .damaged(now.changedAt == stamp.changedAt ? .untouched : .timeKept, found: hash)
        }
    }

    /// Of content that the home keeps for itself.
    ///
    /// - Parameter found: the hash of what lies there.
    package init(ofOwnCopy found: ContentHash, content: ContentHash) {
        self = found == content ? .whole : .damaged(.ownCopy, found: found)
    }
}
