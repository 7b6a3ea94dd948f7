import BothyClient
import BothyContract

extension BindingEngine {
    /// Bytes of a file of rules that are read to find a line in it.
    private static let mostOfRules = 1 << 20

    /// What to type or do about what is told of a place.
    ///
    /// - Parameter isBelow: somebody asked about a folder that it is in.
    func remedy(of cause: ExplainedCause, at place: Place, in look: Look, isBelow: Bool) async throws -> String {
        let file = binding.absolute(place)
        var remedy = RemedyWords.filled(
            cause.remedy, folder: binding.localPath, file: file, remote: binding.remotePath)
        switch cause {
        case .item(.planned): break
        case .item(let item):
            remedy = look.plan.remedy(of: item, at: place, in: binding)
            if item == .conflict, let theirs = look.remotePath(of: place, in: binding) {
                remedy += "; yours is the file here, “bothy cat \(theirs.asTyped)” shows the server’s"
            }
            if case .leftOut(let rule, let source) = item { remedy = await leaving(rule, source) ?? remedy }
            if isBelow { remedy = Self.tellingMore(remedy, of: file) }
        case .failed: if isBelow { remedy = Self.tellingMore(remedy, of: file) }
        default: break
        }
        return remedy
    }

    private static func tellingMore(_ remedy: String, of file: String) -> String {
        if remedy.hasPrefix("nothing to do") || remedy.contains("“bothy ") { return remedy }
        let sentence = remedy.hasSuffix(".") ? String(remedy.dropLast()) : remedy
        return "\(sentence); “bothy why \(file.asTyped)” explains more"
    }

    /// What has something synced again that a rule leaves out.
    ///
    /// - Parameter source: where the rule stands: the option, or the place of the file of rules.
    private func leaving(_ rule: LeavingRule, _ source: String) async -> String? {
        let sync = "“bothy sync \(binding.localPath.asTyped)"
        switch (rule, source) {
        case (_, ""): return nil
        case (_, "--exclude"), (_, "--exclude-type"):
            return "\(sync) --no-exclude” removes all such options; repeat the ones to keep with it"
        case (.largerThan, _): return "\(sync) --max-size” with a higher limit syncs it, or --no-exclude"
        case (.formerPattern, _): return "\(sync) --confirm” accepts the changed rules"
        case (.pattern(let pattern), _):
            let file = Place(text: source)
            // Where the file cannot be read, it is named without the line.
            let bytes = try? await performer.onDisk { try $0.contents(file, atMost: Self.mostOfRules) }
            let line = bytes.flatMap { IgnorePattern.number(ofLine: pattern, in: $0) }.map { "line \($0) of " } ?? ""
            return "change \(line)\(binding.absolute(file)) to have it synced"
        }
    }
}

extension Plan {
    /// What a person can type or do about something, as a sentence without its end.
    package func remedy(of cause: ItemStatus.Cause, at place: Place, in binding: Binding) -> String {
        let (template, about) =
            switch cause {
            case .held(.folderHeld): ("“bothy why FILE” says why", folderHeld(above: place))
            case .held(.nameInvalidThere): ("rename FILE here", place)
            case .guarded(let sighting): (sighting.remedy, place)
            default: (ItemStatus(cause).remedy, place)
            }
        return RemedyWords.filled(
            template, folder: binding.localPath, file: binding.absolute(about), remote: binding.remotePath)
    }

    /// The folder above it that has a cause of its own.
    private func folderHeld(above place: Place) -> Place {
        var folder = place.parent
        while !folder.isRoot, standing[folder].map({ $0 == .held(.folderHeld) }) ?? true { folder = folder.parent }
        return folder
    }

    /// The folder above it, or what stands in the place of one, that is held back itself, and by which this is.
    func holder(of place: Place, _ told: ExplainedCause) -> Place? {
        guard case .item(.held(let reason)) = told, standing[place] == nil || reason == .unreadable else { return nil }
        var above = place
        while !above.isRoot {
            above = above.parent
            if standing[above] == .held(reason) { return above }
        }
        return nil
    }
}

extension Binding {
    /// A place in it, from the disk's root.
    package func absolute(_ place: Place) -> String { place.isRoot ? localPath : "\(localPath)/\(place.text)" }
}

extension BindingEngine.Look {
    /// Where the server has the file that is at a place here; nil for a folder, and for what it has not.
    package func remotePath(of place: Place, in binding: Binding) -> String? {
        guard let theirs = onTheServer(place), theirs.kind == .file, let node = remote.node(theirs.id) else {
            return nil
        }
        let folder = binding.remotePath == "/" ? "" : binding.remotePath
        return "\(folder)/\(remote.tree.place(of: node).text)"
    }
}

extension IgnorePattern {
    /// Which line of a file of rules, the first being 1, says this last; nil where none does.
    package static func number(ofLine text: String, in bytes: [UInt8]) -> Int? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = lines.lastIndex { IgnorePattern(line: String(decoding: $0, as: UTF8.self))?.text == text }
        return last.map { lines.distance(from: lines.startIndex, to: $0) + 1 }
    }
}
