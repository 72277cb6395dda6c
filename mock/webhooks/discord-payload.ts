import { factsOf, shorten, titleOf } from "./payload-facts.ts";
import type { PayloadForm } from "./webhook-payload.ts";

/** Discord's limits for an embed. Its fields share 6,000 characters with its title and description. */
const LIMITS = { fields: 25, name: 256, value: 200 };

/** Returns a Discord message: the type, and one embed with the fields of the data (G-DISCORD). */
export const discordPayload: PayloadForm = (payload) => ({
  content: payload.type,
  embeds: [
    {
      title: titleOf(payload),
      description: `${payload.timestamp}, version ${payload.api_version}`,
      fields: fittingFields(
        factsOf(payload)
          .slice(0, LIMITS.fields)
          .map(([name, text]) => ({
            name: shorten(name, LIMITS.name),
            value: shorten(text, LIMITS.value),
            inline: true,
          })),
      ),
    },
  ],
});

interface EmbedField {
  readonly name: string;
  readonly value: string;
}

/** Drops the fields that do not leave room for the title and the description. */
function fittingFields<F extends EmbedField>(fields: readonly F[]): readonly F[] {
  let room = 5_500;
  return fields.filter(({ name, value }) => {
    room -= name.length + value.length;
    return room >= 0;
  });
}
