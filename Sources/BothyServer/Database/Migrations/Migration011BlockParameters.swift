/// `block_parameters`: the version of the parameters that a drive's files are cut by. All of its devices cut alike, or share no blocks.
let migration011BlockParameters = Migration(
    number: 11,
    name: "block parameters",
    statements: ["ALTER TABLE drives ADD COLUMN block_parameters BIGINT NOT NULL DEFAULT 1"])
