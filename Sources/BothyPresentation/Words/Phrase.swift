/// Everything that a screen says in fixed words, by a name that views use. What a language lacks does not build a
/// catalogue: see ``Words``.
public enum Phrase: String, CaseIterable, Sendable {
    // The house.
    case appName, files, skipToContent, menu, signOut, close, cancel, back, tryAgain, noScript

    // Signing in.
    case signIn, signInTitle, signInLead, email, password, createAccount, createAccountTitle, createAccountLead
    case setupCode, setupCodeHint, signInInstead, createInstead, passwordHint, signedOutNotice
    case signInAgain, browserOn, aBrowser

    // A folder.
    case name, modified, size, list, grid, sortBy, sortName, sortModified, sortSize, ascending, descending
    case emptyRootTitle, emptyRootLead, emptyFolderTitle, emptyFolderLead, folderGoneTitle, folderGoneLead
    case showMore, showEarlier, selectAll, clearSelection, starred, waitingToBeSent, breadcrumbs, contents, live,
        reconnecting

    // What is done with files.
    case newFolder, untitledFolder, create, rename, move, copy, moveHere, copyHere, chooseFolder, noFolders
    case star, unstar, trash, undo, selection, choose, more, folderPickerCut, serverNeeded, notRenamed

    // Files on their way up. “#1”, “#2” are gaps to fill.
    case upload, uploads, uploadFiles, uploadFolder, uploadPhoto, uploadDrop, uploadWaiting, uploadPaused, uploadAsking
    case uploadSent, uploadRate, secondsLeft, minutesLeft, hoursLeft, uploadUnfinished
    case uploadingOne, uploadingMany, uploadedOne, uploadedMany, uploadFailedOne, uploadFailedMany
    case uploadsThereOne, uploadsThereMany, uploadsSkipped, uploadsStopped, uploadComparing, uploadThere
    case uploadOffline, uploadUnreadable, fileTooLarge, uploadHeld, uploadFinishing, pasted
    case pause, resume, pauseAll, resumeAll, startOver, clearList, uploadsPausedOne, uploadsPausedMany
    case nameTaken, nameTakenLead, nameTakenThere, nameTakenFolder, nameTakenNew
    case replace, replaceHint, keepBoth, keepBothHint, skip, skipHint, forAll
    // Searching.
    case search, searchLabel, searchHint, searchFreshTitle, searchFreshLead, searchNoneTitle, searchNoneLead,
        searchWordlessTitle, searchWordlessLead,
        searchBehindTitle, searchBehindLead,
        searchAsked, searchNamesOnly,
        searchMore, searchStarred,
        foundHere, foundThere, foundInText

    // What has a star. “#1” is a gap to fill.
    case starredEmptyTitle, starredEmptyLead, starTaken

    // The feed. “#1” is a gap to fill.
    case feed, feedEmptyTitle, feedEmptyLead, feedKept, feedFindPeople, feedNewer
    case postNew, postPublish, postText, postTextHint, postPublished, postQueued, postDelete, postDeleteTitle,
        postDeleteLead, postDeleted, postDeletedLater, postTooLong, postedBefore, postGone, postReadOn, postShared,
        postSharedByYou, postBy, postOfNobody
    case comment, comments, commentHint, commentPublish, commentPublished, commentDelete, commentDeleted,
        commentDeletedLater, commentTooLong, commentOfNobody, commentOfDeleted, commentOfLeft, commentOfYou,
        commentsNone,
        commentsMore, reply,
        replyTo
    case waitingToPeople, waitingDetach
    case postBeginning, postWaiting, postWaitingForFiles, postWaitingForFilesThatFail, postRefused, postDiscard,
        postDiscarded, postAttachments,
        postAttachmentOne,
        postAttachmentMany, postPhotoOne, postPhotoMany, postVideoOne, postVideoMany, postPhotosAndVideos, postCaption,
        postDetach, postWrite
    case like, likesNone, likesOne, likesMany, share, sharesOne, sharesMany, sharedNotice, sharedLater, bookmark
    case bookmarks, bookmarksEmptyTitle, bookmarksEmptyLead
    case people, peopleLead, peopleAlone, peopleAloneLead, follow, unfollow, followsYou, thatIsYou, followed,
        unfollowed, postsOf, postsOfNone, postsOfUnknown, postsOfUnknownLead
    case followAsked, followAccepted, followDenied, followerRemoved, followWithdraw, followAccept, followDeny,
        followerRemove, mute, unmute, muteDone, unmuteDone, block, unblock, blockDone, unblockDone, blockTitle,
        blockLead, isMutedNote, isBlockedNote, approves, approvesHint, peopleAll, peopleFollowing,
        peopleFollowers, peopleRequests, peopleMuted, peopleBlocked, peopleSuggested, peopleNoneHere, moreActs,
        report, reportTitle, reportLead, reportReason, reported
    case feedOff, invite, inviteLead, inviteMade, inviteMadeLead
    case peopleSearch, peopleSearchHint, peopleNone, peopleNoneLead, profileEdit, profileName, profileHandle,
        profileHandleHint, profileBio, profileBioHint, profilePicture, profilePictureHint, profilePictureNone,
        profilePictureUse, profileSaved, countPostOne, countPostMany, countFollowerOne,
        countFollowerMany, countFollowedOne, countFollowedMany

