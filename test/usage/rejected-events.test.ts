import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../versions/2025-01/index.ts";
import { bad, buffer, eventsOf, service } from "./service.ts";

describe("after a 413", () => {
  it("a batch is halved until it is small enough", async () => {
    const { billing, mock, batches } = service({}, { assumptions: { maxBodyBytes: 1_000 } });
    const usage = buffer(billing, { maxBatchEvents: 20 });
    await Promise.all(eventsOf(20).map((event) => usage.add(event)));
    await usage.flush();
    expect(mock.events.size).toBe(20);
    expect(mock.requests.count).toBeGreaterThan(batches().length);
    expect(await usage.stats()).toMatchObject({ sent: 20, rejected: 0, retries: 0 });
  });

  it("an event that alone is too large is rejected, and the others are sent", async () => {
    const { billing, mock } = service({}, { assumptions: { maxBodyBytes: 1_000 } });
    const onRejected = vi.fn();
    const usage = buffer(billing, { onRejected });
    const large = { ...eventsOf(1)[0]!, external_id: "large", metadata: { note: "x".repeat(2_000) } };
    await Promise.all([...eventsOf(5), large, ...eventsOf(5, 6)].map((event) => usage.add(event)));
    await usage.flush();
    expect(mock.events.size).toBe(10);
    const problems = [{ path: "", message: "exceeds the maximum request size (413)", type: "too_large" }];
    expect(onRejected.mock.calls).toEqual([[[{ event: large, problems }]]]);
  });
});

describe("after a 422", () => {
  it("the named events are rejected with their problems, and the others are sent", async () => {
    const { billing, mock } = service();
    const onRejected = vi.fn();
    const usage = buffer(billing, { onRejected });
    await Promise.all([...eventsOf(5), bad("bad"), ...eventsOf(5, 6)].map((event) => usage.add(event)));
    await usage.flush();
    expect(mock.events.size).toBe(10);
    const problems = [{ path: "customer_id", message: "Input should be a valid UUID", type: "uuid_parsing" }];
    expect(onRejected.mock.calls).toEqual([[[{ event: bad("bad"), problems }]]]);
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 10, rejected: 1, retries: 0 });
  });

  it("G-422-MAX: more bad events than a response lists are all found", async () => {
    const { billing, mock } = service();
    const onRejected = vi.fn();
    const usage = buffer(billing, { onRejected });
    const events = eventsOf(500).map((event, index) => (index % 2 === 0 ? bad(`bad-${index}`) : event));
    await Promise.all(events.map((event) => usage.add(event)));
    await usage.flush();
    expect(mock.events.size).toBe(250);
    expect(onRejected.mock.calls.flatMap(([rejected]) => rejected)).toHaveLength(250);
  });

  it("that names no event, the batch is halved until the bad one is found", async () => {
    const { mock, token } = service();
    const isPoison = (event: { readonly external_id?: string }) => event.external_id === "event-7";
    const fetch = async (request: Request): Promise<Response> => {
      const { events } = (await request.clone().json()) as { readonly events: { readonly external_id?: string }[] };
      if (!events.some(isPoison)) return mock.fetch(request);
      const detail = [{ loc: ["body"], msg: "Something is wrong", type: "value_error" }];
      const headers = { "content-type": "application/json", "service-version": "2025-01" };
      return new Response(JSON.stringify({ detail }), { status: 422, headers });
    };
    const onRejected = vi.fn();
    const usage = buffer(createClient({ accessToken: token, fetch }), { onRejected });
    await Promise.all(eventsOf(10).map((event) => usage.add(event)));
    await usage.flush();
    expect(mock.events.size).toBe(9);
    const problems = [{ path: "body", message: "Something is wrong", type: "value_error" }];
    expect(onRejected.mock.calls).toEqual([
      [[{ event: expect.objectContaining({ external_id: "event-7" }), problems }]],
    ]);
  });

  it("with very many and very long problems, an event has the first of them, shortened", async () => {
    const long = "x".repeat(100_000);
    const problem = { loc: ["body", "events", 0, ...Array(1_000).fill(long)], msg: long, type: long };
    const many = Array.from({ length: 100_000 }, () => ({
      ...problem,
      loc: ["body", "events", 0, "a"],
      msg: "",
      type: "",
    }));
    const body = JSON.stringify({ detail: [{ ...problem, loc: problem.loc.slice(0, 30) }, ...many] });
    const headers = { "content-type": "application/json", "service-version": "2025-01" };
    const onRejected = vi.fn();
    const fetch = async () => new Response(body, { status: 422, headers });
    const usage = buffer(createClient({ accessToken: "t".repeat(20), fetch }), { onRejected });
    await usage.add(eventsOf(1)[0]!);
    const started = performance.now();
    await usage.flush();
    // Reading them took minutes when each copied the problems before it.
    expect(performance.now() - started).toBeLessThan(15_000);
    const [{ problems }] = onRejected.mock.calls[0]![0];
    expect(problems).toHaveLength(20);
    expect(problems[0].path.length + problems[0].message.length + problems[0].type.length).toBeLessThan(4_000);
    expect(problems[1]).toEqual({ path: "a", message: "", type: "" });
  });

  it.each(["not JSON", "[]", "null", '{"detail":7}', '{"detail":[null,{"loc":3},{"loc":["body","events",99]}]}'])(
    "with the body %s, each event is tried alone",
    async (body) => {
      const headers = { "content-type": "application/json", "service-version": "2025-01" };
      const fetch = async () => new Response(body, { status: 422, headers });
      const onRejected = vi.fn();
      const usage = buffer(createClient({ accessToken: "t".repeat(20), fetch }), { onRejected });
      await Promise.all(eventsOf(3).map((event) => usage.add(event)));
      await usage.flush();
      const rejected = onRejected.mock.calls.flatMap(([events]) => events);
      expect(rejected).toHaveLength(3);
      for (const { problems } of rejected) {
        expect(problems[0].message).toBe("the service rejected the event without a reason (422)");
      }
    },
  );
});
