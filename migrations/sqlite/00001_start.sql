-- Times are microseconds since 1970 in UTC, 0 means none. JSON is text. The
-- columns are the same as in ../postgres, where only text is declared otherwise.

-- +goose Up

-- The number of the configuration: one row, +1 with each change.
CREATE TABLE revision (
    id    BIGINT PRIMARY KEY CHECK (id = 1),
    value BIGINT NOT NULL
);
INSERT INTO revision (id, value) VALUES (1, 0);

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE vhosts (
    id               TEXT PRIMARY KEY,
    revision         BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    name             TEXT NOT NULL UNIQUE,
    hostnames        TEXT NOT NULL,
    enabled          BOOLEAN NOT NULL,
    publish_policy   TEXT NOT NULL,
    play_policy      TEXT NOT NULL,
    duplicate_policy TEXT NOT NULL,
    media            TEXT NOT NULL,
    referer_empty    TEXT NOT NULL,
    referer_match    TEXT NOT NULL,
    ip_preset        TEXT NOT NULL
);

CREATE TABLE streams (
    id          TEXT PRIMARY KEY,
    revision    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    vhost_id    TEXT NOT NULL REFERENCES vhosts (id) ON DELETE CASCADE,
    app         TEXT NOT NULL,
    name        TEXT NOT NULL,
    enabled     BOOLEAN NOT NULL,
    external_id TEXT NOT NULL,
    metadata    TEXT NOT NULL,
    UNIQUE (vhost_id, app, name)
);
CREATE INDEX streams_created_at ON streams (created_at, id);
CREATE INDEX streams_name ON streams (name, id);
CREATE INDEX streams_external_id ON streams (external_id);
CREATE INDEX streams_disabled ON streams (vhost_id) WHERE NOT enabled;

CREATE TABLE stream_keys (
    id                  TEXT PRIMARY KEY,
    revision            BIGINT NOT NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    stream_id           TEXT NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    label               TEXT NOT NULL,
    hash                TEXT NOT NULL UNIQUE,
    last_four           TEXT NOT NULL,
    previous_hash       TEXT UNIQUE,
    previous_last_four  TEXT NOT NULL,
    previous_expires_at BIGINT NOT NULL,
    enabled             BOOLEAN NOT NULL,
    not_before          BIGINT NOT NULL,
    expires_at          BIGINT NOT NULL,
    cidrs               TEXT NOT NULL,
    last_used_at        BIGINT NOT NULL,
    last_used_from      TEXT NOT NULL
);
CREATE INDEX stream_keys_stream ON stream_keys (stream_id, created_at, id);

CREATE TABLE referer_rules (
    id          TEXT PRIMARY KEY,
    revision    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    vhost_id    TEXT NOT NULL REFERENCES vhosts (id) ON DELETE CASCADE,
    position    BIGINT NOT NULL,
    scope       TEXT NOT NULL,
    action      TEXT NOT NULL,
    pattern     TEXT NOT NULL,
    report_only BOOLEAN NOT NULL,
    note        TEXT NOT NULL
);
CREATE INDEX referer_rules_vhost ON referer_rules (vhost_id, position, id);

