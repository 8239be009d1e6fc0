/** What the shop's owner decides: shop.toml at the root, which the functions read too. */
export { delivery, policies, promo, shop } from "../../../shop.toml";
