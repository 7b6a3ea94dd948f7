/// «News feed app»: its walks, the rows of its tables and its challenges, each with what holds it.
extension ReferenceCases {
    /// The figures in which something happens step by step.
    static let feedWalks = [
        Case("Figure 5: opening a post, steps 1 to 3", "aPressOnAPostLeadsToItWhole"),
        Case("Figure 6: the first sign-in, steps 1 to 13", "theFirstSignInFillsTheDeviceAndThenTheScreen"),
        Case("Figure 8: a like, steps 1.1 to 7", "aLikeShowsIsKeptIsSentAndIsSeenOnce"),
        Case("A refresh without a connection, steps 1 to 5", "aRefreshWithoutAConnectionSaysSoAndKeepsWhatIsShown"),
        Case(
            "Endless scrolling, and posts that come and go meanwhile",
            "test_pages_have_no_gap_and_no_repeat_while_posts_are_made_and_deleted"),
        Case(
            "Posts that were loaded are read without a connection", "withoutAConnectionItIsReadAndWrittenAllTheSame"),
    ]

    /// What goes over the network, and who makes ids and times.
    static let feedWire = [
        Case("Table 1: each request carries all that is needed", "test_nobody_is_asked_to_sign_in"),
        Case("Table 1: versions of an interface that grows", "anAnswerWithAWordThatNobodyKnowsIsRead"),
        Case("Table 1: what a list needs, and no more", "test_a_post_says_all_that_is_shown_of_it"),
        Case("Table 1: what was had is not sent again", "test_a_picture_is_drawn_from_the_name"),
        Case(
            "Table 1: a page that was had is not sent again", "test_an_answer_that_is_held_already_comes_without_a_body"
        ),
        Case("Table 2: JSON, as the document has it", "schemaHasTheFieldsOfTheType"),
        Case("FeedApiResponse, PostPreview, AuthorPreview", "schemaRequiresWhatTheTypeRequires"),
        Case("PaginationMetadata: cursors", "test_a_page_has_1_to_100_posts_and_30_where_nobody_says"),
        Case("NewPostRequest: requestId", "test_the_same_request_id_makes_one_post"),
        Case("NewAttachment: uploaded before it is posted", "test_a_picture_is_readable_by_its_address_alone"),
        Case(
            "PostDetail, Attachment: all of a post",
            "test_a_text_of_more_than_280_characters_is_cut_at_a_word_for_the_list"
        ),
        Case(
            "PostInteractionRequest: LIKED, REMOVED_LIKE, SHARED",
            "test_an_interaction_answers_with_what_became_of_the_post"),
        Case(
            "Who acts is who signed in, and not who is named",
            "test_only_who_wrote_a_post_deletes_it_and_it_is_gone_everywhere"),
        Case("Ids: consistency and uniqueness", "idsGrowAndNeverRepeatAlsoWhenTheClockGoesBack"),
        Case("Ids: JavaScript reads them", "test_every_id_is_a_number_of_javascript"),
        Case(
            "Times: the server's, whatever its clock does",
            "test_a_clock_that_goes_back_by_a_day_keeps_the_order_of_posts_and_comments"),
    ]

