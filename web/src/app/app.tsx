import { Brand, River } from "@/ui/gate";

export function App() {
  return (
    <div className="plain">
      <header>
        <Brand />
      </header>
      <River />
    </div>
  );
}
