import { factsOf, type PayloadForm, shorten, titleOf } from "./payload.ts";

/** The most that Slack accepts in a section. */
const MOST = { fields: 10, text: 2000 };

/** A message for a Slack webhook: the type, and one section with the facts (G-SLACK). */
export const slackPayload: PayloadForm = (payload) => {
  const fields = factsOf(payload)
    .slice(0, MOST.fields)
    .map(([name, text]) => mrkdwn(`*${escaped(name)}*\n${escaped(text)}`));
  const section = { type: "section", text: mrkdwn(`*${titleOf(payload)}*`) };
  return { text: payload.type, blocks: [fields.length > 0 ? { ...section, fields } : section] };
};

function mrkdwn(text: string): { readonly type: "mrkdwn"; readonly text: string } {
  return { type: "mrkdwn", text: shorten(text, MOST.text) };
}

/** The three characters that Slack reads as markup. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
