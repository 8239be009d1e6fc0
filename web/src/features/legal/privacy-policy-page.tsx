import { policies, shop } from "@/shop/owner-settings";
import { SUPPORT_EMAIL } from "@/shop/support";
import { type Clause, LegalPage } from "./legal-page";

const CLAUSES: Clause[] = [
  {
    title: "What we know about you",
    body: (
      <ul>
        <li>
          <strong>Account:</strong> your e-mail address, your name if you tell us, a public display
          name if you choose one, and your password as a hash that nobody can read. If you sign in
          with Google: the name and address that Google passes on.
        </li>
        <li>
          <strong>Designs:</strong> the words you write, the photos you upload, and the pictures
          that come of them.
        </li>
        <li>
          <strong>Orders:</strong> what you ordered, the shipping address and phone number, and the
          payment's status. Card numbers go straight to Stripe; we never see them.
        </li>
        <li>
          <strong>Visits:</strong> when you signed in, and with which browser.
        </li>
        <li>
          <strong>Reports of designs:</strong> what you report, never who you are. For a day we keep
          a code made of your internet address, so that nobody floods us.
        </li>
      </ul>
    ),
  },
  {
    title: "What we use it for",
    body: (
      <p>
        To draw and keep your designs, to print and ship your orders, to answer you, to keep
        accounts as the tax office asks, and to keep the shop safe. We don't sell your data, show no
        advertising, and don't train AI with your photos.
      </p>
    ),
  },
  {
    title: "Who else sees it",
    body: (
      <>
        <p>Only those who do a part of the work, and only that part:</p>
        <ul>
          <li>Replicate draws: it receives your words or photo.</li>
          <li>Printify and its print partners print and ship: design, name, address, phone.</li>
          <li>Stripe takes the payment: card, name, address, amount.</li>
          <li>Supabase hosts the database, the sign-in and the files.</li>
          <li>Google, if you choose to sign in with it.</li>
          <li>Zippopotam.us fills in a city for a ZIP code: it receives the ZIP code alone.</li>
        </ul>
        <p>
          Some of them are in the United States. Beyond that we share data only where the law makes
          us.
        </p>
      </>
    ),
  },
  {
    title: "What is public",
    body: (
      <p>
        Designs are private until you make one public. Then its picture, its name and your public
        display name appear in Discover; without such a name it says Anonymous. Somebody who has the
        link of a private design can open it, so share links with care.
      </p>
    ),
  },
  {
    title: "Cookies and storage",
    body: (
      <p>
        We set no advertising or tracking cookies. Your browser's own storage keeps your sign-in,
        the light or dark theme, and for up to seven days what you had put into a form that isn't
        sent yet. Signing out removes it. Stripe sets cookies on the payment form to prevent fraud.
      </p>
    ),
  },
  {
    title: "How long we keep it",
    body: (
      <p>
        Designs until you delete them. Your account until you delete it on your profile, or ask us
        to remove it. Orders and invoices as long as tax law demands, usually{" "}
        {policies.order_retention}: without your account, but with the name and address that they
        were sent to.
      </p>
    ),
  },
  {
    title: "Your rights",
    body: (
      <p>
        You can see, correct and delete your designs and your profile in the shop. Your profile also
        has a copy of everything to download, and deletes your account. For a copy of everything, or
        to have your account removed, you can as well write to{" "}
        <a href={`mailto:${SUPPORT_EMAIL}?subject=My data`}>{SUPPORT_EMAIL}</a>; we answer within{" "}
        {policies.data_request_days} days. You may also complain to your data protection authority.
      </p>
    ),
  },
  {
    title: "Children",
    body: (
      <p>
        {shop.company} is not for children under {shop.minimum_age}, and we don't knowingly collect
        data from them. If your child has made an account, tell us and we remove it.
      </p>
    ),
  },
  {
    title: "Security",
    body: (
      <p>
        Connections are encrypted, passwords are hashed, and each row of our database says who may
        read it. Should data ever be lost to others, we tell you and the authorities without delay.
      </p>
    ),
  },
];

export function PrivacyPolicyPage() {
  return (
    <LegalPage
      title="Privacy Policy"
      summary="We keep what a print shop needs: who you are, what you designed, where the parcel goes. We sell none of it, and you can have it removed."
      updated={policies.updated}
      clauses={CLAUSES}
    />
  );
}
