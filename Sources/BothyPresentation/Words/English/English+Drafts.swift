/// In English: posts that are being written.
extension English {
    static let drafts: [Phrase: String] = [
        .drafts: "Drafts",
        .draftsLead: "What you write is saved as you type, and is here on all your devices until you post it.",
        .draftsEmptyTitle: "No drafts",
        .draftsEmptyLead: "A post that you begin to write is saved here until you post it.",
        .draftOpen: "Open",
        .draftDelete: "Delete",
        .draftDeleteTitle: "Delete this draft?",
        .draftDeleteLead: "It is deleted for good, on all your devices.",
        .draftDeleted: "The draft was deleted.",
        .draftSave: "Save draft",
        .draftSaved: "Draft saved",
        .draftCopied:
            "This draft was changed elsewhere in the meantime. What you write here is a draft of its own now; the other one is among your drafts.",
        .draftWasPosted: "This draft was posted already. What you write here is a new draft now.",
        .draftWaitsForMedia: "Saved as a draft once its photos and videos are uploaded.",
        .draftKeptHere: "Not saved yet: kept in this browser",
        .draftUnsaved: "Not saved yet. What you wrote is kept in this browser until it can be saved.",
        .draftUnkept:
            "Not saved, and not kept in this browser, where you are signed out. Sign in again in another tab, or copy what you wrote.",
        .draftBack: "You wrote this earlier, and it could not be saved then. Here it is again.",
        .draftGone: "This draft is not there any more: it was posted or deleted.",
        .draftNothing: "Nothing written yet",
        .draftIsCopy: "changed in two places",
        .draftMediaGoneOne: "1 photo or video of this draft was deleted in the meantime.",
        .draftMediaGoneMany: "#1 photos or videos of this draft were deleted in the meantime.",
    ]
}
