/** What the shop's owner decides: shop.toml at the root, which the functions read too. */
export { delivery, policies, prices, promo, shirt, shop } from "../../../shop.toml";
