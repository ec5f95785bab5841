/** What stands in for a secret that cannot be shown. */
export const placeholder = "YOUR_STREAM_KEY";

/** A command for a POSIX shell that publishes a file, or a test picture without one. */
export function ffmpegCommand(server: string, secret: string): string {
  return [
    "ffmpeg -re -i input.mp4 \\",
    "  -c:v libx264 -preset veryfast -b:v 4500k -g 60 \\",
    "  -c:a aac -b:a 160k \\",
    `  -f flv ${quote(`${server}/${secret}`)}`,
  ].join("\n");
}

export function gstreamerCommand(server: string, secret: string): string {
  return [
    "gst-launch-1.0 videotestsrc is-live=true ! \\",
    "  x264enc bitrate=4500 key-int-max=60 tune=zerolatency ! \\",
    "  flvmux streamable=true ! \\",
    `  rtmp2sink location=${quote(`${server}/${secret}`)}`,
  ].join("\n");
}

/** Quotes an argument for a POSIX shell when it needs it. App names come from people. */
export function quote(arg: string): string {
  return /^[A-Za-z0-9_@%+=:,./[\]-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
