/** Why an order needs a person, in words: the list that the admin's e-mails have too. */
import reasons from "../../../../functions/_shared/orders/flag_reasons.json";

export const FLAG_REASONS: Readonly<Record<string, string>> = reasons;
