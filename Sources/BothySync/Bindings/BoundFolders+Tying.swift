import BothyClient
import BothyContent
import BothyContract
import Foundation

/// Linking folders from a screen: looked at first, then done as it was shown.
extension BoundFolders {
    /// Of what would be done, what is told.
    private static let mostTold = 12

    package func look(at wish: FolderToTie) async throws -> TyingLook {
        let order = try Self.order(wish)
        let (binding, plan) = try await planned(order)
        let deeds = plan.actions.filter { !$0.step.isBookkeeping }
        let id = try Self.id(of: plan)
        let waiting = plan.standing.values.count { if case .conflict = $0 { true } else { false } }
        return TyingLook(
            plan: id, localPath: binding.localPath, remotePath: order.remotePath.text,
            goingUp: deeds.count { $0.step.tiesAs == .up }, comingDown: deeds.count { $0.step.tiesAs == .down },
            inConflict: waiting + deeds.count { $0.step.tiesAs == .conflict },
            deeds: deeds.prefix(Self.mostTold).map(\.step.act), hasMore: deeds.count > Self.mostTold)
    }

    package func tie(_ wish: FolderToTie, as plan: String) async throws {
        let order = try Self.order(wish)
        guard try Self.id(of: try await planned(order).plan) == plan else {
            throw ClientFailure(
                .changedMeanwhile, "Something has changed since: the preview is out of date.",
                remedy: "Check the new preview, then decide.")
        }
        let binding = try await bindings.tie(order)
        // The process that syncs folders here begins with this one.
        try await keeping.borrowing(binding.id) { _ in }
    }

    private func planned(_ order: FolderBindings.Order) async throws -> (binding: Binding, plan: Plan) {
        let remote = try await home.files.fileIfPresent(at: order.remotePath)
        if let remote, !remote.isFolder {
            throw ClientFailure(.notAFolder, "“\(order.remotePath.text)” on the server is a file.")
        }
        let binding = try await bindings.untied(order, to: remote)
        return (binding, try await engine(binding).preview().plan)
    }

    /// The same for the same plan.
    private static func id(of plan: Plan) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let places = plan.standing.keys.map(\.text).sorted()
        let bytes = Array(try encoder.encode(plan.actions)) + Array(try encoder.encode(places))
        return SHA256Hasher.hash(bytes).hex
    }

    private static func order(_ wish: FolderToTie) throws -> FolderBindings.Order {
        FolderBindings.Order(
            directory: try wholePath(wish.localPath), remotePath: try RemotePath(wish.remotePath),
            deletions: wish.keepsWhatIsDeletedElsewhere ? .documents : .mirror, conflicts: wish.conflicts,
            leavingOut: LeftOut(), takesOver: false)
    }

    /// A page knows no current folder: what is typed begins at the root or at the person's home.
    private static func wholePath(_ typed: String) throws(ClientFailure) -> String {
        if typed == "~" || typed.hasPrefix("~/"), let person = ProcessInfo.processInfo.environment["HOME"] {
            return person + typed.dropFirst()
        }
        guard typed.beginsWithSlash, !typed.contains("\0") else {
            throw ClientFailure(
                .refused, "“\(typed)” is not an absolute path.",
                remedy: "Give the full path, such as /home/anna/Documents or ~/Documents.")
        }
        return typed
    }
}

extension Step {
    fileprivate enum Way { case up, down, conflict }

    /// What it is when two folders are linked.
    fileprivate var tiesAs: Way? {
        switch self {
        case .record, .forget, .leaveOut, .rebind, .markUnsynced: nil
        case .makeRemoteFolder, .upload, .moveRemote, .untrashRemote, .trashRemote, .touchRemote: .up
        case .makeLocalFolder, .download, .moveLocal, .trashLocal, .touchLocal: .down
        case .setAside, .merge: .conflict
        }
    }
}