    // What people are told of, with names in the gap, and posts that are looked for.
    case notifications, notificationsNone, notificationsNoneLead, notificationsBrowser, notificationsOn,
        notificationsStop,
        notificationsDenied, notificationsMissing, notificationNew
    case somebody, namesTwo, namesMany, toldLike, toldShare, toldComment, toldReply, toldMention, toldFollow
    case toldFollowRequest, feedFresh, feedFreshOne, feedFreshMany, feedFreshOver, feedGap, feedGapOlder, feedGapNewer
    case postSearchNoneHere, postSearchNoneHereLead, postSearchHere, postSearchAway
    case postSearch, postSearchHint, postSearchNone, postSearchNoneLead, tagPosts, tagNone, tagsFound, tagPostOne
    case tagPostMany

    // The trash.
    case trashTitle, trashLead, trashEmptyTitle, trashEmptyLead, bringBack, deleteForGood
    case emptyTrash, emptyTrashTitle, emptyTrashLead, chooseFirst, trashGone

    // A file's history.
    case versions, versionsLead, versionCurrent, versionRestore, versionRestored, versionCompare, versionNoDevice
    case compareTitle, compareOlder, compareNewer, compareSame, compareNotText, compareTooLarge, compareTooDifferent
    case compareAdded, compareRemoved

    // Going back to a moment. “#1” is a gap to fill.
    case restore, restoreTitle, restoreLead, restoreKept, restoreOf, restoreEverything, restoreOwn, restoreWhen,
        restoreLook
    case restoreHour, restoreDay, restoreWeek, restoreMonth, restoreOther, restoreNoMoment, restoreOffline,
        restoreForgotten
    case restorePlanned, restoreNearest, restorePlannedLead, restoreNothing, restoreDo, restoreRunning,
        restoreRunningLead
    case restoreFinished, restoreUndo, restoreMore, restoreSkippedOne, restoreSkippedMany
    case restoreWouldBackOne, restoreWouldBackMany, restoreWouldTrashOne, restoreWouldTrashMany
    case restoreWouldAnewOne, restoreWouldAnewMany
    case restoreBackOne, restoreBackMany, restoreTrashOne, restoreTrashMany, restoreAnewOne, restoreAnewMany
    case restoreLostOne, restoreLostMany
    case restoreGetsBack, restoreContent, restoreName, restorePlace, restoreUntrashed, restoreExecutable
    case restoreToTrash, restoreAnew, restoreLost, restoreSkipped

    // One file.
    case download, downloadFolder, archiveTooMany, open, details, previewNone, previewNoneLead, previewDamaged,
        previewDamagedLead, connectionNeeded, needsYou, inside, textCutShort, pictureShrunk, previewEmpty, isAFolder,
        nameUnseen, type, location, previous, next, table

    // What went wrong.
    case failedTitle, notFoundTitle, notFoundLead, pageUnknown, goToFiles, goToFeed, wrongHostTitle, wrongHostLead,
        formOld, formOfAnother,
        cookiesNeeded
    case openTitle, openOldTitle, openAgain

    // Kinds of files.
    case kindFolder, kindImage, kindVideo, kindAudio, kindPDF, kindText, kindCode, kindArchive, kindDocument
    case kindSheet, kindSlides, kindOther

