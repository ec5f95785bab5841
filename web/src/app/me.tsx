import { anonymous, session } from "@/api/client";
import { plainText } from "@/format/hostile";
import { LogOut } from "@/ui/icon";
import { Button } from "@/ui/button";
import { roleNames, useUser } from "./session";
import { ThemeMenu } from "./theme-menu";

function initials(name: string): string {
  const words = name.split(/[\s@._-]+/).filter(Boolean);
  return ((words[0]?.[0] ?? "?") + (words.length > 1 ? (words.at(-1)?.[0] ?? "") : "")).toUpperCase();
}

/** Who is signed in, the theme, and the way out. */
export function Me() {
  const user = useUser();
  const name = plainText(user.name || user.email, 60);
  const signOut = () => {
    // Out on this side whatever the server says; the cookie is ended there.
    void anonymous.POST("/api/v1/auth/logout").catch(() => undefined);
    session.end();
  };
  return (
    <div className="me">
      <span className="face" aria-hidden="true">
        {initials(name)}
      </span>
      <span className="who">
        <b className="cut" title={user.email}>
          {name}
        </b>
        <span>{roleNames[user.role]}</span>
      </span>
      <span className="end">
        <ThemeMenu />
        <Button look="quiet" small aria-label="Sign out" title="Sign out" onClick={signOut}>
          <LogOut />
        </Button>
      </span>
    </div>
  );
}