    /// What is kept on a device, and what is done there.
    static let feedDevice = [
        Case("Table 3: a relational database, whole pages at a time", "aPageTakesThePlaceOfWhatWasKnownOfItsPart"),
        Case("Eviction: least recently used", "theOldGoAndTheRestGoesByLastUse"),
        Case("Eviction: time to live", "whatIsOldGoesOnceThereIsEnough"),
        Case("Eviction: a minimum stays", "someAlwaysStayAndNothingGoesWithoutAReason"),
        Case("One source of truth: the device's database", "whatTheScreenShowsComesFromTheDevice"),
        Case("Signing out clears it", "test_nothing_of_the_feed_is_left_after_signing_out"),
        Case(
            "An optimistic write shows before anybody has answered",
            "aLikeShowsBeforeAnybodyHasAnsweredAndIsTakenBackWhereItIsRefused"),
        Case(
            "Interactions wait in their order", "test_what_is_written_without_a_connection_is_posted_once_in_its_order"),
        Case("LIKED and UNLIKED of one post", "test_a_like_that_was_taken_back_before_it_was_sent_is_none"),
        Case("SHARED", "test_a_share_shows_at_once_and_is_taken_back"),
        Case("BOOKMARKED", "test_a_bookmark_is_ones_own"),
        Case("PENDING", "whatWaitsShowsWhatTheServerWillSay"),
        Case("FAILED, failureCount: after a progressively longer delay", "whatFailsAgainAndAgainKeepsNothingElseBack"),
        Case("CANCELED: a like of what is gone", "whatTheServerSaysIsNotThereIsNotKeptHere"),
        Case("UserInteraction: every one, in its order", "allAreListedInTheirOrderAlsoThoseThatTakeEachOtherBack"),
        Case("UserInteraction: FAILED between tries, failureCount", "oneIsFailedBetweenItsTriesAndCountsThem"),
        Case("UserInteraction: CANCELED at the end", "oneThatIsRefusedForGoodIsToldAsCanceled"),
        Case("Last write wins, of likes", "test_a_like_counts_a_person_once_and_her_last_word_counts"),
        Case(
            "Synced: removed from what waits, and the post is updated",
            "anAcknowledgedLikeShowsTheSameWithoutItsOperation"),
        Case("A post that is refused: its author is told", "test_what_is_refused_later_is_kept_until_somebody_decides"),
    ]

    /// «Common challenges» of optimistic writes.
    static let feedChallenges = [
        Case(
            "Consistency: what the server says takes its place here",
            "test_what_happens_elsewhere_is_seen_here_and_the_other_way_round"),
        Case("Out of order: sent in their order, each once", "everythingIsDoneOnceAndInItsOrder"),
        Case("Out of order: what comes late undoes nothing", "test_an_interaction_that_comes_late_undoes_nothing"),
        Case("Rolled back: said, with what to do next", "aLikeThatIsRefusedIsTakenBackAndSaidOnce"),
        Case("Rolled back: in the browser", "test_a_like_of_what_is_gone_is_told_and_taken_back"),
        Case("Strain: many in one request", "test_many_interactions_at_once_each_have_their_own_outcome"),
        Case(
            "Strain: a server that fails is left alone", "test_a_server_that_fails_for_a_while_has_it_once_in_the_end"),
    ]

    /// How posts are written and shown.
    static let feedText = [
        Case("Table 4, HTML: rich formatting", "htmlIsReadAndWrittenInOneSpelling"),
        Case("Table 4, HTML: elements of our own, as mentions", "test_names_and_tags_lead_to_people_and_posts"),
        Case("Table 4, HTML: the same on all platforms", "test_a_browser_reads_it_as_it_stands_and_nothing_runs"),
        Case("Table 4, HTML: written by people who know none", "test_what_is_typed_is_what_is_meant"),
        Case("Table 4, HTML: sanitised", "anyHTMLBecomesHarmlessAndStaysWhatItIs"),
        Case("Table 4, Markdown: simpler, and converted", "whatIsWrittenAsMarkdownIsReadAsTheSame"),
        Case("Table 4, Markdown: limits", "test_without_scripts_a_post_is_edited_as_markdown"),
        Case("Table 5, native components: a terminal", "test_marks_are_shown_as_lines_and_a_link_by_where_it_leads"),
        Case("Table 5, a web page: what acts does not", "test_hostile_words_are_words_on_every_screen_that_shows_them"),
        Case("Attachments load by themselves, and move nothing", "test_nothing_moves_when_a_picture_comes"),
        Case("Quality by the network: low, medium, high", "aConnectionDecides"),
        Case("Quality by the network, on a device", "test_a_device_in_a_metered_network_asks_for_the_smallest"),
    ]

    /// What the text leaves as extensions.
    static let feedExtensions = [
        Case("Comments, and replies to them", "test_comments_form_threads_that_both_read"),
        Case("Notifications and live updates", "test_the_bell_counts_while_the_page_is_open_and_the_page_lists"),
        Case("Search", "test_posts_are_found_by_the_beginnings_of_their_words"),
        Case("Editing", "test_an_edit_keeps_place_and_likes_and_says_that_it_was_edited"),
        Case("Scheduled posts", "test_a_post_comes_at_its_time_with_all_that_it_has"),
        Case("Several languages: one catalogue", "theLanguageMarksEveryPhrase"),
    ]

    static let newsFeed = feedWalks + feedWire + feedDevice + feedChallenges + feedText + feedExtensions
}
