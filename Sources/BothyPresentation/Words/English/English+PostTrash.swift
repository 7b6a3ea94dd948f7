/// In English: posts that were deleted.
extension English {
    static let postTrash: [Phrase: String] = [
        .postTrash: "Deleted posts",
        .postTrashLead:
            "A deleted post stays here for 30 days, and nobody else sees it. Restored, it is where it was, with its likes and comments.",
        .postTrashEmptyTitle: "No deleted posts",
        .postTrashEmptyLead: "A post that you delete stays here for 30 days, to be restored.",
        .postTrashDeletedAt: "Deleted #1",
        .postTrashGone: "This post is not there any more: it was deleted for good.",
        .postRestore: "Restore",
        .postRestored: "The post is where it was.",
        .postDeleteForGood: "Delete for good",
        .postDeleteForGoodTitle: "Delete this post for good?",
        .postDeleteForGoodLead: "Nobody can bring it back then, with its likes and comments.",
        .postDeletedForGood: "The post was deleted for good.",
    ]
}
