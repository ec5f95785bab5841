import { useState, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { FeedBanner } from "@/feed/banner";
import { useTopic } from "@/feed/use-topic";
import { count } from "@/format/numbers";
import { Brand } from "@/ui/gate";
import { Menu, Search } from "@/ui/icon";
import { Mark } from "@/ui/mark";
import { Since } from "@/ui/moment";
import { Me } from "./me";
import { isAt, nav, type NavItem } from "./nav";
import { Palette } from "./palette";
import { useMay } from "./session";
import { useShortcuts } from "./shortcuts";

/** The frame around every screen: where you are, how the server is, and the way to everything else. */
export function Shell({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const [palette, setPalette] = useState(false);
  const [menu, setMenu] = useState(false);
  useShortcuts(() => setPalette(true));
  const openPalette = () => setPalette(true);
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="topbar">
        <Brand href="/" />
        <div className="end">
          <button type="button" className="ib" aria-label="Search" onClick={openPalette}>
            <Search className="lg" />
          </button>
          <button type="button" className="ib" aria-label="Menu" aria-expanded={menu} onClick={() => setMenu(!menu)}>
            <Menu className="lg" />
          </button>
        </div>
      </header>
      <div className="frame">
        {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- closes after a link in it was followed, by whichever means */}
        <aside className={menu ? "side open" : "side"} onClick={(e) => (e.target as Element).closest("a") && setMenu(false)}>
          <Brand href="/" />
          <button type="button" className="jump" onClick={openPalette}>
            <Search />
            Search or jump
            <kbd>⌘K</kbd>
          </button>
          <MainNav path={path} />
          <div className="foot">
            <NodeState />
            <Me />
          </div>
        </aside>
        <main className="main" id="main" tabIndex={-1}>
          <FeedBanner />
          {children}
        </main>
      </div>
      <nav className="tabbar" aria-label="Main, small screens">
        {nav
          .flatMap((g) => g.items)
          .filter((i) => i.tab)
          .map((i) => (
            <Link key={i.href} href={i.href} aria-current={isAt(i.href, path) ? "page" : undefined}>
              <i.icon className="lg" />
              {i.short ?? i.label}
            </Link>
          ))}
      </nav>
      {palette && <Palette onClose={() => setPalette(false)} />}
    </>
  );
}

function MainNav({ path }: { path: string }) {
  const admin = useMay("admin");
  return (
    <nav aria-label="Main">
      {nav.map((group) => {
        const items = group.items.filter((i) => i.needs !== "admin" || admin);
        if (items.length === 0) return null;
        return (
          <div className="nav" key={group.title ?? ""}>
            {group.title && <h2>{group.title}</h2>}
            {items.map((i) => (
              <Link key={i.href} href={i.href} aria-current={isAt(i.href, path) ? "page" : undefined}>
                <i.icon />
                {i.label}
                <NavCount item={i} />
              </Link>
            ))}
          </div>
        );
      })}
    </nav>
  );
}

function NavCount({ item }: { item: NavItem }) {
  const now = useTopic("overview").items[0];
  if (!now) return null;
  if (item.href === "/streams") return <span className="n">{count(now.streams)}</span>;
  if (item.href === "/sessions") return <span className="n">{count(now.publishers + now.players)}</span>;
  return null;
}

function NodeState() {
  const system = useTopic("system").items[0];
  if (!system) return null;
  return (
    <Link className="feed" href="/system">
      <Mark tone={system.degraded ? "warn" : "ok"} />
      <span>
        <b>{system.node}</b> · {system.version} · {system.degraded ? "needs a look" : <>up <Since at={system.started_at} /></>}
      </span>
    </Link>
  );
}
