import BothyContract

/// Beginning a restore: what is to be put back and to which moment, as things stand in one transaction.
struct RestoreOpening: Sendable {
    var request: RestoreRequest
    var identity: RequestIdentity
    /// How far the moment that is asked for by its time was sought beside the writer.
    var sought = RestoreMoment.Sought()

    /// - Returns: the restore that the request began before, or begins now.
    /// - Throws: as ``DriveRestores/submit(_:identity:for:)``.
    func perform(in db: any SQLConnection, stamp: ChangeStamp) throws -> RestoreRow {
        let restores = RestoreTable(db, drive: stamp.driveId)
        if let requestId = identity.requestId, let known = try restores.find(by: requestId) {
            let hash = known.requestId == requestId ? known.bodyHash : known.runBodyHash
            guard hash == identity.bodyHash else { throw OutcomeTable.mismatch }
            return known
        }
        if request.dryRun != true, let running = try restores.underWay() {
            throw Problem(.restoreRunning, "Another restore of this account is still running.").with {
                $0.restoreId = running
            }
        }
        if let planId = request.planId { return try carryOut(planId, in: db, stamp: stamp) }
        let row = try newRow(in: db, stamp: stamp)
        try restores.insert(row)
        return row
    }

    // MARK: A new one

    private func newRow(in db: any SQLConnection, stamp: ChangeStamp) throws -> RestoreRow {
        let moment = try moment(in: db, stamp: stamp)
        let fileId = request.fileId ?? File.rootId
        guard FileID.isPlausible(fileId) else { throw FileTable.notFound }
        let row = try FileTable(db, drive: stamp.driveId).require(fileId).row
        var then = PastDrive(db, drive: stamp.driveId, after: moment.sequence)
        guard let path = try then.path(from: fileId), !path.isTrashed else {
            let asked = moment.askedAt.map { ", the last moment before \($0) that is kept" } ?? ""
            throw Problem(
                .notThereThen,
                "“\(row.name)” was not there, or was in the trash, at \(moment.at)\(asked): there is nothing to put it "
                    + "back to.")
        }
        return RestoreRow(
            id: stamp.newId(), fileId: fileId, moment: moment.sequence, momentTag: moment.tag, at: moment.at,
            askedAt: moment.askedAt,
            state: .planning, wanted: request.dryRun != true, planned: moment.sequence, deviceId: stamp.deviceId,
            requestId: identity.requestId, bodyHash: identity.bodyHash, createdAt: stamp.now,
            touchedLived: stamp.lived)
    }

    private func moment(in db: any SQLConnection, stamp: ChangeStamp) throws -> RestoreMoment {
        switch (request.at, request.cursor) {
        case (let at?, nil):
            return try RestoreMoment(at: at, sought, now: stamp.now, in: db, drive: stamp.driveId)
        case (nil, let cursor?):
            return try RestoreMoment(cursor: cursor, now: stamp.now, in: db, drive: stamp.driveId)
        default:
            throw Problem(.invalidParameter, "Say the moment by one of “at” and “cursor”, or a dry run by “planId”.")
        }
    }

    // MARK: One that is planned

    private func carryOut(_ planId: String, in db: any SQLConnection, stamp: ChangeStamp) throws -> RestoreRow {
        guard request.at == nil, request.cursor == nil, request.fileId == nil, request.dryRun != true else {
            throw Problem(.invalidParameter, "“planId” stands alone: the plan has its moment and its folder.")
        }
        guard FileID.isPlausible(planId) else { throw Problem(.notFound, "There is no such restore.") }
        let restores = RestoreTable(db, drive: stamp.driveId)
        var row = try restores.require(planId)
        guard !row.wanted else { throw Problem(.planChanged, "This plan was already executed.") }
        if row.state == .planned {
            if let name = try changedSince(row, in: db, drive: stamp.driveId) {
                throw Problem(
                    .planChanged, "\(name) changed since the plan was made: nothing was restored. Plan again.")
            }
            row.state = .running
        }
        row.wanted = true
        row.deviceId = stamp.deviceId
        row.runRequestId = identity.requestId
        row.runBodyHash = identity.bodyHash
        row.touchedLived = stamp.lived
        try restores.update(row)
        return row
    }

    /// Something that the plan might have said otherwise about, in words; nil where there is nothing.
    private func changedSince(_ row: RestoreRow, in db: any SQLConnection, drive: Int64) throws -> String? {
        let log = ChangeLog(db, drive: drive)
        guard try !log.hasTooMuchToCheck(after: row.planned) else { return "Much" }
        let steps = RestoreStepTable(db, drive: drive, restoreId: row.id)
        var now = Ancestry(db, drive: drive)
        var then = PastDrive(db, drive: drive, after: row.moment)
        for id in try log.files(changedAfter: row.planned) {
            let concerns =
                try row.fileId == File.rootId || steps.find(id) != nil || now.path(from: id).contains(row.fileId)
                || then.path(from: id)?.ids.contains(row.fileId) == true
            guard concerns else { continue }
            return try FileTable(db, drive: drive).find(id).map { "“\($0.name)”" } ?? "Something"
        }
        return nil
    }
}
