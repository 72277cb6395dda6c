import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { expect, it, vi } from "vitest";
import type { CallEnd, Outcome } from "../../src/client/index.ts";
import {
  breakBody,
  clientOf,
  closedPort,
  failureOf,
  json,
  type Reply,
  reset,
  stall,
  stallBody,
  text,
} from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

interface Failure {
  readonly reply?: Reply;
  readonly signal?: () => AbortSignal;
  /** The expected error. */
  readonly error: object;
  /** Whether an idempotent operation is retried. */
  readonly retried?: boolean;
  /** The status that hooks receive. */
  readonly status?: number;
  /** Whether the timeout ends each attempt. */
  readonly stalls?: boolean;
}

const network = { name: "NetworkError", cause: expect.any(Error) as Error };
const late = { name: "TimeoutError", timeout: 400 };
const mismatch = { name: "ResponseMismatchError", status: 200 };
const gone = { name: "ApiError", status: 404, rawBody: undefined };
const other = json(200, THING, { "service-version": "1999-01" });
const signal = () => AbortSignal.timeout(30);

const failures: Readonly<Record<string, Failure>> = {
  "a refused connection": { error: { ...network, message: expect.stringContaining("ECONNREFUSED") }, retried: true },
  "a reset connection": { reply: reset, error: network, retried: true },
  "an incomplete body": { reply: breakBody(), error: network, retried: true, status: 200 },
  "another protocol": { reply: (sent) => sent.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"), error: network, retried: true },
  "no response in time": { reply: stall, error: late, retried: true, stalls: true },
  "a body that stalls": { reply: stallBody(), error: late, retried: true, status: 200, stalls: true },
  "an error body that stalls": { reply: stallBody(404), error: { ...gone, cause: late }, status: 404, stalls: true },
  "an incomplete error body": { reply: breakBody(404), error: { ...gone, cause: network }, status: 404 },
  "a response that is not JSON": { reply: text(200, "<p>"), error: mismatch, status: 200 },
  "another version": { reply: other, error: { name: "VersionMismatchError" }, status: 200 },
  "a signal that times out": { reply: stall, signal, error: { name: "TimeoutError", timeout: undefined } },
};
const transient = [408, 425, 500, 502, 503, 504, 507, 520, 524, 599];
for (const status of [...transient, 400, 401, 403, 404, 409, 413, 422, 501, 505]) {
  const row = { reply: json(status, {}), error: { name: "ApiError", status }, retried: transient.includes(status) };
  Object.assign(failures, { [`the status ${status}`]: { ...row, status } });
}

/** Awaits a call. The stack of its error must contain the name of this function. */
async function loadTheDashboard(call: () => Promise<unknown>): Promise<unknown> {
  return await call();
}

it.each(Object.entries(failures))("a call that ends with %s", async (_, row) => {
  const { reply, signal, error, retried = false, status, stalls } = row;
  vi.spyOn(Math, "random").mockReturnValue(0);
  const [attempts, calls]: [Outcome[], CallEnd[]] = [[], []];
  const hooks = {
    onAttemptEnd: (end: Outcome) => void attempts.push(end),
    onCallEnd: (end: CallEnd) => void calls.push(end),
  };
  const where = reply ? {} : { baseUrl: await closedPort() };
  const options = { hooks, maxRetries: 1, ...(stalls && { timeout: 400 }), ...where };
  const { client } = await clientOf(reply ?? stall, options);
  const failure = await failureOf(loadTheDashboard(() => client.read("t1", { signal: signal?.() })));
  expect(failure).toMatchObject({ operation: "things:read", ...error });
  expect(failure.stack).toContain("loadTheDashboard");
  const tries = retried ? 2 : 1;
  expect(attempts).toHaveLength(tries);
  expect(calls).toMatchObject([{ attempts: tries, status, error: failure }]);
  for (const end of attempts) expect(end).toMatchObject({ status, error: { name: failure.name } });
  const shown = inspect([failure, attempts, calls], { depth: null, showHidden: true });
  expect(shown + JSON.stringify(failure)).not.toContain(TOKEN);
  if (!retried) return;
  const { message } = await failureOf(client.add({ size: 1 }));
  expect(message).toMatch(/ \(not retried: the thing has no key\)$/);
  expect(attempts).toHaveLength(tries + 1);
});

it("errors of another realm, as in Jest, are read like all others", async () => {
  const foreign = (fields: object) => Object.assign(runInNewContext("new Error('lost')") as Error, fields);
  const lost = foreign({ cause: foreign({ message: "refused\n", code: "REFUSED" }) });
  const client = tinyClient({ fetch: () => Promise.reject(lost), maxRetries: 0 });
  const message = "things:read: the connection failed (REFUSED)";
  expect(await failureOf(client.read("t1"))).toMatchObject({ message, cause: { message: "lost" } });
  const signal = AbortSignal.abort(foreign({ name: "TimeoutError" }));
  expect(await failureOf(client.read("t1", { signal }))).toMatchObject({ name: "TimeoutError", timeout: undefined });
});
