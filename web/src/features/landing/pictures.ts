/** The landing page's pictures, made by tools/landing_pictures.py, with what an <img> needs of each. */
import astronaut360 from "./pictures/astronaut-360.webp";
import astronaut720 from "./pictures/astronaut-720.webp";
import band320 from "./pictures/band-320.webp";
import band640 from "./pictures/band-640.webp";
import birthday320 from "./pictures/birthday-320.webp";
import birthday640 from "./pictures/birthday-640.webp";
import cat360 from "./pictures/cat-360.webp";
import cat720 from "./pictures/cat-720.webp";
import catPhoto from "./pictures/chelsea-photo.webp";
import coffee360 from "./pictures/coffee-360.webp";
import coffee720 from "./pictures/coffee-720.webp";
import coffeePhoto from "./pictures/coffee-photo.webp";
import hero560 from "./pictures/hero-560.webp";
import hero1080 from "./pictures/hero-1080.webp";
import joke320 from "./pictures/joke-320.webp";
import joke640 from "./pictures/joke-640.webp";
import octopus360 from "./pictures/octopus-360.webp";
import octopus720 from "./pictures/octopus-720.webp";
import pet320 from "./pictures/pet-320.webp";
import pet640 from "./pictures/pet-640.webp";
import team320 from "./pictures/team-320.webp";
import team640 from "./pictures/team-640.webp";
import trip320 from "./pictures/trip-320.webp";
import trip640 from "./pictures/trip-640.webp";

export interface Picture {
  src: string;
  srcSet?: string;
  width: number;
  height: number;
}

function square(small: string, width: number, large: string, largeWidth: number): Picture {
  return {
    src: small,
    srcSet: `${small} ${width}w, ${large} ${largeWidth}w`,
    width,
    height: width,
  };
}

export const PICTURES = {
  hero: square(hero560, 560, hero1080, 1080),
  astronaut: square(astronaut360, 360, astronaut720, 720),
  octopus: square(octopus360, 360, octopus720, 720),
  cat: square(cat360, 360, cat720, 720),
  coffee: square(coffee360, 360, coffee720, 720),
  catPhoto: { src: catPhoto, width: 300, height: 300 },
  coffeePhoto: { src: coffeePhoto, width: 400, height: 400 },
  band: square(band320, 320, band640, 640),
  birthday: square(birthday320, 320, birthday640, 640),
  joke: square(joke320, 320, joke640, 640),
  pet: square(pet320, 320, pet640, 640),
  team: square(team320, 320, team640, 640),
  trip: square(trip320, 320, trip640, 640),
} satisfies Record<string, Picture>;
