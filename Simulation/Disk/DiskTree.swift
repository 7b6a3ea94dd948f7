import BothyContract

/// What a disk's names and inodes are at one moment: a value, so that a crash can go back to an earlier one.
struct DiskTree: Sendable {
    struct Entry: Sendable {
        var name: String
        var inode: UInt64
    }

    struct Inode: Sendable {
        enum Body: Sendable {
            case file([UInt8])
            /// By the key that the disk's naming makes of a name.
            case folder([[UInt8]: Entry])
            case link(target: String)
        }

        var body: Body
        var modifiedAt: Timestamp
        var changedAt: Timestamp
        var bornAt: Timestamp
        var executable = false
        /// Names in this folder that came, went or were given to another, one after the other.
        var renamed: [String] = []

        var isFolder: Bool {
            if case .folder = body { true } else { false }
        }

        var bytes: [UInt8]? {
            if case .file(let bytes) = body { bytes } else { nil }
        }
    }

    static let root: UInt64 = 2

    let nature: DiskNature
    var inodes: [UInt64: Inode]

    init(nature: DiskNature, now: Timestamp) {
        self.nature = nature
        inodes = [Self.root: Inode(body: .folder([:]), modifiedAt: now, changedAt: now, bornAt: now)]
    }

    /// In the order of the names' bytes.
    func entries(of folder: UInt64) -> [Entry] {
        guard case .folder(let entries)? = inodes[folder]?.body else { return [] }
        return entries.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    func entry(_ name: String, in folder: UInt64) -> Entry? {
        guard case .folder(let entries)? = inodes[folder]?.body else { return nil }
        return entries[nature.key(name)]
    }

    /// - Returns: nil where something on the way is missing, or no folder.
    func find(_ names: [String]) -> UInt64? {
        var inode = Self.root
        for name in names {
            guard let next = entry(name, in: inode) else { return nil }
            inode = next.inode
        }
        return inode
    }

    mutating func put(_ name: String, _ inode: UInt64, in folder: UInt64) {
        guard case .folder(var entries)? = inodes[folder]?.body else { return }
        entries[nature.key(name)] = Entry(name: nature.kept(name), inode: inode)
        inodes[folder]?.body = .folder(entries)
        inodes[folder]?.renamed.append(name)
    }

    mutating func take(_ name: String, from folder: UInt64) {
        guard case .folder(var entries)? = inodes[folder]?.body else { return }
        entries[nature.key(name)] = nil
        inodes[folder]?.body = .folder(entries)
        inodes[folder]?.renamed.append(name)
    }

    /// Forgets an inode that has lost its name, with all below it: nothing in a world has two names.
    mutating func release(_ inode: UInt64) {
        guard inode != Self.root, let gone = inodes.removeValue(forKey: inode) else { return }
        if case .folder(let entries) = gone.body {
            for entry in entries.values { release(entry.inode) }
        }
    }

    /// Every inode below a folder with its names from there, parents first, in the order of the names' bytes.
    func walk(below folder: UInt64, _ names: [String] = []) -> [(names: [String], inode: UInt64)] {
        entries(of: folder).flatMap { entry in
            let here = names + [entry.name]
            let below = inodes[entry.inode]?.isFolder == true ? walk(below: entry.inode, here) : []
            return [(here, entry.inode)] + below
        }
    }

    /// Gives everything the birth of another disk's inodes: their numbers may well be the same there.
    mutating func makeNewInodes(bornAt: Timestamp) {
        for inode in inodes.keys {
            inodes[inode]?.bornAt = bornAt
            inodes[inode]?.changedAt = bornAt
        }
    }

    /// Gives each inode but the root's the number of another.
    mutating func renumber() {
        let old = inodes.keys.filter { $0 != Self.root }.sorted()
        var new = [Self.root: Self.root]
        for (index, inode) in old.enumerated() { new[inode] = old[(index + 1) % old.count] }
        inodes = inodes.reduce(into: [:]) { renumbered, pair in
            var inode = pair.value
            if case .folder(let entries) = inode.body {
                inode.body = .folder(entries.mapValues { Entry(name: $0.name, inode: new[$0.inode] ?? $0.inode) })
            }
            renumbered[new[pair.key] ?? pair.key] = inode
        }
    }

    var usedBytes: Int { inodes.values.reduce(0) { $0 + ($1.bytes?.count ?? 0) } }
}
