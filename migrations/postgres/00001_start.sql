-- Times are microseconds since 1970 in UTC, 0 means none. JSON is text. The
-- columns are the same as in ../sqlite. Text sorts by bytes, as it does there.

-- +goose Up

-- The number of the configuration: one row, +1 with each change.
CREATE TABLE revision (
    id    BIGINT PRIMARY KEY CHECK (id = 1),
    value BIGINT NOT NULL
);
INSERT INTO revision (id, value) VALUES (1, 0);

CREATE TABLE settings (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

CREATE TABLE vhosts (
    id               TEXT COLLATE "C" PRIMARY KEY,
    revision         BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    name             TEXT COLLATE "C" NOT NULL UNIQUE,
    hostnames        TEXT COLLATE "C" NOT NULL,
    enabled          BOOLEAN NOT NULL,
    publish_policy   TEXT COLLATE "C" NOT NULL,
    play_policy      TEXT COLLATE "C" NOT NULL,
    duplicate_policy TEXT COLLATE "C" NOT NULL,
    media            TEXT COLLATE "C" NOT NULL,
    referer_empty    TEXT COLLATE "C" NOT NULL,
    referer_match    TEXT COLLATE "C" NOT NULL,
    ip_preset        TEXT COLLATE "C" NOT NULL
);

CREATE TABLE streams (
    id          TEXT COLLATE "C" PRIMARY KEY,
    revision    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    vhost_id    TEXT COLLATE "C" NOT NULL REFERENCES vhosts (id) ON DELETE CASCADE,
    app         TEXT COLLATE "C" NOT NULL,
    name        TEXT COLLATE "C" NOT NULL,
    enabled     BOOLEAN NOT NULL,
    external_id TEXT COLLATE "C" NOT NULL,
    metadata    TEXT COLLATE "C" NOT NULL,
    UNIQUE (vhost_id, app, name)
);
CREATE INDEX streams_created_at ON streams (created_at, id);
CREATE INDEX streams_name ON streams (name, id);
CREATE INDEX streams_external_id ON streams (external_id);
CREATE INDEX streams_disabled ON streams (vhost_id) WHERE NOT enabled;

CREATE TABLE stream_keys (
    id                  TEXT COLLATE "C" PRIMARY KEY,
    revision            BIGINT NOT NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    stream_id           TEXT COLLATE "C" NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    label               TEXT COLLATE "C" NOT NULL,
    hash                TEXT COLLATE "C" NOT NULL UNIQUE,
    last_four           TEXT COLLATE "C" NOT NULL,
    previous_hash       TEXT COLLATE "C" UNIQUE,
    previous_last_four  TEXT COLLATE "C" NOT NULL,
    previous_expires_at BIGINT NOT NULL,
    enabled             BOOLEAN NOT NULL,
    not_before          BIGINT NOT NULL,
    expires_at          BIGINT NOT NULL,
    cidrs               TEXT COLLATE "C" NOT NULL,
    last_used_at        BIGINT NOT NULL,
    last_used_from      TEXT COLLATE "C" NOT NULL
);
CREATE INDEX stream_keys_stream ON stream_keys (stream_id, created_at, id);

CREATE TABLE referer_rules (
    id          TEXT COLLATE "C" PRIMARY KEY,
    revision    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    vhost_id    TEXT COLLATE "C" NOT NULL REFERENCES vhosts (id) ON DELETE CASCADE,
    position    BIGINT NOT NULL,
    scope       TEXT COLLATE "C" NOT NULL,
    action      TEXT COLLATE "C" NOT NULL,
    pattern     TEXT COLLATE "C" NOT NULL,
    report_only BOOLEAN NOT NULL,
    note        TEXT COLLATE "C" NOT NULL
);
CREATE INDEX referer_rules_vhost ON referer_rules (vhost_id, position, id);

CREATE TABLE ip_rules (
    id         TEXT COLLATE "C" PRIMARY KEY,
    revision   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    vhost_id   TEXT COLLATE "C" NOT NULL REFERENCES vhosts (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL,
    scope      TEXT COLLATE "C" NOT NULL,
    action     TEXT COLLATE "C" NOT NULL,
    cidr       TEXT COLLATE "C" NOT NULL,
    note       TEXT COLLATE "C" NOT NULL
);
CREATE INDEX ip_rules_vhost ON ip_rules (vhost_id, position, id);

-- A hook without vhost_id is for all vhosts.
CREATE TABLE hooks (
    id         TEXT COLLATE "C" PRIMARY KEY,
    revision   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    vhost_id   TEXT COLLATE "C" REFERENCES vhosts (id) ON DELETE CASCADE,
    mode       TEXT COLLATE "C" NOT NULL,
    events     TEXT COLLATE "C" NOT NULL,
    url        TEXT COLLATE "C" NOT NULL,
    dialect    TEXT COLLATE "C" NOT NULL,
    secret     TEXT COLLATE "C" NOT NULL,
    timeout_ms BIGINT NOT NULL,
    on_error   TEXT COLLATE "C" NOT NULL,
    enabled    BOOLEAN NOT NULL
);
CREATE INDEX hooks_vhost ON hooks (vhost_id);

CREATE TABLE users (
    id            TEXT COLLATE "C" PRIMARY KEY,
    revision      BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    email         TEXT COLLATE "C" NOT NULL UNIQUE,
    name          TEXT COLLATE "C" NOT NULL,
    password_hash TEXT COLLATE "C" NOT NULL,
    role          TEXT COLLATE "C" NOT NULL,
    vhosts        TEXT COLLATE "C" NOT NULL,
    enabled       BOOLEAN NOT NULL,
    last_login_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id             TEXT COLLATE "C" PRIMARY KEY,
    revision       BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    name           TEXT COLLATE "C" NOT NULL,
    hash           TEXT COLLATE "C" NOT NULL UNIQUE,
    last_four      TEXT COLLATE "C" NOT NULL,
    scopes         TEXT COLLATE "C" NOT NULL,
    vhosts         TEXT COLLATE "C" NOT NULL,
    cidrs          TEXT COLLATE "C" NOT NULL,
    expires_at     BIGINT NOT NULL,
    revoked_at     BIGINT NOT NULL,
    last_used_at   BIGINT NOT NULL,
    last_used_from TEXT COLLATE "C" NOT NULL
);

CREATE TABLE refresh_tokens (
    hash       TEXT COLLATE "C" PRIMARY KEY,
    family     TEXT COLLATE "C" NOT NULL,
    user_id    TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL,
    revoked_at BIGINT NOT NULL,
    ip         TEXT COLLATE "C" NOT NULL,
    agent      TEXT COLLATE "C" NOT NULL
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);
CREATE INDEX refresh_tokens_live ON refresh_tokens (family) WHERE used_at = 0 AND revoked_at = 0;
CREATE INDEX refresh_tokens_user ON refresh_tokens (user_id);
CREATE INDEX refresh_tokens_expires_at ON refresh_tokens (expires_at);

CREATE TABLE setup_tokens (
    hash       TEXT COLLATE "C" PRIMARY KEY,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL
);

-- The secrets of signing keys are kept as they are: who reads this table can
-- sign tokens.
CREATE TABLE token_keys (
    id         TEXT COLLATE "C" PRIMARY KEY,
    revision   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    label      TEXT COLLATE "C" NOT NULL,
    secret     TEXT COLLATE "C" NOT NULL,
    enabled    BOOLEAN NOT NULL
);

CREATE TABLE revoked_tokens (
    id         TEXT COLLATE "C" PRIMARY KEY,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX revoked_tokens_expires_at ON revoked_tokens (expires_at);

CREATE TABLE used_tokens (
    id         TEXT COLLATE "C" PRIMARY KEY,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_tokens_expires_at ON used_tokens (expires_at);

CREATE TABLE audit (
    id              TEXT COLLATE "C" PRIMARY KEY,
    created_at      BIGINT NOT NULL,
    config_revision BIGINT NOT NULL,
    actor_kind      TEXT COLLATE "C" NOT NULL,
    actor_id        TEXT COLLATE "C" NOT NULL,
    actor_name      TEXT COLLATE "C" NOT NULL,
    ip              TEXT COLLATE "C" NOT NULL,
    request_id      TEXT COLLATE "C" NOT NULL,
    action          TEXT COLLATE "C" NOT NULL,
    resource        TEXT COLLATE "C" NOT NULL,
    before          TEXT COLLATE "C" NOT NULL,
    after           TEXT COLLATE "C" NOT NULL
);
CREATE INDEX audit_created_at ON audit (created_at, id);
CREATE INDEX audit_resource ON audit (resource, created_at, id);

-- Sessions that have ended. The names are those of that time.
CREATE TABLE sessions (
    id         TEXT COLLATE "C" PRIMARY KEY,
    node       TEXT COLLATE "C" NOT NULL,
    role       TEXT COLLATE "C" NOT NULL,
    protocol   TEXT COLLATE "C" NOT NULL,
    peer       TEXT COLLATE "C" NOT NULL,
    agent      TEXT COLLATE "C" NOT NULL,
    page_url   TEXT COLLATE "C" NOT NULL,
    vhost      TEXT COLLATE "C" NOT NULL,
    app        TEXT COLLATE "C" NOT NULL,
    stream     TEXT COLLATE "C" NOT NULL,
    key_id     TEXT COLLATE "C" NOT NULL,
    token_id   TEXT COLLATE "C" NOT NULL,
    bytes_in   BIGINT NOT NULL,
    bytes_out  BIGINT NOT NULL,
    dropped    BIGINT NOT NULL,
    video      TEXT COLLATE "C" NOT NULL,
    audio      TEXT COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL,
    reason     TEXT COLLATE "C" NOT NULL,
    detail     TEXT COLLATE "C" NOT NULL
);
CREATE INDEX sessions_ended_at ON sessions (ended_at, id);
CREATE INDEX sessions_stream ON sessions (vhost, app, stream, ended_at, id);

CREATE TABLE idempotency (
    scope        TEXT COLLATE "C" NOT NULL,
    key          TEXT COLLATE "C" NOT NULL,
    request_hash TEXT COLLATE "C" NOT NULL,
    state        TEXT COLLATE "C" NOT NULL,
    status       BIGINT NOT NULL,
    response     TEXT COLLATE "C" NOT NULL,
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
