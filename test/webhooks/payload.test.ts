import { describe, expect, it } from "vitest";
import { receiving } from "./mocked.ts";

const time = "2025-01-01T00:00:01.000000Z";

/** Returns the body that is sent to an endpoint of a format. */
async function bodyOf(format: "raw" | "discord" | "slack", data: unknown) {
  const { body } = await receiving({ now: time }, { format }).deliver(data);
  return JSON.parse(body);
}

/** Returns an object with many fields. */
const fields = (count: number, name: (i: number) => string, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), value]));

it("DEL-2, DEL-4, G-ENVELOPE: a raw payload is type, timestamp, api_version and data in this order, compact", async () => {
  const { body } = await receiving({ now: time }).deliver({ id: "ord_1", nested: { b: 1, a: [null] } });
  expect(body).toBe(
    `{"type":"order.paid","timestamp":"${time}","api_version":"2025-01","data":{"id":"ord_1","nested":{"b":1,"a":[null]}}}`,
  );
});

describe("a discord payload", () => {
  it("DEL-2, G-DISCORD: is the type, and one embed with title, description and the data as fields", async () => {
    const data = { id: "ord_1", amount: 1200, paid: true, note: "", gone: null, customer: { id: "cus_1" }, "": 1 };
    const shown = { id: "ord_1", amount: "1200", paid: "true", note: '""', gone: "null" };
    expect(await bodyOf("discord", data)).toEqual({
      content: "order.paid",
      embeds: [
        {
          title: "Order paid",
          description: `${time}, version 2025-01`,
          fields: Object.entries(shown).map(([name, value]) => ({ name, value, inline: true })),
        },
      ],
    });
  });

  it("G-DISCORD: stays within Discord's limits", async () => {
    const [embed] = (
      await bodyOf(
        "discord",
        fields(40, (i) => `${i}`.repeat(300), "x".repeat(500)),
      )
    ).embeds;
    expect(embed.fields).toHaveLength(25);
    const texts = embed.fields.flatMap(({ name, value }: Record<string, string>) => [name, value]);
    for (const text of texts) expect(text).toMatch(/^.{1,255}…$/);
    expect([embed.title, embed.description, ...texts].join("").length).toBeLessThanOrEqual(6_000);
  });
});

describe("a slack payload", () => {
  it("DEL-2, G-SLACK: is the type, and one section with the data as mrkdwn fields", async () => {
    const text = (written: string) => ({ type: "mrkdwn", text: written });
    const shown = [text("*id*\nord_1"), text("*&lt;note&gt;*\n&lt;a&gt; &amp; b")];
    expect(await bodyOf("slack", { id: "ord_1", "<note>": "<a> & b", lines: [] })).toEqual({
      text: "order.paid",
      blocks: [{ type: "section", text: text("*Order paid*"), fields: shown }],
    });
  });

  it("G-SLACK: stays within Slack's limits, and omits an empty list of fields", async () => {
    const [section] = (
      await bodyOf(
        "slack",
        fields(12, (i) => `field_${i}`, "x".repeat(5_000)),
      )
    ).blocks;
    expect(section.fields.map(({ text }: { text: string }) => text.length)).toEqual(Array(10).fill(2_000));
    expect((await bodyOf("slack", [1])).blocks[0]).not.toHaveProperty("fields");
  });
});
