/**
 * What a person reads of an error of the gateway, the Data API, Postgres, Storage or Auth. Their texts are for programmers;
 * only sentences of the shop's own SQL and Auth's words about the form in front of the reader are shown as they are.
 */
interface Failure {
  message: string;
  code?: string | undefined;
  status?: number | undefined;
  name?: string;
}

const SIGN_IN = "Please sign in again.";
const BUSY = "The shop is very busy. Please try again in a minute.";
const FORBIDDEN = "This account may not do that.";
const TOO_LARGE = "That is too large to be sent.";
const EXISTS = "This is there already.";
/** Leaves the words to the page. */
const UNSAID = "";

/** By code, whatever the status. */
const BY_CODE: Readonly<Record<string, string>> = {
  // the gateway, before functions and the Data API
  unauthenticated: SIGN_IN,
  UNAUTHORIZED_NO_AUTH_HEADER: SIGN_IN,
  UNAUTHORIZED_INVALID_JWT_FORMAT: SIGN_IN,
  OVERLOADED: BUSY,
  // PostgREST
  PGRST003: BUSY,
  PGRST301: SIGN_IN,
  PGRST302: SIGN_IN,
  PGRST303: SIGN_IN,
  // Auth
  bad_jwt: SIGN_IN,
  no_authorization: SIGN_IN,
  session_not_found: SIGN_IN,
  session_expired: SIGN_IN,
  refresh_token_not_found: SIGN_IN,
  refresh_token_already_used: SIGN_IN,
  over_request_rate_limit: BUSY,
  request_timeout: BUSY,
  unexpected_failure: UNSAID,
  // Storage
  InvalidJWT: SIGN_IN,
  Duplicate: EXISTS,
  "Payload too large": TOO_LARGE,
  EntityTooLarge: TOO_LARGE,
  // Postgres
  "23505": EXISTS,
  "42501": FORBIDDEN,
  "53300": BUSY,
  "55P03": BUSY,
  "57014": BUSY,
};

const BY_STATUS: Readonly<Record<number, string>> = {
  401: SIGN_IN,
  403: FORBIDDEN,
  413: TOO_LARGE,
  429: BUSY,
};

/** Storage has no code for a token that is too old; the auth client has none for a session that is gone. */
const ABOUT_SESSION = /\bjwt\b|"exp" claim|auth session missing|invalid (api key|authentication)/i;

/** The shop's SQL raises sentences under Postgres' codes; Postgres' own texts have neither a capital nor a full stop. */
const SQLSTATE = /^[0-9A-Z]{5}$/;
const SENTENCE = /^\p{Lu}.*[.!?]$/su;

export function sentenceOf({ message, code = "", status = 0, name = "" }: Failure): string {
  if (ABOUT_SESSION.test(message)) return SIGN_IN;
  const isAuth = name.startsWith("Auth");
  if (SQLSTATE.test(code) && SENTENCE.test(message)) return message;
  const known = BY_CODE[code] ?? (isAuth ? undefined : BY_STATUS[status]);
  if (known !== undefined) return known;
  // Without a message the auth client shows the answer's JSON.
  return isAuth && status < 500 && !message.startsWith("{") ? message : UNSAID;
}
