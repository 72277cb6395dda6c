// Recognizes an error with a guard of one version, which loads no client and no contract.
import { isApiError } from "@billing-service/sdk/2025-01";

if (isApiError(new Error())) process.exit(1);
