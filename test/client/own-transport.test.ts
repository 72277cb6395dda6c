import { describe, expect, it, vi } from "vitest";
import type { Transport, TransportRequest, TransportResponse } from "../../src/client/index.ts";
import { failureOf, thrownBy } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const HEADERS = { "content-type": "application/json", "service-version": "2020-01" };

/** Yields a thing in two chunks. */
async function* thingInChunks(): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(JSON.stringify(THING));
  yield bytes.subarray(0, 5);
  yield bytes.subarray(5);
}

function answer(changes: Partial<TransportResponse> = {}): TransportResponse {
  return { status: 200, headers: new Headers(HEADERS), body: thingInChunks(), ...changes };
}

function transportOf(send: (request: TransportRequest) => unknown): Transport {
  return { send: async (request) => (await send(request)) as TransportResponse };
}

/** Calls an operation through a transport, once. */
function call(send: (request: TransportRequest) => unknown, options: Parameters<typeof tinyClient>[0] = {}) {
  return tinyClient({ transport: transportOf(send), maxRetries: 0, ...options }).read("t1");
}

const throwing = (error: unknown) => () => {
  throw error;
};

describe("a transport", () => {
  it("receives the complete request, and its response becomes the data", async () => {
    const seen: TransportRequest[] = [];
    const transport = transportOf((request) => {
      seen.push(request);
      return answer({ status: 201 });
    });
    const options = { baseUrl: "http://billing.test", headers: { "X-Own": "1" }, transport };
    expect(await tinyClient(options).add({ key: "k" })).toEqual(THING);
    expect(seen).toEqual([
      {
        operation: "things:add",
        method: "POST",
        url: "http://billing.test/v1/things",
        headers: {
          accept: "application/json",
          authorization: `Bearer ${TOKEN}`,
          "content-type": "application/json",
          "service-version": "2020-01",
          "user-agent": expect.any(String),
          "x-own": "1",
        },
        body: '{"key":"k"}',
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  it("may return a Response", async () => {
    expect(await call(() => Response.json(THING, { headers: HEADERS }))).toEqual(THING);
  });

  it("may be an instance of a class", async () => {
    class Counter implements Transport {
      calls = 0;
      async send(): Promise<TransportResponse> {
        this.calls += 1;
        return answer();
      }
    }
    const transport = new Counter();
    await tinyClient({ transport }).read("t1");
    expect(transport.calls).toBe(1);
  });

  it("is retried like fetch", async () => {
    const send = vi.fn().mockRejectedValueOnce(new Error("lost")).mockResolvedValueOnce(answer());
    vi.spyOn(Math, "random").mockReturnValueOnce(0);
    expect(await tinyClient({ transport: { send } }).read("t1")).toEqual(THING);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it("provides the Response of withResponse(), and the same one in an error", async () => {
    const url = "http://billing.test/v1/things/t1";
    const headers = new Headers({ ...HEADERS, "x-request-id": "r1" });
    const transport = transportOf(() => answer({ headers, url }));
    const { data, response, version } = await tinyClient({ transport }).read("t1").withResponse();
    expect([data, version, response instanceof Response, response.ok]).toEqual([THING, "2020-01", true, true]);
    expect([response.status, response.url, response.headers.get("x-request-id")]).toEqual([200, url, "r1"]);
    const failed = await failureOf(call(() => answer({ status: 999, headers, url })));
    expect(failed).toMatchObject({ name: "ApiError", status: 999, requestId: "r1", rawBody: THING });
    expect(failed["response"]).toMatchObject({ status: 999, ok: false, url });
  });

  it("provides the Headers of onResponse", async () => {
    const seen: unknown[] = [];
    const hooks = { onResponse: ({ headers }: { headers: Headers }) => void seen.push(headers) };
    const headers = { get: (name: string) => new Map(Object.entries(HEADERS)).get(name) ?? null };
    const iterable = { ...headers, [Symbol.iterator]: () => Object.entries(HEADERS)[Symbol.iterator]() };
    await call(() => answer({ headers: iterable as TransportResponse["headers"] }), { hooks });
    expect([...(seen[0] as Headers)]).toEqual(Object.entries(HEADERS));
    expect(seen[0]).toBeInstanceOf(Headers);
  });

  it("that rejects causes a NetworkError without the token", async () => {
    const lost = new Error(`no route for Bearer ${TOKEN}`, {
      cause: Object.assign(new Error("why"), { code: "E_WHY" }),
    });
    const error = await failureOf(call(throwing(lost)));
    expect(error).toMatchObject({ name: "NetworkError", cause: { cause: { code: "E_WHY" } } });
    expect(error.message).toBe("things:read: the connection failed: why");
    expect((error.cause as Error).message).toBe("no route for Bearer [access token]");
  });

  it.each([undefined, null, "OK", {}, { status: 200 }, { ...answer(), headers: {} }, { ...answer(), body: "text" }])(
    "that returns %j fails the call",
    async (given) => {
      const error = await failureOf(call(() => given));
      expect(error).toMatchObject({ name: "InvalidInputError", path: "transport.send", operation: "things:read" });
      expect(error.message).toContain("transport.send must return an object with status, headers and body; received");
    },
  );

  it("explains a placeholder, and how to use the mock instead", async () => {
    const error = await failureOf(call(throwing(Object.assign(new Error("unknown host"), { code: "ENOTFOUND" }))));
    expect(error.message).toBe(
      "things:read: the connection failed: unknown host; api.billing-service.example is a placeholder: set `baseUrl`, or " +
        "use the mock (`fetch: mock.fetch` instead of `transport`, or `npx @billing-service/sdk mock`)",
    );
  });
});

describe("the body of a transport's response", () => {
  it("may be null", async () => {
    const error = await failureOf(call(() => answer({ status: 404, body: null })));
    expect(error).toMatchObject({ name: "ApiError", rawBody: "" });
  });

  it("is read up to maxResponseBytes, and ended", async () => {
    const ended = vi.fn();
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(100);
      } finally {
        ended();
      }
    }
    const error = await failureOf(call(() => answer({ body: endless() }), { maxResponseBytes: 1_000 }));
    expect(error.name).toBe("ResponseTooLargeError");
    expect(ended).toHaveBeenCalled();
  });

  it("that fails causes a NetworkError", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1);
      throw new Error("cut off");
    }
    const error = await failureOf(call(() => answer({ body: broken() })));
    expect(error).toMatchObject({ name: "NetworkError", cause: { message: "cut off" } });
  });

  it("that consists of strings causes a NetworkError", async () => {
    async function* strings(): AsyncGenerator<string> {
      yield JSON.stringify(THING);
    }
    const error = await failureOf(call(() => answer({ body: strings() as never })));
    expect(error.message).toContain("the body must consist of Uint8Array chunks; received string");
  });

  it("that never ends is ended by the timeout, which aborts the signal", async () => {
    const signals: AbortSignal[] = [];
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const send = ({ signal }: TransportRequest): TransportResponse => {
      signals.push(signal);
      return answer({ body: never });
    };
    expect(await failureOf(call(send, { timeout: 30 }))).toMatchObject({ name: "TimeoutError", timeout: 30 });
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe("the option transport", () => {
  it.each([null, 5, "undici", {}, { send: "x" }])("%j is rejected", (transport) => {
    expect(thrownBy(() => tinyClient({ transport: transport as never }))).toMatchObject({
      name: "InvalidInputError",
      path: expect.stringMatching(/^transport/),
    });
  });

  it("is rejected together with fetch", () => {
    const options = { transport: { send: async () => answer() }, fetch: async () => new Response() };
    expect(thrownBy(() => tinyClient(options)).message).toBe(
      "createClient: transport must not be used together with fetch; pass one of them",
    );
  });
});
