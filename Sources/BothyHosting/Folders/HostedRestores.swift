import BothyClient
import BothyContract
import BothyServer
import Foundation

/// Going back to a moment, straight from the server's own services.
struct HostedRestores: MomentRestoring {
    /// Times that one request continues a plan, each for the server's patience: then the drive is too busy to be planned
    /// for as a whole.
    private static let mostTurns = 12

    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func plan(to moment: Timestamp, of item: ItemID) async throws -> DriveRestore {
        let request = RestoreRequest(
            requestId: UUID().uuidString, at: moment, fileId: item == .root ? nil : item.text, dryRun: true)
        for _ in 0..<Self.mostTurns {
            let plan = try await submit(request)
            if plan.state == .planned { return plan }
        }
        throw ClientFailure(
            .serverBusy, "So much has changed since then that the server is still preparing the preview.",
            remedy: "Try a single folder, or a more recent moment.")
    }

    func carryOut(_ plan: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore {
        _ = try await restore(plan, of: item)
        // The same id again, of a second click, is the same deed.
        return try await submit(RestoreRequest(requestId: "web-do-\(plan)", planId: plan))
    }

    func undo(_ restore: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore {
        let done = try await self.restore(restore, of: item)
        guard let before = done.before, done.state == .finished else { throw ClientFailure.nothingToUndo }
        return try await submit(
            RestoreRequest(requestId: "web-undo-\(restore)", cursor: before, fileId: done.fileId))
    }

    func restore(_ id: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore {
        let restore = try await failing { try await services.restores.find(id, for: caller) }
        guard restore.fileId == item.text else { throw ClientFailure(.notFound, "There is no such restore.") }
        return restore
    }

    func changes(of id: DriveRestore.ID, limit: Int) async throws -> [RestoreChange] {
        try await failing {
            try await services.restores.changes(of: id, page: nil, limit: limit, for: caller).changes
        }
    }

    private func submit(_ request: RestoreRequest) async throws -> DriveRestore {
        try await failing {
            let identity = try RequestIdentity(of: request)
            return try await services.restores.submit(request, identity: identity, for: caller)
        }
    }
}
