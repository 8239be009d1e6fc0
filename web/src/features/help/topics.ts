/** The help centre's questions by topic, in the words people use when they ask. */
import { formatPrice } from "@/lib/text/format";
import { deliveryEstimate, PROMO_PRICE_CENTS } from "@/shop/catalog/pricing";
import { policies } from "@/shop/owner-settings";

export interface Question {
  question: string;
  answer: string;
  /** Where to go on. */
  link?: { to: string; label: string };
}

export interface Topic {
  title: string;
  questions: Question[];
}

export const TOPICS: Topic[] = [
  {
    title: "Designing",
    questions: [
      {
        question: "How do I make a design?",
        answer:
          "Two ways. Describe an idea in your own words, pick a style and a tone, and AI draws it. Or upload a photo and choose the style it should become. Either way you see the picture before anything is saved.",
        link: { to: "/design", label: "Start a design" },
      },
      {
        question: "How long does a design take?",
        answer:
          "10-30 seconds. A photo with a lot going on may need the full half minute; the page tells you what is happening.",
      },
      {
        question: "How many designs can I make?",
        answer:
          "As many as you like: you can generate unlimited variations for free, and no credit card is needed to start. You pay only for shirts that you order.",
      },
      {
        question: "What makes a good description?",
        answer:
          "One clear subject doing one thing: “a hedgehog drinking coffee at sunrise” beats “something cozy”. Put lettering in its own field and keep it to one to three words; long sentences come out unreadable on a chest.",
      },
      {
        question: "Which photos work best?",
        answer:
          "JPG, PNG or GIF up to 10MB, with one person, pet or thing in good light, large in the frame. Busy backgrounds confuse the drawing.",
      },
      {
        question: "The drawing failed. Is my text lost?",
        answer:
          "No. Press Try Again, or Back to Form: everything you typed is still there, even after you reload the page.",
      },
      {
        question: "May I sell shirts with my design?",
        answer:
          "Yes. Designs come with commercial usage rights. Just don't ask for characters, logos or artwork that belong to others.",
        link: { to: "/terms-of-service", label: "Read the terms" },
      },
    ],
  },
  {
    title: "Shirts and sizes",
    questions: [
      {
        question: "Which sizes are there?",
        answer:
          "Unisex XS, S, M, L, XL, 2XL, 3XL and 4XL, all at the same price. Size Guidelines on the order page lists width, length and sleeve in inches. Lay a shirt that fits you flat and compare.",
      },
      {
        question: "Can I see it on a shirt first?",
        answer:
          "Yes. After you save a design, the preview shows it from the front, on a hanger, flat and on two models, in every color.",
      },
      {
        question: "Why does my design say Processing?",
        answer:
          "It is being set up at the printer, which takes a few seconds. If it stays that way, open the design from your dashboard and press Try again.",
      },
      {
        question: "Is there a minimum order?",
        answer: "No. One shirt is fine. You can order up to ten of each size at once.",
      },
    ],
  },
  {
    title: "Paying",
    questions: [
      {
        question: "What does a shirt cost?",
        answer: `${formatPrice(PROMO_PRICE_CENTS / 100)} each, whatever the size. Shipping is free in the US and $5.90 per order anywhere else. No subscriptions and no hidden fees: the total on the order page is what you pay.`,
      },
      {
        question: "How can I pay?",
        answer:
          "By Visa, Mastercard or American Express, in US dollars. Cards are handled by Stripe; we never see the number.",
      },
      {
        question: "My payment failed. Was I charged?",
        answer:
          "No. Nothing is printed and nothing is charged unless the payment succeeds. Check the card's details and try once more, or use another card.",
      },
      {
        question: "I paid, but saw a notice about order processing.",
        answer:
          "Your payment is safe and your order is stored. We finish it by ourselves, and write to you if we need anything.",
      },
    ],
  },
  {
    title: "Shipping",
    questions: [
      {
        question: "When will my order arrive?",
        answer: `In ${deliveryEstimate("US")} in the US, in ${deliveryEstimate("other")} anywhere else, printing included.`,
      },
      {
        question: "Where is my order now?",
        answer:
          "Open it from Your Orders on the dashboard. When it has shipped, the page names the carrier and links to the tracking.",
        link: { to: "/dashboard", label: "Open the dashboard" },
      },
      {
        question: "I didn't get a confirmation e-mail.",
        answer:
          "Look into the spam folder first. If it isn't there, the order on your dashboard is just as good; or write to us and we send it again.",
      },
      {
        question: "Can I change the address?",
        answer:
          "Until printing starts, yes: write to us right away with your order number. After that the parcel goes to the address on the order.",
      },
    ],
  },
  {
    title: "Returns",
    questions: [
      {
        question: "Something is wrong with my shirt.",
        answer:
          "If it is damaged, defective, misprinted or not what you ordered, send us an e-mail with your order number and a photo. You get a replacement or a full refund.",
        link: { to: "/return-policy", label: "Read the return policy" },
      },
      {
        question: "How long does a refund take?",
        answer: `${policies.refund_time}, to the card that paid.`,
      },
      {
        question: "It doesn't fit. Can I exchange it?",
        answer:
          "Sadly not: each shirt is printed for you alone. That is why the order page has exact measures.",
      },
    ],
  },
  {
    title: "Account and privacy",
    questions: [
      {
        question: "Who can see my designs?",
        answer:
          "Only you, until you make one public or give somebody its link. Public designs appear in Discover under your public display name. A private design's page has 'Make a new link', which ends the link that others have.",
      },
      {
        question: "Somebody uses my work, or a design is hateful. What can I do?",
        answer:
          "Open the design and choose 'Report this design'. You need no account, and nobody learns that it was you. A person looks at it, and may take it down; its owner can answer.",
      },
      {
        question: "The verification e-mail doesn't arrive.",
        answer:
          "It may take a minute, or sit in the spam folder. If you had an account already, log in instead; you can also continue with Google.",
        link: { to: "/auth", label: "Log in" },
      },
      {
        question: "How do I delete my account?",
        answer:
          "On your profile, with your password. Your designs go with it; invoices stay as long as tax law demands. You can also write to us from the address of your account.",
        link: { to: "/privacy-policy", label: "Read the privacy policy" },
      },
    ],
  },
];
