import { describe, expect, it } from "vitest";
import { PendingCall } from "../../src/client/client.ts";
import { clientOf, json, thing } from "./service.ts";
import { THING } from "./tiny-contract.ts";

const answer = { data: 7, response: new Response(), version: "2020-01" };
const boom = new Error("boom");
const succeeds = () => new PendingCall<number, Error>(Promise.resolve(answer));
const fails = () => new PendingCall<number, Error>(Promise.reject(boom));
const gone = json(404, { error: "Gone", detail: "gone" });

describe("a call", () => {
  it("is sent immediately, and only once however often it is awaited", async () => {
    const { client, seen } = await clientOf(thing);
    const call = client.read("t1");
    await expect.poll(() => seen.length).toBe(1);
    const all = await Promise.all([call, call.withResponse(), call.safe(), call.then(({ id }) => id)]);
    expect(all).toMatchObject([THING, { data: THING }, { ok: true, data: THING }, "t1"]);
    expect(await call).toBe(all[0]);
    expect(seen).toHaveLength(1);
  });

  it("is a promise whose then, catch and finally return promises", async () => {
    const call = succeeds();
    expect(call).toBeInstanceOf(Promise);
    expect(await Promise.allSettled([call, fails()])).toMatchObject([{ value: 7 }, { reason: boom }]);
    expect(await call.catch(() => 0)).toBe(7);
    expect(await fails().catch((error: Error) => error.message)).toBe("boom");
    for (const none of [null, undefined, "no function" as never]) expect(await call.then(none, () => 0)).toBe(7);
    for (const promise of [call.then(), call.catch(() => 0), call.finally()]) expect(promise.constructor).toBe(Promise);
  });

  it("rejects instead of throwing, for any arguments, and safe returns the error as a value", async () => {
    const { client } = await clientOf(gone);
    const error = { name: "ApiError", status: 404 };
    expect(await client.read("t1").safe()).toMatchObject({ ok: false, error });
    const calls = [
      () => client.read("" as string),
      () => client.read("t1", null as never),
      () => client.request("GET", "/v1/x", null as never),
      () => client.request(Symbol("x") as never, Symbol("y") as never),
      () => client.send({} as never, {}),
    ];
    for (const call of calls) expect((await call().safe()).ok).toBe(false);
  });
});

/** Returns the unhandled rejections that are reported while a function runs, and shortly after. */
async function unhandledIn(run: () => unknown): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", (reason) => void unhandled.push(reason));
  await run();
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.removeAllListeners("unhandledRejection");
  for (const listener of others) process.on("unhandledRejection", listener);
  return unhandled;
}

it.each<[name: string, run: () => unknown, reports: unknown[]]>([
  ["is reported as an unhandled rejection, once, if it is not awaited", () => void fails(), [boom]],
  ["is reported if then has no rejection handler", () => void fails().then(() => 1), [boom]],
  ["is not reported if safe is called", () => void fails().safe(), []],
  ["is not reported if its response is awaited", () => Promise.allSettled([fails().withResponse()]), []],
  ["is not reported if an async function returns it, and is caught", () => (async () => fails())().catch(() => 0), []],
])("a failing call %s", async (_, run, reports) => {
  expect(await unhandledIn(run)).toEqual(reports);
});
