/// In English: writing posts and comments, and looking at pictures.
extension English {
    static let writing: [Phrase: String] = [
        // The editor.
        .richTools: "Formatting",
        .richStrong: "Bold",
        .richEmphasis: "Italic",
        .richUnderline: "Underline",
        .richStrike: "Strikethrough",
        .richHeading1: "Large heading",
        .richHeading2: "Heading",
        .richHeading3: "Small heading",
        .richBullets: "Bullet list",
        .richNumbers: "Numbered list",
        .richQuote: "Quote",
        .richCode: "Code",
        .richLink: "Link",
        .richAddress: "Address of the page",
        .richUnlink: "Remove the link",
        .richLinkIt: "Add the link",
        .richSuggestions: "Suggestions",
        .redo: "Redo",
        .lettersOne: "1 character",
        .lettersMany: "#1 characters",

        // What a post shows.
        .postTextPlaceholder: "Write something…",
        .audience: "Who can see it",
        .audienceEveryone: "Everyone here",
        .audienceFollowers: "Your followers",
        .audiencePeople: "Only the people you choose",
        .audienceNobody: "Choose at least one person.",
        .postSeenByFollowers: "Only people who follow you can read it, as long as they do.",
        .postSeenByNamed: "Only #1 can read it.",
        .postSeenByYou: "you",
        .postToFollowers: "For followers",
        .postToPeople: "Only for #1",
        .postSeenByAll: "Everybody on this server can read it, and it comes into the feeds of who follows you.",
        .postUnattachable: "Cannot be attached",
        .postAddMedia: "Photos and videos",
        .postFromFiles: "From your files",
        .postAttach: "Attach",
        .postNoMedia: "No photos or videos in this folder",
        .postsFolder: "Posts",
        .postCaptionHint: "Describe it for people who cannot see it",
        .postMoveUp: "Move up",
        .postMoveDown: "Move down",
        .postDrop: "Drop photos and videos to attach them",
        .postNotMedia: "“#1” is no photo and no video.",
        .postTooManyMedia: "A post shows up to #1 photos and videos.",
        .postWaitsForMedia: "It is posted once everything is uploaded: #1 of #2.",
        .postNoAltOne:
            "1 photo or video has no description. People who cannot see it do not learn what it shows. Press Post once more to post it without.",
        .postNoAltMany:
            "#1 photos or videos have no description. People who cannot see them do not learn what they show. Press Post once more to post them without.",

        // What stands before a post.
        .contentWarning: "Content warning",
        .contentWarningHint: "Shown in place of the post, until somebody asks for it",
        .contentWarningOf: "Content warning: #1",
        .contentWarningShow: "Show",
        .contentWarningHide: "Hide",

        // Editing a post.
        .postEdit: "Edit",
        .postEditTitle: "Edit post",
        .postEditDone: "Your changes were saved.",
        .postEditConflict:
            "This post was edited elsewhere in the meantime, so nothing was saved yet. What you wrote is still here. Press Save once more to replace what the post says now.",
        .postEditSaysNow: "The post says this now:",
        .postEditOffline:
            "Editing a post needs a connection. What you wrote is still here: press Save once there is one.",
        .postEditGone: "This post is not there any more. What you wrote is still here, to be copied into a new one.",
        .postEdited: "edited",
        .postEditedAt: "Edited #1",
        .postBack: "Post",
        .postHistory: "Earlier versions",
        .postHistoryLead: "Whoever may read the post can read what it said before.",
        .postHistoryNow: "now",

        // Without a connection, in a browser.
        .keptToSend: "There is no connection. It is sent as soon as there is one.",
        .keptNothing: "This page was not kept here. What you looked at last in your feed is.",

        // When something was, from now.
        .agoNow: "now",
        .agoMinutes: "#1 min",
        .agoHours: "#1 h",
        .agoDays: "#1 d",
        .copyLink: "Copy link",
        .copiedLink: "The link was copied.",
        .moreOf: "More about the post by #1",

        // Looking at pictures, one after the other.
        .viewer: "Photos and videos",
        .viewerPlace: "#1 of #2",
        .viewerZoom: "Zoom",
        .viewerFull: "Full screen",
        .viewerOriginal: "Open the original",
    ]
}
