import BothyAgent
import BothyClient
import BothyPresentation
import BothySync
import Foundation
import Synchronization

/// What an agent does by itself, part by part.
final class AgentWorks: Sendable {
    /// What stands on others comes after them.
    let parts: [any AgentPart]
    private let server: ServerPart
    private let folders: FoldersPart
    private let offline = Kept()

    init(_ home: DeviceHome, _ environment: ClientEnvironment) {
        let upkeep = Upkeep(clock: environment.clock) { try await Upkeep.once(home) }
        let (journal, bell) = (JournalPart(replica: home.replica), ServerBell())
        server = ServerPart(
            changes: home.changes, environment: environment,
            advance: { [offline] in
                let place = try await Self.place(of: home, upkeep)
                // What is kept here and cannot be fetched now is looked for at the next news.
                try? await offline.files?.keepUp()
                return place
            },
            heard: { bell.ring() },
            returned: { [offline] in
                // What keeps the journal from looking is told of at the agent's next look.
                try? await journal.look()
                try? await offline.files?.keepUp()
                // What cannot be asked now is asked at the next look at the feed.
                try? await home.checkHeldPosts()
            })
        folders = FoldersPart(home: home, environment: environment, bell: bell) { sighting, binding in
            (SyncWords.words(sighting), SyncWords.remedy(sighting, binding))
        }
        let ahead = FeedAheadPart(clock: environment.clock) {
            try await home.notifications.news()
        } fetch: {
            try await home.fetchFeedAhead()
        }
        parts = [server, TransfersPart(transfers: home.transfers), journal, folders, offline, upkeep, ahead]
    }

    /// What the home shows of itself while these work.
    ///
    /// - Parameter changed: called when something else may hold work back now.
    func screens(
        of home: DeviceHome, _ environment: ClientEnvironment, changed: @escaping @Sendable () async -> Void
    ) -> HomeScreens {
        let desktop = BusDesktop(environment: ProcessInfo.processInfo.environment) { notice in
            let words = Words.english.notice(notice)
            return BusDesktop.Card(title: words.title, text: words.text)
        }
        return HomeScreens(
            home: home, environment: environment, desktop: desktop, keeping: folders.keeping,
            way: { [server] in await server.way() },
            changed: changed)
    }

    /// What is kept on this device is fetched from now on, whenever something is new.
    func keep(_ files: HomeOfflineFiles) { offline.keep(files) }

    /// What is kept on this device, which is fetched at news from the server, and rests while automatic work is held.
    private final class Kept: AgentPart {
        let name = "offline"
        private let kept = Mutex<HomeOfflineFiles?>(nil)

        var files: HomeOfflineFiles? { kept.withLock { $0 } }

        func keep(_ files: HomeOfflineFiles) { kept.withLock { $0 = files } }

        func start() {}
        func look() {}
        func stop() async { await files?.stop() }
        func status() -> [AgentStatusLine] { [] }
    }

    /// Brings the replica up to the log's end.
    private static func place(of home: DeviceHome, _ upkeep: Upkeep) async throws -> String {
        try await home.replica.pull()
        await upkeep.run()
        if let place = try await home.replica.store().state().cursor { return place }
        return try await home.changes.cursorNow()
    }
}
