import { type Dispatcher, ProxyAgent } from "undici";
import { expect, it, onTestFinished } from "vitest";
import { dispatcherFetch } from "../../examples/dispatcher-fetch.ts";
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

/** Closes a dispatcher when the test ends. */
function closing<Used extends Dispatcher>(dispatcher: Used): Used {
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
}

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
