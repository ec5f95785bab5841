import { useState } from "react";
import { sentence } from "@/api/problem";
import type { Role, User } from "@/api/types";
import { roleNames, useUser } from "@/app/session";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { Failed } from "@/ui/failed";
import { SelectMenu } from "@/ui/menu";
import { Moment } from "@/ui/moment";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { done, failed } from "@/ui/toast-store";
import { useDeleteUser, useUpdateUser, useUsers } from "./queries";

/** Who may sign in, and what as. */
export function UserPanel() {
  const users = useUsers();
  const [removing, setRemoving] = useState<User | null>(null);
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
                <Row key={u.id} user={u} onRemove={() => setRemoving(u)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {removing && <RemoveUser user={removing} onClose={() => setRemoving(null)} />}
    </Panel>
  );
}

const roleOptions = (Object.keys(roleNames) as Role[]).map((r) => ({ value: r, label: roleNames[r] }));

function Row({ user, onRemove }: { user: User; onRemove: () => void }) {
  const me = useUser();
  const update = useUpdateUser();
  const name = plainText(user.name || user.email, 60);
  const self = user.id === me.id;
  return (
    <tr>
      <td className="s0">
        <b>{name}</b> {self && <span className="tag">you</span>} {!user.enabled && <span className="tag">disabled</span>}
      </td>
      <td className="full">{plainText(user.email, 80)}</td>
      <td className="s1">
        {self ? (
          roleNames[user.role]
        ) : (
          <SelectMenu
            small
            label="Role"
            value={user.role}
            options={roleOptions}
            onChange={(role) =>
              update.mutate(
                { user, role },
                { onSuccess: () => done(`${name} is ${roleNames[role].toLowerCase()} now.`), onError: (e) => failed("The role was not changed.", sentence(e)) },
              )
            }
          />
        )}
      </td>
      <td className="r" data-l="Last signed in">
        {user.last_login_at ? <Moment at={user.last_login_at} /> : "never"}
      </td>
      <td className="act">
        {!self && (
          <Button small look="danger" className="row-acts" aria-label={`Delete ${name}`} onClick={onRemove}>
            Delete
          </Button>
        )}
      </td>
    </tr>
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
