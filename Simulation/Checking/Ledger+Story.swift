import BothyContract

extension Ledger {
    /// What became of one content.
    struct Story: Sendable {
        var words: String
        var isUnique = false
        /// How often a person wrote it: copies count.
        var written = 0
        /// Who wrote it; nil for somebody.
        var writers: Set<Actor?> = []
        /// Who deleted or overwrote it, having it before their eyes.
        var removers: Set<Actor> = []
        /// Who renamed or moved it.
        var movers: Set<Actor> = []
        /// What it was saved over, and what that was, and so on.
        var older: Set<ContentHash> = []
        /// Moves of it, and takings back, of which others may not know.
        var moves: [Deed] = []
        /// Who gave it another place or another name, and where it was before.
        var relocations: [Deed] = []
        /// Who changed no more of its name than what not every disk tells apart.
        var respellers: Set<Actor> = []
        /// Who deleted it, and where it was.
        var deletions: [Deed] = []
        /// Something else than moving and deleting has been done about it, by a person or by a server that went back.
        var isMoreThanMoved = false
        /// A rule lets it come back.
        var mayComeBack = false
        /// A power cut took it, or brought it back.
        var isShaken = false
        /// It was there when the server was put back to a backup, or was saved, or changed places with another, before
        /// everyone who has something newer was back.
        var isOlderThanReturn = false
        /// The backup to which the server was put back does not have it: what is left of it is on devices.
        var isOnDevicesAlone = false
        /// The same, also after devices have brought it again.
        var isOfNoBackup = false
        /// A person deleted it for good on the server, or it lay in what was: nothing needs to be left of it.
        var isPurged = false
    }

    /// Something that was done, of which others hear later.
    struct Deed: Sendable {
        let actor: Actor
        /// Where, for its actor at that time, as it may be called on any disk.
        var path = ""
        /// The same as its actor spells it.
        var spelling = ""
        /// Where a folder was moved.
        var target: String?
        /// To what.
        var hash: ContentHash?
        /// How many passes its actor's device had begun: the last of them may not know of it.
        var passesBegun = 0
        /// The moment by which the server had it.
        var arrived: Int?
        /// The server had it, and was put back to a backup from before.
        var isLost = false
        /// Neither had its actor heard of what somebody else did to the same, nor they of this.
        var isBlind = false
    }

    /// What was deleted and what was moved, on one device.
    struct Taken: Sendable {
        var removed: Set<ContentHash> = []
        var moved: Set<ContentHash> = []
        /// What was moved into the place of something else.
        var displacing: Set<ContentHash> = []
    }
}

extension [Ledger.Deed] {
    /// The server has all that a device's person did before the pass that came to its end; nil for a replica, which sends what it
    /// has until nothing is left.
    mutating func arrive(from device: Ledger.Actor, in pass: Int?, at moment: Int) {
        for index in indices where self[index].actor == device && self[index].arrived == nil && !self[index].isLost {
            if let pass, self[index].passesBegun >= pass { continue }
            self[index].arrived = moment
        }
    }

    /// The server has been put back to a time before it had them.
    mutating func leave(after backup: Int) {
        for index in indices where self[index].arrived.map({ $0 > backup }) ?? false {
            self[index].arrived = nil
            self[index].isLost = true
        }
    }

    /// Devices that had heard of them have told the server again.
    mutating func comeBack(at moment: Int) {
        for index in indices where self[index].isLost {
            self[index].arrived = moment
            self[index].isLost = false
        }
    }
}
