/// The cases of the two designs that transfers follow. A test's name may go on with the id of one of its cases.
extension ReferenceCases {
    /// «Testing strategies for resume and integrity» of the design of resumable transfers.
    static let testingStrategies = [
        Case("Network drop mid-chunk, up", "test_an_upload_survives[network drop mid-chunk]"),
        Case("Network drop mid-chunk, down", "test_a_download_survives[network drop mid-chunk]"),
        Case("Network drop between chunks, up", "test_an_upload_survives[network drop between chunks]"),
        Case("Network drop between chunks, down", "test_a_download_survives[network drop between chunks]"),
        Case("App kill and restart during upload", "test_app_kill_and_restart_during_upload"),
        Case("App kill and restart during download", "test_app_kill_and_restart_during_download"),
        Case(
            "Server returning 206 with incorrect Content-Range",
            "test_a_download_survives[a 206 with an incorrect Content-Range]"),
        Case(
            "Corrupted chunk bytes: the mismatch triggers a retry",
            "test_an_upload_survives[corrupted chunk bytes, one bit flipped]"),
        Case("… of only the bad chunk", "test_a_retried_chunk_sends_only_that_chunk_again"),
        Case("Corrupted bytes on the way down", "test_a_download_survives[corrupted bytes, one bit flipped]"),
        Case("Local file modification during upload: shorter", "test_local_file_changed_during_upload[shrinks]"),
        Case("… longer", "test_local_file_changed_during_upload[grows]"),
        Case("… in place", "test_local_file_changed_during_upload[is written over]"),
        Case("… by another file", "test_local_file_changed_during_upload[is replaced]"),
        Case("Observability fields of an upload", "everyFieldOfAnUploadOutlivesTheProcess"),
        Case("Observability fields of a download", "everyFieldOfADownloadOutlivesTheProcess"),
    ]

    /// «Integrity failure scenarios and how to respond».
    static let integrityFailures = [
        Case("Local file changed: a new session", "aSourceThatChangedIsANewTransferAndTheOlderOneIsCanceled"),
        Case("Server assembled file differs from client", "test_server_assembled_file_differs_from_client"),
        Case("The answer's hash is compared", "test_an_answer_to_finalize_with_another_hash_is_no_success"),
        Case("Query session status", "test_one_answer_to_finalize_with_another_hash_is_asked_about"),
        Case("Re-upload missing chunks", "chunksThatTheServerHasLostAreSentAgain"),
        Case(
            "If the mismatch persists: from scratch",
            "test_a_mismatch_that_persists_is_a_failure_and_can_be_retried_from_scratch"),
        Case(
            "Download corruption: delete the temporary file, retry",
            "test_read_again_from_scratch_when_the_temporary_file_was_tampered_with"),
        Case("If repeated: an integrity error", "test_download_corruption_that_goes_on_is_never_promoted"),
        Case("Reducing chunk size", "repeatedCorruptionMakesTheChunkSmaller"),
    ]

    /// «UX states and user controls that matter».
    static let shownStates = [
        Case(
            "Queued: “waiting” rather than “failed”",
            "test_queued_without_a_network_it_waits_and_is_not_called_failed"),
        Case("Uploading: bytes transferred, total", "test_progress_on_a_terminal"),
        Case("Progress stable across resumes", "test_progress_never_runs_backwards_over_a_restart"),
        Case("Paused by the user", "test_paused_by_the_user_makes_the_reason_visible_and_resume_goes_on"),
        Case("Paused by a constraint", "aPauseHoldsWhatGoesOnByItselfAndNotWhatIsTyped"),
        Case("Failed: actionable, and retry from scratch", "test_failed_is_actionable_and_retry_from_scratch_exists"),
        Case("Completed only after verification and promotion", "whatIsFetchedIsWhatTheServerHas"),
        Case("Cancel", "test_cancel_ends_it_and_frees_the_servers_session"),
        Case("Retry from scratch sends everything again", "retryingFromScratchSendsEverythingAgain"),
    ]

