import { factsOf, shorten, titleOf } from "./payload-facts.ts";
import type { PayloadForm } from "./webhook-payload.ts";

/** Slack's limits for a section. */
const LIMITS = { fields: 10, text: 2000 };

/** Returns a Slack message: the type, and one section with the fields of the data (G-SLACK). */
export const slackPayload: PayloadForm = (payload) => {
  const fields = factsOf(payload)
    .slice(0, LIMITS.fields)
    .map(([name, text]) => mrkdwn(`*${escapeMarkup(name)}*\n${escapeMarkup(text)}`));
  const section = { type: "section", text: mrkdwn(`*${titleOf(payload)}*`) };
  return { text: payload.type, blocks: [fields.length > 0 ? { ...section, fields } : section] };
};

function mrkdwn(text: string): { readonly type: "mrkdwn"; readonly text: string } {
  return { type: "mrkdwn", text: shorten(text, LIMITS.text) };
}

/** Escapes the three characters that Slack reads as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
