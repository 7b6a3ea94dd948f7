/// In English: what people are told of, and posts that are looked for.
extension English {
    static let notifications: [Phrase: String] = [
        // What people are told of.
        .notifications: "Notifications",
        .notificationsNone: "Nothing yet",
        .notificationsNoneLead:
            "Likes, replies, mentions and new followers show up here.",
        .notificationsBrowser: "Show them on this device, too",
        .notificationsOn: "They are shown on this device, too, while Bothy is open in this browser.",
        .notificationsStop: "Stop showing them on this device",
        .notificationsDenied:
            "This browser does not let Bothy show them on this device. You can allow it in the browser’s settings for this site.",
        .notificationsMissing:
            "This browser cannot show them on this device. It may need a secure connection (HTTPS) to Bothy.",
        .notificationNew: "New",
        .somebody: "Somebody",
        .namesTwo: "#1 and #2",
        .namesMany: "#1 and #2 others",
        .toldLike: "#1 liked your post",
        .toldShare: "#1 shared your post",
        .toldComment: "#1 commented on your post",
        .toldReply: "#1 replied to your comment",
        .toldMention: "#1 mentioned you",
        .toldFollow: "#1 follows you",
        .toldFollowRequest: "#1 asks to follow you",
        .feedFresh: "There are new posts: show them",
        .feedFreshOne: "1 new post",
        .feedFreshMany: "#1 new posts",
        .feedFreshOver: "#1+ new posts",
        .feedGap: "Posts are missing here.",
        .feedGapOlder: "Load older posts",
        .feedGapNewer: "Load newer posts",

        // Posts that are looked for.
        .postSearch: "Search posts",
        .postSearchHint: "Words, or a #tag",
        .postSearchNone: "No post has these words",
        .postSearchNoneHere: "No post on this device has these words",
        .postSearchNoneHereLead:
            "Only the posts that this device has fetched were searched. With a connection, all posts are searched.",
        .postSearchHere: "These are only the posts that are kept on this device.",
        .postSearchAway: "There is no connection: these are only the posts that are kept on this device.",
        .postSearchNoneLead: "Among the posts that you can read. You can search for the beginning of a word.",
        .tagPosts: "Posts with #1",
        .tagNone: "No post that you can read has this hashtag.",
        .tagsFound: "Hashtags",
        .tagPostOne: "1 post",
        .tagPostMany: "#1 posts",
    ]
}
