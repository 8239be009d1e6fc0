"""Words that people use → what the icon sets have.

A line is `target: words`; underscores join a phrase. A target is a phrase of the sets' own words, or the exact
icon (`game-icons:sasquatch`) where a set's first answer would be another thing.
"""

from __future__ import annotations

_SAME = """
dog: puppy pup doggo doggy corgi pug labrador dachshund husky beagle bulldog terrier chihuahua
dog: dalmatian shiba collie hound mutt
dog: greyhound whippet rottweiler schnauzer boxer spaniel malamute samoyed retriever
dog: golden_retriever sausage_dog wiener_dog
poodle: doodle goldendoodle labradoodle cockapoo
cat: kitten kitty kitties feline tabby siamese tomcat meow
black cat: panther
rabbit: bunny hare
bicycle: bike cycle cyclist cycling biking biker mtb
motorcycle: motorbike harley chopper
motor scooter: vespa moped
t rex: dino dinosaur tyrannosaurus trex raptor velociraptor
sauropod: brontosaurus brachiosaurus diplodocus
game-icons:triceratops-head: triceratops
game-icons:stegosaurus-scales: stegosaurus
steaming bowl: ramen noodle pho udon soup broth
hot beverage: coffee_cup coffee_mug coffee cup mug espresso latte cappuccino barista caffeine americano mocha java
teacup without handle: tea matcha teatime chai
teapot: kettle
water wave: wave ocean sea tsunami
person surfing: surfer
game-icons:surf-board: surfboard
hiking boot: hiker hiking trekking trail
camping: camp camper tent campsite
fire: campfire bonfire flame fiery blaze
rocket: space_shuttle spaceship spacecraft shuttle starship
flying saucer: ufo
astronaut: spaceman cosmonaut spacewoman
skateboard: skate skater longboard skateboarder
snowboarder: snowboarder
hibiscus: flower bloom aloha
cherry blossom: blossom sakura
lotus: lotus_flower water_lily
potted plant: plant houseplant monstera
seedling: gardener gardening sprout sapling vegan
cactus: succulent cacti saguaro
deciduous tree: tree oak maple
evergreen tree: pine_tree fir_tree pine fir spruce forest wood redwood sequoia
palm tree: palm
mushroom: shroom toadstool fungi fungus
hamburger: burger cheeseburger
doughnut: donut
shortcake: cake
soft ice cream: icecream gelato sundae
game-icons:ice-pop: popsicle
wine glass: wine merlot cabernet rose_wine sommelier
beer mug: beer ale lager ipa pint brewery brewer
tropical drink: cocktail mojito margarita
cocktail glass: martini
open book: reading reader novel bookworm bookish
books: book library librarian literature
musical note: music melody tune
optical disk: vinyl record
video game: gamer gaming game controller console playstation xbox nintendo joystick
laptop: computer coder code coding programmer programming developer hacker software engineer
ghost: boo spooky
jack o lantern: pumpkin halloween
skull: skeleton bones death grim
christmas tree: xmas christmas
santa claus: santa
elf: gnome
mage: wizard sorcerer merlin warlock gandalf
game-icons:witch-flight: witch
crown: king queen royal royalty monarch
sailboat: boat sailing yacht sailor ship
locomotive: train railway steam_train
airplane: plane jet aeroplane pilot
automobile: car
pickup truck: truck
minibus: campervan van vw
game-icons:surfer-van: camper_van kombi
snow capped mountain: peak alps everest summit
mountain: mountains hike climb climber climbing mountaineer
sun: sunset sunrise sunshine summer
full moon: moon moonlight lunar
ringed planet: planet saturn cosmos
globe showing americas: earth world globe
milky way: galaxy universe cosmic
red heart: heart love valentine lover mum mom mama
high voltage: thunder lightning bolt
cook: chef
cooking: cookery frying_pan
bread: baker baking sourdough loaf dough bakery
fishing pole: fishing fisherman angler angling
spouting whale: whale
game-icons:sperm-whale: moby
bird: robin songbird finch budgie
black bird: raven crow blackbird
duck: duckling mallard
game-icons:plastic-duck: rubber_duck
baby chick: chick
chicken: hen
teddy bear: teddy
bear: grizzly
wolf: werewolf
deer: stag reindeer elk doe fawn
honeybee: bee bumblebee beekeeper pollinator
butterfly: moth monarch_butterfly
lady beetle: ladybug ladybird
turtle: tortoise sea_turtle
crocodile: gator alligator
lizard: gecko iguana chameleon salamander
game-icons:axolotl: axolotl
alien monster: monster invader
person in lotus position: yoga meditation meditating zen mindfulness yogi
running shoe: runner running marathon sprint jogging sneaker jogger
person lifting weights: gym weightlifter weightlifting fitness crossfit deadlift workout
soccer ball: ball football soccer footballer goalkeeper
american football: nfl touchdown quarterback
basketball: hoops
tennis: tennis_ball
skis: skiing ski skier
snowboard: snowboarding
eagle: bald_eagle
camera: photographer photography photo
artist palette: painter painting paint
microscope: scientist biology biologist
test tube: science chemistry chemist laboratory
game-icons:atom: atom physics physicist nuclear
game-icons:schrodingers-cat-alive: schrodinger schrödinger schroedinger
stethoscope: medicine medic
health worker: doctor nurse surgeon physician
teacher: teacher
graduation cap: graduation graduate graduated class professor
yarn: knitting knit crochet wool knitter
desert island: island
snowflake: winter snow
cloud with rain: rain
guitar: guitarist rock_n_roll bass_guitar
fish: bass_fish koi koi_fish trout salmon carp
tropical fish: goldfish clownfish
badger: honey_badger
game-icons:audio-cassette: cassette cassette_tape mixtape
game-icons:pointy-hat: witch_hat wizard_hat
dog: shiba_inu
drum: drummer drumming
musical keyboard: pianist piano
crossed swords: fencing
game-icons:samurai-helmet: samurai
game-icons:ninja-head: ninja
game-icons:drakkar: viking_ship longship
game-icons:viking-helmet: viking norse valhalla
game-icons:spartan-helmet: spartan gladiator
pirate flag: pirate
game-icons:pirate-captain: captain
cowboy hat face: cowboy cowgirl sheriff
llama: alpaca
game-icons:capybara: capybara
game-icons:sasquatch: yeti bigfoot sasquatch
game-icons:sea-serpent: nessie
game-icons:kraken-tentacle: kraken
game-icons:hydra: hydra
dragon: drake wyvern
game-icons:robot-golem: golem
robot: android bot cyborg mecha
merperson: mermaid
vampire: dracula
glasses: spectacles eyeglasses nerd geek
hammer and wrench: dad mechanic handyman plumber tools
carpentry saw: carpenter woodworker lumberjack
axe: hatchet
old woman: grandma granny nana grandmother
old man: grandpa grandad grandfather
baby: infant newborn
goblin: gremlin
superhero: hero
firefighter: fireman
police officer: policeman cop detective
farmer: farming farm
tractor: tractor
cityscape: city skyline downtown metropolis
castle: fortress
beach with umbrella: beach
taco: burrito
hot dog: hotdog
french fries: chips fries
hot pepper: chili chilli jalapeno pepper
ear of corn: corn
potato: spud
sloth: sloth
shark: jaws megalodon
game-icons:jellyfish: jellyfish medusa
game-icons:manta-ray: manta stingray
game-icons:seahorse: seahorse
crab: crustacean
lobster: crayfish
orangutan: ape
gorilla: kong
monkey: chimp chimpanzee
hippopotamus: hippo
rhinoceros: rhino
horse: pony mustang stallion equestrian
unicorn: unicorn
goat: greatest_of_all_time billy_goat
cow: moo dairy
pig: piggy bacon
game-icons:kangaroo: wallaby
game-icons:hummingbird: hummingbird
game-icons:pangolin: pangolin
game-icons:tapir: tapir
game-icons:scarecrow: scarecrow
game-icons:lighthouse: lighthouse
game-icons:windmill: windmill
game-icons:campfire: marshmallow
game-icons:compass: compass
game-icons:barn: barn
game-icons:helicopter: chopper_helicopter
game-icons:submarine: submarine
game-icons:zeppelin: zeppelin blimp airship
game-icons:air-balloon: hot_air_balloon air_balloon
balloon: balloons
anchor: nautical
ship wheel: helm
videocassette: vhs
radio: boombox
headphone: dj headphones
microphone: singer karaoke rapper vocalist mic
television: tv telly
telephone: phone
mobile phone: smartphone iphone
alarm clock: clock
hourglass done: hourglass
light bulb: idea bulb lightbulb
brain: mind neuroscience mental genius smart
gem stone: diamond gem jewel crystal
bouquet: bouquet flowers
rose: roses
sunflower: sunflower
tulip: tulips
four leaf clover: clover lucky shamrock irish
maple leaf: autumn canada
fallen leaf: leaf leaves
droplet: water drop
trophy: champion winner champ
bowling: bowler
flying disc: frisbee
ping pong: table_tennis
flag in hole: golf golfer
ice skate: skating ice_skating
boxing glove: boxing boxer_fighter
martial arts uniform: karate judo jiu jitsu taekwondo
bullseye: bullseye archery target
bow and arrow: archer
jigsaw: puzzle
chess pawn: chess
game die: dice dnd dungeons
joker: joker
key: key
syringe: vaccine
syringe: vaccine
telescope: astronomer astronomy stargazing stargazer
bomb: explosive
roller skate: rollerskate roller_derby skates
baguette bread: baguette
croissant: pastry
pretzel: oktoberfest
pancakes: pancake brunch
bacon: bacon
cooked rice: rice
sushi: nigiri maki
fried shrimp: shrimp prawn
dumpling: gyoza dim_sum
cheese wedge: cheese cheddar gouda
egg: eggs
honey pot: honey
strawberry: strawberries
red apple: apple
grapes: vineyard
broom: cleaning
toilet: loo
roll of paper: toilet_paper
pile of poo: poop poo
clown face: clown circus
nazar amulet: evil_eye
crystal ball: fortune psychic
game-icons:tarot-17-the-star: tarot
game-icons:dream-catcher: dreamcatcher
game-icons:ouroboros: ouroboros
game-icons:thor-hammer: thor mjolnir
game-icons:trident: poseidon neptune
game-icons:medusa-head: gorgon
game-icons:minotaur: minotaur
game-icons:cyclops: cyclops
game-icons:centaur: centaur
game-icons:pegasus: pegasus
game-icons:griffin-symbol: griffin gryphon
eagle: hawk falcon
game-icons:vulture: vulture
game-icons:toucan: toucan
"""

