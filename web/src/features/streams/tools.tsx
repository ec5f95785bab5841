import { Segmented } from "@/ui/segmented";
import { SelectMenu } from "@/ui/menu";
import { Rows, Search, Tiles } from "@/ui/icon";
import type { Filter, Show, Sort } from "./filter";

interface ToolsProps {
  filter: Filter;
  onChange: (change: Partial<Filter>) => void;
  counts: Record<Show, number>;
  vhosts: readonly string[];
}

const sortNames: readonly { value: Sort; label: string }[] = [
  { value: "health", label: "Health, then players" },
  { value: "players", label: "Players" },
  { value: "rate", label: "Bit rate" },
  { value: "name", label: "Name" },
  { value: "newest", label: "Newest" },
];

/** Search, filter, order and view. All of it is in the address. */
export function Tools({ filter, onChange, counts, vhosts }: ToolsProps) {
  return (
    <div className="tools">
      <div className="with-icon">
        <Search />
        <input
          className="input"
          type="search"
          placeholder="Name, vhost, app or address"
          aria-label="Search streams"
          value={filter.q}
          onChange={(e) => onChange({ q: e.target.value })}
        />
        <kbd>/</kbd>
      </div>
      <Segmented
        label="Show"
        value={filter.show}
        onChange={(show) => onChange({ show })}
        segments={[
          { value: "all", label: "All", count: counts.all },
          { value: "live", label: "Live", count: counts.live },
          { value: "needs-you", label: "Needs you", count: counts["needs-you"] },
          { value: "idle", label: "Idle", count: counts.idle },
        ]}
      />
      {vhosts.length > 1 && (
        <SelectMenu
          label="Vhost"
          value={filter.vhost}
          onChange={(vhost) => onChange({ vhost })}
          options={[{ value: "", label: "All" }, ...vhosts.map((v) => ({ value: v, label: v }))]}
        />
      )}
      <span className="grow hide-s" />
      <SelectMenu label="Sort" value={filter.sort} onChange={(sort) => onChange({ sort })} options={sortNames} />
      <Segmented
        label="View"
        className="hide-s"
        value={filter.view}
        onChange={(view) => onChange({ view })}
        segments={[
          { value: "tiles", label: <Tiles />, name: "Tiles" },
          { value: "table", label: <Rows />, name: "Table" },
        ]}
      />
    </div>
  );
}
