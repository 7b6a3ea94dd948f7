import BothyContent

/// What people decide where a policy leaves that to them.
extension World {
    func decides(_ index: Int, _ thing: Int, _ choice: Int) async -> Finding? {
        guard let device = device(index), !device.disk.isAway else { return nil }
        device.begin(PassConditions())
        do {
            guard let decided = try await engine(of: device).decide(thing, choice) else { return nil }
            trace.append("\(device.name): a person decides about \(decided.path): \(decided.words)")
            let path = decided.path.split(separator: "/").map(String.init)
            let below = ([path] + device.disk.model.walk(path)).compactMap { device.disk.model.bytes($0) }
            let hashes = decided.contents + below.map { SHA256Hasher.hash($0) }
            for hash in hashes { ledger.decidedAbout(hash, at: decided.path, by: .folder(device.index)) }
            return nil
        } catch {
            return end(of: device, by: error)
        }
    }
}
