/// Why an action is taken: what `why`, `log` and dry runs tell.
///
/// The names are written into devices' databases and never change.
package enum Reason: String, Codable, CaseIterable, Sendable {
    case sameOnBothSides, createdHere, createdThere, recreatedThere
    case editedHere, editedThere, editedAlike
    case attributesChangedHere, attributesChangedThere, identityChanged
    case movedHere, movedThere, movedAlike, movedOnBothSides, moveCycle
    case deletedHere, deletedThere, deletedOnBothSides, deletionConfirmed, rememberedAsDeleted
    case replacedHere, replacedThere
    case editHereBeatsDeletion, editThereBeatsDeletion, moveHereBeatsDeletion, moveThereBeatsDeletion
    case holdsWhatIsKept, holdsWhatIsNotSynced, keptByChoice, backOnTheServer
    case absentWhileLinking, serverWentBack
    case nameTaken, nameMakesWay, nameNotHeldHere
    case conflictForked, conflictLastWrite, conflictMerged, conflictMineChosen, conflictTheirsChosen
    case leftOutNow
    case takenBack

    /// For a person: the end of a sentence that says what was done, as in «Downloaded report.pdf: …».
    package var words: String {
        switch self {
        case .sameOnBothSides: "it is the same on both sides"
        case .createdHere: "it is new here"
        case .createdThere: "it is new on the server"
        case .recreatedThere: "it was deleted on the server, and another of its name made in its place"
        case .editedHere: "it was edited here"
        case .editedThere: "it was edited on another device"
        case .editedAlike: "both sides came to the same content"
        case .attributesChangedHere: "its time or its executable bit was changed here"
        case .attributesChangedThere: "its time or its executable bit was changed on another device"
        case .identityChanged: "the disk keeps it in another place, with the same content"
        case .movedHere: "it was moved or renamed here"
        case .movedThere: "it was moved or renamed on another device"
        case .movedAlike: "both sides moved it to the same place"
        case .movedOnBothSides: "it was moved here and elsewhere; the server's place counts"
        case .moveCycle: "two folders were moved into each other; the server's place counts"
        case .deletedHere: "it was deleted here"
        case .deletedThere: "it was deleted on another device"
        case .replacedHere: "something else was put in its place here"
        case .replacedThere: "something else was put in its place on another device"
        case .deletedOnBothSides: "it was deleted on both sides"
        case .deletionConfirmed: "you confirmed that it is deleted"
        case .rememberedAsDeleted: "the server remembers that it was deleted"
        case .editHereBeatsDeletion: "it was deleted on another device and edited here; the edit is kept"
        case .editThereBeatsDeletion: "it was deleted here and edited on another device; the edit is kept"
        case .moveHereBeatsDeletion: "it was deleted on another device and moved here; it is kept"
        case .moveThereBeatsDeletion: "it was deleted here and moved on another device; it is kept"
        case .holdsWhatIsKept: "its folder was deleted, and something in it is kept"
        case .holdsWhatIsNotSynced: "it was deleted on another device, and has things in it that are not synced"
        case .keptByChoice: "you chose to keep it"
        case .backOnTheServer: "it is back on the server"
        case .absentWhileLinking: "this folder is being linked anew, and what is absent then is not deleted"
        case .serverWentBack: "the server went back to an older state; what is here is newer"
        case .nameTaken: "something else has its name, so it has a number in its name"
        case .nameMakesWay: "its name is needed; it has another for a moment"
        case .nameNotHeldHere: "this disk cannot hold its name, so it has a similar one here"
        case .conflictForked: "it was changed on both sides; both versions are kept"
        case .conflictLastWrite: "it was changed on both sides; the last to arrive counts, the other is in its history"
        case .conflictMerged: "it was changed on both sides, and the changes are merged"
        case .conflictMineChosen: "it was changed on both sides; you chose the version here"
        case .conflictTheirsChosen: "it was changed on both sides; you chose the server's version"
        case .takenBack: "you took it back"
        case .leftOutNow: "a rule leaves it out now; it stays as it is on both sides"
        }
    }
}
