import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { type Outcome, run } from "../workspace.ts";
import { missingOutput } from "./expectations.ts";
import { end, type Served, served } from "./served.ts";
import type { Program, Step } from "./steps.ts";

/** The URL of the server on the pages. A test uses a free port instead. */
const ADDRESS = /http:\/\/(127\.0\.0\.1|localhost):4010/g;

/** The timeout of a program or a command, in milliseconds. */
const PATIENCE = 120_000;

/** The commands of other languages that are not installed. They are skipped. */
const notInstalled = ["python3", "go"].filter((command) => spawnSync(command, ["--help"]).error);

/** Somebody who follows a page in a folder, step by step: pastes its programs, files and commands, and runs them. */
export class Reader implements Disposable {
  readonly #folder: string;
  readonly #page: string;
  /** The code of the files that the page names, by name. */
  readonly #files = new Map<string, string>();
  #server: Served | undefined;

  /** @param folder A project in which the packages that the page needs are installed. */
  constructor(page: string, folder: string) {
    this.#page = page;
    this.#folder = folder;
  }

  /** Takes a step. Rejects with what was printed when it fails. */
  async take(step: Step): Promise<void> {
    if (step.kind === "file") this.#save(step.name, step.code);
    else if (step.kind === "shell") for (const line of linesOf(step.code)) await this.#command(line);
    else if (step.runner === "node") expectOutput(step.name, step.code, await this.#program(step));
    else if (step.runner === "node:test") await this.#program(step, ["--test"]);
  }

  [Symbol.dispose](): void {
    if (this.#server) end(this.#server);
  }

  /** Runs a program, and returns its output. */
  async #program({ name, code }: Program, flags: readonly string[] = []): Promise<string> {
    this.#write(name, this.#here(code));
    return this.#checked(name, await run(process.execPath, [...flags, name], this.#folder, {}, PATIENCE));
  }

  #save(name: string, code: string): void {
    this.#files.set(name, code);
    this.#write(name, this.#here(code));
  }

  async #command(line: string): Promise<void> {
    const [, name] = /^npm (?:run )?([\w:-]+)/.exec(line) ?? [];
    // All packages that the programs import are installed before.
    if (name === "install" || name === "pack") return;
    if (name !== undefined && !["init", "pkg"].includes(name)) return expectScript(name);
    if (notInstalled.some((command) => line.startsWith(`${command} `))) return;
    if (/^npx @billing-service\/sdk mock\b/.test(line))
      return this.#serve(`${line.replace(/ --port \d+/, "")} --port 0`);
    const command = this.#here(line).replace(/^curl\b/, "curl --fail-with-body");
    const env = { npm_config_offline: "true" };
    const output = this.#checked(line, await run("sh", ["-c", command], this.#folder, env, PATIENCE));
    const file = /^node ([\w.-]+)$/.exec(line)?.[1] ?? "";
    expectOutput(file, this.#files.get(file) ?? "", output);
  }

  /** Starts a server. The next one of a page replaces it. */
  async #serve(command: string): Promise<void> {
    if (this.#server) end(this.#server);
    this.#server = undefined;
    this.#server = await served(command, this.#folder);
  }

  /** A text of the page with the address of the server that runs here. */
  #here(text: string): string {
    return this.#server === undefined ? text : text.replaceAll(ADDRESS, this.#server.url);
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text);
  }

  #checked(what: string, { status, output }: Outcome): string {
    if (status !== 0) throw new Error(`${this.#page}: ${what} ends with ${status}:\n${output}`);
    return output;
  }
}

/** Throws unless a program prints what it promises. */
function expectOutput(name: string, code: string, output: string): void {
  const missing = missingOutput(code, output);
  if (missing.length > 0) throw new Error(`${name} prints\n${output}and not ${missing.join(", ")}`);
}

/** The commands of a block, without comments; a line that ends with a backslash goes on. */
function linesOf(code: string): string[] {
  const lines = code.replaceAll("\\\n", " ").split("\n");
  return lines.map((line) => line.replace(/(^|\s+)#.*$/, "").trim()).filter((line) => line !== "");
}

/** A script of this repository is tried elsewhere; here it only has to exist. */
function expectScript(name: string): void {
  if (!Object.hasOwn(manifest.scripts, name)) throw new Error(`npm run ${name}: unknown script in package.json`);
}
