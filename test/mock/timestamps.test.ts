import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";

const OTHER_FORMS = ["2025-01-02T03:04:05Z", "2025-01-02T03:04:05.678Z", "2025-01-02T03:04:05.678000+00:00", "now"];

describe("a record with times in another format", () => {
  it.each(OTHER_FORMS)("WHE-8: rejects %s", (time) => {
    const mock = createMock();
    const form = "a timestamp of the form YYYY-MM-DDThh:mm:ss.ffffffZ";
    expect(() => mock.webhookEndpoints.create({ created_at: time })).toThrow(
      `\`created_at\` must be ${form}; received `,
    );
    expect(() => mock.webhookEndpoints.create({ modified_at: time })).toThrow(
      `\`modified_at\` must be ${form} or null; received `,
    );
    expect(() => mock.oauthClients.create({ created_at: time })).toThrow(`\`created_at\` must be ${form}; received `);
    expect(() => mock.oauthClients.create({ modified_at: time })).toThrow(
      `\`modified_at\` must be ${form} or null; received `,
    );
    expect([mock.webhookEndpoints.size, mock.oauthClients.list().filter((each) => each.created_at === time)]).toEqual([
      0,
      [],
    ]);
  });

  it("WHE-8: accepts six digits and Z", () => {
    const created_at = "2024-02-29T23:59:59.000001Z";
    expect(createMock().webhookEndpoints.create({ created_at })).toMatchObject({ created_at });
  });
});
