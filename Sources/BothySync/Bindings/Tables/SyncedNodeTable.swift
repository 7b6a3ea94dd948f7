import BothyContract
import Foundation
import GRDB

/// The table `synced_nodes`: what both sides last agreed on, a row a file or folder.
enum SyncedNodeTable {
    static let columns = """
        remote_id, parent_id, name, remote_name, is_folder, inode, local_size, modified_s, modified_ns, changed_s, changed_ns, \
        born_s, born_ns, local_executable, base_revision_id, checksum, size, remote_executable, \
        remote_modified_s, remote_modified_ns, version, mark, is_stamp_recent
        """

    /// All of a binding's nodes as a tree.
    ///
    /// - Parameter id: of the binding that they were kept for; nil for its own.
    static func tree(of binding: Binding, keptAs id: String? = nil, in db: Database) throws -> SyncedTree {
        var tree = SyncedTree(rootId: binding.remoteId, root: binding.root)
        var waiting = [String: [(facts: SyncedFacts, name: NodeName)]]()
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(columns) FROM synced_nodes WHERE binding_id = ?", arguments: [id ?? binding.id])
        while let row = try rows.next() {
            guard let parent: String = row[1] else { continue }
            let node = (try facts(row), name(row))
            if tree.put(node.0, named: node.1, under: parent) {
                adopt(node.0.remoteId, &waiting, &tree)
            } else {
                waiting[parent, default: []].append(node)
            }
        }
        return tree
    }

    /// - Returns: nil for a row without a folder.
    static func row(_ row: Row) throws -> AgreedRow? {
        guard let parent: String = row[1] else { return nil }
        return AgreedRow(facts: try facts(row), name: name(row), parentId: parent)
    }

    /// Those whose folder has come now.
    private static func adopt(
        _ id: String, _ waiting: inout [String: [(facts: SyncedFacts, name: NodeName)]], _ tree: inout SyncedTree
    ) {
        var folders = [id]
        while let folder = folders.popLast() {
            for child in waiting.removeValue(forKey: folder) ?? [] {
                tree.put(child.facts, named: child.name, under: folder)
                folders.append(child.facts.remoteId)
            }
        }
    }

    /// The ids on the server of what is agreed on at a place, after those of the folders above it, from the bound one's own.
    static func ids(at place: Place, from rootId: String, of binding: String, in db: Database) throws -> [String] {
        var ids = [rootId]
        for name in place.names {
            let id = try String.fetchOne(
                db, sql: "SELECT remote_id FROM synced_nodes WHERE binding_id = ? AND parent_id = ? AND name = ?",
                arguments: [binding, ids[ids.count - 1], name.text])
            guard let id else { break }
            ids.append(id)
        }
        return ids
    }

    /// What is agreed on of a file of the server's, and where that is here.
    ///
    /// - Returns: nil for one that is not agreed on, or has given its place away.
    static func find(
        _ id: String, of binding: Binding, in db: Database
    ) throws -> (facts: SyncedFacts, place: Place)? {
        var (names, found) = ([NodeName](), SyncedFacts?.none)
        var next = id
        // A chain longer than any tree is a circle.
        for _ in 0...FileLimits.maximumDepth {
            let row = try Row.fetchOne(
                db, sql: "SELECT \(columns) FROM synced_nodes WHERE binding_id = ? AND remote_id = ?",
                arguments: [binding.id, next])
            guard let row, let parent: String = row[1], !SyncedTree.isOfNoPlace(name(row)) else { return nil }
            if found == nil { found = try facts(row) }
            names.insert(name(row), at: 0)
            if parent == binding.remoteId { return found.map { ($0, Place(names)) } }
            next = parent
        }
        return nil
    }

