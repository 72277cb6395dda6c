import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectMock } from "../../mock/connect.ts";
import { startLocalServer } from "../support/local-server.ts";
import { started } from "../support/started-server.ts";

const size = (url: string, timeout?: number) => connectMock(url, { timeout }).users.size;

test("an unreachable server and a hanging one have different errors", async () => {
  const { origin: url } = await startLocalServer(() => {});
  await expect(size(url, 200)).rejects.toThrow(`the server at ${url} did not respond within 200 ms`);
  const server = await started();
  await server.close();
  await expect(size(server.url)).rejects.toThrow(`cannot reach a mock server at ${server.url} (ECONNREFUSED)`);
});

test("an incomplete response fails its call only", async () => {
  const broken = createServer((socket) => {
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"));
  });
  onTestFinished(() => void broken.close());
  const port = await new Promise<number>((resolve) => {
    broken.listen(0, "127.0.0.1", () => resolve((broken.address() as { port: number }).port));
  });
  await expect(size(`http://127.0.0.1:${port}`)).rejects.toThrow(/cannot reach a mock server at .* \(UND_ERR_SOCKET\)/);
  expect(await size((await started()).url)).toBe(1);
});

test.each([
  [401, { error: "Unauthorized", detail: "Log in." }],
  [404, "<h1>Not found</h1>"],
  [200, "<h1>Welcome</h1>"],
])("another server is reported as one without a control API: %s %j", async (status, body) => {
  const { origin: url } = await startLocalServer((_, response) => {
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await expect(size(url)).rejects.toThrow(`no control API at ${url}`);
});

test.each(["127.0.0.1:4010", "https://127.0.0.1:4010"])("throws for the URL %s, which is not an http: URL", (url) => {
  expect(() => connectMock(url)).toThrow(
    `connectMock: \`url\` must be an http: URL, such as "http://127.0.0.1:4010"; received "${url}".`,
  );
});
