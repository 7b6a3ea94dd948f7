import BothyClient
import BothySync

/// Files that programs of a person have open to write in them: what is written goes into the file, wherever it lies by then.
extension SimulatedDisk {
    /// Where they are for a person, in the order in which they would find them.
    var openPaths: [[String]] { placesHeldOpen.filter { $0[0] != PrivateNames.folder } }

    /// Those of them that were taken away under their programs.
    var takenUnderPrograms: [[String]] { placesHeldOpen.filter { $0[0] == PrivateNames.folder } }

    private var placesHeldOpen: [[String]] {
        heldOpen.isEmpty
            ? [] : model.tree.walk(below: DiskTree.root).filter { heldOpen.contains($0.inode) }.map(\.names)
    }

    func open(_ file: [String]) {
        if let inode = model.tree.find(file) { heldOpen.insert(inode) }
    }

    func close(_ file: [String]) {
        if let inode = model.tree.find(file) { heldOpen.remove(inode) }
    }

    func isHeldOpen(_ file: [String]) -> Bool { model.tree.find(file).map(heldOpen.contains) ?? false }

    /// The last look before a file is taken away.
    func requireUnused(_ path: Place) throws(ClientFailure) {
        if isHeldOpen(path.texts) { throw ClientFailure.inUse(path) }
    }
}
