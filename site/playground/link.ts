import { CREDENTIALS, type Credential, type PlaygroundData, sampleVersion } from "./data.ts";
import { eventData, PRESETS } from "./samples.ts";

/** The parts of the playground, one per tab. */
export const PANELS = ["request", "code", "webhook"] as const;
/** The methods of a request. */
export const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;
/** The maximum length of a link, in characters. */
export const MAX_LINK = 64_000;

export type Panel = (typeof PANELS)[number];

/** Everything that a reader can edit in the playground, and that a link shares. */
export interface PlaygroundContent {
  readonly panel: Panel;
  /** The API version; empty for a request without `Service-Version`. */
  readonly version: string;
  /** The operation whose example was loaded last, for example `events.ingest`. */
  readonly operation: string;
  /** The preset that was loaded last; empty for none. */
  readonly preset: string;
  readonly credential: Credential;
  /** The scopes of the token. */
  readonly scopes: "all" | readonly string[];
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** One header per line. */
  readonly headers: string;
  readonly body: string;
  /** A program in TypeScript. */
  readonly code: string;
  /** The type of the webhook event. */
  readonly event: string;
  /** The data of the webhook event, as JSON. */
  readonly data: string;
}

/** The fields that select an example, which sets the other fields. */
type Selection = Pick<PlaygroundContent, "version" | "operation" | "preset" | "event">;

/** A link's content: the fields that differ from the playground's defaults. */
export type LinkContent = Partial<PlaygroundContent>;

/** The result of reading a link. */
export interface SharedContent {
  readonly content: PlaygroundContent;
  /** The reasons why parts of the link are not used. */
  readonly problems: readonly string[];
}

/**
 * Returns the fragment of a link to the playground, without `#`. Browsers do not send a fragment to the server.
 *
 * @example
 * ```ts
 * formatLink({ panel: "code", operation: "events.ingest" }); // panel=code&operation=events.ingest
 * ```
 */
export function formatLink({ scopes, ...content }: LinkContent): string {
  const list = scopes === undefined || scopes === "all" ? scopes : scopes.join(" ");
  const entries = Object.entries({ ...content, scopes: list }).flatMap(([name, value]) => {
    return value === undefined ? [] : [[name, PLAIN.test(value) ? value : `~${toBase64(value)}`]];
  });
  return new URLSearchParams(entries).toString();
}

/** Matches text that survives site generators, which decode parts of addresses. Other text is written as base64. */
const PLAIN = /^[\w./:?=&, -]*$/;

function toBase64(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads a value of a link; undefined if it is not base64. */
function readValue(value: string): string | undefined {
  if (!value.startsWith("~")) return value;
  try {
    const bytes = atob(value.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** Returns the default content for a selection: the operation's example, changed by the preset. */
export function exampleContent(data: PlaygroundData, selection: Partial<Selection> = {}): PlaygroundContent {
  const { operation = "events.ingest", preset = "", event = "order.paid" } = selection;
  const changes = PRESETS.find(({ name }) => name === preset);
  const { version = changes?.release ? data.created : (data.versions[0]?.name ?? "") } = selection;
  const { operations } = sampleVersion(data, version);
  const example = operations.find(({ name }) => name === operation) ?? operations[0];
  if (!example) throw new TypeError(`The playground has no operation of version ${version}.`);
  const { name, ...request } = example;
  return {
    panel: "request",
    headers: "Accept: application/json\nContent-Type: application/json",
    ...request,
    ...changes?.content,
    version,
    operation: name,
    preset,
    event,
    data: eventData(event),
  };
}

/** Returns the fields that differ from the defaults, for a link. */
export function changedContent(data: PlaygroundData, content: PlaygroundContent): LinkContent {
  const initial = { ...exampleContent(data, { preset: content.preset }), preset: "" };
  const example = { ...exampleContent(data, content), ...pick(initial, SELECTORS) };
  const names = Object.keys(content) as (keyof PlaygroundContent)[];
  return pick(
    content,
    names.filter((name) => String(content[name]) !== String(example[name])),
  );
}

const SELECTORS = ["version", "operation", "preset", "event"] as const;

function pick<Name extends keyof PlaygroundContent>(content: PlaygroundContent, names: readonly Name[]): LinkContent {
  return Object.fromEntries(names.map((name) => [name, content[name]]));
}

/** Reads the fragment of a link. Nothing in it is run or sent: invalid parts are left out and reported. */
export function readLink(fragment: string, data: PlaygroundData): SharedContent {
  if (fragment.length > MAX_LINK) {
    const problem = `The link has ${fragment.length} characters; at most ${MAX_LINK} are read. Share less text.`;
    return { content: exampleContent(data), problems: [problem] };
  }
  const problems: string[] = [];
  const given = [...new URLSearchParams(fragment)].flatMap(([name, text]) => {
    const value = readValue(text);
    const problem = value === undefined ? `The link is damaged in "${name}".` : problemOf(name, value, data);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined ? [[name, value]] : [];
  });
  const { scopes, ...fields } = Object.fromEntries(given);
  const list = scopes === undefined ? {} : { scopes: scopes === "all" ? scopes : scopes.split(" ").filter(Boolean) };
  return { content: { ...exampleContent(data, fields), ...fields, ...list } as PlaygroundContent, problems };
}

/** Returns why a field of a link cannot be used; undefined if it can. */
function problemOf(name: string, value: string, data: PlaygroundData): string | undefined {
  const { operations, scopes, eventTypes } = sampleVersion(data, "");
  const isVersion = /^(?:20\d\d-\d\d)?$/.test(value);
  const known: Readonly<Record<keyof PlaygroundContent, readonly string[] | undefined>> = {
    panel: PANELS,
    version: isVersion ? undefined : data.versions.map((version) => version.name),
    operation: operations.map((operation) => operation.name),
    preset: PRESETS.map((preset) => preset.name),
    credential: CREDENTIALS,
    scopes: value === "all" ? undefined : scopes,
    method: METHODS,
    event: eventTypes,
    path: undefined,
    headers: undefined,
    body: undefined,
    code: undefined,
    data: undefined,
  };
  if (!Object.hasOwn(known, name)) return `The link has an unknown field, ${JSON.stringify(name.slice(0, 100))}.`;
  const allowed = known[name as keyof PlaygroundContent];
  const values = name === "scopes" ? value.split(" ").filter(Boolean) : [value];
  const unknown = values.find((each) => allowed && !allowed.includes(each));
  if (unknown === undefined || !allowed) return undefined;
  const list = allowed.length > 12 ? "" : ` Expected one of: ${allowed.join(", ")}.`;
  return `The link has an unknown value in "${name}": ${JSON.stringify(unknown.slice(0, 100))}.${list} The default is used.`;
}
