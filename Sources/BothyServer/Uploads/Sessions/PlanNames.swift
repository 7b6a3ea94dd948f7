import BothyContract

/// More blocks of an open plan, as a client names them.
package struct PlanNames: Sendable {
    private let from: Int
    private let names: [NamedBlocks]
    /// The revision that runs are of.
    private let base: String?

    /// - Throws: `plan_invalid` for a place that no plan has.
    package init(_ request: ExtendPlanRequest) throws(Problem) {
        guard (0..<UploadLimits.maximumChunks).contains(request.from) else {
            throw Problem(
                .planInvalid, "A plan has at most \(UploadLimits.maximumChunks) blocks, and none at \(request.from).")
        }
        from = request.from
        names = request.blocks.map { .block($0) }
        base = nil
    }

    /// - Throws: `plan_invalid` for what is no list of blocks, or stands for more than one request may name.
    package init(from: Int, list: some Collection<UInt8>, base: String?) throws(Problem) {
        let most = UploadLimits.maximumBlocksInRequest
        guard list.count <= most * BlockReference.listedBytes, let names = NamedBlocks.list(list) else {
            throw Problem(
                .planInvalid,
                "The body is no list of \(most) blocks or fewer, at \(BlockReference.listedBytes) bytes each.")
        }
        guard names.reduce(0, { $0 + $1.count }) <= most else {
            throw Problem(.planInvalid, "One request names at most \(most) blocks; extend the plan with the others.")
        }
        self.from = from
        self.names = names
        self.base = base
    }

    /// All of them by their own names.
    ///
    /// - Throws: `plan_invalid` for a run that the base does not have, or that is of no revision of this drive.
    func request(in db: any SQLConnection, drive: Int64) throws -> ExtendPlanRequest {
        var blocks = [BlockReference]()
        blocks.reserveCapacity(names.reduce(0) { $0 + $1.count })
        for name in names {
            switch name {
            case .block(let block): blocks.append(block)
            case .base(let run):
                let content = try base.flatMap { try RevisionTable(db, drive: drive).find($0) }?.contentId
                let found = try content.map { try ContentTable(db, drive: drive).blocks(of: $0, run) } ?? []
                guard found.count == run.count else {
                    throw Problem(
                        .planInvalid,
                        "Blocks \(run.first) to \(run.last) of the base are not there; name them by their hashes.")
                }
                blocks += found
            }
        }
        return ExtendPlanRequest(from: from, blocks: blocks)
    }
}
