import { ShopLink } from "@/components/shop-link";
import { formatPrice } from "@/lib/text/format";
import { deliveryEstimate, PROMO_PRICE_CENTS } from "@/shop/catalog/pricing";
import { policies, shop } from "@/shop/owner-settings";
import { type Clause, LegalPage } from "./legal-page";

const CLAUSES: Clause[] = [
  {
    title: "Who we are, and who you are",
    body: (
      <p>
        {shop.company} draws designs with AI from your words or pictures and has them printed on
        t-shirts.{shop.address ? ` Our address: ${shop.address}.` : ""} By making an account or
        placing an order you accept these terms. You must be at least {shop.minimum_age} years old,
        and old enough to make a purchase where you live, or have a parent's permission.
      </p>
    ),
  },
  {
    title: "Your account",
    body: (
      <p>
        Keep your password to yourself; what happens under your account is yours to answer for. Tell
        us when you think that somebody else uses it. You may stop using it and have it deleted at
        any time.
      </p>
    ),
  },
  {
    title: "What you bring",
    body: (
      <>
        <p>
          Words and photos that you upload stay yours. You allow us to process them, to send them to
          the services that draw, print and ship for us, and to keep them as long as your design
          exists. You confirm that you may use them: that the photo is yours or its owner agreed,
          and that the people in it don't mind.
        </p>
        <p>
          Don't ask for anything unlawful, hateful, sexual with regard to minors, or made to harass
          somebody; nor for trademarks, characters and artwork that belong to others. We may refuse
          to draw or print such designs, and close accounts that keep asking.
        </p>
      </>
    ),
  },
  {
    title: "What you make",
    body: (
      <>
        <p>
          Designs come with commercial usage rights: you may wear, give, show and sell what you
          make, without a fee to us. Since pictures are made by AI, someone else with a similar idea
          may receive a similar picture, and in some countries AI pictures aren't protected by
          copyright.
        </p>
        <p>
          Designing is free. To keep it so, we limit how many designs one person can have drawn in
          an hour and in a day. If you make a design public, others may see it in Discover, like it,
          share it, and import it into their own collection. You can make it private again; copies
          that were imported before then stay.
        </p>
      </>
    ),
  },
  {
    title: "Prices and payment",
    body: (
      <>
        <p>
          A shirt costs {formatPrice(PROMO_PRICE_CENTS / 100)} at present. Shipping is free in the
          United States and $5.90 per order anywhere else. The order page shows the total before you
          pay; there are no subscriptions and no hidden fees. Customs duties of your country, if
          any, are yours.
        </p>
        <p>
          Payments are in US dollars. We accept Visa, Mastercard and American Express. Cards are
          handled by Stripe; we never see or store your card's number.
        </p>
      </>
    ),
  },
  {
    title: "Orders, printing and delivery",
    body: (
      <p>
        An order is placed once its payment has succeeded; you then get a confirmation e-mail.
        Shirts are printed to order by a print partner and usually arrive in{" "}
        {deliveryEstimate("US")} in the US and {deliveryEstimate("other")} elsewhere. These are
        estimates, not promises. Please check the address before you pay: a parcel sent to a wrong
        one may be lost.
      </p>
    ),
  },
  {
    title: "Returns and refunds",
    body: (
      <p>
        Damaged, defective, wrong or misprinted shirts are replaced or refunded in full, within{" "}
        {policies.refund_time} for refunds. The{" "}
        <ShopLink to="/return-policy">Return Policy</ShopLink> is part of these terms.
      </p>
    ),
  },
  {
    title: "What we answer for",
    body: (
      <p>
        We run the shop with care, but can't promise that it is always reachable or that AI draws
        what you had in mind. As far as the law allows, our liability for an order is limited to
        what you paid for it. Rights that the law gives you as a consumer are not touched.
      </p>
    ),
  },
  {
    title: "Art by others",
    body: (
      <p>
        Sample designs on this site use icons from Game-icons.net (CC BY 3.0), Fluent Emoji (MIT)
        and Noto Emoji (Apache 2.0). Our thanks to the people who drew them.
      </p>
    ),
  },
  {
    title: "Changes",
    body: (
      <p>
        When these terms change in a way that matters, we say so on this page and by e-mail before
        it takes effect. Orders keep the terms under which they were placed.
      </p>
    ),
  },
];

export function TermsOfServicePage() {
  return (
    <LegalPage
      title="Terms of Service"
      summary="You design for free and own the use of what you make, for business too. You pay in US dollars when you order, and we make good what we got wrong."
      updated={policies.updated}
      clauses={CLAUSES}
    />
  );
}
