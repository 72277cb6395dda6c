import { inspect } from "node:util";
import { type Dispatcher, ProxyAgent } from "undici";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { dispatcherFetch } from "../../examples/dispatcher-fetch.ts";
import { undiciTransport } from "../../src/undici.ts";
import { closedPort, failureOf, serve, thing } from "./service.ts";
import { tinyClient } from "./tiny-contract.ts";

const SECRET = "s3cret-word";
const CREDENTIALS = `Basic ${btoa(`ada:${SECRET}`)}`;
const baseUrl = "http://billing.test";

/** Starts a proxy that responds to requests itself, and rejects tunnels. Records what it is asked for. */
async function startProxy() {
  const { baseUrl: url, seen, server } = await serve(thing);
  let tunnels = 0;
  server.on("connect", (_, socket) => {
    tunnels += 1;
    socket.end("HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n");
  });
  const asked = () => seen.map(({ path, headers }) => `${path} ${headers["proxy-authorization"] ?? "anonymous"}`);
  return { url, asked, tunnels: () => tunnels };
}

/** Adds a user name and a password to the URL of a proxy. */
const withPassword = (url: string) => url.replace("//", `//ada:${SECRET}@`);

/** Closes a dispatcher when the test ends. */
function closing<Used extends Dispatcher>(dispatcher: Used): Used {
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
}

/** Sets the variables that name a proxy until the test ends. */
function setVariables(values: Readonly<Record<string, string>>): void {
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];
  for (const name of names) vi.stubEnv(name, values[name]);
}

beforeEach(() => setVariables({}));

it("dispatcherFetch sends requests through a proxy with its credentials, and no error contains them", async () => {
  const clientThrough = (uri: string) => {
    const fetch = dispatcherFetch(closing(new ProxyAgent({ uri, token: CREDENTIALS, proxyTunnel: false })));
    return tinyClient({ baseUrl, fetch, maxRetries: 0 });
  };
  const proxy = await startProxy();
  await clientThrough(proxy.url).add({ size: 1 });
  expect(proxy.asked()).toEqual([`${baseUrl}/v1/things ${CREDENTIALS}`]);
  const error = await failureOf(clientThrough(await closedPort()).read("t1"));
  expect(error.message).toContain("ECONNREFUSED");
  expect(`${JSON.stringify(error)} ${error.stack}`).not.toContain(CREDENTIALS.slice(6));
});

describe("undiciTransport", () => {
  function clientThrough(baseUrl: string, options?: Parameters<typeof undiciTransport>[0]) {
    const transport = undiciTransport(options);
    onTestFinished(() => transport.close());
    return tinyClient({ baseUrl, transport, maxRetries: 0 });
  }

  it.each([
    ["sends through the proxy in http_proxy", "http_proxy", {}, 1],
    ["sends through the proxy in HTTP_PROXY", "HTTP_PROXY", {}, 1],
    ["sends directly to the hosts in NO_PROXY", "HTTP_PROXY", { NO_PROXY: "127.0.0.1" }, 0],
  ])("%s", async (_, name, others, requests) => {
    const [proxy, service] = [await startProxy(), await serve(thing)];
    setVariables({ [name]: proxy.url, ...others });
    await clientThrough(service.baseUrl).read("t1");
    expect([proxy.asked().length, service.seen.length]).toEqual([requests, 1 - requests]);
  });

  it("does not repeat the password of a proxy in HTTPS_PROXY that rejects the tunnel, or cannot be reached", async () => {
    const proxy = await startProxy();
    for (const url of [proxy.url, await closedPort()]) {
      setVariables({ HTTPS_PROXY: withPassword(url) });
      const error = await failureOf(clientThrough("https://billing.test").read("t1"));
      expect(error.name).toBe("NetworkError");
      expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/s3cret-word|YWRh/);
    }
    expect(proxy.tunnels()).toBe(1);
  });
});
