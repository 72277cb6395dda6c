import { factsOf, type PayloadForm, shorten, titleOf } from "./payload.ts";

/** The most that Discord accepts in an embed; its fields share 6,000 characters with its title and description. */
const MOST = { fields: 25, name: 256, value: 200 };

/** A message for a Discord webhook: the type, and one embed with the facts (G-DISCORD). */
export const discordPayload: PayloadForm = (payload) => ({
  content: payload.type,
  embeds: [
    {
      title: titleOf(payload),
      description: `${payload.timestamp}, version ${payload.api_version}`,
      fields: fitting(
        factsOf(payload)
          .slice(0, MOST.fields)
          .map(([name, text]) => ({
            name: shorten(name, MOST.name),
            value: shorten(text, MOST.value),
            inline: true,
          })),
      ),
    },
  ],
});

interface Field {
  readonly name: string;
  readonly value: string;
}

/** As many of the first fields as leave room for the title and the description. */
function fitting<F extends Field>(fields: readonly F[]): readonly F[] {
  let room = 5_500;
  return fields.filter(({ name, value }) => {
    room -= name.length + value.length;
    return room >= 0;
  });
}