    /// «Storage considerations for large files».
    static let storage = [
        Case("A single canonical local file", "test_an_upload_reads_its_source_in_place"),
        Case(
            "A temporary file on the same volume: promotion is a rename",
            "test_promotion_happens_only_after_the_whole_file_is_verified"),
        Case("Detect “file missing” early", "test_detect_file_missing_early"),
        Case("Disk full: a distinct error state", "test_disk_full_is_a_state_of_its_own"),
        Case("… which keeps partial progress", "test_a_disk_that_fills_during_a_download_leaves_it_resumable"),
        Case(
            "… and leaves nothing where there is no room",
            "test_a_download_to_a_full_disk_says_so_leaves_nothing_and_goes_on_with_room"),
    ]

    /// «Handling edits, replacements, and versioning», and «Practical API and implementation tips».
    static let transferTips = [
        Case("Version pointer", "aNewRevisionKeepsTheOldOne"),
        Case("Another ETag: the download restarts", "test_a_new_version_on_the_server_restarts_the_download"),
        Case(
            "Idempotent chunk uploads",
            "test_the_same_chunk_again_is_fine_and_other_bytes_at_its_index_are_refused"),
        Case("Streaming", "test_256_mib_through_3_disconnects_and_a_kill_on_each_side_each_way"),
        Case("Parallelism with care", "test_parallelism_with_care"),
        Case("Out-of-order chunk completion", "test_chunks_that_end_out_of_order_are_kept_each"),
        Case("Time-limited sessions keep chunks", "chunksOfAnExpiredSessionAreFoundByTheirHashForADay"),
        Case("Untrusted content", "test_a_stored_page_never_runs_as_ours"),
    ]

    /// «Resumable file uploads» of the drive app's design: «Error handling and recovery» and what leads to it.
    static let driveAppUploads = [
        Case("uploadType=media", "test_simple_upload_transfers_a_small_file_without_metadata"),
        Case("uploadType=multipart", "test_multipart_upload_transfers_a_small_file_along_with_its_metadata"),
        Case("uploadType=resumable", "test_resumable_upload_initiate_upload_chunks_complete"),
        Case("10 GB at most", "aFileOfMoreThanTenGibibytesIsRefusedBeforeAByteIsSent"),
        Case("Resume upload", "test_resume_upload_returns_information_about_the_session"),
        Case("Cancel upload", "test_cancel_aborts_the_upload_and_frees_what_it_holds"),
        Case(
            "Background tasks are terminated at any time",
            "test_a_client_killed_at_random_moments_always_gets_there"),
        Case("At launch: resume", "test_a_transfer_that_was_cut_off_before_the_agent_began_is_gone_on_with"),
        Case("Available space is checked first", "aDiskWithoutRoomIsNoticedBeforeAByteIsFetched"),
        Case(
            "Permissions denied: clear guidance",
            "test_a_source_that_becomes_unreadable_during_its_upload_is_named_and_can_be_put_again"),
        Case(
            "Connectivity problems: state saved, resumed, clear words",
            "test_connectivity_problems_save_the_state_and_resume_when_it_returns"),
        Case("An expired uploadUrl", "test_an_invalid_upload_state_starts_again[an expired session]"),
        Case("chunksProcessed beyond totalChunks", "test_more_chunks_processed_than_there_are_starts_again"),
        Case("The uploadExpiresAt time being reached", "test_the_expiry_time_being_reached_starts_again"),
        Case("Exponential backoff", "test_retries_back_off"),
        Case("… up to a ceiling", "theDelayDoublesUpToItsCeilingAndHonoursWhatTheServerAsks"),
        Case(
            "Progress is known after a restart", "test_a_transfer_that_broke_off_is_listed_with_its_progress"),
    ]

    static let transfers =
        testingStrategies + integrityFailures + shownStates + storage + transferTips + driveAppUploads
}
