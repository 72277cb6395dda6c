import { expect, it } from "vitest";
import { BillingError } from "../../src/errors/index.ts";
import { clientOf, failureOf, json, type Reply, text } from "./service.ts";
import { TOKEN, tinyClient } from "./tiny-contract.ts";

const asJson = { "content-type": "application/json" };

const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
const many = (item: unknown): unknown[] => new Array(200_000).fill(item);
const soon = { "retry-after": "0" };
const odd = { toString: 1, valueOf: 1 };
const evil = `{"__proto__":{"error":"Evil ${TOKEN}"},"constructor":null}`;
const said = (message: string) => ({ code: undefined, message: `things:add: ${message}` });

/** Responses that other clients turn into a raw error, a wrong value, a hanging call or an exit of the process. */
it.each<[name: string, reply: Reply, error: object, requests: number]>([
  ["an error that is nested 200,000 deep", text(500, `{"detail":${deep}}`, soon), { name: "ApiError" }, 2],
  ["200,000 invalid items in an error", json(422, { detail: many({ loc: [{}], msg: 1 }) }), { body: undefined }, 1],
  ["an error whose msg is not a string", json(422, { detail: [{ loc: [odd], msg: odd }] }), said("422 ?: ?"), 1],
  ["an error without strings", json(400, { error: odd, detail: odd }), said("400"), 1],
  ["an error with a field named __proto__", text(400, evil, asJson), said("400"), 1],
  ["an error of 10 MB, which is not read", json(400, { detail: "x".repeat(1e7) }), said("400"), 1],
  ["a body that is not gzip", text(200, "no", { "content-encoding": "gzip" }), { name: "NetworkError" }, 2],
])("an error of the package, retried only if that can help, follows %s", async (_, reply, error, requests) => {
  const { client, seen } = await clientOf(reply, { maxRetries: 1 });
  const failure = await failureOf(client.add({ key: "k" }));
  expect(failure).toBeInstanceOf(BillingError);
  expect(failure).toMatchObject(error);
  expect(failure.message.length).toBeLessThan(2_000);
  expect(JSON.stringify(failure) + String(failure.stack)).not.toContain(TOKEN);
  expect(seen).toHaveLength(requests);
});

it("a success with more than 50,000 values is returned without a check", async () => {
  const { client } = await clientOf(text(200, deep), { onResponseMismatch: "throw" });
  expect(await client.add({ key: "k" })).toBeInstanceOf(Array);
});

it.each([
  ["an object without a prototype", Object.create(null)],
  ["an error whose message is an object", Object.assign(new Error("x"), { message: { toString: 1 } })],
  ["undefined", undefined],
])("a custom fetch or token function that fails with %s causes an error of the package", async (_, value) => {
  const fail = () => Promise.reject(value);
  for (const options of [{ fetch: fail }, { accessToken: fail }]) {
    const { error } = await tinyClient({ ...options, maxRetries: 0 })
      .read("t1")
      .safe();
    expect(error).toBeInstanceOf(BillingError);
    expect(error?.cause).toBeInstanceOf(Error);
  }
});
