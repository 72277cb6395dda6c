import type { ProgramError, StartMessage } from "../protocol.ts";
import { importUrls, type Loaders, loadModules } from "./import-urls.ts";
import { MockList } from "./mock-list.ts";
import { PageConnection } from "./page-connection.ts";
import { toProgramError } from "./to-program-error.ts";

/** Waits for a program from the page, and runs it. A worker runs one program. */
export function serve(loaders: Loaders): void {
  const start = ({ data, ports }: MessageEvent<StartMessage>) => {
    const page = new PageConnection(ports[0] as MessagePort);
    void run(data, loaders, page);
  };
  addEventListener("message", start, { once: true });
}

async function run({ code, imports, env }: StartMessage, loaders: Loaders, page: PageConnection): Promise<void> {
  const mocks = new MockList();
  const modules = await loadModules(
    loaders,
    imports.map(({ name }) => name),
  );
  const urls = importUrls(mocks.observe(modules));
  const program = URL.createObjectURL(javascript(withUrls(code, imports, urls)));
  const end = (error?: ProgramError) => page.end(mocks.requests(), error);
  const fail = (error: unknown) => end(toProgramError(error, program, urls));
  Object.assign(globalThis, { fetch: page.fetch, console: page.console, process: { env } });
  addEventListener("error", ({ error, message }) => fail(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => fail(reason));
  try {
    await import(program);
    await page.idle();
    end();
  } catch (error) {
    fail(error);
  }
}

/** Replaces what a program imports with the URLs of the modules. */
function withUrls(code: string, imports: StartMessage["imports"], urls: ReadonlyMap<string, string>): string {
  return [...imports]
    .sort((one, other) => other.from - one.from)
    .reduce((text, { name, from, to }) => `${text.slice(0, from)}"${urls.get(name)}"${text.slice(to)}`, code);
}

function javascript(code: string): Blob {
  return new Blob([code], { type: "text/javascript" });
}
