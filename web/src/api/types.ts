// Short names for the generated types. Nothing is written by hand here.
import type { components } from "./schema.gen";

type Schemas = components["schemas"];

export type User = Schemas["User"];
export type Role = User["role"];
export type Stream = Schemas["Stream"];
export type StreamLive = Schemas["StreamLive"];
export type StreamVideo = Schemas["StreamVideo"];
export type StreamAudio = Schemas["StreamAudio"];
export type Finding = Schemas["Finding"];
export type Point = Schemas["Point"];
export type Key = Schemas["Key"];
export type KeySecret = Schemas["KeySecret"];
export type Session = Schemas["Session"];
export type Event = Schemas["Event"];
export type Refusal = Schemas["Refusal"];
export type AccessCheck = Schemas["AccessCheck"];
export type AccessAnswer = Schemas["AccessAnswer"];
export type RefererRule = Schemas["RefererRule"];
export type IPRule = Schemas["IPRule"];
export type Vhost = Schemas["Vhost"];
export type Token = Schemas["Token"];
export type APIKey = Schemas["APIKey"];
export type AuditEntry = Schemas["AuditEntry"];
export type System = Schemas["System"];
export type Overview = Schemas["Overview"];
export type OverviewPoint = Schemas["OverviewPoint"];
export type FeedTopics = Schemas["FeedTopics"];
export type FeedStreamItem = Schemas["FeedStreamItem"];
export type FeedHello = Schemas["FeedHello"];
export type FeedSub = Schemas["FeedSub"];
export type FeedSnap = Schemas["FeedSnap"];
export type FeedDelta = Schemas["FeedDelta"];
export type FeedError = Schemas["FeedError"];
