import * as Toast from "@radix-ui/react-toast";
import { useSyncExternalStore } from "react";
import { Button } from "./button";
import { X } from "./icon";
import { Mark } from "./mark";
import { toasts } from "./toast-store";

/** Says what was done or what failed. Stays while the pointer or the focus is on it. */
export function Toaster() {
  const messages = useSyncExternalStore(toasts.subscribe, () => toasts.messages);
  return (
    <Toast.Provider duration={8000} label="Notice">
      {messages.map((m) => (
        <Toast.Root
          key={m.id}
          className="toast"
          duration={m.tone === "bad" ? Infinity : 8000}
          onOpenChange={(open) => {
            if (!open) toasts.close(m.id);
          }}
        >
          <Mark tone={m.tone} />
          <div className="grow">
            <Toast.Title asChild>
              <b>{m.title}</b>
            </Toast.Title>
            {m.text && (
              <Toast.Description asChild>
                <p>{m.text}</p>
              </Toast.Description>
            )}
          </div>
          {m.action && (
            <Toast.Action altText={m.action.label} asChild>
              <Button small onClick={m.action.run}>
                {m.action.label}
              </Button>
            </Toast.Action>
          )}
          <Toast.Close asChild>
            <Button small look="quiet" aria-label="Close">
              <X />
            </Button>
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="toasts" />
    </Toast.Provider>
  );
}