SYNONYMS: dict[str, str] = {
    word.replace("_", " "): target
    for target, words in (line.rsplit(": ", 1) for line in _SAME.strip().splitlines())
    for word in words.split()
}

# What one does → the thing it is done with, and how that stands to whoever does it.
ACTIVITIES: dict[str, tuple[str, str]] = {
    "skateboarding": ("skateboard", "on"), "skating": ("roller skate", "with"),
    "snowboarding": ("snowboard", "on"), "surfing": ("water wave", "on"), "skiing": ("skis", "on"),
    "cycling": ("bicycle", "on"), "biking": ("bicycle", "on"), "fishing": ("fishing pole", "with"),
    "gaming": ("video game", "with"), "cooking": ("cooking", "with"), "knitting": ("yarn", "with"),
    "painting": ("artist palette", "with"), "gardening": ("potted plant", "with"),
    "drumming": ("drum", "with"), "lifting": ("person lifting weights", "with"),
    "baking": ("bread", "with"), "coding": ("laptop", "with"), "programming": ("laptop", "with"),
    "boxing": ("boxing glove", "with"), "reading": ("open book", "with"), "rowing": ("canoe", "on"),
    "camping": ("camping", "beside"), "sailing": ("sailboat", "on"), "golfing": ("flag in hole", "with"),
    "bowling": ("bowling", "with"), "singing": ("microphone", "with"), "photographing": ("camera", "with"),
    "canoeing": ("canoe", "on"), "kayaking": ("canoe", "on"), "paddling": ("canoe", "on"),
    "diving": ("diving mask", "with"), "racing": ("racing car", "on"), "writing": ("fountain pen", "with"),
    "sewing": ("sewing needle", "with"), "studying": ("open book", "with"), "teaching": ("graduation cap", "with"),
    "grilling": ("meat on bone", "with"), "barbecuing": ("meat on bone", "with"), "brewing": ("beer mug", "with"),
    "hunting": ("bow and arrow", "with"),
}  # fmt: skip

