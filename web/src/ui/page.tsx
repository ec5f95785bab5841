import { useEffect, type ReactNode } from "react";

interface PageProps {
  /** Stands in the browser's tab as well. */
  title: string;
  heading?: ReactNode;
  about?: ReactNode;
  crumbs?: ReactNode;
  acts?: ReactNode;
  children: ReactNode;
}

/** A screen: head with the one ink button, then its panels. */
export function Page({ title, heading, about, crumbs, acts, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Penstock`;
  }, [title]);
  return (
    <div className="page">
      <header className="head">
        <div className="titles">
          {crumbs && (
            <nav className="crumb" aria-label="Where">
              {crumbs}
            </nav>
          )}
          <h1>{heading ?? title}</h1>
          {about && <p className="num">{about}</p>}
        </div>
        {acts && <div className="acts">{acts}</div>}
      </header>
      {children}
    </div>
  );
}
