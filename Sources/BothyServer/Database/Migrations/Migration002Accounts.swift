/// Accounts, their devices and sessions, invites, slowed logins, and the keys that sign access tokens.
///
/// An account has one drive, and they share their id: `user_id` leads here where `drive_id` leads elsewhere.
let migration002Accounts = Migration(
    number: 2,
    name: "accounts",
    statements: [
        // `email_key`: the email as it is compared, in lower case after NFC. `password`: the hash with its parameters.
        """
        CREATE TABLE accounts (
            user_id BIGINT NOT NULL PRIMARY KEY,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL,
            display_name TEXT NOT NULL,
            password TEXT NOT NULL,
            disabled BIGINT NOT NULL DEFAULT 0,
            created_ms BIGINT NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX accounts_by_email ON accounts (email_key)",
        // `session` counts the sign-ins of a device; access tokens name the one they belong to. NULL: signed out.
        """
        CREATE TABLE devices (
            user_id BIGINT NOT NULL,
            device_id TEXT NOT NULL,
            name TEXT NOT NULL,
            platform TEXT NOT NULL,
            sign_ins BIGINT NOT NULL,
            session BIGINT,
            created_ms BIGINT NOT NULL,
            seen_ms BIGINT NOT NULL,
            PRIMARY KEY (user_id, device_id),
            FOREIGN KEY (user_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        // The refresh tokens that descend from one sign-in. `anchor` is the generation that was used last: it and its
        // children hold, everything older has been replaced.
        """
        CREATE TABLE refresh_families (
            user_id BIGINT NOT NULL,
            family_id TEXT NOT NULL,
            device_id TEXT NOT NULL,
            anchor BIGINT NOT NULL,
            latest BIGINT NOT NULL,
            used_lived BIGINT NOT NULL,
            PRIMARY KEY (user_id, family_id),
            FOREIGN KEY (user_id, device_id) REFERENCES devices (user_id, device_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX refresh_families_of_device ON refresh_families (user_id, device_id)",
        "CREATE INDEX refresh_families_by_age ON refresh_families (used_lived)",
        // The tokens of a family that still hold, by the hash of their secret.
        """
        CREATE TABLE refresh_tokens (
            user_id BIGINT NOT NULL,
            family_id TEXT NOT NULL,
            generation BIGINT NOT NULL,
            secret_hash BYTES NOT NULL,
            PRIMARY KEY (user_id, family_id, generation),
            FOREIGN KEY (user_id, family_id) REFERENCES refresh_families (user_id, family_id) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE invites (
            code_hash BYTES NOT NULL PRIMARY KEY,
            note TEXT NOT NULL,
            created_ms BIGINT NOT NULL,
            expires_lived BIGINT NOT NULL,
            used_by BIGINT
        )
        """,
        // When each bucket is empty again, in lived milliseconds: see `RateLimit`.
        """
        CREATE TABLE login_attempts (
            bucket TEXT NOT NULL PRIMARY KEY,
            empty_lived_ms BIGINT NOT NULL
        )
        """,
        "CREATE INDEX login_attempts_by_age ON login_attempts (empty_lived_ms)",
        // Ed25519 keys. The newest signs; a retired one is still believed while tokens that it signed may live.
        """
        CREATE TABLE signing_keys (
            kid TEXT NOT NULL PRIMARY KEY,
            private_key BYTES NOT NULL,
            created_lived BIGINT NOT NULL,
            retired_lived BIGINT
        )
        """,
    ])
