import ArgumentParser
import BothyClient
import BothyContract

/// What `bothy star` and `bothy hide` share: a mark that files and folders are given, or lose.
struct MarkOptions: ParsableArguments {
    @Argument(help: "Files and folders on the server.", completion: RemoteNames.completion)
    var paths: [String]

    @Flag(help: "Remove it again.")
    var remove = false

    @OptionGroup var wait: WaitOptions
    @OptionGroup var output: OutputOptions

    /// - Parameters:
    ///   - deed: what cannot be done to the root: «given a star».
    ///   - words: what is the case then: «has a star», «has no star now».
    ///   - set: gives the mark, or takes it away.
    func mark(
        deed: String, words: (given: String, taken: String),
        _ set: (FilesRepository, Bool, String) async throws -> File
    ) async throws {
        try await Home.using(ending: OfflineEnding(output: output, waits: wait.wait)) { home in
            try await EachPath.run(paths, json: output.json) { argument in
                try SourcesAndTarget.refuseRoot(argument.path, deed)
                let file = try await home.files.file(at: argument.path)
                let marked = try await set(home.files, !remove, file.id)
                try output.tell(
                    "\(argument.path) \(remove ? words.taken : words.given)",
                    FileDocument(marked, path: argument.path.text))
            }
        }
    }
}
