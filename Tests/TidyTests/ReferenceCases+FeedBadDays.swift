/// Bad input and bad days of the feed, each with what holds it.
extension ReferenceCases {
    /// Words that mean harm.
    static let hostileWords = [
        Case("A million texts that were made to break who reads them", "noInputBreaksIt"),
        Case("20,000 of them in a browser: nothing runs", "test_a_browser_reads_it_as_it_stands_and_nothing_runs"),
        Case("… and who looks would see it", "test_what_would_run_is_noticed"),
        Case(
            "… and the form is a fixed point on the server",
            "test_what_is_kept_is_kept_as_it_stands_when_it_is_sent_again"),
        Case("… and in html5lib and lexbor", "test_other_parsers_read_it_as_it_stands"),
        Case("Not UTF-8", "test_a_text_that_is_not_utf_8_is_refused"),
        Case("Few bytes that become many", "test_a_text_that_would_be_written_in_megabytes_is_refused"),
        Case("By every way in", "test_hostile_words_are_words_on_every_screen_that_shows_them"),
        Case("On a device", "test_hostile_words_are_words_on_a_device_with_a_connection_and_without"),
        Case("Hostile words on a terminal", "test_nothing_that_anybody_writes_acts_on_a_terminal"),
        Case("64 KiB of combining marks", "test_a_post_of_64_kib_of_combining_marks_is_a_post_or_is_refused"),
        Case("Made-up cursors", "test_a_cursor_that_nobody_gave_is_refused_or_leads_to_a_page"),
        Case("Cursors of another list", "test_a_cursor_of_one_list_and_person_shows_nothing_of_anothers"),
    ]

    /// What was there is not there any more, or not for everyone.
    static let feedGone = [
        Case(
            "The clock goes back by a day, with posts",
            "test_a_clock_that_goes_back_by_a_day_keeps_the_order_of_posts_and_comments"),
        Case("An attachment that was purged", "test_a_post_is_whole_though_its_picture_was_deleted_for_good"),
        Case("An audience that shrank", "test_an_audience_only_narrows"),
        Case("Any follows, mutes, blocks and audiences", "everyWayToAPostAsksTheOnePlace"),
        Case(
            "Every route, and every caller from whom a post is hidden",
            "test_a_post_that_is_hidden_is_answered_as_none_on_every_route"),
        Case("An author who is deleted", "test_who_is_deleted_is_gone_with_her_posts_and_likes"),
        Case(
            "An author who is deleted while words for her wait",
            "test_what_waits_for_somebody_who_is_deleted_meanwhile_keeps_nothing_back"),
        Case(
            "A comment under a deleted comment", "test_nobody_replies_to_a_comment_that_is_deleted_and_its_replies_stay"
        ),
        Case("A like of a post that is gone", "test_a_like_of_what_was_deleted_meanwhile_keeps_nothing_back"),
        Case("5,000 follows at once", "test_5000_follows_at_once_are_all_there"),
    ]

    /// What somebody wrote is not lost.
    static let feedKept = [
        Case("A draft that two devices edit: both are kept", "test_a_draft_that_two_devices_change_becomes_two"),
        Case("… whatever answers are lost", "whateverIsTypedAnywhereAndWhicheverAnswersAreLostNothingIsLost"),
        Case(
            "A post that is refused after its pictures went up",
            "test_a_post_that_is_refused_after_its_pictures_went_up_stays_and_is_a_draft"),
        Case("A worker of an older release", "test_a_worker_of_an_older_release_gives_way_and_loses_nothing"),
        Case("What the browser evicts", "test_what_the_browser_has_evicted_is_had_anew"),
        Case("What is written while it evicts", "test_what_is_written_while_the_browser_evicts_stays_in_its_field"),
    ]

    static let feedBadDays = hostileWords + feedGone + feedKept
}