    static func save(
        _ facts: SyncedFacts, named name: NodeName, under parentId: String, of binding: String, in db: Database
    ) throws {
        let stamp = facts.local
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO synced_nodes (binding_id, \(columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).write(
            [
                binding, facts.remoteId, parentId, SyncedTree.isOfNoPlace(name) ? "" : name.text,
                facts.remoteName == name ? nil : facts.remoteName.text, facts.kind == .folder,
                stamp.map { Int64(bitPattern: $0.inode) }, stamp?.size, stamp?.modifiedAt.seconds,
                stamp?.modifiedAt.nanoseconds, stamp?.changedAt.seconds, stamp?.changedAt.nanoseconds,
                stamp?.bornAt?.seconds, stamp?.bornAt?.nanoseconds, facts.localExecutable, facts.baseRevisionId,
                facts.checksum, facts.size, facts.remoteExecutable, facts.remoteModifiedAt.seconds,
                facts.remoteModifiedAt.nanoseconds, facts.version, try facts.mark.map(JSONColumn.text),
                stamp?.isRecent ?? false,
            ], in: db)
    }

    /// Notes that a file's stamp vouches for its content, where both are still the same.
    static func vouch(for facts: SyncedFacts, of binding: String, in db: Database) throws {
        guard let stamp = facts.local else { return }
        try db.cachedStatement(
            sql: """
                UPDATE synced_nodes SET is_stamp_recent = 0
                WHERE binding_id = ? AND remote_id = ? AND checksum = ? AND local_size = ? AND modified_s = ?
                    AND modified_ns = ? AND changed_s = ? AND changed_ns = ?
                """
        ).execute(arguments: [
            binding, facts.remoteId, facts.checksum.map { Data($0.bytes) }, stamp.size, stamp.modifiedAt.seconds,
            stamp.modifiedAt.nanoseconds, stamp.changedAt.seconds, stamp.changedAt.nanoseconds,
        ])
    }

    /// Removes a node with all below it.
    static func remove(_ id: String, of binding: String, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                WITH RECURSIVE gone (id) AS (
                    SELECT ?2 UNION SELECT s.remote_id FROM synced_nodes s JOIN gone ON s.parent_id = gone.id
                        AND s.binding_id = ?1
                ) DELETE FROM synced_nodes WHERE binding_id = ?1 AND remote_id IN gone
                """
        ).execute(arguments: [binding, id])
    }

    static func removeAll(of binding: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM synced_nodes WHERE binding_id = ?", arguments: [binding])
    }

    /// A name is empty where a node has given its place away; SQLite's texts end at a NUL.
    private static func name(_ row: Row) -> NodeName {
        let text: String = row[2]
        return text.isEmpty ? SyncedTree.nameOfNoPlace(row[0]) : NodeName(text)
    }

    private static func facts(_ row: Row) throws -> SyncedFacts {
        let checksum: Data? = row[15]
        let remoteName: String? = row[3]
        let mark: String? = row[21]
        return SyncedFacts(
            remoteId: row[0], kind: row[4] ? .folder : .file, remoteName: NodeName(remoteName ?? row[2]),
            local: stamp(row), localExecutable: row[13], baseRevisionId: row[14],
            checksum: checksum.flatMap { ContentHash(bytes: $0) }, size: row[16], remoteExecutable: row[17],
            remoteModifiedAt: Timestamp(seconds: row[18], nanoseconds: row[19]), version: row[20],
            mark: try mark.map { try JSONColumn.read(SyncedMark.self, $0) })
    }

    private static func stamp(_ row: Row) -> LocalStamp? {
        guard let inode: Int64 = row[5] else { return nil }
        let born: Int64? = row[11]
        return LocalStamp(
            inode: UInt64(bitPattern: inode), size: row[6],
            modifiedAt: Timestamp(seconds: row[7], nanoseconds: row[8]),
            changedAt: Timestamp(seconds: row[9], nanoseconds: row[10]),
            bornAt: born.map { Timestamp(seconds: $0, nanoseconds: row[12]) }, isRecent: row[22])
    }
}
