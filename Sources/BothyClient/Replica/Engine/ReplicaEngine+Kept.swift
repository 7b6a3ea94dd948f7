import BothyContract

/// What is pinned, with how much of it is here.
extension ReplicaEngine {
    /// In the order in which they were pinned; what is not known here any more, or lies in the trash, is left out. This asks
    /// nobody.
    package func keptItems() async throws -> [KeptItem] {
        let pins = try await pins()
        guard !pins.isEmpty else { return [] }
        let here = Set(try content.entries(in: content.heldFolder).map(\.name))
        return try await store().view { view in
            try pins.compactMap { pin in
                guard let file = try view.file(pin), try !view.isTrashed(pin) else { return nil }
                let above = try view.above(pin)?.reversed().filter { $0.luid != .root }.map(\.name) ?? []
                var kept = KeptItem(
                    item: FolderItem(file), above: above, files: 0, filesHere: 0, bytes: 0, bytesHere: 0)
                var waiting = [file]
                while let next = waiting.popLast() {
                    if next.isFolder {
                        waiting += try view.childrenKnown(of: next.luid)
                    } else {
                        kept.count(next, here)
                    }
                }
                return kept
            }
        }
    }

    /// The nearest folder above it that is pinned.
    package func pinnedAbove(_ luid: LUID) async throws -> ReplicaFile? {
        let pins = Set(try await pins())
        return try await store().view { view in try view.above(luid)?.first { pins.contains($0.luid) } }
    }

    /// Something that is pinned is not here yet. This asks nobody.
    package func lacksPinned() async throws -> Bool {
        try await keptItems().contains { !$0.isWhole }
    }
}

extension KeptItem {
    fileprivate mutating func count(_ file: ReplicaFile, _ here: Set<String>) {
        // What waits to be sent is here alone; an empty file has no content to be fetched.
        let isHere = file.pendingContent != nil || file.headRevisionId.map(here.contains) ?? true
        files += 1
        bytes += file.size
        filesHere += isHere ? 1 : 0
        bytesHere += isHere ? file.size : 0
    }
}
