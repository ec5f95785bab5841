import { sentence } from "@/api/problem";
import type { Role, User } from "@/api/types";
import { roleNames, useUser } from "@/app/session";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { Ellipsis, Key, Trash } from "@/ui/icon";
import { ActionMenu, SelectMenu } from "@/ui/menu";
import { Moment } from "@/ui/moment";
import { done, failed } from "@/ui/toast-store";
import { useUpdateUser } from "./queries";
import { VhostTags } from "./vhost-limit";

const roleOptions = (Object.keys(roleNames) as Role[]).map((r) => ({ value: r, label: roleNames[r] }));

/** A user, the role, and what can be done with the account. */
export function UserRow({ user, onPassword, onRemove }: { user: User; onPassword: () => void; onRemove: () => void }) {
  const self = user.id === useUser().id;
  const name = plainText(user.name || user.email, 60);
  return (
    <tr>
      <td className="s0">
        <b>{name}</b> {self && <span className="tag">you</span>} {!user.enabled && <span className="tag">disabled</span>}
      </td>
      <td className="full">
        {plainText(user.email, 80)} <VhostTags ids={user.vhost_ids} />
      </td>
      <td className="s1">{self ? roleNames[user.role] : <RoleMenu user={user} name={name} />}</td>
      <td className="r" data-l="Last signed in">
        {user.last_login_at ? <Moment at={user.last_login_at} /> : "never"}
      </td>
      <td className="act">
        {self ? (
          <Button small className="row-acts" onClick={onPassword}>
            Change my password
          </Button>
        ) : (
          <ActionMenu
            label={`More on ${name}`}
            className="btn small"
            trigger={<Ellipsis />}
            items={[
              { label: "Set password…", icon: <Key />, onSelect: onPassword },
              { label: "Delete…", icon: <Trash />, danger: true, onSelect: onRemove },
            ]}
          />
        )}
      </td>
    </tr>
  );
}

function RoleMenu({ user, name }: { user: User; name: string }) {
  const update = useUpdateUser();
  return (
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
  );
}
