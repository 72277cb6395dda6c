import { type Remote, wrap } from "comlink";
import { type CompiledProgram, CompileError, compile } from "../compile.ts";
import { createConsole, format } from "./console.ts";
import type { ProgramError, ProgramHost, StartMessage } from "./protocol.ts";

type Module = Readonly<Record<string, unknown>>;

/** Functions that load the package's entry points, by import path. */
export type Loaders = Readonly<Record<string, () => Promise<Module>>>;

/** The time without a request or a short timer after which a program is finished, in milliseconds. */
const QUIET = 20;
/** The longest timer that keeps a program running, in milliseconds. */
const MAX_TIMER = 2_000;
/** The maximum number of requests that a program can send. */
const MAX_REQUESTS = 1_000;
/** What a program could use to read what the site stores, or to start a worker that could. */
const REMOVED = ["indexedDB", "caches", "storage", "locks", "BroadcastChannel", "Worker"];
const { setTimeout: start, clearTimeout: clear } = globalThis;

/** Waits for a program from the page, and runs it. A worker runs one program. */
export function serve(loaders: Loaders): void {
  const onMessage = ({ data, ports }: MessageEvent<StartMessage>) =>
    void run(data, loaders, wrap(ports[0] as MessagePort));
  addEventListener("message", onMessage, { once: true });
}

function removeStorage(object: object | null): void {
  if (object === null) return;
  for (const name of REMOVED) Reflect.deleteProperty(object, name);
  removeStorage(Object.getPrototypeOf(object));
}

async function run({ code, env }: StartMessage, loaders: Loaders, page: Remote<ProgramHost>): Promise<void> {
  removeStorage(globalThis);
  removeStorage(navigator);
  const pending = new Set<unknown>();
  const end = (error?: ProgramError) => void page.end(error);
  const fail = (error: unknown) => end(toProgramError(error));
  const console = createConsole((line) => void page.print(line));
  Object.assign(globalThis, {
    console,
    process: { env },
    fetch: pageFetch(page, pending, env["BILLING_URL"]),
    ...countedTimers(pending),
  });
  // The policy blocks what does not call the function above, such as a WebSocket.
  addEventListener("securitypolicyviolation", ({ blockedURI }) => {
    const host = URL.canParse(blockedURI) ? new URL(blockedURI).host : blockedURI;
    console.warn?.(`The request to ${host} was blocked: programs here send requests only to the mock.`);
  });
  // The page shows the error; the browser's console need not.
  addEventListener("error", (event) => {
    event.preventDefault();
    fail(event.error ?? event.message);
  });
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    fail(event.reason);
  });
  try {
    await execute(compile(code), code, loaders);
    do await new Promise((resolve) => start(resolve, QUIET));
    while (pending.size > 0);
    end();
  } catch (error) {
    fail(error);
  }
}

/** Returns a `fetch` that the page answers. Relative URLs refer to the mock. */
function pageFetch(
  page: Remote<ProgramHost>,
  pending: Set<unknown>,
  base: string | undefined,
): typeof globalThis.fetch {
  let count = 0;
  return async (input, init) => {
    const request = new Request(typeof input === "string" ? new URL(input, base) : input, init);
    const { method, url, headers, signal } = request;
    signal.throwIfAborted();
    count += 1;
    if (count > MAX_REQUESTS) throw new TypeError(`A program can send at most ${MAX_REQUESTS} requests here.`);
    pending.add(request);
    try {
      const answer = page.fetch({ method, url, headers: [...headers], body: await request.text() });
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      const { status, headers: received, body } = await Promise.race([answer, aborted]);
      return new Response(body || null, { status, headers: received });
    } finally {
      pending.delete(request);
    }
  };
}

/** Returns timers that keep the program running, if they are short. */
function countedTimers(pending: Set<unknown>): object {
  const setTimeout = (callback: (...values: unknown[]) => void, delay = 0, ...values: unknown[]) => {
    const id = start(() => {
      pending.delete(id);
      callback(...values);
    }, delay);
    if (delay <= MAX_TIMER) pending.add(id);
    return id;
  };
  const clearTimeout = (id: number) => {
    pending.delete(id);
    clear(id);
  };
  return { setTimeout, clearTimeout };
}

async function execute(compiled: CompiledProgram, program: string, loaders: Loaders): Promise<void> {
  const modules = new Map<string, Module>();
  for (const path of compiled.imports) {
    const load = Object.hasOwn(loaders, path) ? loaders[path] : undefined;
    if (!load) throw unknownImport(path, program, loaders);
    modules.set(path, strict(path, await load()));
  }
  const require = (path: string) => modules.get(path);
  const main = evaluate(compiled.code);
  await main(require, {});
}

/** Returns the program as a function. */
function evaluate(code: string): (require: (path: string) => unknown, exports: object) => Promise<void> {
  // The function starts on the first line, so that line numbers in stack traces match the program.
  // biome-ignore lint/security/noGlobalEval: Runs the reader's program, in a worker without access to the page or a network.
  return globalThis.eval(`(async (require, exports) => {${code}\n})\n//# sourceURL=program.ts`);
}

function unknownImport(path: string, program: string, loaders: Loaders): CompileError {
  const line = program.slice(0, Math.max(0, program.indexOf(path))).split("\n").length;
  const available = Object.keys(loaders).join("\n  ");
  return new CompileError(`Programs here cannot import "${path}". Available:\n  ${available}`, line);
}

/** Returns a module that throws when a program uses something that it does not export. */
function strict(path: string, module: Module): Module {
  const get = (_: Module, name: string | symbol) => {
    if (name === "__esModule") return true;
    if (name in module) return module[name as string];
    throw new SyntaxError(`"${path}" does not export "${String(name)}".`);
  };
  return new Proxy(module, { get });
}

/** Describes an error that ended a program, with the program's line nearest to its origin. */
function toProgramError(error: unknown): ProgramError {
  if (!(error instanceof Error)) return { text: format(error) };
  const { name, message, stack, cause } = error;
  const line = error instanceof CompileError ? error.line : stack?.match(/program\.ts:(\d+)/)?.[1];
  const reason = cause instanceof Error ? `\n  cause: ${cause.name}: ${cause.message}` : "";
  return { text: format(`${name}: ${message}${reason}`), ...(line !== undefined && { line: Number(line) }) };
}