# Words with an icon that nobody means by them: a "club" is seldom the suit of cards.
_FIGURATIVE = """
lake river storm
addict adventure after again against all already always answer anti any april arrow ask august average back bad
bath because bed been before being believe best better between big bit body born boss bottom boy boyfriend break
bro brother bunch button bye can cant caps cash chair chaos check chill circle classic clean closed club code
cold come control cool cost could crazy crew cross dance dark data day december deep delete destiny dirty do
doing dont door down dream dude during each ear easy eat edition empty end energy entanglement enter equation
error escape est established even ever every ex eye eyes face fact fail faith family fan fast fate feature
february feel feeling few first flat floating floor forever free freedom friday friend friends full fun future
gang get girl girlfriend give go goal good goodbye gravity group guarding guy half hand hard has head heavy
hello hey hi high home hope hot house husband hyper idea if infinity insane january job joke journey july
jumping june justice keep kitchen know lady last left legend letter level lie life light limited line living
load logic lol long lose loser lot lover low luck macro mad madam made man many march mark market may mega
member memory micro might mind mini minus miss mission mistake mister mode modern monday money month mood mouth
mrs must myth name nap need never new next night no noise non none normal nose note november number october odd
office official ok okay old omg one open order original pack page paper part party past path peace people
perfect person piece place plan play please plus point poor pot power present price print pro problem proof
proud quantum quest question quick raised relativity relax rest retro return rich right road room round run sale
saturday save say school scroll second september shall sharp shift shop short should sign silence simple since
sir sister sleep slow small society soft solution some song sorry soul sound special spirit squad square start
stay still stop store story strange street sunday super symbol tab table take tale talk tall team tell test than
thank thanks then theory think third thought thursday time title today tomorrow ton top tour town travel trial
trip trust truth try tuesday ultra until up used vibe vintage voice walk wall war warm way wednesday week weird
welcome while whole wife wild will win window woman wont word work worst would wow year yes yet young zero
"""

FIGURATIVE = frozenset(_FIGURATIVE.split())
