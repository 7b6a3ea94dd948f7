/// In English: the feed, posts and people.
extension English {
    static let feed: [Phrase: String] = [
        // The feed.
        .feed: "Feed",
        .feedEmptyTitle: "Nothing here yet",
        .feedEmptyLead: "What you post shows up here, and what people post whom you follow.",
        .feedKept: "There is no connection: this is what was known here.",
        .feedFindPeople: "See who is here",
        .feedNewer: "Back to the newest",

        // A post.
        .postNew: "New post",
        .postPublish: "Post",
        .postText: "What would you like to say?",
        .postTextHint:
            "Everybody on this server can read it, and it comes into the feeds of who follows you. **Strong**, *emphasised*, # headings, - lists, > quotes and links are shown as such.",
        .postPublished: "Posted.",
        .postQueued: "It will be posted when there is a connection.",
        .postDelete: "Delete",
        .postDeleteTitle: "Delete this post?",
        .postDeleteLead: "It goes from everybody's feed. This cannot be undone.",
        .postDeletedLater: "The post will be deleted for everybody when there is a connection.",
        .postTooLong: "That is more than a post may have: 64 KiB of text, and 5,000 paragraphs and entries of lists.",
        .postedBefore:
            "You have posted an earlier version of this. Press Post once more to post this one, too.",
        .postDeleted: "The post was deleted.",
        .postGone: "This post is not there any more.",
        .postReadOn: "Read on",
        .postShared: "#1 shared this",
        .postSharedByYou: "You shared this",
        .postBy: "Post by #1",
        .postOfNobody: "Write a few words, or attach a picture.",
        .postWaiting: "Waiting to be posted",
        .postRefused: "Not posted: #1",
        .postDiscard: "Discard",
        .postDiscarded: "It was discarded.",
        .postAttachments: "Attached",
        .postAttachmentOne: "1 picture or video",
        .postAttachmentMany: "#1 pictures or videos",
        .postCaption: "What it shows",
        .postDetach: "Leave it out",
        .postWrite: "Post it",

        // What people do with posts.
        .like: "Like",
        .likesNone: "Nobody has liked it yet",
        .likesOne: "1 person likes it",
        .likesMany: "#1 people like it",
        .share: "Share with whoever follows you",
        .sharesOne: "1 person shared it",
        .sharesMany: "#1 people shared it",
        .sharedNotice: "Whoever follows you sees it now.",
        .sharedLater: "Whoever follows you sees it when there is a connection.",
        .bookmark: "Bookmark",

        // People.
        .people: "People",
        .peopleLead: "Who has an account on this server. What is posted by those whom you follow comes into your feed.",
        .peopleAlone: "You are the only one here",
        .peopleAloneLead: "Whoever gets an account on this server shows up here.",
        .follow: "Follow",
        .unfollow: "Stop following",
        .followsYou: "follows you",
        .thatIsYou: "that is you",
        .followed: "What #1 posts comes into your feed from now on.",
        .unfollowed: "What #1 posts does not come into your feed any more.",
        .postsOf: "Posts of #1",
        .postsOfNone: "#1 has not posted anything yet.",
    ]
}