    // Room.
    case storage, storageLead, storageEmptyTitle, storageEmptyLead, storageParts, storageTogether,
        storageNoVersions, storageNearlyFull, earlierVersions, deletedFilesInPosts, largestFiles

    // Settings.
    case settings, devices, deviceSignedIn, devicesLead, thisDevice, thisBrowser, signOutOthers, signOutOthersTitle,
        signOutOthersLead, signOutOneTitle, signOutOneLead
    case changePassword, changePasswordLead, currentPassword, newPassword, passwordChanged
    case power, powerLead, powerRests, powerSetToRest, powerSetToGo
    case network, networkLead, networkRests, networkSetToRest, networkSetToGo

    // What a person is told of while they do not look. “#1” and “#2” are gaps to fill.
    case notices, noticesLead, noticesDesktop, noticesNoDesktop, noticesBrowser, noticesSaved, save
    case noticeConflict, noticeConflictOne, noticeConflictMany, noticeHeld, noticeHeldOne,
        noticeHeldMany
    case noticeFailed, noticeFailedOne, noticeFailedMany, noticeSignIn, noticeUpdate, noticeUpdateOne,
        noticeUpdateMany
    case noticeMention, noticeMentionOne, noticeMentionMany, noticeComment, noticeCommentOne, noticeCommentMany
    case noticeFollow, noticeFollowOne, noticeFollowMany, noticesOfFeed

    // How this device stands, in a line. “#1” is a gap to fill.
    case standing, standingInStep, standingInStepLead, standingWorking, standingWorkingOne, standingWorkingMany
    case standingWorkingLead, standingOffline, standingOfflineOne, standingOfflineMany, standingOfflineLead
    case standingDiskFull, standingDiskFullLead
    case standingPaused, standingPausedUntil, standingPausedLead, standingOnBattery, standingOnBatteryLead,
        standingOnMetered, standingOnMeteredLead
    case standingSignIn, standingSignInLead
    case standingAsksOne, standingAsksMany, standingAsksOneLead, standingAsksLead, lookAtIt, since
    case asOf
    case pauseEverything, pauseForAnHour, resumeEverything, pausedNotice, resumedNotice

    // What a device moves.
    case transfers, transfersOpenOne, transfersOpenMany, transfersNone, transfersEmptyTitle, transfersEmptyLead
    case transfersOver, transfersMore, transfersOthersOne, transfersOthersMany, transfersRefusedOne,
        transfersRefusedMany, transfersComment, transfersCommentNumber
    case deedUpload, deedNewVersion, deedDownload, deedCreateFolder, deedMove, deedTrash, deedRestore, deedRename
    case deedStar, deedUnstar, deedHide, deedShow
    case transferWaiting, transferPreparing, transferSending, transferChecking, transferPaused, transferOffline
    case transferServerBusy, transferTooMany, transferSignIn, transferStopped, transferFailed, transferDone,
        transferCanceled
    case transferHeldByPause, transferHeldOnBattery, transferHeldOnMetered
    case transferConflict, transferNextAt, retryAll, decide, giveUp, actedOnOne, actedOnMany
    case giveUpOne, giveUpOneLead, giveUpVersionLead, giveUpSeveral, giveUpSeveralLead, givenUpRests

    // What waits to be decided.
    case conflicts, conflictsLead, conflictsEmptyTitle, conflictsEmptyLead
    case conflictEdits, conflictName, conflictDeletion, conflictOther
    case sideMine, sideTheirs, sideDeleted, sideNothing, sideFolder, anotherDevice, openMine, openTheirs
    case keepMine, keepMineHint, keepTheirs, keepTheirsHint, keepBesideHint, merge, mergeHint
    case deleteAnyway, deleteAnywayHint, keepChanged, keepChangedHint, giveUpHint
    case decidedTitle, decidedLead, decidedMine, decidedTheirs, decidedBoth, decidedBothAs, decidedMerged
    case policyTitle, policyLead, policyAskMe, policyAskMeHint, policyLast, policyLastHint, policyBoth, policyTexts,
        policyTextsHint,
        policySet
    case decidedDeleted, decidedKept, decidedByPolicy, decidedByYou, takeBack, takenBack, decidedNotice, reopenedNotice

