/// `made_lived`: when a version was made, in the time that the server lived; NULL for those of which the log tells nothing.
let migration009VersionAges = Migration(
    number: 9,
    name: "version ages",
    statements: [
        "ALTER TABLE revisions ADD COLUMN made_lived BIGINT",
        """
        UPDATE revisions SET made_lived = (
            SELECT at_lived FROM changes
            WHERE changes.drive_id = revisions.drive_id AND changes.sequence = revisions.sequence
        ) WHERE sequence > 0
        """,
    ])
