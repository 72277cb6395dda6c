/** How much of a receiver's body is kept, in characters. */
const KEPT = 2_000;

/** Reads the beginning of a body and lets go of the rest; null when the body is empty. */
export async function beginningOf(response: Response): Promise<string | null> {
  if (!response.body || response.bodyUsed) return null;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (text.length < KEPT) {
    const { done, value } = await reader.read();
    if (done) return text === "" ? null : text;
    text += value;
  }
  reader.cancel().catch(() => {});
  return text.slice(0, KEPT);
}
