import BothyPresentation
import Mustache

/// The pages' views, out of the binary.
struct Views: Sendable {
    enum Name: String, CaseIterable, Sendable {
        case layout, signIn, fileList, fileListContent, fileActs, fileDetails, fileRow, folderPicker, preview,
            markdownBlock,
            markdownRuns, message, fragment,
            toast, uploadTray, uploadRow, uploadRows,
            trash, starred, question, entering, search, found, storage, settings, revisions, comparison, comparedLines,
            standing, standingBanner, transfers, transfersHead, transferRows, transferRow, conflicts, conflict,
            conflictCard, offline,
            offlineContent, synced, syncedFolders, tying, tyingPlaces, restore, told, conflictsContent,
            feed, post, postBlock, postRuns, postMarks, postDetail, createPost, people, person, profile, invite,
            reportPost,
            followForm, notifications, feedFresh, feedGap, feedHead, postSkeleton, foundPosts,
            richTools, attachedRow, attachmentPicker, viewer, keptRow, postMenu, postHistory, drafts, scheduledPosts,
            postTrash, warned, warningLine, waitingPost

        fileprivate var bytes: [UInt8] {
            switch self {
            case .layout: PackageResources.layout_mustache
            case .signIn: PackageResources.signIn_mustache
            case .fileList: PackageResources.fileList_mustache
            case .fileListContent: PackageResources.fileListContent_mustache
            case .fileActs: PackageResources.fileActs_mustache
            case .fileDetails: PackageResources.fileDetails_mustache
            case .folderPicker: PackageResources.folderPicker_mustache
            case .fileRow: PackageResources.fileRow_mustache
            case .preview: PackageResources.preview_mustache
            case .markdownBlock: PackageResources.markdownBlock_mustache
            case .markdownRuns: PackageResources.markdownRuns_mustache
            case .message: PackageResources.message_mustache
            case .fragment: PackageResources.fragment_mustache
            case .toast: PackageResources.toast_mustache
            case .uploadTray: PackageResources.uploadTray_mustache
            case .uploadRow: PackageResources.uploadRow_mustache
            case .uploadRows: PackageResources.uploadRows_mustache
            case .trash: PackageResources.trash_mustache
            case .starred: PackageResources.starred_mustache
            case .search: PackageResources.search_mustache
            case .found: PackageResources.found_mustache
            case .storage: PackageResources.storage_mustache
            case .settings: PackageResources.settings_mustache
            case .entering: PackageResources.entering_mustache
            case .question: PackageResources.question_mustache
            case .revisions: PackageResources.revisions_mustache
            case .comparison: PackageResources.comparison_mustache
            case .comparedLines: PackageResources.comparedLines_mustache
            case .standing: PackageResources.standing_mustache
            case .standingBanner: PackageResources.standingBanner_mustache
            case .transfers: PackageResources.transfers_mustache
            case .transfersHead: PackageResources.transfersHead_mustache
            case .transferRows: PackageResources.transferRows_mustache
            case .transferRow: PackageResources.transferRow_mustache
            case .conflicts: PackageResources.conflicts_mustache
            case .conflict: PackageResources.conflict_mustache
            case .conflictCard: PackageResources.conflictCard_mustache
            case .offline: PackageResources.offline_mustache
            case .offlineContent: PackageResources.offlineContent_mustache
            case .synced: PackageResources.synced_mustache
            case .conflictsContent: PackageResources.conflictsContent_mustache
            case .feed: PackageResources.feed_mustache
            case .post: PackageResources.post_mustache
            case .postBlock: PackageResources.postBlock_mustache
            case .postRuns: PackageResources.postRuns_mustache
            case .postMarks: PackageResources.postMarks_mustache
            case .postDetail: PackageResources.postDetail_mustache
            case .postHistory: PackageResources.postHistory_mustache
            case .warned: PackageResources.warned_mustache
            case .warningLine: PackageResources.warningLine_mustache
            case .drafts: PackageResources.drafts_mustache
            case .postTrash: PackageResources.postTrash_mustache
            case .scheduledPosts: PackageResources.scheduledPosts_mustache
            case .createPost: PackageResources.createPost_mustache
            case .viewer: PackageResources.viewer_mustache
            case .postMenu: PackageResources.postMenu_mustache
            case .keptRow: PackageResources.keptRow_mustache
            case .richTools: PackageResources.richTools_mustache
            case .attachedRow: PackageResources.attachedRow_mustache
            case .attachmentPicker: PackageResources.attachmentPicker_mustache
            case .people: PackageResources.people_mustache
            case .reportPost: PackageResources.reportPost_mustache
            case .invite: PackageResources.invite_mustache
            case .profile: PackageResources.profile_mustache
            case .person: PackageResources.person_mustache
            case .followForm: PackageResources.followForm_mustache
            case .notifications: PackageResources.notifications_mustache
            case .feedFresh: PackageResources.feedFresh_mustache
            case .feedHead: PackageResources.feedHead_mustache
            case .feedGap: PackageResources.feedGap_mustache
            case .postSkeleton: PackageResources.postSkeleton_mustache
            case .foundPosts: PackageResources.foundPosts_mustache
            case .waitingPost: PackageResources.waitingPost_mustache
            case .told: PackageResources.told_mustache
            case .restore: PackageResources.restore_mustache
            case .syncedFolders: PackageResources.syncedFolders_mustache
            case .tying: PackageResources.tying_mustache
            case .tyingPlaces: PackageResources.tyingPlaces_mustache
            }
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private let library: MustacheLibrary

    /// - Throws: what a view cannot be read for; they are part of the program.
    init() throws {
        MustacheContentTypes.register(EscapedHTML(), named: EscapedHTML.name)
        var templates = [String: MustacheTemplate]()
        for name in Name.allCases { templates[name.rawValue] = try MustacheTemplate(string: name.text) }
        library = MustacheLibrary(templates: templates)
    }

    func render(_ name: Name, _ context: [String: Any]) -> String {
        guard let text = library.render(context, withTemplate: name.rawValue) else {
            preconditionFailure("every view was loaded")
        }
        return text
    }
}

/// The catalogue of strings, as views name its phrases: `{{words.signIn}}`.
struct WordsView: MustacheParent {
    let words: Words

    func child(named name: String) -> Any? {
        if name == "language" { return words.language }
        if name == "units" { return words.units.joined(separator: " ") }
        guard let phrase = Phrase(rawValue: name) else { preconditionFailure("no phrase is called \(name)") }
        return words[phrase]
    }
}
