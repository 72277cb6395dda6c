import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PendingCall } from "../../src/client/call.ts";
import { failureOf, json, serve, thing } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

const answer = { data: 7, response: new Response(), version: "2020-01" };
const boom = new Error("boom");
const fails = (): PendingCall<number, Error> => new PendingCall<number, Error>(Promise.reject(boom));

describe("a call", () => {
  it("is sent immediately, and only once however often it is awaited", async () => {
    const service = await serve(thing);
    const call = tinyClient({ baseUrl: service.baseUrl }).read("t1");
    await expect.poll(() => service.seen.length).toBe(1);
    const all = await Promise.all([call, call.withResponse(), call.safe(), call.then(({ id }) => id)]);
    expect(all).toMatchObject([THING, { data: THING }, { ok: true, data: THING }, "t1"]);
    expect(await call).toBe(all[0]);
    expect(service.seen).toHaveLength(1);
  });

  it("is a promise: await, all, race, allSettled, catch, finally", async () => {
    const call = new PendingCall<number, Error>(Promise.resolve(answer));
    expect(call).toBeInstanceOf(Promise);
    expect(await call).toBe(7);
    expect(await Promise.all([call, 1])).toEqual([7, 1]);
    expect(await Promise.race([call, new Promise(() => {})])).toBe(7);
    expect(await Promise.allSettled([call, fails()])).toMatchObject([{ value: 7 }, { reason: boom }]);
    expect(await call.catch(() => 0)).toBe(7);
    let ran = false;
    expect(await call.finally(() => (ran = true))).toBe(7);
    expect(ran).toBe(true);
    expect(await fails().catch((error: Error) => error.message)).toBe("boom");
    expect(
      await fails()
        .finally(() => {})
        .catch((error: Error) => error.message),
    ).toBe("boom");
    expect(await (async () => call)()).toBe(7);
  });

  it("returns plain promises from then, catch and finally", () => {
    const call = new PendingCall<number, Error>(Promise.resolve(answer));
    for (const promise of [call.then(), call.catch(() => 0), call.finally()]) expect(promise.constructor).toBe(Promise);
  });

  it("is printed with its result, or as pending", async () => {
    const call = new PendingCall<number, Error>(Promise.resolve(answer));
    const failed = fails();
    expect(inspect(new PendingCall<number, Error>(new Promise(() => {})))).toBe("Call { <pending> }");
    await Promise.allSettled([call, failed]);
    expect(inspect(call)).toBe("Call { 7 }");
    expect(inspect({ failed })).toMatch(/^\{\n {2}failed: Call \{\n {4}<rejected> Error: boom/);
  });

  it("is printed with its response if only the response was awaited", async () => {
    const call = new PendingCall<number, Error>(Promise.resolve(answer));
    await call.withResponse();
    expect(inspect(call)).toContain("data: 7");
  });

  it("passes its data through a then without a function", async () => {
    const call = new PendingCall<number, Error>(Promise.resolve(answer));
    expect(await call.then(null)).toBe(7);
    expect(await call.then(undefined, () => 0)).toBe(7);
    expect(await call.then("no function" as never)).toBe(7);
  });

  it("safe returns an error as a value", async () => {
    const service = await serve(json(404, { error: "Gone", detail: "gone" }));
    const result = await tinyClient({ baseUrl: service.baseUrl }).read("t1").safe();
    expect(result).toMatchObject({ ok: false, error: { name: "ApiError", status: 404 } });
  });

  it("rejects instead of throwing, for any arguments", async () => {
    const client = tinyClient();
    const calls = [
      () => client.read("" as string),
      () => client.read("t1", null as never),
      () => client.read("t1", { headers: 1 as never }),
      () => client.request("GET", "nowhere"),
      () => client.request("GET", "/v1/x", null as never),
      () => client.request(Symbol("x") as never, Symbol("y") as never),
      () => client.send({} as never, {}),
    ];
    for (const call of calls) expect((await call().safe()).ok).toBe(false);
    expect((await failureOf(client.read(""))).name).toBe("InvalidInputError");
  });
});

describe("a failing call", () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  let others: NodeJS.UnhandledRejectionListener[] = [];

  beforeEach(() => {
    unhandled.length = 0;
    others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", note);
  });
  afterEach(() => {
    process.off("unhandledRejection", note);
    for (const listener of others) process.on("unhandledRejection", listener);
  });
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

  it("is reported as an unhandled rejection, once, if it is not awaited", async () => {
    fails();
    await settled();
    expect(unhandled).toEqual([boom]);
  });

  it("is reported if then has no rejection handler", async () => {
    void fails().then(() => 1);
    await settled();
    expect(unhandled).toEqual([boom]);
  });

  it("is not reported if only safe is awaited", async () => {
    await fails().safe();
    void fails().safe();
    await settled();
    expect(unhandled).toEqual([]);
  });

  it("is not reported if it is caught in any way", async () => {
    await fails().catch(() => {});
    await fails()
      .withResponse()
      .catch(() => {});
    await Promise.allSettled([fails()]);
    await (async () => fails())().catch(() => {});
    await settled();
    expect(unhandled).toEqual([]);
  });
});
