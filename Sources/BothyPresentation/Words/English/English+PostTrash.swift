/// In English: posts that were deleted.
extension English {
    static let postTrash: [Phrase: String] = [
        .postTrash: "Deleted posts",
        .postTrashLead:
            "A deleted post stays here for 30 days, and nobody else sees it. If you restore it, it keeps its likes and comments.",
        .postTrashEmptyTitle: "No deleted posts",
        .postTrashEmptyLead: "Deleted posts stay here for 30 days, and can be restored.",
        .postTrashDeletedAt: "Deleted #1",
        .postTrashGone: "This post no longer exists: it was deleted for good.",
        .postRestore: "Restore",
        .postRestored: "The post was restored.",
        .postDeleteForGood: "Delete for good",
        .postDeleteForGoodTitle: "Delete this post for good?",
        .postDeleteForGoodLead: "It cannot be restored, with its likes and comments.",
        .postDeletedForGood: "The post was deleted for good.",
    ]
}
