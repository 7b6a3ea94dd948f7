/// A program of the person at a device, which opens files, writes in them when it likes, and closes them again.
struct Program {
    let disk: SimulatedDisk
    let actor: Ledger.Actor

    /// - Returns: what was done, in words; nil when there was nothing to do it to.
    func does(_ deed: ProgramDeed, _ ledger: inout Ledger) -> String? {
        guard !disk.isAway else { return nil }
        switch deed {
        case .opens(let file):
            let files = disk.personsPaths.filter { disk.model.bytes($0) != nil }
            guard let path = Names.pick(file, of: files) else { return nil }
            disk.open(path)
            return "opens \(Person.words(path))"
        case .writes(let file, let content):
            guard let path = Names.pick(file, of: disk.openPaths) else { return nil }
            return Person(disk: disk, actor: actor).saves(path, content, .inPlace, &ledger).map { "\($0), and goes on" }
        case .closes(let file):
            guard let path = Names.pick(file, of: disk.openPaths) else { return nil }
            disk.close(path)
            return "closes \(Person.words(path))"
        }
    }
}
