// The icons by their lucide names, 16 px, stroke 1.5 (set in base.css through the class "i").
import { createElement } from "react";
import type { LucideIcon, LucideProps } from "lucide-react";
import * as lucide from "lucide-react";

function icon(source: LucideIcon) {
  return function Icon({ className, ...rest }: LucideProps) {
    return createElement(source, { "aria-hidden": true, strokeWidth: 1.5, ...rest, className: className ? `i ${className}` : "i" });
  };
}

export const ArrowDown = icon(lucide.ArrowDown);
export const ArrowUp = icon(lucide.ArrowUp);
export const Ban = icon(lucide.Ban);
export const Check = icon(lucide.Check);
export const ChevronDown = icon(lucide.ChevronDown);
export const ChevronRight = icon(lucide.ChevronRight);
export const Clock = icon(lucide.Clock);
export const Copy = icon(lucide.Copy);
export const Ellipsis = icon(lucide.Ellipsis);
export const Eye = icon(lucide.Eye);
export const EyeOff = icon(lucide.EyeOff);
export const Key = icon(lucide.KeyRound);
export const Layout = icon(lucide.LayoutDashboard);
export const LogOut = icon(lucide.LogOut);
export const Maximize = icon(lucide.Maximize);
export const Menu = icon(lucide.Menu);
export const Monitor = icon(lucide.Monitor);
export const Moon = icon(lucide.Moon);
export const Pause = icon(lucide.Pause);
export const Pencil = icon(lucide.Pencil);
export const Pin = icon(lucide.Pin);
export const PictureInPicture = icon(lucide.PictureInPicture2);
export const Play = icon(lucide.Play);
export const Plus = icon(lucide.Plus);
export const QrCode = icon(lucide.QrCode);
export const Rotate = icon(lucide.RotateCw);
export const Rows = icon(lucide.Rows3);
export const Scroll = icon(lucide.ScrollText);
export const Search = icon(lucide.Search);
export const Server = icon(lucide.Server);
export const Shield = icon(lucide.ShieldCheck);
export const Sun = icon(lucide.Sun);
export const Tiles = icon(lucide.LayoutGrid);
export const Trash = icon(lucide.Trash2);
export const Tv = icon(lucide.TvMinimalPlay);
export const UserCog = icon(lucide.UserCog);
export const Users = icon(lucide.Users);
export const Globe = icon(lucide.Globe);
export const Volume = icon(lucide.Volume2);
export const VolumeOff = icon(lucide.VolumeX);
export const Webhook = icon(lucide.Webhook);
export const X = icon(lucide.X);