CREATE TABLE ip_rules (
    id         TEXT PRIMARY KEY,
    revision   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    vhost_id   TEXT NOT NULL REFERENCES vhosts (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL,
    scope      TEXT NOT NULL,
    action     TEXT NOT NULL,
    cidr       TEXT NOT NULL,
    note       TEXT NOT NULL
);
CREATE INDEX ip_rules_vhost ON ip_rules (vhost_id, position, id);

-- A hook without vhost_id is for all vhosts.
CREATE TABLE hooks (
    id         TEXT PRIMARY KEY,
    revision   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    vhost_id   TEXT REFERENCES vhosts (id) ON DELETE CASCADE,
    mode       TEXT NOT NULL,
    events     TEXT NOT NULL,
    url        TEXT NOT NULL,
    dialect    TEXT NOT NULL,
    secret     TEXT NOT NULL,
    timeout_ms BIGINT NOT NULL,
    on_error   TEXT NOT NULL,
    enabled    BOOLEAN NOT NULL
);
CREATE INDEX hooks_vhost ON hooks (vhost_id);

CREATE TABLE users (
    id            TEXT PRIMARY KEY,
    revision      BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    email         TEXT NOT NULL UNIQUE,
    name          TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    role          TEXT NOT NULL,
    vhosts        TEXT NOT NULL,
    enabled       BOOLEAN NOT NULL,
    last_login_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id             TEXT PRIMARY KEY,
    revision       BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    name           TEXT NOT NULL,
    hash           TEXT NOT NULL UNIQUE,
    last_four      TEXT NOT NULL,
    scopes         TEXT NOT NULL,
    vhosts         TEXT NOT NULL,
    cidrs          TEXT NOT NULL,
    expires_at     BIGINT NOT NULL,
    revoked_at     BIGINT NOT NULL,
    last_used_at   BIGINT NOT NULL,
    last_used_from TEXT NOT NULL
);

CREATE TABLE refresh_tokens (
    hash       TEXT PRIMARY KEY,
    family     TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL,
    revoked_at BIGINT NOT NULL,
    ip         TEXT NOT NULL,
    agent      TEXT NOT NULL
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);
CREATE INDEX refresh_tokens_live ON refresh_tokens (family) WHERE used_at = 0 AND revoked_at = 0;
CREATE INDEX refresh_tokens_user ON refresh_tokens (user_id);
CREATE INDEX refresh_tokens_expires_at ON refresh_tokens (expires_at);

CREATE TABLE setup_tokens (
    hash       TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL
);

-- The secrets of signing keys are kept as they are: who reads this table can
-- sign tokens.
CREATE TABLE token_keys (
    id         TEXT PRIMARY KEY,
    revision   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    label      TEXT NOT NULL,
    secret     TEXT NOT NULL,
    enabled    BOOLEAN NOT NULL
);

CREATE TABLE revoked_tokens (
    id         TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX revoked_tokens_expires_at ON revoked_tokens (expires_at);

CREATE TABLE used_tokens (
    id         TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_tokens_expires_at ON used_tokens (expires_at);

CREATE TABLE audit (
    id              TEXT PRIMARY KEY,
    created_at      BIGINT NOT NULL,
    config_revision BIGINT NOT NULL,
    actor_kind      TEXT NOT NULL,
    actor_id        TEXT NOT NULL,
    actor_name      TEXT NOT NULL,
    ip              TEXT NOT NULL,
    request_id      TEXT NOT NULL,
    action          TEXT NOT NULL,
    resource        TEXT NOT NULL,
    before          TEXT NOT NULL,
    after           TEXT NOT NULL
);
CREATE INDEX audit_created_at ON audit (created_at, id);
CREATE INDEX audit_resource ON audit (resource, created_at, id);

-- Sessions that have ended. The names are those of that time.
CREATE TABLE sessions (
    id         TEXT PRIMARY KEY,
    node       TEXT NOT NULL,
    role       TEXT NOT NULL,
    protocol   TEXT NOT NULL,
    peer       TEXT NOT NULL,
    agent      TEXT NOT NULL,
    page_url   TEXT NOT NULL,
    vhost      TEXT NOT NULL,
    app        TEXT NOT NULL,
    stream     TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    token_id   TEXT NOT NULL,
    bytes_in   BIGINT NOT NULL,
    bytes_out  BIGINT NOT NULL,
    dropped    BIGINT NOT NULL,
    video      TEXT NOT NULL,
    audio      TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL,
    reason     TEXT NOT NULL,
    detail     TEXT NOT NULL
);
CREATE INDEX sessions_ended_at ON sessions (ended_at, id);
CREATE INDEX sessions_stream ON sessions (vhost, app, stream, ended_at, id);

CREATE TABLE idempotency (
    scope        TEXT NOT NULL,
    key          TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    state        TEXT NOT NULL,
    status       BIGINT NOT NULL,
    response     TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_expires_at ON idempotency (expires_at);

-- +goose Down
DROP TABLE idempotency;
DROP TABLE sessions;
DROP TABLE audit;
DROP TABLE used_tokens;
DROP TABLE revoked_tokens;
DROP TABLE token_keys;
DROP TABLE setup_tokens;
DROP TABLE refresh_tokens;
DROP TABLE api_keys;
DROP TABLE users;
DROP TABLE hooks;
DROP TABLE ip_rules;
DROP TABLE referer_rules;
DROP TABLE stream_keys;
DROP TABLE streams;
DROP TABLE vhosts;
DROP TABLE settings;
DROP TABLE revision;
