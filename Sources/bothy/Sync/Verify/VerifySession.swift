import BothyClient
import BothyContract
import BothySync

/// One `bothy verify`, from the first file to the last line.
actor VerifySession {
    private let home: DeviceHome
    private let output: OutputOptions
    nonisolated let display: ProgressDisplay
    private let queue = DiskQueue("verify")
    private var tally = VerifyTally()

    init(home: DeviceHome, output: OutputOptions) {
        self.home = home
        self.output = output
        let terminal = Terminal()
        let style: ProgressDisplay.Style =
            output.quiet || output.json ? .silent : terminal.errorIsTerminal ? .drawn : .plain
        display = ProgressDisplay(terminal: terminal, style: style)
    }

    /// - Throws: a `Complaint` unless all that was read is whole.
    func run(_ paths: [String]) async throws {
        let folders = try await folders(paths)
        let held = paths.isEmpty ? try await home.replica.heldContents() : (contents: [], unknown: 0)
        for folder in folders { await display.expect(files: folder.nodes.count, bytes: folder.bytes) }
        await display.expect(files: held.contents.count, bytes: held.contents.reduce(0) { $0 + $1.size })
        await display.expectNothingMore()
        for folder in folders { try await verify(folder) }
        for content in held.contents { try await verify(content) }
        tally.unknown = held.unknown
        await display.end()
        try output.tell(tally.lines, VerifySummary(tally))
        if let complaint = tally.complaint { throw complaint }
    }

    /// All are looked up before anything is read: a typing error in the last is told at once.
    private func folders(_ paths: [String]) async throws -> [FolderVerification] {
        let bindings = FolderBindings(home: home)
        guard !paths.isEmpty else { return try await bindings.verifications() }
        var parts = [VerifiedPart]()
        for path in paths {
            let meant = try await bindings.parts(at: path)
            guard !meant.isEmpty else { throw VerifyWords.notInStep(path) }
            parts += meant
        }
        return try await bindings.verifications(of: parts)
    }

    private func verify(_ folder: FolderVerification) async throws {
        do {
            try await folder.requireRoot()
        } catch let failure as ClientFailure {
            let directory = folder.part.binding.localPath
            return try await name(VerifyEvent(.unreadable(failure), at: directory, words: .init(failure)))
        }
        for node in folder.nodes {
            try Task.checkCancellation()
            guard let file = folder.file(node) else { continue }
            let path = folder.part.binding.absolute(file.place)
            let verdict = try await showing(path, bytes: file.stamp.size) { try await folder.judge(file) }
            tally.count(verdict, bytes: file.stamp.size)
            let words = VerifyWords.words(verdict, of: path, onTheServer: file.remotePath)
            try await name(
                VerifyEvent(verdict, at: path, words: words, remote: file.remotePath, content: file.content))
        }
    }

    private func verify(_ content: HeldContent) async throws {
        try Task.checkCancellation()
        let (disk, queue) = (Home.environment.disk, queue)
        let verdict = try await showing(content.path, bytes: content.size) { () async throws -> FileVerdict in
            do {
                let found = try await queue.run { try LocalReading.hash(of: content.path, disk: disk) }
                return FileVerdict(ofOwnCopy: found, content: content.checksum)
            } catch let failure as ClientFailure where failure.code != .canceled {
                // It was sent, or let go for its room.
                return failure.code == .fileMissing ? .changed : .unreadable(failure)
            }
        }
        tally.count(verdict, bytes: content.size, isOwnCopy: true)
        let words = VerifyWords.words(verdict, of: content)
        try await name(
            VerifyEvent(verdict, at: content.path, words: words, remote: content.place?.text, content: content.checksum)
        )
    }

    /// Shows a file while it is read.
    private func showing(
        _ path: String, bytes: Int64, _ read: () async throws -> FileVerdict
    ) async throws -> FileVerdict {
        let id = await display.begin()
        await display.update(id, ProgressItem(label: path, phase: .transferring, total: bytes))
        let verdict = try await read()
        await display.update(id, ProgressItem(label: path, phase: .done, done: bytes, total: bytes))
        return verdict
    }

    private func name(_ event: VerifyEvent?) async throws {
        guard let event else { return }
        if case .unreadable = event.verdict, event.content == nil { tally.unreadable += 1 }
        if output.json { return try output.print(VerifyDocument(event)) }
        for line in event.lines { await display.say(TerminalText.safe(line)) }
    }
}
