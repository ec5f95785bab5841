import { useState, type SubmitEvent } from "react";
import { ApiError, sentence } from "@/api/problem";
import type { Role } from "@/api/types";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { PasswordField, SelectField, TextField } from "@/ui/field";
import { done } from "@/ui/toast-store";
import { useAddUser } from "./queries";
import { VhostLimit } from "./vhost-limit";

export function UserDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Add user" about="Tell them their first password by a way you trust.">
      <Form onClose={onClose} />
    </Dialog>
  );
}

function asRole(value: string): Role {
  return value === "admin" || value === "operator" ? value : "viewer";
}

function Form({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>("operator");
  const [vhosts, setVhosts] = useState<string[]>([]);
  const add = useAddUser();
  const problem = add.error instanceof ApiError ? add.error : null;
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    add.mutate(
      { name, email, password, role, vhost_ids: vhosts },
      {
        onSuccess: () => {
          done(`${email} can sign in now.`);
          onClose();
        },
      },
    );
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField label="Name" autoComplete="off" value={name} onChange={(e) => setName(e.target.value)} problem={problem?.field("name")} />
      <TextField label="E-mail" type="email" autoComplete="off" required value={email} onChange={(e) => setEmail(e.target.value)} problem={problem?.field("email")} />
      <SelectField label="Role" value={role} onChange={(e) => setRole(asRole(e.target.value))} hint="Admin: everything. Operator: streams, keys, tokens, kicks. Viewer: looks.">
        <option value="admin">Admin</option>
        <option value="operator">Operator</option>
        <option value="viewer">Viewer</option>
      </SelectField>
      <VhostLimit value={vhosts} onChange={setVhosts} />
      <PasswordField
        label="First password"
        autoComplete="new-password"
        required
        minLength={12}
        value={password}
        onChange={(e) => setPassword(e.target.value)}
        hint="12 characters or more."
        problem={problem?.field("password") ?? (add.error && !problem?.fields.size ? sentence(add.error) : undefined)}
      />
      <div className="acts">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" working={add.isPending && "Adding…"}>
          Add user
        </Button>
      </div>
    </form>
  );
}
