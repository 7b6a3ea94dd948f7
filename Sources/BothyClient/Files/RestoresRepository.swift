import BothyContract
import Foundation

/// The drive, or a part of it, as it stood at a moment. Every method throws `ClientFailure`.
public struct RestoresRepository: Sendable {
    /// Seconds between two looks at a restore that is not at its end.
    private static let pause = 1.0

    private let remote: RestoresRemoteSource
    private let clock: any ClientClock

    package init(remote: RestoresRemoteSource, clock: any ClientClock) {
        self.remote = remote
        self.clock = clock
    }

    /// A moment that a person can name.
    public enum Moment: Equatable, Sendable {
        case time(Timestamp)
        /// A place in the change log: the `before` of a restore.
        case cursor(String)
    }

    /// What a restore would do. Nothing changes.
    ///
    /// - Parameter fileId: a folder or file; everything where nil.
    public func plan(to moment: Moment, fileId: String? = nil) async throws -> DriveRestore {
        try await finish(request(to: moment, fileId: fileId, dryRun: true))
    }

    /// Puts a folder, a file or everything back as it stood at a moment, and waits for its end. What is broken off
    /// meanwhile is finished by the server.
    public func restore(to moment: Moment, fileId: String? = nil) async throws -> DriveRestore {
        try await finish(request(to: moment, fileId: fileId, dryRun: nil))
    }

    /// Does exactly what ``plan(to:fileId:)`` found, or nothing, when something changed since.
    public func carryOut(planId: String) async throws -> DriveRestore {
        try await finish(RestoreRequest(requestId: UUID().uuidString, planId: planId))
    }

    /// How far a restore is, by its id.
    ///
    /// - Throws: `notFound`.
    public func restore(_ id: String) async throws -> DriveRestore { try await remote.restore(id) }

    /// What a restore changes, or would, page by page as they come.
    public func changes(of id: String) -> AsyncThrowingStream<[RestoreChange], any Error> {
        let position = PagePosition()
        let remote = remote
        return AsyncThrowingStream {
            guard let page = position.take() else { return nil }
            let answer = try await remote.changes(of: id, page: page.token, limit: PaginationMetadata.maximumLimit)
            try position.advance(to: answer.pagination.next, from: page)
            return answer.changes
        }
    }

    /// The first of the same.
    func firstChanges(of id: String, limit: Int) async throws -> [RestoreChange] {
        try await remote.changes(of: id, page: nil, limit: limit).changes
    }

    /// One turn of it: the server continues what was begun.
    func submit(_ request: RestoreRequest) async throws -> DriveRestore { try await remote.submit(request) }

    private func request(to moment: Moment, fileId: String?, dryRun: Bool?) -> RestoreRequest {
        let requestId = UUID().uuidString
        return switch moment {
        case .time(let at): RestoreRequest(requestId: requestId, at: at, fileId: fileId, dryRun: dryRun)
        case .cursor(let text): RestoreRequest(requestId: requestId, cursor: text, fileId: fileId, dryRun: dryRun)
        }
    }

    /// The same request again continues what it began.
    private func finish(_ request: RestoreRequest) async throws -> DriveRestore {
        while true {
            let restore = try await remote.submit(request)
            switch restore.state.known {
            case .planned, .finished: return restore
            case .planning, .running: try await clock.sleep(seconds: Self.pause)
            case nil: throw restore.unknownState
            }
        }
    }
}

extension DriveRestore {
    /// A newer server is at something with it that nobody here can tell from its end.
    package var unknownState: ClientFailure {
        ClientFailure(
            .answerInvalid,
            "The server reports the state “\(state.rawValue)” for this restore, which this Bothy does not know.",
            remedy: "Update Bothy here; what was restored is in the history of each file.")
    }
}
