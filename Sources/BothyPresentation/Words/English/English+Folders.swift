import BothyClient

/// In English: why something in a synced folder is as it is, and what was done to it.
extension English {
    static let reasons = Words.Reasons(
        deeds: [
            .sameOnBothSides: "it is the same on both sides",
            .createdHere: "it is new here",
            .createdThere: "it is new on the server",
            .recreatedThere: "it was deleted on the server, and another one of the same name was created",
            .editedHere: "it was edited here",
            .editedThere: "it was edited elsewhere",
            .editedAlike: "both sides changed to the same content",
            .attributesChangedHere: "its time or its executable bit was changed here",
            .attributesChangedThere: "its time or its executable bit was changed elsewhere",
            .identityChanged: "the disk stores it in another place, with the same content",
            .movedHere: "it was moved or renamed here",
            .movedThere: "it was moved or renamed elsewhere",
            .movedAlike: "both sides moved it to the same place",
            .movedOnBothSides: "it was moved here and elsewhere; the server's place is used",
            .moveCycle: "two folders were moved into each other; the server's place is used",
            .deletedHere: "it was deleted here",
            .deletedThere: "it was deleted elsewhere",
            .replacedHere: "it was replaced by something else here",
            .replacedThere: "it was replaced by something else elsewhere",
            .deletedOnBothSides: "it was deleted on both sides",
            .deletionConfirmed: "you confirmed that it is deleted",
            .rememberedAsDeleted: "the server remembers that it was deleted",
            .editHereBeatsDeletion: "it was deleted elsewhere and edited here; the edit is kept",
            .editThereBeatsDeletion: "it was deleted here and edited elsewhere; the edit is kept",
            .moveHereBeatsDeletion: "it was deleted elsewhere and moved here; it is kept",
            .moveThereBeatsDeletion: "it was deleted here and moved elsewhere; it is kept",
            .holdsWhatIsKept: "its folder was deleted, and something in it is kept",
            .holdsWhatIsNotSynced: "it was deleted elsewhere, and contains files that are not synced",
            .keptByChoice: "you chose to keep it",
            .backOnTheServer: "it is back on the server",
            .absentWhileLinking: "this folder is being linked again, and missing files are not deleted",
            .serverWentBack: "the server was restored to an older state; the version here is newer",
            .nameTaken: "its name is taken, so a number was added",
            .nameMakesWay: "its name is needed, so it has another one for a moment",
            .nameNotHeldHere: "this disk cannot hold its name, so it has a similar one here",
            .conflictForked: "it was changed on both sides; both versions are kept",
            .conflictLastWrite: "it was changed on both sides; the last version wins, the other is in its history",
            .conflictMerged: "it was changed on both sides, and the changes are merged",
            .conflictMineChosen: "it was changed on both sides; you chose the version here",
            .conflictTheirsChosen: "it was changed on both sides; you chose the server's version",
            .takenBack: "you undid it",
            .leftOutNow: "a rule excludes it now; it stays as it is on both sides",
        ],
        holds: [
            .beingWritten: ("it is still being written", "nothing to do: it is synced when it no longer changes"),
            .inUse: (
                "a program has it open, or something in it, and may still write there",
                "nothing to do: it is synced when that program has closed it"
            ),
            .unreadable: ("permission to read it here is denied", "give yourself permission to read it"),
            .notReadYet: ("it has not been read yet", "nothing to do: it will be read next"),
            .placeTaken: (
                "something that is not synced is in its place here", "move or rename what is in its place"
            ),
            .nameNotText: ("its name is not valid text", "give it a UTF-8 name"),
            .symbolicLink: (
                "it is a symbolic link, and those are not synced",
                "to sync it, replace it with a copy of what it points to"
            ),
            .specialFile: ("it is a socket, a pipe or a device, and those are not synced", "nothing to do"),
            .mountPoint: ("another disk is mounted there", "sync that disk separately, under Synced folders"),
            .unmounted: (
                "the disk that was mounted there is not mounted now; its files do not count as deleted",
                "mount it again; if it is no longer wanted, delete that folder"
            ),
            .partName: (
                "it has the name of an unfinished download, and those are not synced",
                "nothing to do; if it is yours and should be synced, rename it"
            ),
            .nameReserved: (
                "it has a name here that is reserved for unfinished downloads",
                "rename it: names that end in .bothy-part are reserved for unfinished downloads"
            ),
            .otherBinding: (
                "that folder is synced separately",
                "both are under Synced folders; if they are not, delete its folder “.bothy” to sync it with this one"
            ),
            .ownRemains: (
                "it is what Bothy kept for a folder that was synced separately",
                "nothing to do; delete it if you do not need what it keeps"
            ),
            .nameInvalidThere: ("the server does not accept this name", "rename it here"),
            .rulesLoosened: (
                "another device removed rules from it; the files stay excluded here until you agree",
                "to restore the old rules, save that file here with them; to agree, run “bothy sync” with its folder and --confirm in a terminal"
            ),
            .folderNotArrived: (
                "its folder has not been downloaded yet", "nothing to do: it arrives with the next changes"
            ),
            .remoteNameInvalid: (
                "its name on the server is not valid on a disk", "rename it on another device or on the server"
            ),
            .remoteNameReserved: (
                "it has a name on the server that Bothy reserves in synced folders",
                "rename it on another device or on the server"
            ),
            .remoteListedTwice: (
                "the server listed it twice", "rename one of the two on another device or on the server"
            ),
            .nameNotHeldHere: (
                "this disk does not support its name, nor a similar one", "give it a shorter name on another device"
            ),
            .guarded: (
                "too much would be deleted or overwritten at once",
                "check what is held back under Synced folders, and allow it if it was intended"
            ),
            .justDeleted: (
                "it was deleted a moment ago, and more may follow",
                "nothing to do: it is deleted when no more deletions follow"
            ),
            .folderHeld: ("the folder that it is in is held back", "check why the folder is held back"),
        ],
        unsynced: [
            .deletedElsewhere: ("it was deleted elsewhere, and is kept here until you decide", unsyncedAdvice),
            .rememberedAsDeleted: (
                "the server remembers that it was deleted, and it is kept here until you decide", unsyncedAdvice
            ),
            .holdsWhatIsNotSynced: (
                "it was deleted on the other side, and contains files that are not synced",
                "check what is in it, and delete it if nothing is needed"
            ),
            .takenBack: ("you undid its upload; it stays here", unsyncedAdvice),
        ])

