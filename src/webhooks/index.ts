export { WEBHOOK_HEADERS } from "./headers.ts";
export { SECRET_PREFIX, type SignatureScheme, signingKey } from "./key.ts";
export { hmac, SIGNATURE_LABEL, type SignedParts, sign, signedText } from "./sign.ts";
