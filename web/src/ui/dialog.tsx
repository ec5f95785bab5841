import * as RadixDialog from "@radix-ui/react-dialog";
import { useId, useState, type ComponentProps, type SubmitEvent, type ReactNode } from "react";
import { Button } from "./button";
import { TextField } from "./field";
import { X } from "./icon";
import { useReturnFocus } from "./return-focus";

// The scrim is ours and not Dialog.Overlay, which would lock scrolling with an inline style sheet that the
// content security policy refuses. The page is locked by a rule in overlays.css instead.

/** The content of a dialog: gives the focus back to what opened it. Stands inside Portal, which mounts it when the dialog opens. */
export function DialogContent(props: ComponentProps<typeof RadixDialog.Content>) {
  return <RadixDialog.Content {...useReturnFocus()} {...props} />;
}

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** One sentence: what it costs or what it is for. */
  about?: ReactNode;
  children?: ReactNode;
}

export function Dialog({ open, onClose, title, about, children }: DialogProps) {
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <div className="scrim centered">
          <DialogContent className="dialog" {...(about ? {} : { "aria-describedby": undefined })}>
            <RadixDialog.Title asChild>
              <h2>{title}</h2>
            </RadixDialog.Title>
            {about && (
              <RadixDialog.Description asChild>
                <p>{about}</p>
              </RadixDialog.Description>
            )}
            {children}
          </DialogContent>
        </div>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface DrawerProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  sub?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

/** A row's detail. The list stays in place. */
export function Drawer({ open, onClose, title, sub, footer, children }: DrawerProps) {
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <div className="scrim" aria-hidden="true" />
        <DialogContent className="drawer" aria-describedby={undefined}>
          <header>
            <div className="row">
              <RadixDialog.Title asChild>
                <h2 className="grow">{title}</h2>
              </RadixDialog.Title>
              <RadixDialog.Close className="btn quiet small" aria-label="Close">
                <X />
              </RadixDialog.Close>
            </div>
            {sub && <div className="row text-xs text-ink-3">{sub}</div>}
          </header>
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
          <div className="in" tabIndex={0} role="region" aria-label="Details">
            {children}
          </div>
          {footer && <footer>{footer}</footer>}
        </DialogContent>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  title: string;
  about: ReactNode;
  /** The verb on the last button, and what it says while it works. */
  verb: string;
  working: string;
  busy: boolean;
  /** For what cannot be undone: the name that has to be typed. */
  typeName?: string;
  problem?: string | undefined;
  onConfirm: () => void;
  children?: ReactNode;
}

/** Asks before what cannot be undone, and says the cost first. */
export function Confirm({ open, onClose, title, about, verb, working, busy, typeName, problem, onConfirm, children }: ConfirmProps) {
  const [typed, setTyped] = useState("");
  const form = useId();
  const close = () => {
    setTyped("");
    onClose();
  };
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    onConfirm();
  };
  return (
    <Dialog open={open} onClose={close} title={title} about={about}>
      <form id={form} onSubmit={submit} className="stack">
        {children}
        {typeName !== undefined && (
          <TextField
            label={
              <>
                Type <code>{typeName}</code> to confirm
              </>
            }
            value={typed}
            onChange={(e) => setTyped(e.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {problem && (
          <p className="hint bad" role="alert">
            {problem}
          </p>
        )}
        <div className="acts">
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" look="final" working={busy && working} disabled={typeName !== undefined && typed !== typeName}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
