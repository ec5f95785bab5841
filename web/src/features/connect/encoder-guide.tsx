import { lazy, Suspense } from "react";
import { CopyButton } from "@/ui/copy";
import { Tabs } from "@/ui/tabs";
import { ffmpegCommand, gstreamerCommand, placeholder } from "./snippets";

const Qr = lazy(() => import("./qr"));

/** The steps for each encoder, with the real address and, where it is known, the real key. */
export function EncoderGuide({ server, secret }: { server: string; secret?: string }) {
  const key = secret ?? placeholder;
  const phone = secret !== undefined && {
    value: "phone",
    label: "Phone",
    content: (
      <Suspense>
        <Qr text={`${server}/${secret}`} />
      </Suspense>
    ),
  };
  return (
    <Tabs
      label="Encoder"
      tabs={[
        { value: "obs", label: "OBS Studio", content: <Obs /> },
        { value: "ffmpeg", label: "FFmpeg", content: <Snippet label="FFmpeg command" text={ffmpegCommand(server, key)} /> },
        { value: "gstreamer", label: "GStreamer", content: <Snippet label="GStreamer command" text={gstreamerCommand(server, key)} /> },
        ...(phone ? [phone] : []),
      ]}
    />
  );
}

function Obs() {
  return (
    <ol className="how">
      <li>
        <span>
          Open <b>Settings → Stream</b> and set Service to <b>Custom…</b>
        </span>
      </li>
      <li>
        <span>
          Paste <b>Server</b> and <b>Stream key</b> from above. Leave authentication off.
        </span>
      </li>
      <li>
        <span>
          In <b>Output</b>, set Rate Control to <b>CBR</b>, Bitrate to <b className="num">4500 Kbps</b> and Keyframe Interval to <b className="num">2 s</b>.
        </span>
      </li>
      <li>
        <span>
          Press <b>OK</b>, then <b>Start Streaming</b>.
        </span>
      </li>
    </ol>
  );
}

function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <div className="snippet">
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, and must with the keyboard too */}
      <pre className="code wrap" tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton small text={text} what={label} />
    </div>
  );
}