    private static let unsyncedAdvice =
        "delete it here too, or run “bothy resolve” with its path and --send in a terminal to upload it again"

    static let folders: [Phrase: String] = [
        // Why a file or folder is as it is.
        .causeAtRest: "it is the same here and on the server",
        .causeConflict: "both sides have a version of their own, and you have not chosen yet",
        .causeConflictOfNewFiles: "both sides have a new file of this name, and you have not chosen yet",
        .causePlaceTaken: "something that is not synced is in its place here: #1",
        .causeLeftOut: "the rule “#1” of #2 excludes it",
        .causeLeftOutBefore: "the rule “#1” of #2, as it was before another device changed it, excludes it",
        .ruleLargerThan: "files above #1",
        .causeGone: "it is gone from both sides: #1",
        .causeMoved: "it is at #1 now, on both sides",
        .causeOwn: "it is Bothy's own data in this folder, and is not synced",
        .causeUnknown: "nothing of that name is here or on the server",
        .causeOnTheServer:
            "the server has it, and no changes are waiting to be sent; it is in no synced folder of this device",
        .causeOutside: "it is in no folder that is synced",
        .causeFailed: "the last try failed: #1",
        .causePaused: "you have paused this device",
        .causePausedUntil: "you have paused this device until #1",
        .causeOnBattery: "syncing pauses while this device runs on battery",
        .causeOnMetered: "syncing pauses while the network is metered",
        .causeNobodyAtWork: "nothing is running that syncs it",
        .causeOffline: "the server cannot be reached now",
        .causeOfflineBecause: "the server cannot be reached now: #1",
        .causeRefused: "the server accepts nothing from this device now: #1",
        .causeBelowOne: "1 item in it is not synced yet. #1: #2",
        .causeAbove: "it is held back with its folder. #1: #2",
        .causeAlong: "it is synced with its folder. #1: #2",
        .causeElsewhere: "it is at #1 here: #2",
        .causeBelowMany: "#3 items in it are not synced yet. #1: #2",
        .movingQueued: "its transfer is queued",
        .movingPreparing: "its transfer is being prepared",
        .movingNow: "its content is being transferred",
        .movingChecking: "its content has arrived and is being verified",
        .movingPaused: "its transfer is paused by you",
        .movingOffline: "its transfer is waiting: connection lost, trying again",
        .movingServerBusy: "its transfer is waiting: the server is busy, trying again",
        .movingTooMany: "its transfer is waiting: too many uploads are open, trying again",
        .movingSignIn: "its transfer is waiting for you to sign in",
        .movingStopped: "its transfer is waiting to be resumed",
        .movingDone: "its content has been transferred",
        .movingFailed: "its transfer failed",
        .movingCanceled: "its transfer was canceled",
        .typedQueued: "a change that you made to it is waiting to be sent",
        .typedSending: "a change that you made to it is being sent",
        .typedDone: "the server has made your change to it",
        .typedConflict: "your change to it conflicts with somebody else’s",
        .typedParked: "the server refused your change to it",

        // What to do about it, on a screen.
        .adviceNothing: "nothing to do",
        .adviceNext: "nothing to do: it will be synced next",
        .adviceConflict: "choose which version to keep under Conflicts",
        .adviceLeftOut: "change the rule to sync it",
        .adviceGone: "restore it from the trash, or undo the change",
        .adviceUnknown: "check the name, and the trash",
        .adviceOnTheServer: "nothing to do: it can be opened and kept offline under Files",
        .adviceOutside: "sync its folder to have it synced",
        .adviceOffline: "nothing to do: it resumes when the server can be reached",
        .advicePaused: "resume when you are ready",
        .adviceOnBattery: "nothing to do: it resumes when this device is plugged in",
        .adviceOnMetered: "nothing to do: it resumes on another network",
        .adviceNobodyAtWork: "open Bothy on this device: it syncs folders from then on",
        .adviceTooMany: "let some uploads finish, or cancel some under Transfers",
        .adviceMoving: "nothing to do: its progress is under Transfers",
        .adviceMovingHeld: "resume it under Transfers",
        .adviceMovingFailed: "the reason is under Transfers; the next pass tries again",
        .adviceSignIn: "sign in again, and waiting changes are sent",
        .adviceTyped: "nothing to do: it is sent as soon as there is a connection",
        .adviceParked: "the reason is under Transfers, where you can retry or discard it",

        // What would be done to synced folders.
        .wouldAgree: "would link #1 as the same on both sides",
        .wouldForget: "would forget #1",
        .wouldLeaveOut: "would exclude #1",
        .wouldKeepUnsynced: "would keep #1 here, unsynced",
        .wouldSend: "would send #1",
        .wouldSendVersion: "would send the new version of #1",
        .wouldFetch: "would fetch #1",
        .wouldFetchVersion: "would fetch the new version of #1",
        .wouldMerge: "would merge both versions of #1",
        .wouldMakeFolderHere: "would make the folder #1",
        .wouldMakeFolderThere: "would make the folder #1 on the server",
        .wouldMoveHere: "would move #2 to #1",
        .wouldMoveThere: "would move #2 to #1 on the server",
        .wouldPlaceThere: "would move #1 to its new place on the server",
        .wouldSetAside: "would set #2 aside as #1",
        .wouldTrashHere: "would move #1 to the local trash",
        .wouldTrashHereMany: "would move #1 and #2 more in it to the local trash",
        .wouldTrashThere: "would put #1 into the server's trash",
        .wouldTrashThereMany: "would put #1 and #2 more in it into the server's trash",
        .wouldBringBackThere: "would restore #1 from the server's trash",
        .wouldTouchHere: "would set the time and mode of #1",
        .wouldTouchThere: "would set the time and mode of #1 on the server",
        .wouldTakeBack: "would undo what was done to #1",

        // What was done to synced folders.
        .deedWithReason: "#1: #2",
        .didAgree: "agreed on #1",
        .didAgreeAnew: "agreed anew on #1",
        .didForget: "forgot #1",
        .didLeaveOut: "excluded #1",
        .didKeepUnsynced: "kept #1 here, unsynced",
        .didSend: "sent #1",
        .didSendVersion: "sent the new version of #1",
        .didFetch: "fetched #1",
        .didFetchVersion: "fetched the new version of #1",
        .didMerge: "merged both versions of #1",
        .couldNotMerge: "could not merge both versions of #1: they are not texts, or both changed the same lines",
        .didMakeFolderHere: "made the folder #1",
        .didMakeFolderThere: "made the folder #1 on the server",
        .didMoveHere: "moved #2 to #1",
        .didMoveThere: "moved #2 to #1 on the server",
        .didPlaceThere: "moved #1 to its new place on the server",
        .didSetAside: "set #2 aside as #1",
        .didTrashHere: "moved #1 to the local trash",
        .didTrashHereMany: "moved #1 and #2 more in it to the local trash",
        .didTrashThere: "put #1 into the server's trash",
        .didTrashThereMany: "put #1 and #2 more in it into the server's trash",
        .didBringBackThere: "restored #1 from the server's trash",
        .didTouchHere: "set the time and mode of #1",
        .didTouchThere: "set the time and mode of #1 on the server",
        .didRemoveEmptied: "removed the folder #1, which had become empty",
        .didRemakeFolder: "made the folder #1 again",
        .didUntrashHere: "restored #1 from the local trash",
        .didMoveBackHere: "moved #2 back to #1",
        .didTouchBackHere: "set the time and mode of #1 back",
        .didBringBackOverTrashed: "restored the earlier version of #1; the other is in the local trash",
        .didBringBackOverKept: "restored the earlier version of #1; the other goes into its history",
        .didWithdraw: "put #1 into the server's trash; it stays here, unsynced",
        .didTrashCopy: "put the conflict copy #1 into the server's trash",
        .didTrashAgain: "put #1 into the server's trash again",
        .didUntrashThere: "took #1 out of the server's trash",
        .didSetOlder: "restored the older content of #1 on the server; the newer is in its history",
        .didMoveBackThere: "moved #1 back on the server",
        .didMoveBackThereAs: "moved #1 back on the server, under the name “#2”",
        .didTouchBackThere: "set the time and mode of #1 back on the server",
    ]
}
