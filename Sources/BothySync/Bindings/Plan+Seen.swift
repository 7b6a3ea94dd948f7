import BothyClient

/// What a scan met and no plan has an action for.
extension Plan {
    /// The same plan, in which what is not synced by its kind or by a rule stands too.
    func noting(_ seen: FolderScan.Seen) -> Plan {
        var plan = self
        for (place, kind) in seen.local.specials where plan.standing[place] == nil {
            plan.standing[place] = .held(HoldReason(kind))
        }
        for place in seen.local.leftOut where plan.standing[place] == nil {
            let rule =
                seen.rules.match(place, kind: .folder) ?? seen.rules.match(place, kind: .file)
                ?? seen.rules.match(place, kind: .file, size: .max)
            plan.standing[place] = .ignored(rule: rule?.rule ?? "", source: rule?.source ?? "")
        }
        for folder in seen.review.loosened.keys {
            plan.standing[folder.appending(IgnoreRules.fileName)] = .held(.rulesLoosened)
        }
        return plan
    }
}

extension HoldReason {
    init(_ kind: SpecialKind) {
        switch kind {
        case .symbolicLink: self = .symbolicLink
        case .socket, .pipe, .device: self = .specialFile
        case .mountPoint: self = .mountPoint
        case .unmounted: self = .unmounted
        case .otherBinding: self = .otherBinding
        case .remains: self = .ownRemains
        case .nameNotText: self = .nameNotText
        case .partName: self = .partName
        }
    }
}
