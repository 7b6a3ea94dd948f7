import BothySync

/// One conflict that a pass has decided, in as many steps as it took.
struct DecidedConflict {
    /// The file that was in conflict.
    let place: Place
    /// Which of the steps tells best what became of it.
    let decision: Decision

    /// - Parameter deciding: steps of one pass, in the order in which they were taken.
    static func all(in deciding: [Decision]) -> [DecidedConflict] {
        // What was set aside goes on under its new name, and is the same conflict.
        var origins = [Place: Place]()
        for case (let decision, .setAside(let from)) in deciding.map({ ($0, $0.act.kind) }) {
            origins[decision.places[0]] = Place(text: from)
        }
        var found = [DecidedConflict]()
        for decision in deciding {
            let place = origins[decision.places[0]] ?? decision.places[0]
            guard let index = found.firstIndex(where: { $0.place == place }) else {
                found.append(DecidedConflict(place: place, decision: decision))
                continue
            }
            if found[index].decision.isBookkeeping {
                found[index] = DecidedConflict(place: place, decision: decision)
            }
        }
        return found
    }
}
