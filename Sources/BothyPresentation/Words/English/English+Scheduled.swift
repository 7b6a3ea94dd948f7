/// In English: posts that wait for their time.
extension English {
    static let scheduled: [Phrase: String] = [
        .scheduled: "Scheduled",
        .scheduledLead: "The server posts these at their time. Until then only you see them.",
        .scheduledEmptyTitle: "Nothing is scheduled",
        .scheduledEmptyLead: "To post something later, write it and choose when under “Post later”.",
        .scheduledFor: "Comes out on #1",
        .scheduledHeld: "Not posted: #1",
        .scheduledMoved: "It comes out on #1.",
        .scheduledMove: "Change",
        .scheduledWhen: "When",
        .scheduledNow: "Post now",
        .scheduledDelete: "Delete",
        .scheduledDeleteTitle: "Delete this post?",
        .scheduledDeleteLead: "It is deleted for good, and will not be posted.",
        .scheduledDeleted: "The post was deleted, and will not be posted.",
        .scheduledGone: "This post is not here any more: it was posted or deleted.",
        .scheduledOver: "That time is over. Choose a later one.",
        .scheduledUnreadable: "Choose a day and a time.",
        .postLater: "Post later",
        .postScheduled: "Your post comes out on #1.",
    ]
}
