/** Maximum number of characters that are read. */
const MAX_CHARACTERS = 2_000;

/** Reads the first 2,000 characters of a body and discards the rest. Returns null for an empty body. */
export async function readBeginning(response: Response): Promise<string | null> {
  if (!response.body || response.bodyUsed) return null;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (text.length < MAX_CHARACTERS) {
    const { done, value } = await reader.read();
    if (done) return text === "" ? null : text;
    text += value;
  }
  reader.cancel().catch(() => {});
  return text.slice(0, MAX_CHARACTERS);
}
