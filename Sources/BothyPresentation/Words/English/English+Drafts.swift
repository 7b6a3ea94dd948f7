/// In English: posts that are being written.
extension English {
    static let drafts: [Phrase: String] = [
        .drafts: "Drafts",
        .draftsLead: "Drafts are saved as you type, and are on all your devices until you post them.",
        .draftsEmptyTitle: "No drafts",
        .draftsEmptyLead: "Posts that you start to write are saved here until you post them.",
        .draftsUnknownTitle: "Your drafts are not known here yet",
        .draftsUnknownLead:
            "There is no connection. Once there is one, this page lists your drafts, and keeps the list for later.",
        .draftOpen: "Open",
        .draftDelete: "Delete",
        .draftDeleteTitle: "Delete this draft?",
        .draftDeleteLead: "It is deleted for good, on all your devices.",
        .draftDeleted: "The draft was deleted.",
        .draftSave: "Save draft",
        .draftSaved: "Draft saved",
        .draftCopied:
            "This draft was changed elsewhere in the meantime. Your version is now a separate draft; the other one is among your drafts.",
        .draftWasPosted: "This draft was already posted. Your text is now a new draft.",
        .draftWaitsForMedia: "Saved as a draft once its photos and videos are uploaded.",
        .draftKeptHere: "Not saved yet: kept in this browser",
        .draftUnsaved: "Not saved yet. What you wrote is kept in this browser until it can be saved.",
        .draftUnkept:
            "Not saved, and not kept in this browser, where you are signed out. Sign in again in another tab, or copy what you wrote.",
        .draftBack: "This is your earlier text, which could not be saved then.",
        .draftGone: "This draft no longer exists: it was posted or deleted.",
        .draftNothing: "Nothing written yet",
        .draftIsCopy: "changed in two places",
        .draftMediaGoneOne: "1 photo or video of this draft was deleted in the meantime.",
        .draftMediaGoneMany: "#1 photos or videos of this draft were deleted in the meantime.",
    ]
}
