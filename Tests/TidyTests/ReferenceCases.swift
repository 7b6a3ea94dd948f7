/// The cases of the designs that Bothy follows, row by row, with the test that holds each.
enum ReferenceCases {
    struct Case: Sendable {
        let row: String
        let test: String
    }

    /// «The Hard Parts of Building Document Delta Sync on Mobile».
    static let documentDeltaSync = [
        Case(
            "User deletes locally: remote file deleted immediately", "userDeletesLocally_remoteFileDeletedImmediately"),
        Case(
            "Remote file deleted: local file marked unsynced, not deleted",
            "remoteFileDeleted_localFileMarkedUnsyncedNotDeleted"),
        Case("User confirms: local file permanently deleted", "userConfirms_localFilePermanentlyDeleted"),
        Case("The Keeplys folder is deleted on the web", "theFolderIsDeletedOnTheWeb_everythingInItStaysHere"),
        Case("File exists, same hash: link (no transfer)", "fileExists_sameHash_linkNoTransfer"),
        Case("File exists, different hash: conflict", "fileExists_differentHash_conflict"),
        Case("File exists, missing: upload", "fileExists_missing_upload"),
        Case("Missing, file exists: download", "missing_fileExists_download"),
        Case("Reinstalling without uploading again", "reinstallingMovesNoBytes"),
        Case("Document saved: create or update", "documentSaved_createOrUpdate"),
        Case("Document deleted: delete", "documentDeleted_deletedThere"),
        Case("Documents have observable state", "documentsHaveObservableState_syncedPendingConflictUnsynced"),
        Case("User resolves: keep local", "userResolves_keepLocal"),
        Case("User resolves: keep remote", "userResolves_keepRemote"),
        Case("User resolves: keep both", "userResolves_keepBoth"),
        Case(
            "The app must work perfectly offline", "whatIsDoneWithoutAConnectionIsShownAtOnceAndArrivesWhenThereIsOne"),
        Case("Survives crashes and restarts", "aJournalReadAgainAfterACrashSendsTheSameRequests"),
        Case(
            "Every operation has a UUID: a replay is a duplicate", "aCrashAfterTheServerActedSendsTheSameRequestAgain"),
        Case(
            "Transient failures: 1 s → 2 s → 4 s → 8 s; after five the person is told",
            "failuresThatAreNotTheNetworksBackOffAndEndParkedAfterFive"),
        Case("Rate limits: Retry-After", "aBusyServerCostsNoAttemptAndIsLeftAloneForAsLongAsItAsks"),
        Case("Auth failures: pause and sign in again", "nothingIsSentWhileSomebodyHasToSignIn"),
        Case("ETag mismatch: conflict", "whatSomebodyElseHasChangedIsAConflict"),
        Case("The first sync lists everything", "aLinkTakenPageByPageEndsAsTheWholeAndGoesOnWhereItWas"),
        Case("Out of cloud storage", "test_the_servers_quota_is_named"),
        Case("One engine over any DriveProvider", "conforms"),
    ]

    /// «Building Carousel, Part I».
    static let carousel = [
        Case("server_photos is purely a cache", "theServerPhotosTableIsPurelyACacheOfTheTruth"),
        Case(
            "list_photos: server A, upload B, hide A", "listPhotosUnionsLocalAndServerContentThenAppliesThePendingHide"),
        Case(
            "Addition and hide over the cache, and on the server",
            "additionAndHideOverTheCacheShowTheSameAsUploadingAndHidingOnTheServer"),
        Case("Hide and delete: last write wins, of a hide", "aHideAndAShowOfTwoDevices_lastWriteWins"),
        Case("… of a delete", "aDeletionAndAPuttingBackOfTwoDevices_lastWriteWins"),
        Case(
            "Removed only once their effect has come down", "anOperationIsRemovedOnlyOnceItsEffectHasComeDownInTheDelta"
        ),
        Case("A LUID before and after the upload", "aPhotoKeepsItsLUIDWhenItsUploadFinishes"),
        Case(
            "S.hash matches L: S takes L's LUID, the upload is completed",
            "aServerPhotoWithTheHashOfALocalOneClaimsItsLUIDAndCompletesTheUpload"),
        Case("The first with the hash claims it", "theFirstServerPhotoWithAHashClaimsTheLUIDAndTheOthersGetNewOnes"),
        Case("No match: a new LUID", "aServerPhotoWithoutAMatchGetsANewLUID"),
        Case(
            "A share waits for its uploads, which come first",
            "anActionOnALocalOnlyPhotoWaitsForItsUploadAndMovesItToTheFront"),
        Case("A selection outlives an upload", "aSelectionByLUIDsSurvivesTheEndOfAnUpload"),
    ]

    /// «Managing file conflicts» of the drive app's design.
    static let driveAppConflicts = [
        Case(
            "An edit offline, and another device's before it is sent",
            "aUserEditsOffline_andAnotherDeviceModifiesTheSameFileBeforeSynchronization"),
        Case("Two uploads at nearly the same time", "twoDevicesUploadChangesAtNearlyTheSameTime"),
        Case("Interruptions during synchronization", "interruptionsDuringSynchronization_leaveNothingInconsistent"),
        Case("Detection: the version that was seen", "ifMatchHoldsAChangeToTheVersionThatWasSeen"),
        Case("Detection: one of two edits goes through", "test_optimistic_concurrency_lets_one_of_two_edits_through"),
        Case("Detection: get the latest, merge, try again", "mergesChangesAutomatically_andRetriesTheUpload"),
        Case("Last write wins", "lastWriteWins_makesTheMostRecentVersionTheCurrentOne"),
        Case("Version forking", "versionForking_addsANumberToTheNameOfASecondUpload"),
        Case("The user decides: replace existing file", "usersDecide_replaceExistingFile"),
        Case("The user decides: keep theirs", "usersDecide_keepTheirs"),
        Case("The user decides: keep both files", "usersDecide_keepBothFiles"),
        Case("strict_conflict", "test_uploading_a_name_that_exists_fails_where_that_is_asked"),
        Case("mode add: a unique counter", "test_version_forking_adds_a_number_to_the_name"),
        Case("mode overwrite", "test_last_write_wins_as_a_new_revision"),
    ]

    static let all =
        documentDeltaSync + carousel + driveAppConflicts + transfers + badDays + newsFeed + feedBadDays
}

extension ReferenceCases.Case {
    init(_ row: String, _ test: String) {
        self.row = row
        self.test = test
    }
}