    // What is at hand without a connection.
    case offline, offlineLead, offlineEmptyTitle, offlineEmptyLead, keepOffline, keepNot, keptOffline
    case keptWhole, keptPart, keptFetching, keptOne, keptMany, letGoOne, letGoMany
    case deviceRoom, deviceRoomFree, roomKept, roomAtHand, roomAtHandLead, roomPending, roomGivenUp, roomGivenUpLead
    case roomKnown, roomKnownLead, freeRoom, roomFreed, roomAtHandNone, roomNone, roomAsServer, roomLimited
    case roomLimitsTitle, roomLimitsLead

    // Writing, and looking at pictures. “#1” and “#2” are gaps to fill.
    case richTools, richStrong, richEmphasis, richUnderline, richStrike, richHeading1, richHeading2, richHeading3
    case richBullets, richNumbers, richQuote, richCode, richLink, richAddress, richUnlink, richLinkIt, richSuggestions
    case redo
    case lettersOne, lettersMany
    case audience, audienceEveryone, audienceFollowers, audiencePeople, audienceNobody, postSeenByFollowers
    case postSeenByNamed, postSeenByYou, postToFollowers, postToPeople
    case postTextPlaceholder, postSeenByAll, postAddMedia, postFromFiles, postAttach, postNoMedia, postsFolder
    case postCaptionHint, postMoveUp, postMoveDown, postDrop, postNotMedia, postTooManyMedia, postWaitsForMedia
    case postNoAltOne, postNoAltMany, postUnattachable
    case keptToSend, keptNothing, agoNow, agoMinutes, agoHours, agoDays, copyLink, copiedLink, moreOf
    case drafts, draftsLead, draftsEmptyTitle, draftsEmptyLead, draftsUnknownTitle, draftsUnknownLead, draftOpen,
        draftDelete, draftDeleteTitle
    case draftDeleteLead, draftDeleted, draftSave, draftSaved, draftCopied, draftWasPosted, draftUnsaved, draftUnkept
    case draftWaitsForMedia, draftKeptHere
    case draftBack, draftGone, draftNothing, draftIsCopy, draftMediaGoneOne, draftMediaGoneMany
    case scheduled, scheduledLead, scheduledEmptyTitle, scheduledEmptyLead, scheduledFor, scheduledHeld
    case scheduledMoved, scheduledMove, scheduledWhen, scheduledNow, scheduledDelete, scheduledDeleteTitle
    case scheduledDeleteLead, scheduledDeleted, scheduledGone, scheduledOver, scheduledUnreadable
    case postLater, postScheduled
    case postMute, postBlock
    case contentWarning, contentWarningHint, contentWarningOf, contentWarningShow, contentWarningHide
    case postTrash, postTrashLead, postTrashEmptyTitle, postTrashEmptyLead, postTrashDeletedAt, postTrashGone
    case postRestore, postRestored, postDeleteForGood, postDeleteForGoodTitle, postDeleteForGoodLead, postDeletedForGood
    case postEdit, postEditTitle, postEditDone, postEditConflict, postEditSaysNow, postEditOffline, postEditGone
    case postEdited, postEditedAt, postBack, postHistory, postHistoryLead, postHistoryNow
    case viewer, viewerPlace, viewerZoom, viewerFull, viewerOriginal

