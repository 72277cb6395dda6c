import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request as sendRequest } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
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

/** Creates a key and its certificate for 127.0.0.1. Returns their files, which are removed when the test ends. */
function createCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", ...kind, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { key, cert };
}

/** Starts an https: server that passes all requests on to another server. */
async function startTls(target: string): Promise<{ url: string; cert: string }> {
  const { key, cert } = createCertificate();
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    const plain = connect(Number(new URL(target).port), "127.0.0.1");
    socket.pipe(plain).pipe(socket);
    for (const end of [socket, plain]) end.on("error", () => [socket, plain].forEach((each) => void each.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, cert };
}

/** Whether a certificate can be created. */
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** Closes a dispatcher when the test ends. */
function closing<Used extends Dispatcher>(dispatcher: Used): Used {
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
}

/** A program that makes the global `fetch` use a proxy. */
const ENV_AGENT =
  'import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici"; setGlobalDispatcher(new EnvHttpProxyAgent());';

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
    ["EnvHttpProxyAgent", {}, ENV_AGENT, 1],
    ["neither", {}, "", 0],
  ])("uses the proxy in HTTP_PROXY with: %s", async (_, env, before, requests) => {
    const server = await started();
    const proxy = await startProxy();
    const variables = { HTTP_PROXY: proxy.url, http_proxy: proxy.url, NO_PROXY: "", no_proxy: "", ...env };
    const outcome = await callElsewhere(server.url, server.mock.issueToken(), variables, before);
    expect(outcome).toEqual({ status: 0, output: "0\n" });
    expect(proxy.seen).toHaveLength(requests);
  });

  it.skipIf(!hasOpenssl).each([
    ["NODE_USE_ENV_PROXY", { NODE_USE_ENV_PROXY: "1" }, ""],
    ["EnvHttpProxyAgent", {}, ENV_AGENT],
  ])("opens a tunnel through the proxy in HTTPS_PROXY to an https: address with: %s", async (_, env, before) => {
    const server = await started();
    const { url, cert } = await startTls(server.url);
    const proxy = await startProxy();
    const variables = { HTTPS_PROXY: proxy.url, https_proxy: proxy.url, NO_PROXY: "", no_proxy: "", ...env };
    const accessToken = server.mock.issueToken();
    const outcome = await callElsewhere(url, accessToken, { ...variables, NODE_EXTRA_CA_CERTS: cert }, before);
    expect(outcome).toEqual({ status: 0, output: "0\n" });
    expect(proxy.seen).toEqual(["CONNECT"]);
    expect(server.mock.requests.list()).toHaveLength(1);
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
