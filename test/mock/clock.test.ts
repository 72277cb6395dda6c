import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";

const START = Date.parse("2025-03-01T00:00:00Z");

/** A mock with a clock that the test moves, and an endpoint whose receiver does something and then fails. */
function moving(receive: (opened: Opened) => void) {
  const source = { time: START };
  const mock = createMock({ seed: 1, now: () => source.time });
  const opened = { mock, source, start: mock.snapshot(), seconds: () => (mock.clock.now().getTime() - START) / 1000 };
  const { url } = mock.webhookEndpoints.create();
  mock.webhooks.receive(url, () => {
    receive(opened);
    return new Response(null, { status: 500 });
  });
  return opened;
}

interface Opened {
  readonly mock: ReturnType<typeof createMock>;
  readonly source: { time: number };
  readonly start: ReturnType<ReturnType<typeof createMock>["snapshot"]>;
  readonly seconds: () => number;
}

describe("the clock of a mock with its own `now`", () => {
  it("stands still while it is advanced, and runs on from the time to which it was advanced", async () => {
    const passed: number[] = [];
    const { mock, source, seconds } = moving((opened) => {
      const before = opened.seconds();
      opened.source.time += 3_600_000;
      passed.push(opened.seconds() - before);
    });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    await mock.clock.advance({ minutes: 1 });
    expect(passed).toEqual([3_600, ...passed.slice(1).fill(0)]);
    expect(passed.length).toBeGreaterThan(2);
    expect(seconds()).toBe(3_660);
    source.time += 5_000;
    expect(seconds()).toBe(3_665);
  });
});
