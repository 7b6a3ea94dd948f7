import BothyClient
import BothyContract
import Foundation

/// A place in the app that a person can be at, and come back to.
public enum Destination: Hashable, Sendable {
    case folder(ItemID)
    case file(ItemID)
    /// A file's history.
    case versions(ItemID)
    /// Going back to a moment; with the root, everything does.
    case restore(ItemID)
    case search
    case starred
    case feed, bookmarks, drafts, scheduled, postTrash, newPost, people, profile
    /// Going on with a post that is being written.
    case draft(Int64)
    case notifications, postSearch
    /// The posts of a hashtag.
    case tag(String)
    case post(Int64)
    /// Writing a post anew that is there.
    case editPost(Int64)
    /// What a post said before.
    case postHistory(Int64)
    /// What one person has posted.
    case postsOf(Int64)
    case trash
    case storage, settings
    case signIn
    // Of a device alone: see ``DeviceScreens``.
    case transfers, conflicts, offline, synced
    /// What differs between the two sides of one.
    case conflict(DeviceConflict.ID)

    public static let home = Destination.folder(.root)

    /// The place as a link that can be kept and sent on: `/folder/019a…`.
    public var link: String {
        switch self {
        case .folder(.root): "/"
        case .folder(let id): "/folder/" + id.text
        case .file(let id): "/file/" + id.text
        case .versions(let id): "/file/" + id.text + "/versions"
        case .restore(.root): "/restore"
        case .restore(let id): "/restore/" + id.text
        case .search: "/search"
        case .starred: "/starred"
        case .feed: "/feed"
        case .bookmarks: "/feed/bookmarks"
        case .drafts: "/feed/drafts"
        case .scheduled: "/feed/scheduled"
        case .postTrash: "/feed/trash"
        case .newPost: "/feed/new"
        case .draft(let id): "/feed/new?draft=\(id)"
        case .people: "/people"
        case .profile: "/profile"
        case .notifications: "/feed/notifications"
        case .postSearch: "/feed/search"
        case .tag(let tag): PostReference.hashtag(tag: tag).address
        case .post(let id): "/posts/\(id)"
        case .editPost(let id): "/posts/\(id)/edit"
        case .postHistory(let id): "/posts/\(id)/history"
        case .postsOf(let id): "/people/\(id)"
        case .trash: "/trash"
        case .storage: "/storage"
        case .settings: "/settings"
        case .signIn: "/sign-in"
        case .transfers: "/transfers"
        case .conflicts: "/conflicts"
        case .conflict(let id): "/conflicts/" + id
        case .offline: "/offline"
        case .synced: "/synced"
        }
    }

    /// - Returns: nil for what is no place of this app.
    public init?(link: String) {
        let path = link.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, parts[0].isEmpty, path.utf8.count <= 200 else { return nil }
        switch (parts.count, parts[1], parts.last ?? "") {
        case (2, "", _): self = .home
        case (2, "search", _): self = .search
        case (2, "restore", _): self = .restore(.root)
        case (2, "starred", _): self = .starred
        case (2, "feed", _): self = .feed
        case (3, "feed", "bookmarks"): self = .bookmarks
        case (3, "feed", "drafts"): self = .drafts
        case (3, "feed", "scheduled"): self = .scheduled
        case (3, "feed", "trash"): self = .postTrash
        case (3, "feed", "new"): self = .newPost
        case (2, "people", _): self = .people
        case (2, "profile", _): self = .profile
        case (3, "feed", "notifications"): self = .notifications
        case (3, "feed", "search"): self = .postSearch
        case (4, "feed", let tag) where parts[2] == "tags":
            guard let tag = tag.removingPercentEncoding.flatMap({ PostTag.folded($0) }) else { return nil }
            self = .tag(tag)
        case (2, "trash", _): self = .trash
        case (2, "storage", _): self = .storage
        case (2, "settings", _): self = .settings
        case (2, "sign-in", _): self = .signIn
        case (2, "transfers", _): self = .transfers
        case (2, "conflicts", _): self = .conflicts
        case (2, "offline", _): self = .offline
        case (2, "synced", _): self = .synced
        case (3, "conflicts", let id) where FileID.isPlausible(id): self = .conflict(id)
        case (3, "posts", let id):
            guard let number = Int64(id) else { return nil }
            self = .post(number)
        case (4, "posts", "edit"):
            guard let number = Int64(parts[2]) else { return nil }
            self = .editPost(number)
        case (4, "posts", "history"):
            guard let number = Int64(parts[2]) else { return nil }
            self = .postHistory(number)
        case (3, "people", let id):
            guard let number = Int64(id) else { return nil }
            self = .postsOf(number)
        case (3, "restore", let id) where FileID.isPlausible(id): self = .restore(ItemID(id))
        case (3, "folder", let id) where FileID.isPlausible(id): self = .folder(ItemID(id))
        case (3, "file", let id) where FileID.isPlausible(id): self = .file(ItemID(id))
        case (4, "file", "versions") where FileID.isPlausible(parts[2]): self = .versions(ItemID(parts[2]))
        default: return nil
        }
    }
}
