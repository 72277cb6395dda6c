import * as z from "zod/mini";
import { bindVersion } from "../../src/client/client.ts";
import type { CallOptions, ClientOptions } from "../../src/client/index.ts";
import type { Operation } from "../../src/contract/index.ts";

/** A thing, with a field of every kind that the client treats differently. */
export interface Thing {
  id: string;
  size: number;
  tags?: string[];
  labels?: Record<string, string>;
  owner: { name: string; kind: "user" } | { title: string; kind: "team" };
}

/** The error body for a missing thing. */
export interface Gone {
  error: "Gone";
  detail: string;
}

interface ReadThing {
  path: { id: string };
  query: { tag?: string[]; limit?: number };
  data: Thing;
  failures: { 404: Gone };
}

interface AddThing {
  body: { key?: string; size?: unknown };
  data: Thing;
  failures: { 422: { detail: { loc: (string | number)[]; msg: string }[] } };
}

const owner = z.union([
  z.object({ name: z.string(), kind: z.literal("user") }),
  z.object({ title: z.string(), kind: z.literal("team") }),
]);

const thing = z.object({
  id: z.string(),
  size: z.number(),
  tags: z.exactOptional(z.array(z.string())),
  labels: z.exactOptional(z.record(z.string(), z.string())),
  owner,
});

/** Reads a thing: idempotent. */
const readThing: Operation<ReadThing> = {
  id: "things:read",
  method: "GET",
  path: "/v1/things/{id}",
  summary: "Read a thing.",
  security: { schemes: ["pat"], scopes: [] },
  request: {},
  response: { status: 200, body: thing },
  failures: { 404: z.object({ error: z.literal("Gone"), detail: z.string() }) },
  idempotent: () => true,
};

/** Adds a thing: idempotent only with a key. */
const addThing: Operation<AddThing> = {
  id: "things:add",
  method: "POST",
  path: "/v1/things",
  summary: "Add a thing.",
  security: { schemes: ["pat"], scopes: [] },
  request: {},
  response: { status: 201, body: thing },
  failures: {
    422: z.object({ detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string() })) }),
  },
  idempotent: ({ key }) => key !== undefined || "the thing has no key",
};

/** The version of the tiny contract. */
export const VERSION = "2020-01";

/** A thing as the service sends it. */
export const THING: Thing = { id: "t1", size: 3, owner: { kind: "user", name: "Ada" } };

/** The token of every test. No error may contain it. */
export const TOKEN = "secret-token-0123456789";

/** Creates a client of the tiny contract, which throws for a mismatch. */
export function tinyClient(options: Partial<ClientOptions> = {}) {
  const { send, base } = bindVersion(VERSION, { accessToken: TOKEN, onResponseMismatch: "throw", ...options });
  return {
    ...base,
    send,
    read: (id: string, call?: CallOptions, query: ReadThing["query"] = {}) =>
      send(readThing, { path: { id }, query }, call),
    add: (body: AddThing["body"], call?: CallOptions) => send(addThing, { body }, call),
  };
}
