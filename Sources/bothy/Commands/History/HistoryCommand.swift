import ArgumentParser
import BothyClient
import BothyContract

/// `bothy history`
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List a file's versions, the newest first.",
        discussion:
            "“bothy restore FILE VERSION” restores one; “bothy get --version VERSION FILE” downloads it first.")

    @Argument(help: "A file on the server.", completion: RemoteNames.completion)
    var file: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let path = try RemoteArgument(file).path
        try await Home.using { home in
            let file = try await home.plainFile(at: path, remedy: "Files have versions; folders have none.")
            try home.requireOnServer(file, at: path)
            let versions = try await home.versions(of: file)
            if output.json {
                return try versions.forEach {
                    try output.print(RevisionDocument($0, current: $0.revisionId == file.headRevisionId))
                }
            }
            output.print(Self.table(versions, of: file, devices: try await Self.deviceNames(home)))
        }
    }

    private static func table(_ versions: [FileRevision], of file: File, devices: [String: String]) -> Table {
        let ids = versions.map(\.revisionId)
        var table = Table([.init("VERSION"), .init("SENT"), .init("SIZE", right: true), .init("FROM"), .init("")])
        for version in versions {
            table.add([
                ShortId.of(version.revisionId, among: ids), MomentText.text(version.createdAt),
                ByteText.text(version.size), version.deviceId.map { devices[$0] ?? "a former device" } ?? "–",
                version.revisionId == file.headRevisionId ? "now" : "",
            ])
        }
        return table
    }

    private static func deviceNames(_ home: DeviceHome) async throws -> [String: String] {
        Dictionary(try await home.account.devices().map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}

extension DeviceHome {
    /// Every version of a file, the newest first.
    func versions(of file: File) async throws -> [FileRevision] {
        var versions: [FileRevision] = []
        for try await page in revisions.list(file.id) { versions += page }
        return versions
    }

    /// The version that a person means by its id as `history` shows it.
    func version(_ typed: String, of file: File, at path: RemotePath) async throws -> FileRevision {
        try requireOnServer(file, at: path)
        let versions = try await versions(of: file)
        switch ShortId.find(typed, in: versions.map(\.revisionId)) {
        case .one(let index): return versions[index]
        case .several:
            throw Complaint(
                .ambiguous, "“\(typed)” is more than one version of “\(path)”.", remedy: "Give more of its id.",
                status: .wrongUsage)
        case .none:
            throw Complaint(
                .notThere, "“\(path)” has no version “\(typed)”.",
                remedy: "See them with “bothy history \(path.text.asTyped)”.",
                status: .notThereOrInConflict)
        }
    }
}
