import ArgumentParser

/// What to do where the name is taken already.
enum ExistsPolicy: Sendable, Equatable {
    case replace
    /// Only what the server's history has too, or what was named: nobody is there to ask about anything else.
    case replaceVersions
    case keepBoth
    case fail
    /// A person is there: once, for one or for all.
    case ask
}

/// `--replace`, `--keep-both`, `--fail`: at most one.
struct ExistsOptions: ParsableArguments {
    @Flag(
        help:
            "If the name is taken, replace without asking. On the server the old version stays in the history; here it is lost."
    )
    var replace = false

    @Flag(help: "If the name is taken, keep both: the new one gets a number, “report (1).pdf”.")
    var keepBoth = false

    @Flag(help: "If the name is taken, change nothing and end with status 4.")
    var fail = false

    func validate() throws {
        if [replace, keepBoth, fail].filter({ $0 }).count > 1 {
            throw ValidationError("Choose one of --replace, --keep-both and --fail.")
        }
    }

    /// Without a flag: ask on a terminal; elsewhere replace, as long as nothing is lost by it.
    ///
    /// - Parameter keepsHistory: what is replaced stays as an older version.
    func policy(canAsk: Bool, keepsHistory: Bool) -> ExistsPolicy {
        if replace { return .replace }
        if keepBoth { return .keepBoth }
        if fail { return .fail }
        if canAsk { return .ask }
        return keepsHistory ? .replace : .replaceVersions
    }
}
