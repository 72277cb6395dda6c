import { describe, expect, it } from "vitest";
import { strict } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";

const READ = "GET /v1/products/";
const START = Date.UTC(2025, 0, 1);

/** A clock that a test sets. */
function clock() {
  let time = START;
  const now = () => time;
  const pass = (seconds: number) => {
    time += seconds * 1000;
  };
  return { now, pass };
}

describe("over time", () => {
  it("G-RATE: requests are accepted again after the window, and Retry-After counts down to its end", async () => {
    const { now, pass } = clock();
    const { mock, send } = await openAdapter({ now, assumptions: { rateLimit: { requests: 1, windowSeconds: 60 } } });
    const token = mock.issueToken();
    const wait = async () => {
      const { status, headers } = await send(READ, { token });
      return status === 429 ? headers.get("retry-after") : status;
    };
    expect([await wait(), await wait()]).toEqual([200, "60"]);
    pass(29.5);
    expect(await wait()).toBe("31");
    pass(30.4);
    expect(await wait()).toBe("1");
    pass(0.1);
    expect([await wait(), await wait()]).toEqual([200, "60"]);
  });

  it("G-RATE: a strict mock accepts 500 requests per minute", async () => {
    const { now } = clock();
    const { mock, send } = await openAdapter({ now, assumptions: { rateLimit: strict.rateLimit } });
    const token = mock.issueToken();
    const answers = await Promise.all(Array.from({ length: 500 }, () => send(READ, { token })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const { status, headers } = await send(READ, { token });
    expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
  });
});
