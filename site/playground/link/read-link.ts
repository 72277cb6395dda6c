import type { PlaygroundData, SampleVersion } from "../playground-data.ts";
import { CREDENTIALS, MAX_LINK, METHODS, PANELS, type PlaygroundContent } from "./content.ts";
import { defaultContent, findOperation, findVersion, operationContent } from "./default-content.ts";

/** What a link contains. */
export interface SharedContent {
  readonly content: PlaygroundContent;
  /** Why parts of the link are not used. */
  readonly problems: readonly string[];
}

type Field = Exclude<keyof PlaygroundContent, "scopes" | "version">;

const ANY = () => undefined;

/** Reads the fragment of a link. Nothing in it is run or sent: invalid parts are left out and reported. */
export function readLink(fragment: string, data: PlaygroundData, version: string): SharedContent {
  if (fragment.length > MAX_LINK) {
    const problem = `The link has ${fragment.length} characters; at most ${MAX_LINK} are read. Share less text.`;
    return { content: defaultContent(data, version), problems: [problem] };
  }
  return new LinkReader(new URLSearchParams(fragment), data, version).read();
}

class LinkReader {
  readonly #parameters: URLSearchParams;
  readonly #data: PlaygroundData;
  readonly #version: string;
  readonly #problems: string[] = [];

  constructor(parameters: URLSearchParams, data: PlaygroundData, version: string) {
    this.#parameters = parameters;
    this.#data = data;
    this.#version = version;
  }

  read(): SharedContent {
    const version = this.#readVersion();
    const base = { ...defaultContent(this.#data, version), version, ...this.#readOperation(version) };
    const content = { ...base, ...this.#readFields(version), scopes: this.#readScopes(base.scopes, version) };
    return { content, problems: this.#problems };
  }

  #readVersion(): string {
    const given = this.#parameters.get("version") ?? this.#version;
    const names = this.#data.versions.map(({ name }) => name);
    return this.#check("version", given, ["", ...names]) ? given : this.#version;
  }

  #readOperation(version: string): Partial<PlaygroundContent> {
    const name = this.#parameters.get("operation");
    if (name === null) return {};
    const shown = this.#shown(version);
    const names = shown.operations.map((operation) => operation.name);
    const operation = this.#check("operation", name, names) ? findOperation(shown, name) : undefined;
    return operation ? operationContent(operation) : {};
  }

  #readFields(version: string): Partial<PlaygroundContent> {
    const { eventTypes } = this.#shown(version);
    const known: Readonly<Record<Field, readonly string[] | (() => undefined)>> = {
      panel: PANELS,
      credential: CREDENTIALS,
      method: METHODS,
      event: eventTypes,
      path: ANY,
      query: ANY,
      headers: ANY,
      body: ANY,
      code: ANY,
      data: ANY,
    };
    const fields = Object.entries(known).flatMap(([name, values]) => {
      const value = this.#parameters.get(name);
      if (value === null || (Array.isArray(values) && !this.#check(name, value, values))) return [];
      return [[name, value]];
    });
    return Object.fromEntries(fields);
  }

  #readScopes(otherwise: PlaygroundContent["scopes"], version: string): PlaygroundContent["scopes"] {
    const given = this.#parameters.get("scopes");
    if (given === null || given === "all") return given ?? otherwise;
    const { scopes } = this.#shown(version);
    const names = given.split(" ").filter((name) => name !== "");
    return names.filter((name) => this.#check("scopes", name, scopes));
  }

  #shown(version: string): SampleVersion {
    return findVersion(this.#data, version) ?? (this.#data.versions[0] as SampleVersion);
  }

  /** Returns whether a value is allowed, and reports it otherwise. */
  #check(name: string, value: string, allowed: readonly string[]): boolean {
    if (allowed.includes(value)) return true;
    const values = allowed.length > 12 ? "" : ` Expected one of: ${allowed.filter(Boolean).join(", ")}.`;
    this.#problems.push(`The link has an unknown value in "${name}": ${JSON.stringify(value.slice(0, 100))}.${values}`);
    return false;
  }
}
