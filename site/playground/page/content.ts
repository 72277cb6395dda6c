import { CREDENTIALS, type SampleVersion } from "../data.ts";
import {
  formatLink,
  type LinkContent,
  MAX_LINK,
  PANELS,
  type Panel,
  type PlaygroundContent,
  readValue,
} from "../link.ts";
import { eventData, PRESETS } from "../presets.ts";

/** The versions, Current first. The build inserts them. */
declare const PLAYGROUND_VERSIONS: readonly SampleVersion[];

/** The methods of a request. */
export const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"];

type Field = keyof PlaygroundContent;

/** The fields that select an example, which sets the other fields. */
export type Selection = Partial<Pick<PlaygroundContent, "version" | "operation" | "preset" | "event">>;

/** The result of reading a link. */
export interface SharedContent {
  readonly content: PlaygroundContent;
  /** The reasons why parts of the link are not used. */
  readonly problems: readonly string[];
}

/** The fields of each panel that a reader writes. */
const EDITABLE: Readonly<Record<Panel, readonly Field[]>> = {
  request: ["method", "path", "headers", "body"],
  code: ["code"],
  webhook: ["data"],
};

/** Finds a version; a version that a release has created has the examples of the newest one. */
export function sampleVersion(name: string): SampleVersion {
  const newest = PLAYGROUND_VERSIONS.reduce((one, other) => (one.name > other.name ? one : other));
  const otherwise = name > newest.name ? newest : (PLAYGROUND_VERSIONS[0] as SampleVersion);
  return PLAYGROUND_VERSIONS.find((version) => version.name === name) ?? otherwise;
}

/** Returns the default content for a selection: the operation's example, changed by the preset. */
export function exampleContent(selection: Selection = {}): PlaygroundContent {
  const { operation = "events.ingest", preset = "", event = "order.paid" } = selection;
  const changes = PRESETS.find(({ name }) => name === preset)?.content;
  const { version = changes?.version ?? sampleVersion("").name } = selection;
  const { operations } = sampleVersion(version);
  const example = operations.find(({ name }) => name === operation) ?? operations[0];
  if (!example) throw new TypeError(`The playground has no operation of version ${version}.`);
  const { name, ...request } = example;
  return {
    panel: "request",
    releases: "0",
    headers: "Accept: application/json\nContent-Type: application/json",
    ...request,
    scopes: request.scopes.join(" "),
    ...changes,
    // The page sends the request, so the program's events have other ids.
    code: programOf(version, { ...request, ...changes } as LinkContent, changes?.body).replaceAll('"call-', '"run-'),
    version,
    operation: name,
    preset,
    event,
    data: eventData(event),
  };
}

/** Returns a client's program, with the events of a preset, or a program without a client for a version that has none. */
function programOf(version: string, request: LinkContent, preset: string | undefined): string {
  const { method, path, body = "", code = "" } = request;
  const events = preset && JSON.stringify(JSON.parse(preset).events, null, 2).replaceAll(/"(\w+)":/g, "$1:");
  if (version === "" || PLAYGROUND_VERSIONS.some(({ name }) => name === version))
    return events ? code.replace(/(?<=ingest\().*?(?=\);\n)/s, () => events) : code;
  const sent = body === "" ? "" : `\n  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),`;
  return `// The package has no client for ${version}.
const response = await fetch("${path}", {
  method: "${method}",
  headers: {
    Authorization: \`Bearer \${process.env.BILLING_TOKEN}\`,
    "Content-Type": "application/json",
    "Service-Version": "${version}",
  },${sent}
});
console.log(response.status, await response.json());
`;
}

/** Returns the link to the content: its fields that differ from the defaults. */
export function linkTo(content: PlaygroundContent): string {
  const { version, operation, event } = exampleContent({ preset: content.preset });
  const example = { ...exampleContent(content), version, operation, event, preset: "" };
  const changed = Object.entries(content).filter(([name, value]) => value !== example[name as Field]);
  return formatLink(Object.fromEntries(changed));
}

/** Reads the fragment of a link. Nothing in it is run or sent: invalid parts are left out and reported. */
export function readLink(fragment: string): SharedContent {
  if (fragment.length > MAX_LINK) {
    const problem = `The link has ${fragment.length} characters; the maximum is ${MAX_LINK}.`;
    return { content: exampleContent(), problems: [problem] };
  }
  const checks = checksFor();
  const problems: string[] = [];
  const fields: Record<string, string> = {};
  for (const [name, text] of new URLSearchParams(fragment)) {
    const value = readValue(text);
    const isValid = value !== undefined && Object.hasOwn(checks, name) && checks[name as Field](value);
    if (isValid) fields[name] = value;
    else
      problems.push(`The link has an invalid "${name.slice(0, 100)}": "${text.slice(0, 100)}". The default is used.`);
  }
  return { content: { ...exampleContent(fields), ...fields }, problems };
}

/** Returns functions that check the value of each field of a link. */
function checksFor(): Readonly<Record<Field, (value: string) => boolean>> {
  const { operations, scopes, eventTypes } = sampleVersion("");
  const isOneOf = (names: readonly string[]) => (value: string) => names.includes(value);
  const isText = () => true;
  return {
    panel: isOneOf(PANELS),
    releases: (value) => /^\d{1,2}$/.test(value),
    version: (value) => /^(?:20\d\d-\d\d)?$/.test(value),
    operation: isOneOf(operations.map(({ name }) => name)),
    preset: isOneOf(PRESETS.map(({ name }) => name)),
    credential: isOneOf(CREDENTIALS),
    scopes: (value) => value === "all" || value.split(" ").every(isOneOf(["", ...scopes])),
    method: isOneOf(METHODS),
    event: isOneOf(eventTypes),
    path: isText,
    headers: isText,
    body: isText,
    code: isText,
    data: isText,
  };
}

/** Returns the fields of a panel that differ from the example. */
export function editedFields(content: PlaygroundContent, panel: Panel): readonly Field[] {
  const example = exampleContent(content);
  return EDITABLE[panel].filter((name) => content[name] !== example[name]);
}

/** Returns the content with another example. What the reader edited in other panels is kept. */
export function withExample(content: PlaygroundContent, selection: Selection): PlaygroundContent {
  const example = exampleContent({ ...content, preset: "", ...selection });
  if (selection.event !== undefined) return { ...content, event: example.event, data: example.data };
  return replacePanel(content, { ...example, panel: content.panel });
}

/** Returns the content for a new mock: Current, without preset. What the reader chose or edited is kept. */
export function withoutReleases(content: PlaygroundContent): PlaygroundContent {
  const example = exampleContent(content);
  const changed = Object.entries(content).filter(([name, value]) => value !== example[name as Field]);
  const { operation, event } = content;
  return { ...exampleContent({ operation, event }), ...Object.fromEntries(changed), releases: "0" };
}

/** Returns the content of an entry of the browser's history. If only the tab differs, everything else stays. */
export function withStep(content: PlaygroundContent, fragment: string): PlaygroundContent {
  const step = readLink(fragment).content;
  const isTab = step.operation === content.operation && step.preset === content.preset;
  return isTab ? { ...content, panel: step.panel } : replacePanel(content, step);
}

/** Keeps edits in the other panels, and releases, which cannot be undone. */
function replacePanel(content: PlaygroundContent, next: PlaygroundContent): PlaygroundContent {
  const others = PANELS.filter((each) => each !== next.panel).flatMap((each) => editedFields(content, each));
  const kept = Object.fromEntries(others.map((name) => [name, content[name]]));
  return { ...next, ...kept, releases: String(Math.max(Number(content.releases), Number(next.releases))) };
}
