import { PictureImage } from "../picture-image";
import { PICTURES } from "../pictures";

const CASES = [
  {
    title: "Birthdays",
    text: "A present nobody else will bring. Put the inside story on the front.",
    picture: PICTURES.birthday,
  },
  {
    title: "Pets",
    text: "One good photo is all it takes. Treats for the model are not included.",
    picture: PICTURES.pet,
  },
  {
    title: "Teams and clubs",
    text: "A crest for the Sunday league, in every size from XS to 4XL.",
    picture: PICTURES.team,
  },
  {
    title: "Trips",
    text: "The souvenir you couldn't buy there, on the crew before you land.",
    picture: PICTURES.trip,
  },
  {
    title: "Inside jokes",
    text: "Too odd for any store. Exactly right for four people you know.",
    picture: PICTURES.joke,
  },
  {
    title: "Bands and small brands",
    text: "Commercial usage rights come with every design. Sell it at the merch table.",
    picture: PICTURES.band,
  },
];

export function UseCases() {
  return (
    <section aria-labelledby="cases-title" className="border-y border-line bg-sunk">
      <div className="shell py-16 sm:py-24">
        <h2 id="cases-title" className="display-2 mb-10 max-w-2xl">
          What people print
        </h2>
        <ul className="grid grid-cols-2 gap-4 sm:gap-6 lg:grid-cols-3">
          {CASES.map((each) => (
            <li
              key={each.title}
              className="flex flex-col overflow-hidden rounded-card border border-line bg-raised shadow-plate"
            >
              <PictureImage
                picture={each.picture}
                sizes="(min-width: 1024px) 390px, 46vw"
                alt=""
                className="aspect-square w-full bg-[#efeadf] object-cover lg:aspect-[5/4]"
              />
              <div className="border-t border-line p-4 sm:p-5">
                <h3 className="text-lg sm:text-xl">{each.title}</h3>
                <p className="mt-1.5 text-sm text-ink-soft sm:text-base">{each.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
