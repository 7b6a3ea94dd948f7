/// What the core of the journal knows of an operation, whatever it does: which things it is about, and who waits for whom.
///
/// Two operations keep their order where one writes what the other reads or writes.
package struct DomainFacts: Equatable, Sendable {
    /// Something that operations share.
    package enum Key: Hashable, Sendable {
        case thing(LUID)
        /// A name in a folder.
        case place(NameInFolder)
        /// What a person writes for others: they read it in the order in which it was written.
        case writing
    }

    /// What it is done to, or makes.
    package var subject: LUID
    package var lane: JournalMachine.Lane
    package var reads = Set<Key>()
    package var writes = Set<Key>()
    /// It makes its subject.
    package var creates = false
    /// Things without which it makes no sense.
    package var needs: Set<LUID>
    /// It waits until what was sent before it is in the cache.
    package var waitsForNews = false
    /// Names that it moves its subject away from.
    package var leaves = Set<NameInFolder>()
    /// Names that it deletes together with its subject, whatever has them.
    package var takesAlong = Set<NameInFolder>()
    /// Whether it can meet something that a person has not seen, and decides about. What cannot is refused by that.
    package var canMeet = true
    /// Refused for good, it leaves the journal, and what it showed is taken back. It is tried again for as long as it may pass.
    package var rollsBack = false

    package init(subject: LUID, lane: JournalMachine.Lane) {
        self.subject = subject
        self.lane = lane
        writes = [.thing(subject)]
        needs = [subject]
    }

    /// Whether it makes no sense, or does harm, while one before it waits for a person.
    func needs(_ held: DomainFacts) -> Bool {
        if held.creates { return needs.contains(held.subject) }
        if held.lane == .uploads, lane == .uploads, subject == held.subject { return true }
        return writes.contains { key in
            if case .place = key { held.writes.contains(key) } else { false }
        }
    }
}
