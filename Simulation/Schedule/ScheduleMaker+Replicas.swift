/// What people do at replicas.
extension ScheduleMaker {
    mutating func intent() -> Intent {
        switch roll(40) {
        case 0..<6: .makeFolder(parent: pick(), name: pick())
        case 6..<16: .put(folder: pick(), name: pick(), content: content())
        case 16..<22: .revise(file: pick(), content: content())
        case 22..<26: .rename(thing: pick(), name: pick())
        case 26..<30: .move(thing: pick(), folder: pick())
        case 30..<34: .trash(thing: pick())
        case 34..<36: .restore(pick())
        case 36..<39: .star(thing: pick(), roll(2) == 0)
        default: .hide(thing: pick(), roll(2) == 0)
        }
    }
}
