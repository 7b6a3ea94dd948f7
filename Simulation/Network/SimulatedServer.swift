import BothyContent
import BothyContract
import BothySync

/// The one server of a world: the model, what is still on its way to it, and what it ever acknowledged.
///
/// Unchecked because a world awaits one thing at a time: nothing here is ever touched by two.
package final class SimulatedServer: @unchecked Sendable {
    private enum Waiting {
        case change(ServerCall, requestId: String, device: String)
        case withdrawal(of: String)
    }

    package var model = ServerModel()
    private var waiting: [Waiting] = []
    /// Every content that it said yes to.
    package private(set) var acknowledged: Set<ContentHash> = []
    /// When the pass that is under way began.
    var passBegan = Timestamp(seconds: 0)
    /// Paths of conflict copies that came with the very content beside which they were put.
    private(set) var falseCopies: [String] = []
    /// Names of the conflict copies that were made: what comes back under such a name later is no new one.
    private var copies: Set<String> = []
    /// When the pass began that made a conflict copy, and what it made it of, by its name.
    private var madeInPass: [String: (began: Timestamp, content: ContentHash?)] = [:]

    /// What left the trash since something below the same folder got a new version, or was taken back.
    private(set) var broughtBack: Set<ContentHash> = []

    /// What each device for which the last write wins had in its folder when its pass began.
    var seen: [String: [Place: ContentHash]] = [:]
    /// What each device's new versions were put over, where it had not come to that device.
    private var overwritten: [String: Set<ContentHash>] = [:]

    func overwritten(by device: String) -> Set<ContentHash> { overwritten[device, default: []] }

    /// How often each device put something into the trash, or deleted it. What a bad network delivers once more deletes nothing more.
    private var deletions: [String: Int] = [:]
    private var deletionRequests: Set<String> = []

    func deletions(by device: String) -> Int { deletions[device, default: 0] }

    package init() {}

    package func perform(
        _ call: ServerCall, requestId: String?, by device: String
    ) throws(Problem) -> ServerAnswer {
        let folder = topmostTrashed(of: call)
        let before = head(under: call)
        let answer = try model.perform(call, requestId: requestId, by: device)
        if let folder, !model.isTrashed(folder) {
            broughtBack.formUnion(
                model.descendants(of: folder).filter { !model.isTrashed($0.id) }.compactMap { $0.head?.checksum })
        }
        if case .delete = call, requestId.map({ deletionRequests.insert($0).inserted }) ?? true {
            deletions[device, default: 0] += 1
        }
        if case .upload(let request, _) = call, let checksum = answer.revision?.checksum {
            acknowledged.insert(checksum)
            if let before, before != checksum, !had(before, of: call, device) {
                overwritten[device, default: []].insert(before)
            }
            if request.fileId == nil, let file = answer.file { look(at: file, checksum) }
        }
        return answer
    }

    /// Whether a device had a version in its folder, where the server has the file.
    private func had(_ version: ContentHash, of call: ServerCall, _ device: String) -> Bool {
        guard case .upload(let request, _) = call, let id = request.fileId else { return false }
        return seen[device]?[Place(text: String(model.writtenPath(id).dropFirst()))] == version
    }

    private func head(under call: ServerCall) -> ContentHash? {
        guard case .upload(let request, _) = call, let id = request.fileId else { return nil }
        return model.nodes[id]?.head?.checksum
    }

    /// The uppermost folder in the trash that a new version, or taking something back, takes out of it.
    private func topmostTrashed(of call: ServerCall) -> String? {
        let id: String? =
            switch call {
            case .upload(let request, _): request.fileId
            case .update(let id, let change, _) where change.trashed == false: id
            default: nil
            }
        return id.flatMap { model.path($0).last { $0.trashedAt != nil }?.id }
    }

    /// Conflict copies that a device has after a pass, or when something happens meanwhile: that pass has made them,
    /// however late they come here, and whatever has become of them by then.
    func noteCopies(on disk: SimulatedDisk) {
        for path in disk.personsPaths {
            guard let name = path.last, madeInPass[name] == nil, ConflictCopy.original(of: name) != nil else {
                continue
            }
            madeInPass[name] = (passBegan, disk.model.bytes(path).map { SHA256Hasher.hash($0) })
        }
    }

    /// Its maker has seen what was there when the pass began; what came since is nobody's fault.
    private func look(at copy: File, _ checksum: ContentHash) {
        guard let name = ConflictCopy.original(of: copy.name), copies.insert(copy.name).inserted,
            let parent = copy.parentId, let head = model.holder(of: name, in: parent)?.head
        else { return }
        let made = madeInPass[copy.name]
        guard head.checksum == made?.content ?? checksum, head.createdAt < made?.began ?? passBegan else { return }
        falseCopies.append(model.writtenPath(copy.id))
    }

    /// Holds a request that a slow network still carries.
    func hold(_ call: ServerCall, requestId: String, by device: String) {
        waiting.append(.change(call, requestId: requestId, device: device))
    }

    func holdWithdrawal(of requestId: String) { waiting.append(.withdrawal(of: requestId)) }

    /// What was on its way arrives, in the order of its sending. Nobody hears the answers.
    package func deliverWhatWaits() {
        let arriving = waiting
        waiting = []
        for request in arriving {
            switch request {
            // Nobody hears its answer any more.
            case .change(let call, let id, let device): _ = try? perform(call, requestId: id, by: device)
            case .withdrawal(let id): _ = model.end(of: id, withdrawing: true)
            }
        }
    }
}
