/// `asked_ms`: the moment that a restore was asked for, where it goes to an earlier one since versions were thinned; else NULL.
let migration012AskedMoments = Migration(
    number: 12,
    name: "asked moments",
    statements: ["ALTER TABLE restores ADD COLUMN asked_ms BIGINT"])
