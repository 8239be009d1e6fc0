import type { ComponentProps } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { Field, Input, NativeSelect } from "@/components/ui/field";
import { withoutCopiedMarks } from "@/lib/text/visible-text";
import { COUNTRIES, findCountry } from "@/shop/orders/countries";
import { notPrinted } from "@/shop/orders/parcel-label";
import type { Address } from "@/shop/orders/shipping-address";
import type { AddressField } from "./address";
import { type CountryRules, normalZip } from "./country-rules";
import { PhoneFields } from "./phone-fields";
import { PlainOffer } from "./plain-offer";
import {
  showFault,
  useErrorsThatGo,
  useListedRegion,
  usePlaceOfCountry,
} from "./use-address-checks";
import { useZipLookup } from "./use-zip-lookup";

interface AddressFormProps {
  form: UseFormReturn<Address>;
  rules: CountryRules | undefined;
}

export function AddressForm({ form, rules }: AddressFormProps) {
  const { errors } = form.formState;
  const address = useWatch({ control: form.control }) as Address;
  const lookUpZip = useZipLookup(form);
  const changePlace = usePlaceOfCountry(form);
  useErrorsThatGo(form, rules);
  useListedRegion(form, rules, address);
  const labels = labelsOf(address.country, rules);

  function contact(
    field: AddressField,
    label: string,
    props: ComponentProps<"input">,
    className: string,
  ) {
    return (
      <Field label={label} error={errors[field]?.message} className={className}>
        {(ids) => <Input {...ids} {...form.register(field)} {...props} />}
      </Field>
    );
  }

  /** A line of the parcel's label, which is printed in Latin letters. */
  function line(field: AddressField, label: string, autoComplete: string, className: string) {
    return (
      <Field label={label} error={errors[field]?.message} className={className}>
        {(ids) => (
          <>
            <Input
              {...ids}
              autoComplete={autoComplete}
              {...form.register(field, {
                onBlur: () => {
                  if (notPrinted(form.getValues(field))) showFault(form, field, rules);
                },
              })}
            />
            <PlainOffer
              text={withoutCopiedMarks(address[field])}
              onTake={(plain) => {
                form.setValue(field, plain, { shouldDirty: true });
                form.setFocus(field);
              }}
            />
          </>
        )}
      </Field>
    );
  }

  return (
    <div className="grid grid-cols-6 gap-x-3 gap-y-4 sm:gap-x-4">
      {line("first_name", "First name", "given-name", "col-span-3")}
      {line("last_name", "Last name", "family-name", "col-span-3")}
      {contact(
        "email",
        "Email",
        { type: "email", autoComplete: "email", maxLength: 254 },
        "col-span-6",
      )}
      <Field label="Country" error={errors.country?.message} className="col-span-6">
        {(ids) => (
          <NativeSelect
            {...ids}
            autoComplete="country"
            {...form.register("country", {
              onChange: (event: { target: { value: string } }) => {
                const code = event.target.value;
                form.setValue("phone_country_code", findCountry(code)?.phone_code ?? "");
                changePlace(address.country, code);
                lookUpZip(code, form.getValues("zip"));
              },
            })}
          >
            {COUNTRIES.map((each) => (
              <option key={each.code} value={each.code}>
                {each.name}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      {line("address1", "Address", "address-line1", "col-span-6")}
      {line("address2", "Apartment, suite, unit (optional)", "address-line2", "col-span-6")}
      <Field label={labels.zip} error={errors.zip?.message} className="col-span-3 sm:col-span-2">
        {(ids) => (
          <Input
            {...ids}
            autoComplete="postal-code"
            {...form.register("zip", {
              onChange: (event: { target: { value: string } }) =>
                lookUpZip(form.getValues("country"), event.target.value),
              onBlur: () => {
                const zip = form.getValues("zip");
                if (!rules || !zip.trim()) return;
                if (normalZip(rules, zip) !== zip) form.setValue("zip", normalZip(rules, zip));
                showFault(form, "zip", rules);
              },
            })}
          />
        )}
      </Field>
      {line("city", labels.city, "address-level2", "col-span-3 sm:col-span-2")}
      {rules && rules.regions.length > 0 ? (
        <Field
          key={rules.country}
          label={labels.region}
          error={errors.region?.message}
          className="col-span-6 sm:col-span-2"
        >
          {(ids) => (
            <NativeSelect {...ids} autoComplete="address-level1" {...form.register("region")}>
              <option value="">Choose …</option>
              {rules.regions.map((region) => (
                <option key={region.code} value={region.code}>
                  {region.name}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      ) : (
        line("region", labels.region, "address-level1", "col-span-6 sm:col-span-2")
      )}
      <PhoneFields form={form} />
    </div>
  );
}

/** Labels as the country calls things; before its rules are there, what most call them. */
function labelsOf(country: string, rules: CountryRules | undefined) {
  if (!rules) {
    return country === "US"
      ? { zip: "ZIP code", city: "City", region: "State" }
      : { zip: "Postal code", city: "City", region: "Region (optional)" };
  }
  const { zip, city, region } = rules;
  return {
    zip: zip.needed ? zip.label : `${zip.label} (optional)`,
    city: city.label,
    region: region.needed ? region.label : `${region.label} (optional)`,
  };
}
