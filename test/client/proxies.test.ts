import { createServer, type IncomingMessage, request as sendRequest } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { dispatcherFetch } from "../../examples/dispatcher-fetch.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import { run } from "../isolation/workspace.ts";
import { started } from "../support/started-server.ts";

const SOURCES = fileURLToPath(new URL("../../", import.meta.url));

/** Starts a proxy that forwards requests and opens tunnels. Records what it was asked for. */
async function startProxy(): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers["proxy-authorization"] ?? "anonymous"}`);
    const { method, headers } = request;
    const forwarded = sendRequest(request.url ?? "", { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    seen.push("CONNECT");
    const { hostname, port } = new URL(`http://${request.url}`);
    const tunnel = connect(Number(port), hostname, () => socket.write("HTTP/1.1 200 Connected\r\n\r\n"));
    tunnel.pipe(socket).pipe(tunnel);
    for (const end of [tunnel, socket]) end.on("error", () => [tunnel, socket].forEach((each) => void each.destroy()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

/** Closes a dispatcher when the test ends. */
function closing<Used extends Dispatcher>(dispatcher: Used): Used {
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
}

const EVENT = { name: "api.call", external_customer_id: "acme" };

describe("a client with a dispatcher of undici", () => {
  it.each([
    ["forwards requests", false, ["POST anonymous", "GET anonymous"]],
    ["opens a tunnel", true, ["CONNECT"]],
  ])("uses a proxy that %s", async (_, proxyTunnel, expected) => {
    const server = await started();
    const proxy = await startProxy();
    const dispatcher = closing(new ProxyAgent({ uri: proxy.url, proxyTunnel }));
    const accessToken = server.mock.issueToken();
    const billing = createClient({ accessToken, baseUrl: server.url, fetch: dispatcherFetch(dispatcher) });
    expect(await billing.events.ingest([EVENT])).toEqual({ inserted: 1, duplicates: 0 });
    expect((await billing.products.list()).items).toEqual([]);
    // A second connection opens a second tunnel.
    expect([...new Set(proxy.seen)]).toEqual(expected);
  });

  it("sends the credentials of the proxy, and no error contains them", async () => {
    const server = await started();
    const proxy = await startProxy();
    const secret = `Basic ${btoa("user:proxy-password")}`;
    const open = (uri: string) => {
      const dispatcher = closing(new ProxyAgent({ uri, token: secret, proxyTunnel: false }));
      const accessToken = server.mock.issueToken();
      return createClient({ accessToken, baseUrl: server.url, fetch: dispatcherFetch(dispatcher), maxRetries: 0 });
    };
    await open(proxy.url).products.list();
    expect(proxy.seen).toEqual([`GET ${secret}`]);
    const { error } = await open("http://127.0.0.1:1").products.list().safe();
    expect(error?.message).toContain("ECONNREFUSED");
    expect(`${JSON.stringify(error)} ${error?.stack}`).not.toContain(btoa("user:proxy-password"));
  });

  it("aborts the request when the call times out", async () => {
    const server = await started({ latency: 5_000 });
    const proxy = await startProxy();
    const dispatcher = closing(new EnvHttpProxyAgent({ httpProxy: proxy.url, noProxy: "" }));
    const options = { baseUrl: server.url, fetch: dispatcherFetch(dispatcher), timeout: 300, maxRetries: 0 };
    const billing = createClient({ accessToken: server.mock.issueToken(), ...options });
    await expect(billing.products.list()).rejects.toMatchObject({ name: "TimeoutError" });
    expect(proxy.seen).toHaveLength(1);
  });
});

describe("a client that uses the global fetch", () => {
  /** Makes a call in another process, and returns the outcome. */
  const callElsewhere = (url: string, accessToken: string, env: Record<string, string>, before = "") => {
    const program = `
      ${before}
      const { createClient } = await import(${JSON.stringify(`${SOURCES}versions/2025-01/index.ts`)});
      const billing = createClient(${JSON.stringify({ accessToken, baseUrl: url, maxRetries: 0 })});
      console.log((await billing.products.list()).items.length);
    `;
    return run(process.execPath, ["--input-type=module", "--eval", program], SOURCES, env);
  };

  it.each([
    ["NODE_USE_ENV_PROXY", { NODE_USE_ENV_PROXY: "1" }, "", 1],
    [
      "EnvHttpProxyAgent",
      {},
      `import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici"; setGlobalDispatcher(new EnvHttpProxyAgent());`,
      1,
    ],
    ["neither", {}, "", 0],
  ])("uses the proxy in HTTP_PROXY with: %s", async (_, env, before, requests) => {
    const server = await started();
    const proxy = await startProxy();
    const variables = { HTTP_PROXY: proxy.url, http_proxy: proxy.url, NO_PROXY: "", no_proxy: "", ...env };
    const outcome = await callElsewhere(server.url, server.mock.issueToken(), variables, before);
    expect(outcome).toEqual({ status: 0, output: "0\n" });
    expect(proxy.seen).toHaveLength(requests);
  });

  it("does not use it for hosts in NO_PROXY", async () => {
    const server = await started();
    const proxy = await startProxy();
    const variables = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy.url, NO_PROXY: "127.0.0.1" };
    const outcome = await callElsewhere(server.url, server.mock.issueToken(), variables);
    expect(outcome).toEqual({ status: 0, output: "0\n" });
    expect(proxy.seen).toEqual([]);
  });
});
