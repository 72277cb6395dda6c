import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";

const now = "2025-01-01T00:00:01Z";
const time = "2025-01-01T00:00:01.000000Z";

/** Returns the body that is sent to an endpoint of a format. */
function bodyOf(format: "raw" | "discord" | "slack", data: unknown): string {
  const mock = createMock({ now });
  mock.webhookEndpoints.create({ format });
  const [event] = mock.webhooks.emit("order.paid", data);
  mock.reset();
  return String(event?.body);
}

describe("a raw payload", () => {
  it("DEL-2, DEL-4, G-ENVELOPE: is type, timestamp, api_version and data in this order, compact", () => {
    expect(bodyOf("raw", { id: "ord_1", nested: { b: 1, a: [null] } })).toBe(
      `{"type":"order.paid","timestamp":"${time}","api_version":"2025-01","data":{"id":"ord_1","nested":{"b":1,"a":[null]}}}`,
    );
  });

  it.each([null, 1, "text", [], [1, { a: 2 }]])(
    "DEL-5: holds %j as emitted where the version describes nothing",
    (data) => {
      expect(JSON.parse(bodyOf("raw", data))).toEqual({
        type: "order.paid",
        timestamp: time,
        api_version: "2025-01",
        data,
      });
    },
  );

  it("is fixed when it is emitted", () => {
    const mock = createMock();
    mock.webhookEndpoints.create();
    const data = { id: "before", at: new Date(0) };
    const [event] = mock.webhooks.emit("order.paid", data);
    data.id = "after";
    expect(JSON.parse(String(event?.body)).data).toEqual({ id: "before", at: "1970-01-01T00:00:00.000Z" });
    mock.reset();
  });
});

describe("a discord payload", () => {
  it("DEL-2, G-DISCORD: is the type, and one embed with title, description and the data as fields", () => {
    const data = { id: "ord_1", amount: 1200, paid: true, note: "", gone: null, customer: { id: "cus_1" }, "": 1 };
    expect(JSON.parse(bodyOf("discord", data))).toEqual({
      content: "order.paid",
      embeds: [
        {
          title: "Order paid",
          description: `${time}, version 2025-01`,
          fields: [
            { name: "id", value: "ord_1", inline: true },
            { name: "amount", value: "1200", inline: true },
            { name: "paid", value: "true", inline: true },
            { name: "note", value: '""', inline: true },
            { name: "gone", value: "null", inline: true },
          ],
        },
      ],
    });
  });

  it("G-DISCORD: stays within Discord's limits", () => {
    const data = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}`.repeat(300), "x".repeat(5_000)]));
    const [embed] = JSON.parse(bodyOf("discord", data)).embeds;
    expect(embed.fields.length).toBeGreaterThan(5);
    expect(embed.fields.length).toBeLessThanOrEqual(25);
    for (const { name, value } of embed.fields) {
      expect(name.length).toBeLessThanOrEqual(256);
      expect(value.length).toBeLessThanOrEqual(1_024);
      expect(value).toMatch(/…$/);
    }
    const texts = embed.fields.map((field: { name: string; value: string }) => field.name + field.value).join("");
    expect((embed.title + embed.description + texts).length).toBeLessThanOrEqual(6_000);
    const short = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}`.padStart(50, "x"), "x".repeat(300)]));
    const fitting: { name: string; value: string }[] = JSON.parse(bodyOf("discord", short)).embeds[0].fields;
    expect(fitting.map(({ name, value }) => name + value).join("").length).toBeLessThanOrEqual(6_000 - 256);
    const small = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field_${i}`, i]));
    expect(JSON.parse(bodyOf("discord", small)).embeds[0].fields).toHaveLength(25);
  });
});

describe("a slack payload", () => {
  it("DEL-2, G-SLACK: is the type, and one section with the data as mrkdwn fields", () => {
    expect(JSON.parse(bodyOf("slack", { id: "ord_1", "<note>": "<a> & b", lines: [] }))).toEqual({
      text: "order.paid",
      blocks: [
        {
          type: "section",
          text: { type: "mrkdwn", text: "*Order paid*" },
          fields: [
            { type: "mrkdwn", text: "*id*\nord_1" },
            { type: "mrkdwn", text: "*&lt;note&gt;*\n&lt;a&gt; &amp; b" },
          ],
        },
      ],
    });
  });

  it("G-SLACK: stays within Slack's limits, and omits an empty list of fields", () => {
    const data = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`field_${i}`, "x".repeat(5_000)]));
    const { fields } = JSON.parse(bodyOf("slack", data)).blocks[0];
    expect(fields).toHaveLength(10);
    for (const { text } of fields) expect(text).toHaveLength(2_000);
    expect(JSON.parse(bodyOf("slack", [1])).blocks[0]).not.toHaveProperty("fields");
  });
});
