import BothyContent
import BothyContract
import Simulation

/// Folder sync as it is written in an afternoon: it copies what is missing either way, and lets the last one win.
/// The worlds must find out.
final class CarelessEngine: DeviceEngine {
    private let device: SimulatedDevice
    /// What was here once and is not now counts as deleted.
    private let trustsAbsence: Bool
    private var seen: Set<String> = []
    private var requests = 0

    init(device: SimulatedDevice, trustsAbsence: Bool) {
        self.device = device
        self.trustsAbsence = trustsAbsence
    }

    func pass(confirming: Bool, told: @escaping @Sendable (String) -> Void) async throws -> PassEnd {
        var done = 0
        if trustsAbsence { try await deleteWhatIsAbsent() }
        let remote = try await listing()
        for path in device.disk.personsPaths {
            guard let bytes = device.disk.model.bytes(path), path.count == 1 else { continue }
            let there = remote[path[0]]
            guard there?.checksum != SHA256Hasher.hash(bytes) else { continue }
            requests += 1
            _ = try await device.drive.upload(
                .init(
                    requestId: "\(device.name)-\(requests)-\(device.clock.uptime())",
                    localPath: "/simulated/\(device.name)/\(path[0])", name: path[0], parentId: File.rootId,
                    fileId: there?.id, conflict: .overwrite))
            done += 1
        }
        for (name, file) in remote.sorted(by: { $0.key < $1.key }) where !device.disk.model.exists([name]) {
            guard file.headRevisionId != nil else { continue }
            _ = try await device.drive.download(
                .init(fileId: file.id, name: name, destination: "/simulated/\(device.name)/\(name)"))
            done += 1
        }
        return PassEnd(done: done, left: 0, isLinked: true)
    }

    func keptApart() async throws -> [KeptApart] { [] }
    func decide(_ thing: Int, _ choice: Int) async throws -> Decided? { nil }

    private func deleteWhatIsAbsent() async throws {
        if try device.disk.mark() == nil { try device.disk.claim(mark: device.name) }
        for (name, file) in try await listing().sorted(by: { $0.key < $1.key })
        where seen.contains(name) && !device.disk.model.exists([name]) {
            requests += 1
            _ = try await device.drive.trash(
                file.id, seen: .anything, version: nil, requestId: "\(device.name)-trash-\(requests)")
        }
        seen.formUnion(device.disk.personsPaths.map { $0[0] })
    }

    private func listing() async throws -> [String: File] {
        var (files, cursor): ([String: File], String?) = ([:], nil)
        while true {
            let page = try await device.drive.changes(after: cursor)
            for change in page.changes { files[change.id] = change.file }
            cursor = page.cursor
            if !page.hasMore { break }
        }
        let here = files.values.filter { $0.parentId == File.rootId && !$0.trashed && !$0.isFolder }
        return Dictionary(here.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

struct CarelessMaker: EngineMaker {
    var trustsAbsence = false

    func engine(for device: SimulatedDevice) async throws -> any DeviceEngine {
        CarelessEngine(device: device, trustsAbsence: trustsAbsence)
    }
}
