/// What is wrong with a world, and by which rule.
package struct Finding: Error, Equatable, Sendable {
    package enum Rule: String, CaseIterable, Codable, Sendable {
        /// A device and the server show different things.
        case unequal
        /// What somebody wrote and nobody took away is not there any more.
        case lost
        /// What the server said yes to cannot be had back.
        case acknowledgedLost = "acknowledged_lost"
        /// What somebody deleted is there again.
        case cameBack = "came_back"
        /// An engine deleted what no person had deleted.
        case deletedUnasked = "deleted_unasked"
        /// A file was taken away under a program that has it open to write in it.
        case takenUnderAProgram = "taken_under_a_program"
        /// A conflict where there was nothing to be in conflict about.
        case falseConflict = "false_conflict"
        /// A quiet world does not come to rest.
        case noRest = "no_rest"
        /// A pass ended in a way that no network and no disk made it end.
        case engineFailed = "engine_failed"
        /// What the view shows is not what the server shows once all is done.
        case viewLaw = "view_law"
        /// A counter is not the number of what it counts.
        case miscounted
        /// What somebody wrote or did once is there twice.
        case doubled
        /// What one device wrote is there in another order.
        case outOfOrder = "out_of_order"
        /// What the server does not do was never told to the one who wanted it.
        case untold
        /// Somebody reads what is not for her, or does not read what is.
        case misread
    }

    package var rule: Rule
    /// What was seen, in a sentence.
    package var words: String

    package init(_ rule: Rule, _ words: String) {
        self.rule = rule
        self.words = words
    }
}
