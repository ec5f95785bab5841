import type { ReactNode } from "react";
import { ThemeMenu } from "./theme-menu";
import { Brand, River } from "@/ui/gate";

/** The page of the first run and of signing in: no navigation, a river at its foot. */
export function Plain({ brand, foot, children }: { brand?: boolean; foot?: ReactNode; children: ReactNode }) {
  return (
    <div className="plain">
      <header>
        {brand && <Brand />}
        <span className="end">
          <ThemeMenu withWord />
        </span>
      </header>
      {children}
      <footer>{foot}</footer>
      <River />
    </div>
  );
}
