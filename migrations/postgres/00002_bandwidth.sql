-- A vhost may measure the bandwidth of its peers. Of the key they show, only the
-- hash is kept.

-- +goose Up
ALTER TABLE vhosts ADD COLUMN bandwidth_check TEXT COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE vhosts ADD COLUMN bandwidth_key TEXT COLLATE "C" NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE vhosts DROP COLUMN bandwidth_key;
ALTER TABLE vhosts DROP COLUMN bandwidth_check;
