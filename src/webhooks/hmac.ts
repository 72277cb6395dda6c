type Key = Uint8Array<ArrayBuffer>;

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };
const imported = new WeakMap<Key, Promise<CryptoKey>>();

/**
 * Returns the base64 of the HMAC-SHA256 of a string. It uses Web Crypto, or the runtime's synchronous `node:crypto` where
 * there is one: for a short string, waiting for Web Crypto takes several times as long as the HMAC itself.
 */
export async function hmac(key: Key, text: string): Promise<string> {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");
  return crypto ? crypto.createHmac("sha256", key).update(text).digest("base64") : await hmacByWebCrypto(key, text);
}

async function hmacByWebCrypto(key: Key, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(ALGORITHM.name, await importKey(key), new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

function importKey(key: Key): Promise<CryptoKey> {
  const known = imported.get(key) ?? crypto.subtle.importKey("raw", key, ALGORITHM, false, ["sign"]);
  imported.set(key, known);
  return known;
}
