import { describe, expect, it, vi } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { CURRENT } from "../support/versions.ts";
import { addAll, bad, buffered, eventsOf, idsOf, responding, service, through } from "./service.ts";

it("after a 413, a batch is halved, an event that alone is too large is rejected, and the others are sent", async () => {
  const { mock, rejected, usage } = buffered({}, service({}, { assumptions: { maxBodyBytes: 1_000 } }));
  const large = { ...eventsOf(1)[0]!, external_id: "large", metadata: { note: "x".repeat(2_000) } };
  await addAll(usage, [...eventsOf(10), large, ...eventsOf(10, 11)]);
  await usage.flush();
  expect(mock.events.size).toBe(20);
  const problems = [{ path: "", message: "exceeds the maximum request size (413)", type: "too_large" }];
  expect(rejected()).toEqual([{ event: large, problems }]);
  expect(await usage.stats()).toMatchObject({ sent: 20, rejected: 1, retries: 0 });
});

/** A proxy may change headers, so no event is invalid. */
const ABOUT_A_HEADER = '{"detail":[{"loc":["header","content-type"],"msg":"no","type":"no"}]}';

describe("after a 422", () => {
  it("the named events are rejected with their problems, and the others are sent", async () => {
    const { rejected, usage } = buffered();
    await addAll(usage, [...eventsOf(5), bad("bad"), ...eventsOf(5, 6)]);
    await usage.flush();
    const problems = [{ path: "customer_id", message: "Input should be a valid UUID", type: "uuid_parsing" }];
    expect(rejected()).toEqual([{ event: bad("bad"), problems }]);
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 10, rejected: 1, retries: 0 });
  });

  it("G-422-MAX: more bad events than a response lists are all found", async () => {
    const { mock, rejected, usage } = buffered();
    const events = eventsOf(500).map((event, index) => (index % 2 === 0 ? bad(`bad-${index}`) : event));
    await addAll(usage, events);
    await usage.flush();
    expect(mock.events.size).toBe(250);
    expect(rejected()).toHaveLength(250);
  });

  it("that names a variant of the event, the path is that of the field", async () => {
    const [loc, msg, type] = [
      ["body", "events", 0, "EventCreateCustomer", "metadata", "Pages", 2],
      "Too large",
      "large",
    ];
    const { add, rejected, usage } = buffered({}, responding(422, JSON.stringify({ detail: [{ loc, msg, type }] })));
    await add(1);
    await usage.flush();
    expect(rejected()).toMatchObject([{ problems: [{ path: "metadata.Pages[2]", message: msg, type }] }]);
  });

  it("that names no event, the batch is halved until the bad one is found", async () => {
    const detail = [{ loc: ["body"], msg: "Something is wrong", type: "value_error" }];
    const headers = { "content-type": "application/json", "service-version": CURRENT };
    const given = through(async (request) => {
      if (!(await request.clone().text()).includes('"event-7"')) return undefined;
      return new Response(JSON.stringify({ detail }), { status: 422, headers });
    });
    const { add, mock, rejected, usage } = buffered({}, given);
    await add(10);
    await usage.flush();
    expect(mock.events.size).toBe(9);
    const problems = [{ path: "body", message: "Something is wrong", type: "value_error" }];
    expect(rejected()).toEqual([{ event: eventsOf(1, 7)[0], problems }]);
  });

  it("whose body is lost, the events are sent again", async () => {
    const broken = () => new ReadableStream({ pull: (stream) => stream.error(new Error("reset")) });
    const headers = { "content-type": "application/json", "service-version": CURRENT };
    const lose = vi.fn(async () => undefined as Response | undefined);
    lose.mockImplementationOnce(async () => new Response(broken(), { status: 422, headers }));
    const { onError, rejected, usage } = buffered({}, through(lose));
    await addAll(usage, [bad("bad"), ...eventsOf(1)]);
    await usage.flush();
    expect(rejected()).toMatchObject([{ event: bad("bad") }]);
    expect(await usage.stats()).toMatchObject({ sent: 1, rejected: 1, retries: 1 });
    expect(onError).not.toHaveBeenCalled();
  });

  it.each(["not JSON", "[]", "null", '{"detail":7}', '{"detail":[]}', '{"detail":[null,{"loc":3}]}', ABOUT_A_HEADER])(
    "with the body %s, which is not the shape of the service, the events are kept",
    async (body) => {
      const { add, rejected, usage } = buffered({}, responding(422, body));
      await add(3);
      await expect(usage.flush()).rejects.toMatchObject({ name: "ApiError", status: 422 });
      expect(rejected()).toEqual([]);
      expect(await usage.stats()).toMatchObject({ queued: 3 });
    },
  );
});

const INVALID = '{"customer_id":7}';

it.each<[json: string, event: unknown]>([
  ["not json", "not json"],
  ["7", 7],
  ["[]", []],
  ["null", "null"],
  ["", ""],
  ["{},{}", "{},{}"],
  [`${INVALID},${INVALID}`, `${INVALID},${INVALID}`],
])("the entry %j of another program is rejected, and the others of its batch are sent", async (json, event) => {
  const outbox = memoryOutbox();
  const { add, ids, rejected, usage } = buffered({ outbox, maxDelay: 60_000 });
  await add(1);
  await outbox.append([{ json, bytes: json.length }]);
  await add(2, 2);
  await usage.flush();
  expect(rejected().map((given) => given.event)).toEqual([event]);
  expect(ids()).toEqual(idsOf(3));
  expect(await usage.stats()).toMatchObject({ queued: 0, sent: 3, rejected: 1 });
});

it("the entry of another program that breaks the JSON of a batch does not hold the others up", async () => {
  const failing = through(async (request) => {
    const text = await request.clone().text();
    return text.includes("not json}") && !text.includes('"not json}"') ? new Response("", { status: 500 }) : undefined;
  });
  const outbox = memoryOutbox();
  const { add, ids, usage } = buffered({ outbox, maxDelay: 60_000 }, failing);
  await outbox.append([{ json: "not json}", bytes: 9 }]);
  await add(1);
  await usage.flush();
  expect(ids()).toEqual(idsOf(1));
});
