import { useMemo } from "react";
import { encode } from "uqr";

/** An address as a code for a phone's camera. Always dark on light, which is what cameras read. */
export default function Qr({ text }: { text: string }) {
  const { size, d } = useMemo(() => {
    const code = encode(text, { border: 2 });
    let path = "";
    code.data.forEach((row, y) => row.forEach((dark, x) => (path += dark ? `M${x} ${y}h1v1h-1z` : "")));
    return { size: code.size, d: path };
  }, [text]);
  return (
    <div className="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the server address and stream key" shapeRendering="crispEdges">
        <rect width={size} height={size} fill="#fff" />
        <path d={d} fill="#000" />
      </svg>
      <p className="text-sm text-ink-2">The code holds the server and the key. Scan it with an app that publishes RTMP; treat the picture as a secret.</p>
    </div>
  );
}
