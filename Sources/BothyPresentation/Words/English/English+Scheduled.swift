/// In English: posts that wait for their time.
extension English {
    static let scheduled: [Phrase: String] = [
        .scheduled: "Scheduled",
        .scheduledLead: "The server posts these at the scheduled time. Until then only you see them.",
        .scheduledEmptyTitle: "Nothing is scheduled",
        .scheduledEmptyLead: "To post something later, write it and choose when under “Post later”.",
        .scheduledFor: "Scheduled for #1",
        .scheduledHeld: "Not posted: #1",
        .scheduledMoved: "It is scheduled for #1.",
        .scheduledMove: "Change",
        .scheduledWhen: "When",
        .scheduledNow: "Post now",
        .scheduledDelete: "Delete",
        .scheduledDeleteTitle: "Delete this post?",
        .scheduledDeleteLead: "It is deleted for good, and will not be posted.",
        .scheduledDeleted: "The post was deleted, and will not be posted.",
        .scheduledGone: "This post is no longer scheduled: it was posted or deleted.",
        .scheduledOver: "That time is in the past. Choose a later one.",
        .scheduledUnreadable: "Choose a date and a time.",
        .postLater: "Post later",
        .postScheduled: "Your post is scheduled for #1.",
    ]
}
