import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { failureOf, serve, thing } from "./service.ts";
import { THING } from "./tiny-contract.ts";
import { clientOf, open } from "./undici-client.ts";

interface Proxy {
  readonly url: string;
  /** The hosts that clients asked for, with the credentials they sent. */
  readonly asked: [host: string | undefined, credentials: string | undefined][];
}

/** Starts a proxy that forwards requests and opens tunnels, or rejects every tunnel with a status. */
async function startProxy(status = 200): Promise<Proxy> {
  const asked: Proxy["asked"] = [];
  const server = createServer(({ url = "", method, headers }, response) => {
    asked.push([headers.host, headers["proxy-authorization"]]);
    forward(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    }).end();
  });
  server.on("connect", ({ url = "", headers }, socket) => {
    asked.push([url, headers["proxy-authorization"]]);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const [host, port] = url.split(":");
    const target = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on("error", () => void [socket, target].map((each) => each.destroy()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const VARIABLES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];

/** Sets the variables that name a proxy until the test ends. */
function setVariables(values: Readonly<Record<string, string>>): void {
  for (const name of VARIABLES) vi.stubEnv(name, values[name]);
  onTestFinished(() => void vi.unstubAllEnvs());
}

beforeEach(() => setVariables({}));

describe("undici", () => {
  it.each(["http_proxy", "HTTP_PROXY"])("sends through the proxy in %s", async (name) => {
    const [service, proxy] = [await serve(thing), await startProxy()];
    setVariables({ [name]: proxy.url });
    expect(await clientOf(service).read("t1")).toEqual(THING);
    expect(proxy.asked).toEqual([[new URL(service.baseUrl).host, undefined]]);
  });

  it("sends directly to the hosts in NO_PROXY", async () => {
    const [service, proxy] = [await serve(thing), await startProxy()];
    setVariables({ HTTP_PROXY: proxy.url, NO_PROXY: "127.0.0.1" });
    expect(await clientOf(service).read("t1")).toEqual(THING);
    expect(proxy.asked).toEqual([]);
  });

  it("asks the proxy in HTTPS_PROXY for a tunnel to an https: address", async () => {
    const proxy = await startProxy(503);
    setVariables({ HTTPS_PROXY: proxy.url });
    const error = await failureOf(clientOf({ ...(await serve(thing)), baseUrl: "https://billing.test" }).read("t1"));
    expect(error.name).toBe("NetworkError");
    expect(proxy.asked).toEqual([["billing.test:443", undefined]]);
  });

  it("sends through a ProxyAgent", async () => {
    const { ProxyAgent } = await import("undici");
    const [service, proxy] = [await serve(thing), await startProxy()];
    const dispatcher = new ProxyAgent(proxy.url.replace("//", "//ada:s3cret-word@"));
    onTestFinished(() => dispatcher.destroy());
    expect(await clientOf(service, open({ dispatcher })).read("t1")).toEqual(THING);
    expect(proxy.asked).toEqual([[new URL(service.baseUrl).host, `Basic ${btoa("ada:s3cret-word")}`]]);
  });

  it.each([
    ["rejects the tunnel", async () => startProxy(407)],
    ["cannot be reached", async () => ({ url: "http://127.0.0.1:1" })],
  ])("does not repeat the password of a proxy that %s", async (_, start) => {
    const { url } = await start();
    setVariables({ https_proxy: url.replace("//", "//ada:s3cret-word@") });
    const error = await failureOf(clientOf({ ...(await serve(thing)), baseUrl: "https://billing.test" }).read("t1"));
    expect(error.name).toBe("NetworkError");
    const { inspect } = await import("node:util");
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/s3cret-word|YWRh/);
  });
});
