import { useState } from "react";
import { sentence } from "@/api/problem";
import type { User } from "@/api/types";
import { plainText } from "@/format/hostile";
import { Confirm } from "@/ui/dialog";
import { Failed } from "@/ui/failed";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { done } from "@/ui/toast-store";
import { PasswordDialog } from "./password-dialog";
import { useDeleteUser, useUsers } from "./queries";
import { UserRow } from "./user-row";

/** Who may sign in, and what as. */
export function UserPanel() {
  const users = useUsers();
  const [removing, setRemoving] = useState<User | null>(null);
  const [securing, setSecuring] = useState<User | null>(null);
  return (
    <Panel title="Users" sub={users.data?.length}>
      {users.isPending ? (
        <Skeleton lines={3} />
      ) : users.error ? (
        <Failed what="Users" error={users.error} retry={() => void users.refetch()} />
      ) : (
        <div className="scroll">
          <table className="table list">
            <thead>
              <tr>
                <th>Name</th>
                <th>E-mail</th>
                <th>Role</th>
                <th className="r">Last signed in</th>
                <th className="act">
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {users.data.map((u) => (
                <UserRow key={u.id} user={u} onPassword={() => setSecuring(u)} onRemove={() => setRemoving(u)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {securing && <PasswordDialog user={securing} onClose={() => setSecuring(null)} />}
      {removing && <RemoveUser user={removing} onClose={() => setRemoving(null)} />}
    </Panel>
  );
}

function RemoveUser({ user, onClose }: { user: User; onClose: () => void }) {
  const remove = useDeleteUser();
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete ${plainText(user.name || user.email, 60)}?`}
      about="They are signed out everywhere within a second. What they did stays in the audit."
      typeName={user.email}
      verb="Delete user"
      working="Deleting…"
      busy={remove.isPending}
      problem={remove.error ? sentence(remove.error) : undefined}
      onConfirm={() =>
        remove.mutate(user, {
          onSuccess: () => {
            done("The user is deleted.");
            onClose();
          },
        })
      }
    />
  );
}
