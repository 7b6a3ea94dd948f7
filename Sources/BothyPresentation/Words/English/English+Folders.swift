import BothyClient

/// In English: why something in a folder in step is as it is, and what was done to it.
extension English {
    static let reasons = Words.Reasons(
        deeds: [
            .sameOnBothSides: "it is the same on both sides",
            .createdHere: "it is new here",
            .createdThere: "it is new on the server",
            .recreatedThere: "it was deleted on the server, and another of its name made in its place",
            .editedHere: "it was edited here",
            .editedThere: "it was edited elsewhere",
            .editedAlike: "both sides came to the same content",
            .attributesChangedHere: "its time or its executable bit was changed here",
            .attributesChangedThere: "its time or its executable bit was changed elsewhere",
            .identityChanged: "the disk keeps it in another place, with the same content",
            .movedHere: "it was moved or renamed here",
            .movedThere: "it was moved or renamed elsewhere",
            .movedAlike: "both sides moved it to the same place",
            .movedOnBothSides: "it was moved here and elsewhere; the server's place counts",
            .moveCycle: "two folders were moved into each other; the server's place counts",
            .deletedHere: "it was deleted here",
            .deletedThere: "it was deleted elsewhere",
            .replacedHere: "something else was put in its place here",
            .replacedThere: "something else was put in its place elsewhere",
            .deletedOnBothSides: "it was deleted on both sides",
            .deletionConfirmed: "you confirmed that it is deleted",
            .rememberedAsDeleted: "the server remembers that it was deleted",
            .editHereBeatsDeletion: "it was deleted elsewhere and edited here; the edit is kept",
            .editThereBeatsDeletion: "it was deleted here and edited elsewhere; the edit is kept",
            .moveHereBeatsDeletion: "it was deleted elsewhere and moved here; it is kept",
            .moveThereBeatsDeletion: "it was deleted here and moved elsewhere; it is kept",
            .holdsWhatIsKept: "its folder was deleted, and something in it is kept",
            .holdsWhatIsNotSynced: "it was deleted elsewhere, and has things in it that are not synced",
            .keptByChoice: "you chose to keep it",
            .backOnTheServer: "it is back on the server",
            .absentWhileLinking: "this folder is being linked anew, and what is absent then is not deleted",
            .serverWentBack: "the server went back to an older state; what is here is newer",
            .nameTaken: "something else has its name, so it has a number in its name",
            .nameMakesWay: "its name is needed; it has another for a moment",
            .nameNotHeldHere: "this disk cannot hold its name, so it has a similar one here",
            .conflictForked: "it was changed on both sides; both versions are kept",
            .conflictLastWrite: "it was changed on both sides; the last to arrive counts, the other is in its history",
            .conflictMerged: "it was changed on both sides, and the changes are merged",
            .conflictMineChosen: "it was changed on both sides; you chose the version here",
            .conflictTheirsChosen: "it was changed on both sides; you chose the server's version",
            .takenBack: "you took it back",
            .leftOutNow: "a rule leaves it out now; it stays as it is on both sides",
        ],
        holds: [
            .beingWritten: ("it is still being written", "nothing to do: it is synced as soon as it is quiet"),
            .inUse: (
                "a program has it open, or something in it, and may still write there",
                "nothing to do: it goes on when that program has closed it"
            ),
            .unreadable: ("it may not be read here", "give yourself the right to read it"),
            .notReadYet: ("it has not been read yet", "nothing to do: it is read next"),
            .placeTaken: (
                "something that is not synced stands in its place here", "move or rename what stands in its place"
            ),
            .nameNotText: ("its name is not text", "give it another name, in UTF-8"),
            .symbolicLink: (
                "it is a symbolic link, and those are not synced",
                "put a copy of what it points to in its place, to have it synced"
            ),
            .specialFile: ("it is a socket, a pipe or a device, and those are not synced", "nothing to do"),
            .mountPoint: ("another disk is mounted there", "keep that disk in step by itself, under Synced folders"),
            .unmounted: (
                "the disk that was mounted there is not mounted now, and nothing of it counts as deleted",
                "mount it again; where it is not wanted any more, delete that folder"
            ),
            .partName: (
                "it has the name of a download under way, and those are not synced",
                "nothing to do; if it is yours, give it another name to have it synced"
            ),
            .nameReserved: (
                "it was given a name here that Bothy keeps for downloads under way",
                "give it another name: what ends in .bothy-part is taken for a download under way"
            ),
            .otherBinding: (
                "that folder is synced by itself",
                "both are under Synced folders; where they are not, delete its folder “.bothy” to have it synced with this one"
            ),
            .ownRemains: (
                "it is what Bothy kept for a folder that was in step by itself",
                "nothing to do: delete it where you do not want what it keeps"
            ),
            .nameInvalidThere: ("the server takes no such name", "rename it here"),
            .rulesLoosened: (
                "another device took rules out of it; what they leave out stays left out here until you agree",
                "save that file here with the old rules to bring them back; to agree, type “bothy sync” with its folder and --confirm in a terminal"
            ),
            .folderNotArrived: (
                "its folder has not arrived from the server", "nothing to do: it comes with the next changes"
            ),
            .remoteNameInvalid: (
                "the server gave it a name that no disk should hold", "rename it on another device or on the server"
            ),
            .remoteNameReserved: (
                "it has a name on the server that Bothy keeps for itself in folders it syncs",
                "rename it on another device or on the server"
            ),
            .remoteListedTwice: (
                "the server listed it twice", "rename one of the two on another device or on the server"
            ),
            .nameNotHeldHere: (
                "this disk can hold neither its name nor one like it", "give it a shorter name on another device"
            ),
            .guarded: (
                "too much would be deleted or overwritten at once",
                "look at what is held back under Synced folders, and let it pass if it was meant"
            ),
            .justDeleted: (
                "it was deleted a moment ago, and more may follow",
                "nothing to do: it goes as soon as nothing more is deleted"
            ),
            .folderHeld: ("the folder that it is in is held back", "ask why the folder is held back"),
        ],
        unsynced: [
            .deletedElsewhere: ("it was deleted elsewhere, and is kept here until you decide", unsyncedAdvice),
            .rememberedAsDeleted: (
                "the server remembers that it was deleted, and it is kept here until you decide", unsyncedAdvice
            ),
            .holdsWhatIsNotSynced: (
                "it was deleted on the other side, and holds things that are not synced",
                "look at what is in it, and delete it if nothing is needed"
            ),
            .takenBack: ("you took back that it was sent; it stays here", unsyncedAdvice),
        ])

