import { useState } from "react";
import { Button } from "@/ui/button";
import { Plus } from "@/ui/icon";
import { Page } from "@/ui/page";
import { ApiKeyDialog } from "./api-key-dialog";
import { ApiKeyPanel } from "./api-key-panel";
import { UserDialog } from "./user-dialog";
import { UserPanel } from "./user-panel";

/** People who sign in, and keys for machines. */
export default function Users() {
  const [adding, setAdding] = useState<"user" | "key" | null>(null);
  const close = () => setAdding(null);
  return (
    <Page
      title="Users and API keys"
      about="People sign in here; machines use the API with a key."
      acts={
        <Button look="primary" className="grow-s" onClick={() => setAdding("user")}>
          <Plus />
          Add user
        </Button>
      }
    >
      <UserPanel />
      <ApiKeyPanel onAdd={() => setAdding("key")} />
      <UserDialog open={adding === "user"} onClose={close} />
      <ApiKeyDialog open={adding === "key"} onClose={close} />
    </Page>
  );
}
