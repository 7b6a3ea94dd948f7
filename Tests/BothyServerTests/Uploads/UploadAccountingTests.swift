import BothyContent
import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// References, pins and the quota, after random histories of uploads, cancels, deletions and time.
@Suite struct UploadAccountingTests {
    /// Few and small, so that files share them and sessions meet over them.
    private static let pool = (0..<6).map { UploadWorld.bytes(50 + $0 * 11, seed: UInt64($0 + 1)) }

    /// What has to hold whatever happened: each names the rows that break it.
    private static let laws = [
        "SELECT drive_id FROM drives d WHERE used_bytes <> (SELECT coalesce(sum(size), 0) FROM blocks b WHERE b.drive_id = d.drive_id AND counted = 1)",
        "SELECT hash FROM blocks b WHERE refs <> (SELECT count(*) FROM content_blocks c WHERE c.drive_id = b.drive_id AND c.hash = b.hash)",
        "SELECT hash FROM blocks WHERE refs > 0 AND (counted = 0 OR unreferenced_lived IS NOT NULL)",
        "SELECT hash FROM blocks WHERE refs = 0 AND unreferenced_lived IS NULL",
        "SELECT hash FROM content_blocks c WHERE NOT EXISTS (SELECT 1 FROM blocks b WHERE b.drive_id = c.drive_id AND b.hash = c.hash)",
        """
        SELECT hash FROM upload_chunks c WHERE received = 1 AND NOT EXISTS (
            SELECT 1 FROM blocks b WHERE b.drive_id = c.drive_id AND b.hash = c.hash AND b.counted = 1)
        """,
        """
        SELECT upload_id FROM uploads u WHERE state = 'open' AND received_chunks <> (
            SELECT count(*) FROM upload_chunks c WHERE c.drive_id = u.drive_id AND c.upload_id = u.upload_id AND received = 1)
        """,
        "SELECT upload_id FROM upload_chunks c WHERE NOT EXISTS (SELECT 1 FROM uploads u WHERE u.upload_id = c.upload_id AND state = 'open')",
        "SELECT content_id FROM contents c WHERE refs <> (SELECT count(*) FROM revisions r WHERE r.drive_id = c.drive_id AND r.content_id = c.content_id) + (SELECT count(*) FROM attachments a WHERE a.author_id = c.drive_id AND a.content_id = c.content_id) OR refs = 0",
        """
        SELECT folder_id FROM folder_counts f WHERE entries <> (
            SELECT count(*) FROM nodes n WHERE n.drive_id = f.drive_id AND n.parent_id = f.folder_id AND n.kind = f.kind
                AND trashed = 0 AND purged = 0 AND hidden = 0)
        """,
        "SELECT drive_id FROM drives d WHERE items <> (SELECT count(*) FROM nodes n WHERE n.drive_id = d.drive_id AND parent_id IS NOT NULL)",
        "SELECT drive_id FROM drives d WHERE last_sequence > 0 AND last_sequence <> (SELECT max(sequence) FROM changes c WHERE c.drive_id = d.drive_id)",
        "SELECT drive_id FROM changes GROUP BY drive_id HAVING count(*) <> max(sequence) - min(sequence) + 1",
        """
        SELECT drive_id FROM drives d WHERE last_sequence > 0 AND last_tag <> (
            SELECT tag FROM changes c WHERE c.drive_id = d.drive_id AND c.sequence = d.last_sequence)
        """,
        "SELECT content_id FROM contents c WHERE content_id > (SELECT last_content_id FROM drives d WHERE d.drive_id = c.drive_id)",
        """
        SELECT revision_id FROM revisions r WHERE made_lived <> (
            SELECT at_lived FROM changes c WHERE c.drive_id = r.drive_id AND c.sequence = r.sequence)
        """,
        """
        SELECT sequence FROM changes c WHERE at_lived < (
            SELECT at_lived FROM changes b WHERE b.drive_id = c.drive_id AND b.sequence = c.sequence - 1)
        """,
    ]

    private func holdLaws(_ world: UploadWorld, after step: String) async throws {
        for law in Self.laws {
            let broken = try await world.server.database.read { try $0.query(law).count }
            #expect(broken == 0, "\(step): \(law)")
        }
    }

    @Test func everyHistoryKeepsItsAccountsInOrder() async throws {
        let world = try await UploadWorld()
        var sessions = [(id: String, plan: [Int])]()
        for number in 0..<400 {
            let step = try await act(world, &sessions, number)
            try await holdLaws(world, after: "\(number) \(step)")
        }
        for file in try await world.server.list("parentId=root") {
            #expect(try await world.read(file).status == 200)
        }
    }

    /// Small files that come together: new ones, new versions, the same name twice, what the drive has already, and what is refused.
    private func batch(_ world: UploadWorld, _ number: Int) async throws -> String {
        let names = (0..<Int.random(in: 2...6)).map { _ in "b\(Int.random(in: 0..<9))" }
        let items = names.enumerated().map { index, name in
            BatchItem(name, Bool.random() ? [] : Self.pool.randomElement() ?? [], id: "batch-\(number)-\(index)") {
                $0.conflict = [.fork, .overwrite, .fail].randomElement()
                if Int.random(in: 0..<9) == 0 { $0.parentId = "019a2b60-89ab-7cde-8f01-23456789abcd" }
            }
        }
        let answer = try await world.tryBatch(items)
        let outcomes = try answer.json(UploadBatchResponse.self).items
        let latest = outcomes.compactMap { $0.cursor.flatMap { ChangeCursor(text: $0) } }.map(\.sequence).max()
        let told = answer.cursor.flatMap { ChangeCursor(text: $0) }?.sequence
        #expect(told == latest, "the last of all its changes is told")
        return "batch \(names) \(outcomes.map(\.status))"
    }

    private func act(
        _ world: UploadWorld, _ sessions: inout [(id: String, plan: [Int])], _ number: Int
    ) async throws -> String {
        switch Int.random(in: 0..<12) {
        case 10, 11: return try await batch(world, number)
        case 0, 1:
            let plan = (0..<Int.random(in: 1...5)).map { _ in Int.random(in: 0..<Self.pool.count) }
            let request = UploadRequest(
                requestId: nil, name: "f\(number)", plan: .blocks(plan.map { UploadWorld.reference(Self.pool[$0]) }),
                finalize: Bool.random() ? .auto : .explicit)
            sessions.append((try await world.start(request).uploadId, plan))
            return "start \(plan)"
        case 2, 3, 4, 5:
            guard let session = sessions.randomElement(), let index = session.plan.indices.randomElement() else {
                return "no put"
            }
            return "put \(try await world.put(session.id, chunk: index, Self.pool[session.plan[index]]).status)"
        case 6:
            guard let session = sessions.randomElement() else { return "no finalize" }
            return "finalize \(try await world.finalize(session.id).status)"
        case 7:
            guard let session = sessions.randomElement() else { return "no cancel" }
            return "cancel \(try await world.server.send(.delete, "/v1/upload/\(session.id)").status)"
        case 8:
            guard let file = try await world.server.list("parentId=root").randomElement() else { return "no delete" }
            let status = try await world.server.send(.delete, "/v1/files/\(file.id)?permanent=true").status
            let stamps = world.server.parts.stamps
            while try await world.server.database.write({ try Purge.drain(in: $0, stamps: stamps) }) {}
            return "delete \(status)"
        default:
            world.server.clock.advance(seconds: [3600, 20 * 3600, 30 * 3600].randomElement() ?? 0)
            try await world.letTimeWork()
            return "time"
        }
    }
}
