/// Why something is done to sync a folder: what `why`, `log`, dry runs and screens tell.
///
/// The names are written into devices' databases and never change.
public enum DeedReason: String, Codable, CaseIterable, Sendable {
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
}