    // Synced folders.
    case synced, syncedShort, syncedLead, syncedEmptyTitle, syncedEmptyLead, syncedInStep, syncedWorking
    case syncedLackingOne, syncedLackingMany, syncedLackingLead
    case syncedChoiceOne, syncedChoiceMany, syncedChoiceLead
    case syncedUnwatched, syncedPartlyOne, syncedPartlyMany, syncedHeld, syncedSince, syncedNotYet, syncedPatrolled
    case guardHere, guardThere, guardOverwrittenHere, guardOverwrittenThere, guardLately
    case guardFilesEmptiedHere, guardFilesEmptiedThere
    case guardDeletionsHereLead, guardDeletionsThereLead, guardDeletionsBothLead
    case guardOverwritesLead, guardVanished, guardVanishedLead, guardUnmounted
    case guardUnmountedLead, guardReplaced, guardReplacedLead, guardEmptied, guardEmptiedLead, guardRemoteLost
    case guardRemoteLostLead, guardTakenBack, guardTakenBackLead, letPass, letPassTitle, tieAnew, tieAnewTitle,
        makeAnew, makeAnewTitle, letPassDone, bringThemBack, bringThemBackDone,
        lookAgain, lookingAgain, untie, untieTitle, untieLead, untieDone
    case policyMirror, policyDocuments, policyAsk, policyFork, policyLastWrite, policyMerge, leavesOut
    case syncedDecided
    case syncedLog, syncedLogLead, syncedLogMore, passTakenBack, passIsUndoing, takeBackDone, takeBackPartlyOne
    case takeBackPartlyMany
    case why, whyLead, whyLabel, whyAsk, whyHere, whyThere, whyAgreed, whyNothing, whyFolder, whyOf, whyLastKnown
    case whyNothingYet, whyHereNot, whyHereNotYet, whyHereNoMore, whyHereUnsynced
    case whyThereNot, whyThereNotYet, whyThereNoMore
    case whyRemedy
    case stateSynced, statePending, stateTransferring, stateConflict, stateUnsynced, stateIgnored, stateFailed
    case stateGone, stateMoved, stateUnknown, stateOutside
    case tyingTitle, tyingLead, tyingHere, tyingHereHint, tyingThere, tyingThereHint, tyingChoose, tyingDeletions,
        tyingMirror, tyingDocuments, tyingConflicts, tyingLook
    case tyingAsked, tyingAskedLead, tyingUpOne, tyingUpMany, tyingDownOne, tyingDownMany, tyingConflictOne,
        tyingConflictMany, tyingNothing, tyingMore, tyingBegin, tied, tyingPlaces, tyingThisPlace

    // Why a file or folder is as it is, and what to do: sentences without capital and end. “#1”, “#2” are gaps to fill.
    case causeAtRest, causeConflict, causeLeftOut, causeLeftOutBefore, causeGone, causeMoved, causeOwn, causeUnknown
    case causeOnTheServer, ruleLargerThan, causeConflictOfNewFiles, causePlaceTaken, causeOfflineBecause, causeAbove
    case causeOutside, causeFailed, causePaused, causePausedUntil, causeOnBattery, causeOnMetered, causeNobodyAtWork,
        causeOffline,
        causeRefused
    case causeBelowOne, causeBelowMany, causeAlong, causeElsewhere
    case movingQueued, movingPreparing, movingNow, movingChecking, movingPaused, movingOffline, movingServerBusy,
        movingTooMany
    case movingSignIn, movingStopped, movingDone, movingFailed, movingCanceled
    case typedQueued, typedSending, typedDone, typedConflict, typedParked
    case adviceNothing, adviceNext, adviceConflict, adviceLeftOut, adviceGone, adviceUnknown, adviceOnTheServer
    case adviceOutside, adviceOffline, advicePaused, adviceOnBattery, adviceOnMetered, adviceNobodyAtWork, adviceMoving,
        adviceTooMany,
        adviceMovingHeld
    case adviceMovingFailed, adviceSignIn, adviceTyped, adviceParked

    // What would be done to synced folders, with the same gaps.
    case wouldAgree, wouldForget, wouldLeaveOut, wouldKeepUnsynced, wouldSend, wouldSendVersion, wouldFetch
    case wouldFetchVersion, wouldMerge, wouldMakeFolderHere, wouldMakeFolderThere, wouldMoveHere, wouldMoveThere
    case wouldPlaceThere, wouldSetAside, wouldTrashHere, wouldTrashHereMany, wouldTrashThere, wouldTrashThereMany
    case wouldBringBackThere, wouldTouchHere, wouldTouchThere, wouldTakeBack

    // What was done to synced folders: the beginning of a sentence. “#1” is where, “#2” where it was, or how many.
    case deedWithReason, didAgree, didAgreeAnew, didForget, didLeaveOut, didKeepUnsynced, didSend, didSendVersion
    case didFetch, didFetchVersion, didMerge, couldNotMerge, didMakeFolderHere, didMakeFolderThere, didMoveHere
    case didMoveThere, didPlaceThere, didSetAside, didTrashHere, didTrashHereMany, didTrashThere, didTrashThereMany
    case didBringBackThere, didTouchHere, didTouchThere
    case didRemoveEmptied, didRemakeFolder, didUntrashHere, didMoveBackHere, didTouchBackHere, didBringBackOverTrashed
    case didBringBackOverKept, didWithdraw, didTrashCopy, didTrashAgain, didUntrashThere, didSetOlder, didMoveBackThere
    case didMoveBackThereAs, didTouchBackThere
}
