import BothyClient

extension Undoing {
    /// What taking these steps of a pass back would do, the last first, where nobody has changed anything since.
    package static func foreseen(_ decisions: [Decision]) -> [FolderAct] {
        let taken = decisions.map(TakenStep.init)
        let pass = Pass(taken)
        return taken.reversed().flatMap { $0.reversals(in: pass).map(\.act) }
    }
}
