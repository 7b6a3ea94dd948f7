/// The bad days that a device in step has to live through, each with what holds it.
extension ReferenceCases {
    /// What it knows is damaged, of another time, or far behind.
    static let lostState = [
        Case("The replica is corrupt", "aDamagedFileIsSetAsideAndRebuiltFromTheServer"),
        Case("The replica cannot be read, with folders in step", "test_a_replica_that_cannot_be_read_is_made_anew"),
        Case("The replica is a newer Bothy's", "aNewerBothysFileIsSetAsideAndWhatWaitsComesAlong"),
        Case(
            "The replica is a newer Bothy's: what waits is sent",
            "test_a_newer_bothys_replica_is_set_aside_and_what_waits_is_sent"),
        Case(
            "What waits is rescued, but for what cannot be read",
            "anOperationThatCannotBeReadStopsTheRescueInWords"),
        Case(
            "The server is put back from an old backup",
            "test_a_server_of_an_old_backup_deletes_nothing_and_gets_back_what_it_lacks"),
        Case("The server's epoch is a new one", "whatANewEpochDoesNotTellOfIsForgottenAndNotDeleted"),
        Case("cursor_expired", "test_a_cursor_that_has_expired_moves_no_bytes"),
        Case("50,000 changes at once", "test_fifty_thousand_changes_at_once"),
    ]

    /// Both sides at once, and shapes that few trees have.
    static let oddTrees = [
        Case("Two folders moved into each other", "test_two_folders_moved_into_each_other_by_two_devices"),
        Case("Three folders moved in a circle", "test_three_folders_moved_in_a_circle_by_two_devices"),
        Case("Moved into a folder that is deleted", "test_a_folder_moved_into_one_that_the_other_side_deleted"),
        Case(
            "1,000 files in a folder that is renamed, planned",
            "aThousandFilesInAFolderThatIsRenamedWhileTheOtherSideEdits"),
        Case(
            "1,000 files in a folder that is renamed, carried",
            "test_many_files_in_a_folder_that_is_renamed_while_another_edits_them"),
        Case("200 folders deep, planned", "aDirectoryTwoHundredDeep"),
        Case("200 folders deep and 255 bytes long, on the disk", "twoHundredFoldersDeepAndNamesOf255BytesAreReached"),
        Case("200 folders deep and 255 bytes long, carried", "test_deep_and_long_names_arrive"),
        Case("A file becomes a folder, and back", "test_a_file_is_replaced_by_a_folder_of_its_name_and_back"),
        Case(
            "Loops of links, sockets, pipes, devices",
            "test_what_is_no_file_and_no_folder_is_told_of_each_with_its_kind"),
        Case(
            "A file that never stops changing", "test_a_file_that_never_stops_changing_keeps_nothing_else_waiting"),
    ]

    /// What lies below it is not as it was: the disk, the clock, the system, another process.
    static let oddMachines = [
        Case("inotify's limit", "test_where_no_more_folders_can_be_watched_they_are_looked_at_instead"),
        Case("inotify's queue runs over", "afterAQueueThatRanOverAnythingMayHaveChanged"),
        Case("The clock goes backwards", "test_a_calendar_that_jumps_decides_nothing"),
        Case("Two agents", "test_a_second_agent_says_who_is_the_first"),
        Case("The folder vanishes", "test_a_vanished_folder_deletes_nothing"),
        Case("An empty mount point", "test_an_empty_mount_deletes_nothing"),
        Case("One folder in step inside another", "test_another_folder_in_step_inside_is_refused"),
        Case("A folder of its is a link by now", "test_a_link_here_is_not_gone_through"),
    ]

    /// A server that means harm, or refuses.
    static let badServers = [
        Case("A hostile server deletes a little at a time", "test_forty_nine_deletions_a_pass_are_added_up"),
        Case("A hostile server lies about a size", "test_a_size_that_lies_brings_nothing_wrong"),
        Case(
            "A hostile server gives names that act on a terminal",
            "test_a_name_that_acts_on_the_terminal_is_shown_as_what_it_is"),
        Case("A hostile server sends uploads elsewhere", "test_an_upload_address_elsewhere_gets_no_byte"),
        Case(
            "The device is revoked",
            "test_a_revoked_device_keeps_what_it_has_and_goes_on_when_it_is_signed_in_again"),
        Case("Signed out", "test_signing_out_leaves_the_files_and_signing_in_goes_on"),
        Case(
            "Signed out elsewhere, with what waits",
            "test_a_device_that_was_signed_out_elsewhere_keeps_what_waits_until_it_signs_in"),
        Case("The quota is used up halfway", "test_a_quota_that_is_used_up_halfway"),
    ]

    static let badDays = lostState + oddTrees + oddMachines + badServers
}
