import { expect, test } from "vitest";
import { notPrinted } from "@/shop/orders/parcel-label";
import { plainForm } from "./plain-form";

test.each([
  ["Юлия Щербакова", "Yuliya Shcherbakova"],
  ["вул. Хрещатик 22", "vul. Khreshchatik 22"],
  ["Αθήνα", "Athina"],
  ["Երևան", "Erevan"],
  ["თბილისი", "Tbilisi"],
  ["やまだ タロウ", "Yamada Tarou"],
  ["さっぽろし きた３じょう", "Sapporoshi Kita3jou"],
  ["김철수", "Gimcheolsu"],
  ["ＡＢＣ　１２", "ABC 12"],
])("%s is offered as %s", async (text, plain) => {
  expect(await plainForm(text)).toBe(plain);
});

test.each(["山田 たろう", "محمد", "שרה", "สมชาย", "मोहन", "Ann 😀"])(
  "nothing honest can be offered for %s",
  async (text) => {
    expect(await plainForm(text)).toBeUndefined();
  },
);

test("nothing is offered for a text that fits no line of the label", async () => {
  expect(await plainForm("とうきょう".repeat(40))).toBe("toukyou".repeat(40).replace("t", "T"));
  expect(await plainForm("とうきょう".repeat(20_000))).toBeUndefined();
});

test("the first sign that is not printed is named whole", () => {
  expect(notPrinted("Ann Lee, 5/7 #2 – “Flat”, Straße № 1")).toBeUndefined();
  expect(notPrinted("Ann 😀 山")).toBe("😀");
});
