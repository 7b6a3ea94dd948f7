import BothyContent
import BothyContract
import Testing

@testable import BothyServer

/// The pure decisions, on thousands of random histories.
@Suite struct UploadSessionTests {
    private let now = Timestamp(seconds: 1000)

    private func session(_ plan: UploadPlan, _ request: UploadRequest? = nil) -> UploadSession {
        UploadSession(
            uploadId: "u", deviceId: "d", plan: plan, request: request ?? UploadRequest(requestId: nil, name: "n"),
            now: now,
            lived: 0)
    }

    private func hash(_ number: Int) -> ContentHash {
        SHA256Hasher.hash([UInt8(number & 255), UInt8(number >> 8 & 255)])
    }

    @Test func noOrderOfChunksRepeatsAndContradictionsBreaksASession() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let total = Int.random(in: 1...12, using: &random)
            let size = Int64(total) * (256 << 10) - Int64.random(in: 0..<(256 << 10), using: &random)
            let plan = try UploadPlan(
                starting: UploadRequest(
                    requestId: nil, name: "n", size: size, plan: .fixed(chunkSize: 256 << 10)))
            #expect(plan.totalChunks == total)
            var session = session(plan)
            var model = [Int: PlannedChunk]()
            for _ in 0..<40 { try step(&session, &model, using: &random) }
            #expect(session.receivedChunks == model.count)
            var prefix = 0
            while model[prefix] != nil { prefix += 1 }
            #expect(session.prefixChunks == prefix)
            #expect(session.prefixBytes == (prefix == 0 ? 0 : plan.fixedChunk(at: prefix - 1).end))
            #expect(session.hasEveryChunk == (model.count == total))
        }
    }

    private func step(
        _ session: inout UploadSession, _ model: inout [Int: PlannedChunk],
        using random: inout some RandomNumberGenerator
    ) throws {
        let index = Int.random(in: 0..<session.plan.totalChunks, using: &random)
        let lies = Int.random(in: 0..<6, using: &random) == 0
        let place = session.plan.fixedChunk(at: index)
        let arrived = ArrivedChunk(
            position: index, start: place.start, hash: hash(lies ? index + 100 : index), size: place.size,
            location: BlockLocation(pack: 1, offset: 0, length: Int(place.size)))
        let before = session
        do {
            let new = try session.receive([arrived], present: model, now: now, lived: 0)
            #expect(new.count == (model[index] == nil ? 1 : 0))
            for chunk in new {
                model[chunk.position] = PlannedChunk(
                    position: chunk.position, start: chunk.start, size: chunk.size, hash: chunk.hash, received: true)
            }
            session.fill(new.count)
            session.advancePrefix(
                over: model.values.filter { $0.position >= session.prefixChunks }.sorted { $0.position < $1.position })
        } catch let problem {
            #expect(problem.code == .chunkHashConflict)
            #expect(model[index] != nil)
            #expect(session == before, "a refusal changes nothing")
        }
    }

    @Test func everyRangeOfWholeChunksIsFoundAndNoOtherIs() throws {
        let chunkSize: Int64 = 256 << 10
        for total in [1, 2, 5] {
            let size = Int64(total) * chunkSize - 7
            let plan = try UploadPlan(
                starting: UploadRequest(
                    requestId: nil, name: "n", size: size, plan: .fixed(chunkSize: chunkSize)))
            let edges = (0...total).map { min(Int64($0) * chunkSize, size) }
            let places = Set(edges.flatMap { [$0 - 1, $0, $0 + 1] }).filter { $0 >= 0 }.sorted()
            for first in places {
                for last in places where first <= last {
                    let range = ContentRange(first: first, last: last, total: nil)
                    let isWhole = edges.contains(first) && edges.contains(last + 1) && last < size
                    let found = try? plan.fixedChunks(covering: range)
                    #expect((found != nil) == isWhole, "\(range.text)")
                    guard let found else { continue }
                    #expect(plan.fixedChunk(at: found.lowerBound).start == first)
                    #expect(plan.fixedChunk(at: found.upperBound).end == last + 1)
                }
            }
        }
    }

    @Test func aSessionThatIsOverTakesNothing() throws {
        let plan = try UploadPlan(starting: UploadRequest(requestId: nil, name: "n", size: 10))
        var canceled = session(plan)
        try canceled.cancel()
        try canceled.cancel()
        let expired = session(plan).seen(at: UploadLimits.sessionLifetime + 1)
        #expect(session(plan).seen(at: UploadLimits.sessionLifetime).phase == .open)
        for (session, code) in [(canceled, ProblemCode.uploadCanceled), (expired, .uploadExpired)] {
            var copy = session
            let refusal = #expect(throws: Problem.self) {
                try copy.receive([], present: [:], now: now, lived: 0)
            }
            #expect(refusal?.code == code)
            #expect(throws: Problem.self) { try session.admit([plan.fixedChunk(at: 0)], digest: nil, length: 10) }
            #expect(throws: Problem.self) { try copy.extend(from: 0, with: [], known: [], now: now, lived: 0) }
            #expect(copy == session)
        }
    }

    @Test func whatFinalizeNamesReplacesWhatTheStartNamed() {
        let start = UploadRequest(
            requestId: nil, name: "a", parentId: "p", size: 1, baseRevisionId: "r", fileHashSha256: hash(1),
            conflict: .fork)
        let same = FinalizeTerms(start, replacedBy: FinalizeRequest())
        #expect((same.name, same.parentId, same.size, same.fileHash) == ("a", "p", 1, hash(1)))
        #expect(same.conflict == .fork)
        let other = FinalizeTerms(
            start,
            replacedBy: FinalizeRequest(
                size: 2, fileHashSha256: hash(2), name: "b", parentId: "q", baseRevisionId: "s", conflict: .overwrite))
        #expect((other.name, other.parentId, other.size, other.fileHash) == ("b", "q", 2, hash(2)))
        #expect((other.baseRevisionId, other.conflict) == ("s", .overwrite))
    }
}
