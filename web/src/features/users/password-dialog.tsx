import { useState, type SubmitEvent } from "react";
import { ApiError, sentence } from "@/api/problem";
import type { User } from "@/api/types";
import { useUser } from "@/app/session";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { PasswordField } from "@/ui/field";
import { done } from "@/ui/toast-store";
import { useSetPassword } from "./queries";

/** Gives a user a new password; for oneself the way to change one's own. */
export function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const self = useUser().id === user.id;
  const name = plainText(user.name || user.email, 60);
  return (
    <Dialog
      open
      onClose={onClose}
      title={self ? "Change my password" : `Set a password for ${name}`}
      about={self ? "You stay signed in here. Everywhere else you are signed out within a second." : "They are signed out everywhere within a second. Tell them the new one by a way you trust."}
    >
      <Form user={user} name={name} self={self} onClose={onClose} />
    </Dialog>
  );
}

function Form({ user, name, self, onClose }: { user: User; name: string; self: boolean; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const set = useSetPassword(self);
  const problem = set.error instanceof ApiError ? set.error : null;
  const wrong = problem?.status === 412 ? "Somebody else changed this user meanwhile. Close this, look again, then set the password." : set.error ? (problem?.field("password") ?? sentence(set.error)) : undefined;
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    set.mutate(
      { user, password },
      {
        onSuccess: () => {
          done(self ? "Your password is changed." : `The password of ${name} is changed.`);
          onClose();
        },
      },
    );
  };
  return (
    <form className="stack" onSubmit={submit}>
      <input type="hidden" autoComplete="username" value={user.email} readOnly />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={256}
        value={password}
        onChange={(e) => setPassword(e.target.value)}
        hint="12 characters or more."
        problem={wrong}
      />
      <div className="acts">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" working={set.isPending && "Changing…"}>
          {self ? "Change password" : "Set password"}
        </Button>
      </div>
    </form>
  );
}
