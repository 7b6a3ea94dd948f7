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
        .richAddress: "Web address",
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
        .postSeenByFollowers: "Only your current followers can read it.",
        .postSeenByNamed: "Only #1 can read it.",
        .postSeenByYou: "you",
        .postToFollowers: "For followers",
        .postToPeople: "Only for #1",
        .postSeenByAll: "Everybody on this server can read it, and it appears in your followers’ feeds.",
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
        .postNotMedia: "“#1” is not a photo or video.",
        .postTooManyMedia: "A post can have up to #1 photos and videos.",
        .postWaitsForMedia: "It is posted once everything is uploaded: #1 of #2.",
        .postNoAltOne:
            "1 photo or video has no description for people who cannot see it. Press Post again to post without a description.",
        .postNoAltMany:
            "#1 photos or videos have no description for people who cannot see them. Press Post again to post without descriptions.",

        // What stands before a post.
        .contentWarning: "Content warning",
        .contentWarningHint: "Shown instead of the post until a reader opens it",
        .contentWarningOf: "Content warning: #1",
        .contentWarningShow: "Show",
        .contentWarningHide: "Hide",

        // Editing a post.
        .postEdit: "Edit",
        .postEditTitle: "Edit post",
        .postEditDone: "Your changes were saved.",
        .postEditConflict:
            "This post was edited elsewhere in the meantime, so nothing was saved yet. Your text is still here. Press Save again to replace the current text.",
        .postEditSaysNow: "The current text of the post:",
        .postEditOffline:
            "Editing a post needs a connection. Your text is still here: press Save when there is one.",
        .postEditGone: "This post no longer exists. Your text is still here: you can copy it into a new post.",
        .postEdited: "edited",
        .postEditedAt: "Edited #1",
        .postBack: "Post",
        .postHistory: "Earlier versions",
        .postHistoryLead: "Everybody who can read the post can read its earlier versions.",
        .postHistoryNow: "now",

        // Without a connection, in a browser.
        .keptToSend: "There is no connection. It is sent when there is one.",
        .keptNothing: "This page is not available offline. The last posts of your feed are.",

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
