import BothyClient

/// What of a plan goes together: small files that share a request, and what else a step costs. None of a company is agreed on before the
/// last of it has come to its end, so one that is asked for again and again holds up the others of it. Pure.
enum ActionCompany: Sendable {
    case alone(Action)
    case uploads([Action])
    case downloads([Action])

    /// Forms companies of what may begin at one moment.
    ///
    /// - Returns: each with the places of its actions, in their order.
    static func all(of begun: [(place: Int, action: Action)]) -> [(places: [Int], company: ActionCompany)] {
        var (up, down) = (Gathering(), Gathering())
        var companies = [(places: [Int], company: ActionCompany)]()
        for (place, action) in begun {
            switch action.step {
            case .upload where action.step.sharesARequest:
                if let full = up.add(place, action) { companies.append((full.places, .uploads(full.actions))) }
            case .download where action.step.sharesARequest:
                if let full = down.add(place, action) { companies.append((full.places, .downloads(full.actions))) }
            default: companies.append(([place], .alone(action)))
            }
        }
        if !up.actions.isEmpty { companies.append((up.places, .uploads(up.actions))) }
        if !down.actions.isEmpty { companies.append((down.places, .downloads(down.actions))) }
        return companies
    }

    private struct Gathering {
        var places = [Int]()
        var actions = [Action]()
        var bytes: Int64 = 0

        /// - Returns: those that are full without this one.
        mutating func add(_ place: Int, _ action: Action) -> Gathering? {
            let size = action.step.bytes
            let isFull = actions.count == SharedRequest.mostFiles || bytes + size > SharedRequest.mostBytes
            let full = isFull && !actions.isEmpty ? self : nil
            if full != nil { self = Gathering() }
            places.append(place)
            actions.append(action)
            bytes += size
            return full
        }
    }
}

extension Step {
    /// Whether it moves a file that goes in one request with others. What is to take the place of another here is looked at by itself.
    fileprivate var sharesARequest: Bool {
        switch self {
        case .upload(_, let mine, let over, _): SharedRequest.takes(mine.stamp.size, isChange: over != nil)
        case .download(_, let theirs, nil): SharedRequest.takes(theirs.size, isChange: false)
        default: false
        }
    }
}
