import { expect, it } from "vitest";
import { signWebhook } from "../../versions/2025-01/webhooks.ts";
import { open, read, requestText } from "../support/raw-socket.ts";
import { startProcess } from "./servers.ts";
import { order, other, secret } from "./signed.ts";

it("a body in chunks of one byte needs memory in proportion to its bytes", async () => {
  const { url } = await startProcess([secret], ["--max-old-space-size=64"]);
  const { headers } = await signWebhook(order, { secret: other });
  const socket = await open(url);
  const answer = read(socket, 60_000);
  socket.write(requestText("POST /", { ...headers, "transfer-encoding": "chunked", connection: "close" }));
  socket.write(`${"1\r\nx\r\n".repeat(1_048_576)}0\r\n\r\n`);
  expect((await answer).text).toMatch(/^HTTP\/1\.1 401 /);

  const valid = await signWebhook({ ...order, id: "evt_1" }, { secret });
  expect((await fetch(url, { method: "POST", ...valid })).status).toBe(204);
  expect(await (await fetch(url)).json()).toMatchObject({ runs: { evt_1: 1 } });
}, 60_000);
