import ArgumentParser
import BothyClient
import BothyContract

/// `bothy watch`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show changes on the server as they happen, until Ctrl-C.",
        discussion: "Changes from all devices are shown, including this one.")

    @Argument(help: "Show only changes in this folder on the server.", completion: RemoteNames.completion)
    var folder: String = "/"

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let place = try RemoteArgument(folder).path
        try await Interruption.guarding {
            try await Home.using { home in
                _ = try await home.folder(at: place, remedy: "List its parent folder to see what is there.")
                var paths = RemotePathFinder(home: home)
                if !output.quiet, !output.json {
                    Terminal().writeError("Watching \(TerminalText.safe(place.text)). Ctrl-C ends it.\n")
                }
                for try await event in home.changes.watch() {
                    switch event {
                    case .waiting(let failure):
                        Complaint(failure).print(json: output.json)
                    case .changes(let changes, _):
                        for change in changes { try await tell(change, below: place, &paths) }
                    }
                }
                try Task.checkCancellation()
            }
        }
    }

    private func tell(_ change: Change, below place: RemotePath, _ paths: inout RemotePathFinder) async throws {
        let event = ChangeDocument(change, path: try await paths.path(of: change))
        guard let event, event.path.map({ Self.lies($0, below: place) }) ?? place.isRoot else { return }
        // A folder that is deleted for good takes along what was never seen here: its own line tells a person enough.
        if event.path == nil, event.event == .removed, !output.json { return }
        let what = event.path ?? "something without a place (\(change.id))"
        try output.tell("\(MomentText.time(SystemTime.now()))  \(event.words)  \(what)", event)
    }

    private static func lies(_ path: String, below place: RemotePath) -> Bool {
        place.isRoot || path == place.text || path.lies(below: place.text)
    }
}
