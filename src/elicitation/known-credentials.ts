/** How credentials of well-known services begin. Those with little to recognise them by need more after it. */
const beginnings =
  /^(?:sk-(?!SK\b)|sk_(?:live|test)_|rk_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xapp-|AKIA|AIza|ya29\.|eyJ|-----BEGIN |shp(?:at|ca|pa|ss)_|whsec_|dop_v1_|dckr_pat_|nvapi-|gsk_|pplx-|tskey-|hvs\.|ATATT3|AGE-SECRET-KEY-|xprv|lin_api_|ntn_|figd_|sntrys_|sq0[a-z]{3}-|pypi-AgEIcHlwaS|AccountKey=)|^(?:[Bb]earer \S{16}|SG\.\S{8}|npm_\S{16}|hf_\S{8}|r8_\S{8}|ASIA[0-9A-Z]{12})/u

/** As above, for a pattern whose sets and groups stand for characters: its beginning says enough. */
const patternBeginnings =
  /^(?:sk(?:-(?!SK\b)|[_|)])|rk[_|)]|gh[pousr](?:[_|)]|$)|github_pat_|glpat|xox|xapp-|AKIA|ASIA|AIza|ya29\.|eyJ|-----BEGIN|[Bb]earer |shp(?:at|ca|pa|ss)[_|)]|whsec_|dop_v1_|dckr_pat_|nvapi-|gsk_|pplx-|tskey-|hvs\.|npm_|hf_|r8_|SG\.|ATATT3|lin_api_|ntn_|figd_|AGE-SECRET-KEY-|pypi-AgEIcHlwaS)/u

const addressWithPassword = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:]{1,60}:[^\s/@]{1,60}@/iu

/** An example of a credential, or only its beginning, inside a sentence. */
const sampleInText =
  /(?:^|[\s"'(`=:])(?:sk-(?:proj|ant|[.…*<x]|[A-Za-z0-9]{16}|["'`)\s]|$)|sk_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|xox[abposr]-|AKIA|AIza|-----BEGIN [A-Z ]*PRIVATE KEY|eyJ[A-Za-z0-9.…])/u

/** Whether a value, or the values that a pattern asks for, begin like a credential that is known. */
export function isKnownCredential(value: unknown, source: 'text' | 'pattern'): boolean {
  if (typeof value !== 'string') return false
  if (source === 'text') return beginnings.test(value.slice(0, 200)) || addressWithPassword.test(value.slice(0, 500))
  return patternBeginnings.test(literalStart(value.slice(0, 300)))
}

/** Whether a text says, or shows by example, that the value is or carries a credential: as an address with a password inside does. */
export function mentionsCredential(folded: string): boolean {
  const mentions = addressWithPassword.test(folded) || sampleInText.test(folded) || (carried.test(folded) && carriesCredential.test(folded))
  return mentions && !/\b(?:not|never|without|no|dont|don't)\b/iu.test(folded)
}

/** Without one of these the longer expression need not be tried. */
const carried =
  /connection|passw|passphrase|token|credential|api key|secret|zugangsdaten|contrasena|credenciales|signed|비밀번호|토큰|密|令|权|權|パスワード|トークン/iu
const carriesCredential =
  /\bconnection string\b|\b(?:with|including|includes?|containing|contains?|carrying|carries|plus|mit|con|incluye|inklusive|enthalt)\b[^.;]{0,30}\b(?:password|passphrase|token|credentials?|api key|secret|passwort|zugangsdaten|contrasena|credenciales)\b|\bpre-?signed\b|(?:비밀번호|토큰|パスワード|トークン)(?:를|을|가|이|を)?\s?(?:포함|含)|(?:包含|含有|带有|帶有|包括)\S{0,4}(?:密码|密碼|令牌|权杖|權杖)/iu

/** A pattern's beginning with its anchors, groups and escapes taken off, and the first of each set of characters. */
function literalStart(pattern: string): string {
  return pattern
    .replace(/^\^?(?:\((?:\?:|\?<\w+>)?)*/u, '')
    .replaceAll(/\\(?=[^A-Za-z0-9])/gu, '')
    .replaceAll(/\[\^?([^\]\\])[^\]]*\]/gu, '$1')
}
