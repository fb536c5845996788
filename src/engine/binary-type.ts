// Which media types are no text (RFC 6838 trees, RFC 6839 suffixes): what they carry is described, not shown. Pure.

/** Types that are text though they stand under `application/`, and those that end like them. */
const TEXT_APPLICATION =
  /^application\/(?:json|ndjson|x-ndjson|jsonlines|x-json-stream|xml|javascript|ecmascript|x-javascript|x-www-form-urlencoded|graphql|yaml|x-yaml|toml|sql|x-sh)$/;
const TEXT_SUFFIX = /\+(?:json|xml|yaml)$/;
const KNOWN_TREE = /^(?:application|audio|font|image|message|model|multipart|text|video)\/[^\s/]+$/;

/** The media type of a Content-Type value if its bodies are no text, without parameters, lower-case. */
export function binaryTypeOf(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!KNOWN_TREE.test(type) || /^(?:text|message)\//.test(type)) return undefined;
  return TEXT_APPLICATION.test(type) || TEXT_SUFFIX.test(type) ? undefined : type;
}
