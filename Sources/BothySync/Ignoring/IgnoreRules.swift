import BothyClient
import BothyContract

/// What a binding leaves out: its `.bothyignore` files, what `--exclude` named, and bounds of size and type.
///
/// As in git, a later line beats an earlier one, a deeper file beats a higher one, and nothing below a folder that is left out can be
/// taken in again. `--exclude` and the bounds are this device's own and are beaten by nothing.
package struct IgnoreRules: Equatable, Sendable {
    package static let fileName = NodeName(DeviceHome.ignoreFileName)
    /// Lines of one file that are heeded.
    package static let mostLines = 10_000

    /// Each in the folder where its file lies, outer folders first.
    private var files: [Place: [IgnorePattern]] = [:]
    /// What files said before another device loosened them: it still leaves out, until a person here agrees.
    private var kept: [Place: [IgnorePattern]] = [:]
    private var excludes: [IgnorePattern] = []
    /// Bytes; larger files are left out.
    package var largestFile: Int64?
    /// Lowercase endings without the dot; files with them are left out.
    package var leftOutEndings: Set<String> = []

    package init() {}

    package static let none = IgnoreRules()

    package var isEmpty: Bool {
        files.isEmpty && kept.isEmpty && excludes.isEmpty && largestFile == nil && leftOutEndings.isEmpty
    }

    /// What left something out, and what a person reads of it.
    package struct Match: Hashable, Sendable {
        package let rule: LeavingRule
        /// Where it stands: the place of the file of rules, or the option.
        package let source: String
    }

    /// Takes what one `.bothyignore` says for its folder and below, in place of what it said before.
    package mutating func setFile(_ text: String?, in folder: Place) {
        let patterns = Self.patterns(text ?? "")
        files[folder] = patterns.isEmpty ? nil : patterns
    }

    /// Goes on leaving out what a file left out before. Nil: no more than what it says now.
    package mutating func keepFile(_ text: String?, in folder: Place) {
        let patterns = Self.patterns(text ?? "")
        kept[folder] = patterns.isEmpty ? nil : patterns
    }

    /// `--exclude`, in the language of the files, from the root.
    package mutating func exclude(_ lines: [String]) { excludes += lines.compactMap { IgnorePattern(line: $0) } }

    package static func patterns(_ text: String) -> [IgnorePattern] {
        // By bytes: to Swift a carriage return with its line feed is one character, and no line feed.
        var bytes = Substring(text).utf8
        // The mark that some editors of Windows begin a file with.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        return bytes.split(separator: UInt8(ascii: "\n"), maxSplits: mostLines, omittingEmptySubsequences: true)
            .prefix(mostLines).compactMap { IgnorePattern(line: Substring($0)) }
    }

    // MARK: - Asking

    /// What leaves a place out by itself, its folders being taken in. `nil`: nothing does.
    ///
    /// - Parameter size: bytes of a file.
    package func match(_ place: Place, kind: NodeKind, size: Int64 = 0) -> Match? {
        if isEmpty || place.isRoot { return nil }
        let path = IgnorePath(place, kind: kind)
        if let pattern = excludes.last(where: { $0.matches(path) }), !pattern.isNegated {
            return Match(rule: .pattern(pattern.text), source: "--exclude")
        }
        if kind == .file, let bound = bound(on: place.name, size) { return bound }
        if let match = match(path, in: place.parent, files: { files[$0] }) {
            return Match(rule: .pattern(match.rule), source: match.folder.appending(Self.fileName).text)
        }
        guard !kept.isEmpty, let match = match(path, in: place.parent, files: { kept[$0] ?? files[$0] }) else {
            return nil
        }
        return Match(rule: .formerPattern(match.rule), source: match.folder.appending(Self.fileName).text)
    }

    /// The line that leaves a name out: of the deepest file that speaks of it, the last that does.
    private func match(
        _ path: IgnorePath, in folder: Place, files: (Place) -> [IgnorePattern]?
    ) -> (rule: String, folder: Place)? {
        var folder = folder
        while true {
            if let patterns = files(folder) {
                let path = path.from(folder)
                if let pattern = patterns.last(where: { $0.matches(path) }) {
                    return pattern.isNegated ? nil : (pattern.text, folder)
                }
            }
            if folder.isRoot { return nil }
            folder = folder.parent
        }
    }

    /// What leaves a place out, by itself or by a folder above it.
    package func matchWithFolders(_ place: Place, kind: NodeKind, size: Int64 = 0) -> Match? {
        if isEmpty { return nil }
        var above = Place.root
        for name in place.names.dropLast() {
            above = above.appending(name)
            if let match = match(above, kind: .folder) { return match }
        }
        return match(place, kind: kind, size: size)
    }

    private func bound(on name: NodeName, _ size: Int64) -> Match? {
        if let largestFile, size > largestFile {
            return Match(rule: .largerThan(largestFile), source: "--max-size")
        }
        let ending = FileName.split(name.text).suffix.dropFirst().lowercased()
        guard !ending.isEmpty, leftOutEndings.contains(ending) else { return nil }
        return Match(rule: .pattern("*.\(ending)"), source: "--exclude-type")
    }
}