    private static let unsyncedAdvice =
        "delete it here too, or type “bothy resolve” with its path and --send in a terminal to send it again"

    static let folders: [Phrase: String] = [
        // Why a file or folder is as it is.
        .causeAtRest: "it is the same here and on the server",
        .causeConflict: "both sides have a version of their own, and you have not chosen yet",
        .causeConflictOfNewFiles: "both sides have a new file of this name, and you have not chosen yet",
        .causePlaceTaken: "something that is not synced stands in its place here: #1",
        .causeLeftOut: "the rule “#1” of #2 leaves it out",
        .causeLeftOutBefore: "the rule “#1” of #2, as it was before another device changed it, leaves it out",
        .ruleLargerThan: "files above #1",
        .causeGone: "it is gone from both sides: #1",
        .causeMoved: "it is at #1 now, on both sides",
        .causeOwn: "it is what Bothy keeps for itself in this folder, and is not synced",
        .causeUnknown: "nothing of that name is here or on the server",
        .causeOnTheServer:
            "the server has it, and nothing about it waits to be sent; no folder here is kept in step with it",
        .causeOutside: "it is in no folder that is synced",
        .causeFailed: "the last try failed: #1",
        .causePaused: "you have paused this device",
        .causePausedUntil: "you have paused this device until #1",
        .causeOnBattery: "this device rests while it runs on its battery",
        .causeOnMetered: "this device rests while its network is metered",
        .causeNobodyAtWork: "nothing is running that keeps it in step",
        .causeOffline: "the server cannot be reached now",
        .causeOfflineBecause: "there is no way to the server now: #1",
        .causeRefused: "the server takes nothing from this device now: #1",
        .causeBelowOne: "1 thing in it is not in step yet. #1: #2",
        .causeAbove: "it is held back with what it is in. #1: #2",
        .causeAlong: "it goes along with the folder that it is in. #1: #2",
        .causeElsewhere: "it is at #1 here: #2",
        .causeBelowMany: "#3 things in it are not in step yet. #1: #2",
        .movingQueued: "its content waits for its turn to be moved",
        .movingPreparing: "its content is being looked at before it is moved",
        .movingNow: "its content is being moved",
        .movingChecking: "its content has arrived and is being checked",
        .movingPaused: "moving its content is held back: paused by you",
        .movingOffline: "moving its content is held back: connection lost, trying again",
        .movingServerBusy: "moving its content is held back: the server is busy, trying again",
        .movingTooMany: "moving its content is held back: too many uploads are open, trying again",
        .movingSignIn: "moving its content is held back: waiting for you to sign in",
        .movingStopped: "moving its content is held back: waiting to be resumed",
        .movingDone: "its content has been moved",
        .movingFailed: "moving its content failed",
        .movingCanceled: "moving its content was canceled",
        .typedQueued: "something that you did with it waits to be sent",
        .typedSending: "something that you did with it is being sent",
        .typedDone: "the server has done what you did with it",
        .typedConflict: "what you did with it met a change of somebody else’s",
        .typedParked: "the server refused what you did with it",

        // What to do about it, on a screen.
        .adviceNothing: "nothing to do",
        .adviceNext: "nothing to do: it is next",
        .adviceConflict: "choose under Conflicts which version stays",
        .adviceLeftOut: "change the rule to have it synced",
        .adviceGone: "bring it back from the trash, or take back what was done",
        .adviceUnknown: "look at its name, and into the trash",
        .adviceOnTheServer: "nothing to do: it can be opened and kept offline under Files",
        .adviceOutside: "keep its folder in step to have it synced",
        .adviceOffline: "nothing to do: it goes on by itself once the server can be reached",
        .advicePaused: "go on when you are ready",
        .adviceOnBattery: "nothing to do: it goes on by itself once this device is plugged in",
        .adviceOnMetered: "nothing to do: it goes on by itself in another network",
        .adviceNobodyAtWork: "open Bothy on this device: it keeps folders in step from then on",
        .adviceTooMany: "let some uploads finish, or cancel some under Transfers",
        .adviceMoving: "nothing to do: how far it is stands under Transfers",
        .adviceMovingHeld: "go on with it under Transfers",
        .adviceMovingFailed: "why stands under Transfers; the next pass tries again",
        .adviceSignIn: "sign in again; what waits goes on then",
        .adviceTyped: "nothing to do: it is sent as soon as there is a connection",
        .adviceParked: "why stands under Transfers, where it can be tried again or given up",

        // What would be done to folders in step.
        .wouldAgree: "would take #1 as the same on both sides",
        .wouldForget: "would forget #1",
        .wouldLeaveOut: "would leave out #1",
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
        .wouldTrashHereMany: "would move #1 and #2 more below it to the local trash",
        .wouldTrashThere: "would put #1 into the server's trash",
        .wouldTrashThereMany: "would put #1 and #2 more below it into the server's trash",
        .wouldBringBackThere: "would bring #1 back from the server's trash",
        .wouldTouchHere: "would set the time and mode of #1",
        .wouldTouchThere: "would set the time and mode of #1 on the server",
        .wouldTakeBack: "would take back what was done to #1",

        // What was done to folders in step.
        .deedWithReason: "#1: #2",
        .didAgree: "agreed on #1",
        .didAgreeAnew: "agreed anew on #1",
        .didForget: "forgot #1",
        .didLeaveOut: "left out #1",
        .didKeepUnsynced: "kept #1 here, unsynced",
        .didSend: "sent #1",
        .didSendVersion: "sent the new version of #1",
        .didFetch: "fetched #1",
        .didFetchVersion: "fetched the new version of #1",
        .didMerge: "merged both versions of #1",
        .couldNotMerge: "could not merge both versions of #1: they are no texts, or both changed the same lines",
        .didMakeFolderHere: "made the folder #1",
        .didMakeFolderThere: "made the folder #1 on the server",
        .didMoveHere: "moved #2 to #1",
        .didMoveThere: "moved #2 to #1 on the server",
        .didPlaceThere: "moved #1 to its new place on the server",
        .didSetAside: "set #2 aside as #1",
        .didTrashHere: "moved #1 to the local trash",
        .didTrashHereMany: "moved #1 and #2 more below it to the local trash",
        .didTrashThere: "put #1 into the server's trash",
        .didTrashThereMany: "put #1 and #2 more below it into the server's trash",
        .didBringBackThere: "brought #1 back from the server's trash",
        .didTouchHere: "set the time and mode of #1",
        .didTouchThere: "set the time and mode of #1 on the server",
        .didRemoveEmptied: "removed the folder #1, which had become empty",
        .didRemakeFolder: "made the folder #1 again",
        .didUntrashHere: "took #1 out of the local trash",
        .didMoveBackHere: "moved #2 back to #1",
        .didTouchBackHere: "set the time and mode of #1 back",
        .didBringBackOverTrashed: "brought back the version of #1 that stood here; the other is in the local trash",
        .didBringBackOverKept: "brought back the version of #1 that stood here; the other goes into its history",
        .didWithdraw: "put #1 into the server's trash; it stays here, unsynced",
        .didTrashCopy: "put the conflict's copy #1 into the server's trash",
        .didTrashAgain: "put #1 into the server's trash again",
        .didUntrashThere: "took #1 out of the server's trash",
        .didSetOlder: "gave #1 its older content on the server; the newer is in its history",
        .didMoveBackThere: "moved #1 back on the server",
        .didMoveBackThereAs: "moved #1 back on the server, under the name “#2”",
        .didTouchBackThere: "set the time and mode of #1 back on the server",
    ]
}
