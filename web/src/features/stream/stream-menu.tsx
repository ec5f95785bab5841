import { useState } from "react";
import { useLocation } from "wouter";
import { sentence } from "@/api/problem";
import type { Stream } from "@/api/types";
import { plainText } from "@/format/hostile";
import { plural } from "@/format/numbers";
import { Confirm } from "@/ui/dialog";
import { Ban, Check, Ellipsis, Trash } from "@/ui/icon";
import { ActionMenu } from "@/ui/menu";
import { done, failed } from "@/ui/toast-store";
import { useDeleteStream, useUpdateStream } from "./queries";

/** What is rarely done to a stream: disable, delete. */
export function StreamMenu({ stream }: { stream: Stream }) {
  const [dialog, setDialog] = useState<"disable" | "delete" | null>(null);
  const [, go] = useLocation();
  const update = useUpdateStream(stream);
  const remove = useDeleteStream(stream);
  const name = plainText(stream.name, 60);
  const players = stream.live?.players ?? 0;
  const cost = stream.live ? `It is live: the publisher${players > 0 ? ` and ${plural(players, "player")}` : ""} will be cut off. ` : "";
  const close = () => setDialog(null);
  return (
    <>
      <ActionMenu
        label="More"
        trigger={<Ellipsis />}
        items={[
          stream.enabled
            ? { label: "Disable…", icon: <Ban />, onSelect: () => setDialog("disable") }
            : {
                label: "Enable",
                icon: <Check />,
                onSelect: () =>
                  update.mutate({ enabled: true }, { onSuccess: () => done(`${name} is enabled.`), onError: (e) => failed("The stream was not changed.", sentence(e)) }),
              },
          { label: "Delete…", icon: <Trash />, danger: true, onSelect: () => setDialog("delete") },
        ]}
      />
      <Confirm
        open={dialog === "disable"}
        onClose={close}
        title={`Disable ${name}?`}
        about={`${cost}Publishers and players are refused until it is enabled again. Its keys stay.`}
        verb="Disable stream"
        working="Disabling…"
        busy={update.isPending}
        problem={update.error ? sentence(update.error) : undefined}
        onConfirm={() =>
          update.mutate(
            { enabled: false },
            {
              onSuccess: () => {
                done(`${name} is disabled.`);
                close();
              },
            },
          )
        }
      />
      <Confirm
        open={dialog === "delete"}
        onClose={close}
        title={`Delete ${name}?`}
        about={`${cost}Its keys stop working and cannot be brought back.`}
        typeName={stream.name}
        verb="Delete stream"
        working="Deleting…"
        busy={remove.isPending}
        problem={remove.error ? sentence(remove.error) : undefined}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              done(`${name} is deleted.`);
              go("/streams");
            },
          })
        }
      />
    </>
  );
}
