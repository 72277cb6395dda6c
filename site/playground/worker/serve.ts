import { type Remote, wrap } from "comlink";
import type { createMock, Mock } from "../../../mock/index.ts";
import { type CompiledProgram, CompileError, compile } from "../compile.ts";
import { createConsole, format } from "./console.ts";
import { MAX_SHOWN_REQUESTS, type ProgramError, type ProgramHost, type StartMessage } from "./protocol.ts";

type Module = Readonly<Record<string, unknown>>;

/** Functions that load the entry points of the package, by import path. */
export type Loaders = Readonly<Record<string, () => Promise<Module>>>;

/** How long a program must be without a request or a short timer before it counts as finished, in milliseconds. */
const QUIET = 20;
/** The longest timer that a program is waited for, in milliseconds. */
const MAX_TIMER = 2_000;
/** The maximum number of requests that a program can send. */
const MAX_REQUESTS = 1_000;
const { setTimeout: start, clearTimeout: clear } = globalThis;

/** Waits for a program from the page, and runs it. A worker runs one program. */
export function serve(loaders: Loaders): void {
  const onMessage = ({ data, ports }: MessageEvent<StartMessage>) =>
    void run(data, loaders, wrap(ports[0] as MessagePort));
  addEventListener("message", onMessage, { once: true });
}

async function run({ code, env }: StartMessage, loaders: Loaders, page: Remote<ProgramHost>): Promise<void> {
  const mocks: Mock[] = [];
  const pending = new Set<unknown>();
  const end = (error?: ProgramError) =>
    void page.end(mocks.flatMap((mock) => mock.requests.list()).slice(-MAX_SHOWN_REQUESTS), error);
  const fail = (error: unknown) => end(toProgramError(error));
  const console = createConsole((line) => void page.print(line));
  Object.assign(globalThis, { console, process: { env }, fetch: pageFetch(page, pending), ...countedTimers(pending) });
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
    await execute(compile(code), code, loaders, mocks);
    do await new Promise((resolve) => start(resolve, QUIET));
    while (pending.size > 0);
    end();
  } catch (error) {
    fail(error);
  }
}

/** Returns a `fetch` that the page answers. */
function pageFetch(page: Remote<ProgramHost>, pending: Set<unknown>): typeof globalThis.fetch {
  let count = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers, signal } = request;
    signal.throwIfAborted();
    count += 1;
    if (count > MAX_REQUESTS) throw new TypeError(`A program can send at most ${MAX_REQUESTS} requests here.`);
    pending.add(request);
    try {
      const answer = page.fetch({ method, url, headers: [...headers], body: await request.arrayBuffer() });
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      const { status, body, ...received } = await Promise.race([answer, aborted]);
      return new Response(body.byteLength > 0 ? body : null, { status, ...received });
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

async function execute(compiled: CompiledProgram, program: string, loaders: Loaders, mocks: Mock[]): Promise<void> {
  const modules = new Map<string, Module>();
  for (const path of compiled.imports) {
    const load = Object.hasOwn(loaders, path) ? loaders[path] : undefined;
    if (!load) throw unknownImport(path, program, loaders);
    modules.set(path, strict(path, observed(await load(), mocks)));
  }
  const require = (path: string) => modules.get(path);
  // The function starts on the first line, so that lines in stack traces are those of the program.
  // biome-ignore lint/security/noGlobalEval: Runs the reader's program, in a worker without access to the page or a network.
  const main = globalThis.eval(`(async (require, exports) => {${compiled.code}\n})\n//# sourceURL=program.ts`);
  await main(require, {});
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

/** Returns a module whose `createMock` lists the mocks it creates, so that the page can show their requests. */
function observed(module: Module, mocks: Mock[]): Module {
  if (!("createMock" in module)) return module;
  const create = module["createMock"] as typeof createMock;
  return {
    ...module,
    createMock: (...options: Parameters<typeof createMock>) => {
      const mock = create(...options);
      mocks.push(mock);
      return mock;
    },
  };
}

/** Describes an error that ended a program, with the line of the program that is nearest to its origin. */
function toProgramError(error: unknown): ProgramError {
  if (!(error instanceof Error)) return { text: format(error) };
  const { name, message, stack, cause } = error;
  const line = error instanceof CompileError ? error.line : stack?.match(/program\.ts:(\d+)/)?.[1];
  const reason = cause instanceof Error ? `\n  cause: ${cause.name}: ${cause.message}` : "";
  return { text: format(`${name}: ${message}${reason}`), ...(line !== undefined && { line: Number(line) }) };
}
