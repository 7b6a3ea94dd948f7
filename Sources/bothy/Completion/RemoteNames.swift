import ArgumentParser
import BothyClient
import BothyContract

/// Offers names on the server to the shell when someone presses Tab.
enum RemoteNames {
    /// Names offered at most: a terminal shows no more that anyone would read.
    private static let most = 200
    /// Seconds that someone who pressed Tab is kept waiting at most.
    private static let patience = 3.0

    /// Makes the generated scripts ask `bothy ---completion`; what it answers is `answer`, not this closure.
    static let completion = CompletionKind.custom { _, _, _ in [] }

    /// The first argument with which the scripts ask.
    static let request = "---completion"

    /// Answers a script.
    ///
    /// - Parameters:
    ///   - arguments: `---completion`, the command, `--`, the argument, the index of the word at the cursor, how much of it
    ///     stands before the cursor, and all words of the line.
    ///   - shell: as the scripts set it.
    /// - Returns: a candidate a line.
    static func answer(_ arguments: [String], shell: String?) async -> [String] {
        guard let word = unfinishedWord(in: arguments) else { return [] }
        return await offer(word, forBash: shell == "bash")
    }

    /// - Returns: nil for what no script of ours asks.
    static func unfinishedWord(in arguments: [String]) -> String? {
        guard let separator = arguments.firstIndex(of: "--") else { return nil }
        let rest = arguments[(separator + 1)...].dropFirst()
        guard let index = rest.first.flatMap({ Int($0) }), let cursor = rest.dropFirst().first.flatMap({ Int($0) })
        else {
            return nil
        }
        let words = Array(rest.dropFirst(2))
        guard words.indices.contains(index), cursor >= 0 else { return index == words.count ? "" : nil }
        return String(words[index].prefix(cursor))
    }

    /// What can stand for the unfinished word; nothing when the server is out of reach or nobody is signed in.
    private static func offer(_ word: String, forBash: Bool) async -> [String] {
        guard let typed = ShellWord.unquoted(word) else { return [] }
        let offered = await withTaskGroup(of: [String].self) { group in
            group.addTask { await paths(beginningWith: typed) }
            group.addTask {
                // Cancelled as soon as the names are there; either way nothing is offered late.
                _ = try? await Task.sleep(for: .seconds(patience))
                return []
            }
            let first = await group.next() ?? []
            group.cancelAll()
            return first
        }
        return offered.map { forBash ? ShellWord.quotedForBash($0) : $0 }
    }

    private static func paths(beginningWith typed: String) async -> [String] {
        guard let (folder, start) = split(typed) else { return ["/"] }
        do {
            return try await Home.using { home in
                let parent = try await home.files.file(at: folder)
                let page = try await home.files.page(of: parent.id, limit: PaginationMetadata.maximumLimit)
                return candidates(page.files, in: folder, beginningWith: start)
            }
        } catch {
            // A shell that completes has nowhere to show an error; having nothing to offer says it.
            return []
        }
    }

    /// The folder that is looked into, and how the name in it begins.
    static func split(_ typed: String) -> (folder: RemotePath, start: String)? {
        guard let slash = typed.lastSlash, typed.beginsWithSlash else { return nil }
        do {
            let name = typed.unicodeScalars.index(after: slash)
            return (try RemotePath(String(typed[..<name])), String(typed[name...]))
        } catch {
            return nil
        }
    }

    /// Whole paths, a slash after folders. Names with characters that act on a terminal, or that no server should have,
    /// are never offered.
    static func candidates(_ files: [File], in folder: RemotePath, beginningWith start: String) -> [String] {
        files.lazy
            .filter { $0.name.hasPrefix(start) && TerminalText.safe($0.name) == $0.name }
            .compactMap { file -> String? in
                // A name that cannot be typed is not offered.
                guard let path = try? folder.appending(file.name) else { return nil }
                return file.isFolder ? path.text + "/" : path.text
            }
            .prefix(most).map { $0 }
    }
}
