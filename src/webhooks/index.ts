export { SIGNATURE_LABEL, type SignedParts, type SignOptions, sign, signedText } from "./sign.ts";
export { SECRET_PREFIX, type SignatureScheme, signingKey } from "./signing-key.ts";
export { WEBHOOK_HEADERS } from "./webhook-headers.ts";
