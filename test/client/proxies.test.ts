import { createServer, request as forward } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { inspect } from "node:util";
import { type Dispatcher, ProxyAgent } from "undici";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { dispatcherFetch } from "../../examples/dispatcher-fetch.ts";
import { undiciTransport } from "../../src/undici.ts";
import { type ClientOptions, createClient } from "../../versions/2025-01/index.ts";
import { started } from "../support/started-server.ts";

const SECRET = "s3cret-word";
const CREDENTIALS = `Basic ${btoa(`ada:${SECRET}`)}`;

/** Starts a proxy that forwards requests, and opens tunnels or rejects them with a status. Records what it is asked for. */
async function startProxy(status = 200): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    const { url = "", method, headers } = request;
    seen.push(`${method} ${headers["proxy-authorization"] ?? "anonymous"}`);
    const forwarded = forward(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  proxy.on("connect", ({ url }, socket) => {
    seen.push("CONNECT");
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => socket.write("HTTP/1.1 200 Connected\r\n\r\n"));
    target.pipe(socket).pipe(target);
    for (const end of [target, socket]) end.on("error", () => void [target, socket].map((each) => each.destroy()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

/** Closes a dispatcher when the test ends. */
function closing<Used extends Dispatcher>(dispatcher: Used): Used {
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
}

/** Starts a mock and a proxy, and creates a client without retries. */
async function start(options: (proxy: string) => Partial<ClientOptions>) {
  const [server, proxy] = [await started(), await startProxy()];
  const accessToken = server.mock.issueToken();
  const shared = { accessToken, baseUrl: server.url, maxRetries: 0 };
  return { proxy, client: createClient({ ...shared, ...options(proxy.url) }) };
}

const EVENT = { name: "api.call", external_customer_id: "acme" };

describe("dispatcherFetch, with a dispatcher of undici", () => {
  const through = (options: object) => (uri: string) => ({
    fetch: dispatcherFetch(closing(new ProxyAgent({ uri, ...options }))),
  });

  it.each([
    ["forwards requests", false, ["POST anonymous", "GET anonymous"]],
    ["opens a tunnel", true, ["CONNECT"]],
  ])("uses a proxy that %s", async (_, proxyTunnel, expected) => {
    const { proxy, client } = await start(through({ proxyTunnel }));
    expect(await client.events.ingest([EVENT])).toEqual({ inserted: 1, duplicates: 0 });
    expect((await client.products.list()).items).toEqual([]);
    // A second connection opens a second tunnel.
    expect([...new Set(proxy.seen)]).toEqual(expected);
  });

  it("sends the credentials of the proxy, and no error contains them", async () => {
    const options = { token: CREDENTIALS, proxyTunnel: false };
    const { proxy, client } = await start(through(options));
    await client.products.list();
    expect(proxy.seen).toEqual([`GET ${CREDENTIALS}`]);
    const closed = await start(() => through(options)("http://127.0.0.1:1"));
    const { error } = await closed.client.products.list().safe();
    expect(error?.message).toContain("ECONNREFUSED");
    expect(`${JSON.stringify(error)} ${error?.stack}`).not.toContain(CREDENTIALS.slice(6));
  });
});

/** Sets the variables that name a proxy until the test ends. */
function setVariables(values: Readonly<Record<string, string>>): void {
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];
  for (const name of names) vi.stubEnv(name, values[name]);
  onTestFinished(() => void vi.unstubAllEnvs());
}

beforeEach(() => setVariables({}));

describe("undiciTransport", () => {
  function open(options?: Parameters<typeof undiciTransport>[0]) {
    const transport = undiciTransport(options);
    onTestFinished(() => transport.close());
    return { transport };
  }

  it.each([
    ["sends through the proxy in http_proxy", "http_proxy", {}, ["GET anonymous"]],
    ["sends through the proxy in HTTP_PROXY", "HTTP_PROXY", {}, ["GET anonymous"]],
    ["sends directly to the hosts in NO_PROXY", "HTTP_PROXY", { NO_PROXY: "127.0.0.1" }, []],
  ])("%s", async (_, name, others, expected) => {
    const { proxy, client } = await start(() => open());
    setVariables({ [name]: proxy.url, ...others });
    expect((await client.products.list()).items).toEqual([]);
    expect(proxy.seen).toEqual(expected);
  });

  it("sends through a ProxyAgent", async () => {
    const { proxy, client } = await start((url) =>
      open({ dispatcher: closing(new ProxyAgent(url.replace("//", `//ada:${SECRET}@`))) }),
    );
    expect((await client.products.list()).items).toEqual([]);
    expect(proxy.seen).toEqual([`GET ${CREDENTIALS}`]);
  });

  it.each([
    ["rejects the tunnel", () => startProxy(407)],
    ["cannot be reached", async () => ({ url: "http://127.0.0.1:1", seen: ["CONNECT"] })],
  ])("does not repeat the password of a proxy in HTTPS_PROXY that %s", async (_, startHttps) => {
    const { url, seen } = await startHttps();
    setVariables({ HTTPS_PROXY: url.replace("//", `//ada:${SECRET}@`) });
    const { client } = await start(() => ({ ...open(), baseUrl: "https://billing.test" }));
    const { error } = await client.products.list().safe();
    expect(error?.name).toBe("NetworkError");
    expect(seen).toEqual(["CONNECT"]);
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/s3cret-word|YWRh/);
  });
});
