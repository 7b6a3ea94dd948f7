/// One conflict that a pass has decided, in as many steps as it took.
package struct PassConflict: Sendable {
    /// The pass, and which of the conflicts that it decided this is.
    package struct Number: Equatable, Sendable, CustomStringConvertible {
        package var pass: Int64
        /// From 1.
        package var place: Int

        package init(pass: Int64, place: Int) {
            self.pass = pass
            self.place = place
        }

        /// - Parameter text: as it is listed, «23.1».
        package init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let pass = Int64(parts[0]), let place = Int(parts[1]) else { return nil }
            self.init(pass: pass, place: place)
        }

        package var description: String { "\(pass).\(place)" }
    }

    package let number: Number
    /// The file that was in conflict.
    package let place: Place
    /// The first of the steps: it stands for all of them.
    package let id: Int64
    /// Which of the steps tells best what became of it.
    package private(set) var decision: Decision

    /// - Parameter deciding: steps of one pass, in the order in which they were taken.
    package static func all(in deciding: [Decision]) -> [PassConflict] {
        // What was set aside goes on under its new name, and is the same conflict.
        var origins = [Place: Place]()
        for case (let decision, .setAside(let from)) in deciding.map({ ($0, $0.act.kind) }) {
            origins[decision.places[0]] = Place(text: from)
        }
        var found = [PassConflict]()
        for decision in deciding {
            let place = origins[decision.places[0]] ?? decision.places[0]
            guard let index = found.firstIndex(where: { $0.place == place }) else {
                let number = Number(pass: decision.passId, place: found.count + 1)
                found.append(PassConflict(number: number, place: place, id: decision.id, decision: decision))
                continue
            }
            if found[index].decision.isBookkeeping { found[index].decision = decision }
        }
        return found
    }
}
