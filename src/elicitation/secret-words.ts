/**
 * The words for what must not be asked in a form, in the languages that split words by blanks: English, German, Spanish.
 * Everything is folded: lower case, no accents. A term is also known joined into one word.
 */

function lines(text: string): readonly string[] {
  return text.split(/[\n,]+/u).flatMap((line) => line.trim() || [])
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/u).filter(Boolean).map(toSingular))
}

/** keys -> key; short words and those in -ss stay. */
export function toSingular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** Secrets that can be a number: PINs, one-time codes, card numbers and their check values. */
export const codeTerms: readonly string[] = lines(`
  pin, pin code, pin number, puk, puk code, nip, passcode, pass code
  otp, otp code, totp, totp code, hotp, one time code, one time pin, one time passcode, one time password, onetime code, onetime password, single use code
  2 fa, 2 fa code, 2 factor code, two factor code, mfa, mfa code, tfa code, sms code, text message code, authenticator code, authenticator app code
  verification code, verification pin, verify code, confirmation code, security code, card security code, auth code, authentication code
  login code, sign in code, signin code, sign on code, access code, unlock code, recovery code, backup code, reset code, password reset code
  magic code, device code
  tan code, tan nummer, sms tan, m tan, i tan, chip tan, push tan, photo tan, mtan, itan, transaktionsnummer
  cvc, cvc code, cvc 2, cvv, cvv code, cvv 2, csc, cvn, card verification code, card verification value, card verification number, card check number
  card number, card no, card num, cc number, cc num, cc no, ccn, credit card, credit card number, debit card, debit card number, payment card, bank card
  primary account number
  einmalcode, einmal code, einmalpasswort, einmal passwort, einmalkennwort, bestatigungscode, bestaetigungscode, sicherheitscode, zugangscode
  verifizierungscode, authentifizierungscode, prufcode, anmeldecode, freischaltcode, entsperrcode, wiederherstellungscode, ersatzcode, sicherungscode
  geheimzahl, geheimnummer, kreditkarte, kreditkartennummer, kreditkarten nummer, kartennummer, karten nummer, debitkartennummer, bankkartennummer, girokartennummer
  prufziffer der karte, kartenprufnummer, kartenprufziffer, kartenprufwert, karten prufnummer, kartensicherheitscode
  codigo de verificacion, codigo de confirmacion, codigo de seguridad, codigo de un solo uso, codigo de acceso, codigo de autenticacion, codigo sms
  codigo de recuperacion, codigo de respaldo, codigo de desbloqueo, codigo pin, codigo otp, codigo cvv, codigo cvc, codigo temporal
  clave de un solo uso, clave dinamica, clave otp, contrasena de un solo uso, contrasena temporal de un solo uso
  numero de tarjeta, numero de tarjeta de credito, numero de tarjeta de debito, numero de la tarjeta, numero de la tarjeta de credito, numero de su tarjeta
  numero de tu tarjeta, tarjeta de credito, tarjeta de debito
`)

/** Secrets that are texts. */
export const textTerms: readonly string[] = lines(`
  password, pass word, passwd, pwd, pswd, psw, pword, passwrd, pw, passphrase, pass phrase, passkey
  db pass, database pass, smtp pass, imap pass, mail pass, email pass, user pass, admin pass, root pass, ftp pass, proxy pass, login pass, mysql pass
  pg pass, redis pass, ssh pass, wifi pass, wi fi pass, auth pass, http pass
  token, access token, api token, auth token, personal access token, bearer, bearer token, refresh token, id token, session token, security token, secret token
  jwt, json web token, pat token, saml assertion, magic link
  api key, apikey, api secret, api secret key, app secret, application secret, access key, secret access key, aws secret, aws key
  secret key, private key, private pem, encryption key, decryption key, signing key, signature key, master key, root key, storage key, storage account key
  service account key, service key, hmac key, aes key, symmetric key, shared key, shared access key, pre shared key, preshared key, psk
  wallet key, recovery key, webhook key, auth key, authentication key, authorization key, subscription key
  network security key, wifi key, wi fi key, wpa key, wep key, ssh private key, pgp private key, gpg private key, openai key, anthropic key, stripe key, gemini key
  github key, gitlab key, tls key, ssl key, host private key, key material
  client secret, consumer secret, shared secret, webhook secret, signing secret, oauth secret, auth secret, jwt secret, totp secret, bot secret
  session secret, cookie secret, encryption secret, user secret, account secret, secret phrase, secret pin
  secret answer, security answer, answer to security question, answer to secret question, answer to your security question, answer to your secret question
  answer to the security question, answer to the secret question, security question answer, secret question answer
  credential, cred, login detail, login information, service account json
  authorization header, auth header, basic auth header, authorization value
  session cookie, auth cookie, authentication cookie, login cookie, cookie header, cookie string, cookie value
  connection string, connectionstring, conn string, connstr, conn str, sas token, sas url
  seed phrase, recovery phrase, backup phrase, mnemonic phrase, mnemonic, seed word, recovery word, secret recovery phrase, wallet seed, bip 39 phrase
  card expiry, card expiration, card expiry date, card expiration date, card exp, card exp date, credit card expiry, credit card expiration, cc exp, cc expiry
  credit card expiry date, credit card expiration date, expiry of card, expiry of the card, expiration date of card, expiration date of the card
  expiry date of the card, expiry date of your card, expiration date of your card, expiration date on your card, expiry date on your card
  credit card detail, credit card information, credit card info, credit card data, card detail, tan
  passwort, kennwort, losungswort, geheimwort, codewort, passphrase, zugangsdaten, anmeldedaten, logindaten, login daten, zugangsschlussel
  passwort wiederholung, passwortwiederholung, passwort bestatigung, passwortbestatigung, passwortbestaetigung, passworteingabe, kennwortwiederholung
  api schlussel, apischlussel, api schluessel, privater schlussel, privaten schlussel, privater schluessel, geheimer schlussel, geheimen schlussel
  geheimschlussel, zugriffsschlussel, verschlusselungsschlussel, entschlusselungsschlussel, signaturschlussel, signierschlussel, wlan schlussel
  wlanschlussel, netzwerkschlussel, netzwerksicherheitsschlussel, hauptschlussel, privatschlussel, ssh privatschlussel
  client geheimnis, clientgeheimnis, gemeinsames geheimnis, webhook geheimnis, zugriffstoken, zugangstoken, sitzungstoken, sitzungscookie
  antwort auf die sicherheitsfrage, antwort auf ihre sicherheitsfrage, antwort auf deine sicherheitsfrage, sicherheitsantwort, antwort auf sicherheitsfrage
  wiederherstellungsphrase, wiederherstellungswort, wiederherstellungsschlussel, seed phrase, verbindungszeichenfolge, verbindungsstring
  kartenablauf, kartenablaufdatum, ablaufdatum der karte, ablaufdatum der kreditkarte, ablaufdatum ihrer karte, gultigkeit der karte, karte gultig bis
  kreditkartendaten, kreditkarten daten, kartendaten
  contrasena, clave de acceso, clave de api, clave api, clave privada, clave secreta, clave de cifrado, clave de encriptacion, clave de firma
  clave de seguridad, clave personal, clave del wifi, clave de wifi, clave wifi, clave de red, clave maestra, clave compartida, clave bancaria
  llave privada, llave secreta, llave de api, llave api, llave de acceso, llave de cifrado, palabra de paso, frase de contrasena, frase de paso
  frase secreta, frase semilla, frase de recuperacion, frase de seguridad, palabras semilla, palabras de recuperacion, token de acceso, token de api
  token de sesion, token de seguridad, token de autenticacion, token de actualizacion, secreto de cliente, secreto del cliente, secreto compartido
  secreto de firma, secreto de webhook, credencial, credenciales, credenciales de acceso, datos de acceso, cookie de sesion, cadena de conexion
  respuesta de seguridad, respuesta secreta, respuesta a la pregunta de seguridad, respuesta a su pregunta de seguridad, respuesta a tu pregunta de seguridad
  respuesta a la pregunta secreta, caducidad de la tarjeta, vencimiento de la tarjeta, fecha de caducidad de la tarjeta, fecha de vencimiento de la tarjeta
  fecha de expiracion de la tarjeta, caducidad de tarjeta, vencimiento de tarjeta, datos de la tarjeta, datos de tarjeta
`)

/** Endings by which one joined word is a secret: Benutzerpasswort, dbpassword, authtoken. */
export const secretEndings: RegExp =
  /(?:password|passwd|passphrase|passwort|kennwort|passworter|passwoerter|geheimzahl|contrasena|apikey|apitoken|accesstoken|authtoken|bottoken|refreshtoken|bearertoken|usertoken|sessiontoken|zugriffstoken|secretkey|privatekey|accesskey|clientsecret|appsecret|apisecret|passcode|seedphrase|recoveryphrase|connectionstring)$/u

/** As `secretEndings`, for what can be a number. */
export const codeEndings: RegExp =
  /(?:cardnumber|kreditkartennummer|einmalcode|einmalpasswort|sicherheitscode|bestatigungscode|zugangscode|verificationcode|securitycode|otpcode|pincode|onetimepassword|onetimecode)$/u

/** When the card is known to the form, these are part of it. */
export const cardExpiryTerms: readonly string[] = lines(`
  expiry, expiration, expiry date, expiration date, exp date, exp, valid thru, valid through, valid until, good thru, mm yy, mm yyyy
  gultig bis, ablaufdatum, ablauf, caducidad, vencimiento, fecha de caducidad, fecha de vencimiento, fecha de expiracion
`)

/** A secret followed by one of these names something else: its name, number, length, date or address. */
export const otherHeads: ReadonlySet<string> = words(`
  name label title caption id ids identifier uuid length len size count counts number numbers amount total limit limits budget quota usage type kind class format
  policy policies rule rules strength hint hints reminder manager generator vault page cursor url uri link endpoint address path file filename location folder
  directory date time expiry expiration expires expire created changed updated modified rotation rotate age lifetime ttl duration validity timeout reset recovery
  change history status state provider issuer source scope scopes audience permission permissions owner holder holders user username email mail account
  prefix suffix regex algorithm alg hash encoding encryption separator color colour symbol price balance standard contract ticker supply
  pair swap sale based protected auth authentication authorization method mode option options setting settings requirement requirements complexity question questions
  management store storage service server exchange request response bucket field fields column columns header index position offset less free
  board boards layout map label assignment configuration config point points message post comment drop icon style
  brand network issuer fee statement art design reader game games holder company ending
  lange laenge hinweis verwaltung manager anderung datum ablauf typ art anzahl nummer adresse pfad datei frage fragen stelle richtlinie vergessen zurucksetzen
  longitud nombre pista gestor fecha caducidad vencimiento tipo numero direccion ruta archivo pregunta olvidada politica titular
`)

/** Between a secret and its other head: passwordMinLength, "password last changed". */
export const qualifiers: ReadonlySet<string> = words('min max minimum maximum last default total')

/** A secret behind one of these is only mentioned: "name of the key", "how many tokens", "do not enter your password". */
export const blockers: ReadonlySet<string> = words(`
  of for to with by on in at from about until after before during that which who whose where when how many much if whether are was were do does did will would
  should can could may might must has have had we i they he she you not no never dont cannot without nor instead than as like per via using beside next near
  used use uses needed needs shown shows stored stores saved sent send sends required requires displayed linked associated encrypted generated generate generates
  create creates created delete deletes reset resets rotate rotates forgot forgotten receive receives get gets gives list lists return returns set sets manage
  manages protect protects expire expires max maximum min minimum number count length remaining unused total
  von vom des bei auf aus nach vor bis wie wo wann ob wir wird werden wurde ist sind hat haben kein keine keinen ohne nicht einer eines uber durch gegen unter
  zwischen dass wenn fur fuer zu zum zur mit im anzahl maximale viele welche welcher welches niemals nie
  de del para por con en que sobre sin hasta desde como cuando donde si cuantos cuantas nunca maximo numero no
`)

/** Beginnings that hold a blocker and still ask: what follows them is asked for. */
export const leadIns: readonly (readonly string[])[] = lines(`
  sign in with, log in with, login with, authenticate with, confirm with, unlock with, continue with, what is, this is, value of, contents of, content of, text of
  melden sie sich mit, anmelden mit, wie lautet, wie ist, inicie sesion con, inicia sesion con, cual es, valor de, contenido de, please use, you must enter
  we need, we require, to continue enter, to proceed enter, you need to enter, must be, should be
`).map((line) => line.split(' '))

/** Words that ask for what comes after them; a description may begin with these. */
export const askingWords: ReadonlySet<string> = words(`
  please enter reenter type retype repeat confirm paste provide input insert fill give copy put add supply specify write here your the a an my this our its it is
  new old current existing own valid full complete personal temporary permanent same numeric digit six four eight secret private
  bitte geben sie gib gebe eingeben einfugen ihr ihre ihren ihrer dein deine deinen deiner das der die den dem neues neue neuen altes aktuelles gultiges
  introduzca introduce ingrese ingresa escriba escribe pegue pega proporcione su tu el la los las un una nueva actual
`)

/** Words before a term that make it another thing, by the last word of the term. */
export const otherKinds: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'token',
    words(`page next previous prev continuation cursor pagination sync design stop start end special mask pad padding unknown eos bos sep cls input output prompt context
    completion max maximum min minimum total reasoning cached governance reward utility erc nft crypto stable game board parking subway arcade public cancellation idempotency
    lexical syntax color style theme sequence resume delta fencing lookahead request base quote swap trading native wrapped spacing placeholder template delimiter word sub seiten siguiente`),
  ],
  [
    'pin',
    words(`map maps location gpio safety bowling rolling hair drop enamel lapel data input output digital analog led power header connector chip clock bobby push cotter
    drawing firing hitch linch number board tack pull io rx tx sda scl trigger echo relay servo buzzer sensor`),
  ],
  [
    'number',
    words(`membership member loyalty library business id identity student health insurance sim reward frequent flyer bonus club punch graphic sound video memory sd trading
    playing flash index green residence resident social medicare medicaid employee staff press vaccination score last graphics transit travel report national`),
  ],
  ['card', words(`business id identity report last post greeting gift`)],
  ['no', words(`membership member loyalty library business id identity student health insurance sim employee staff last`)],
  ['kartennummer', words(`mitglied mitglieds kunden kundenkarten gesundheits versicherten bonus sim ausweis bibliotheks studenten`)],
  ['tarjeta', words(`miembro socio fidelidad sanitaria identidad biblioteca embarque residencia`)],
  [
    'code',
    words(`zip postal post country area dial dialing airport currency promo promotion discount coupon voucher product source error status language color colour qr bar dress tax swift
    sort branch booking reservation order flight ticket tracking room department project cost activity occupation postleit mobile public`),
  ],
  ['key', words(`public publishable`)],
  ['schlussel', words(`offentlicher offentlichen offentliche`)],
  ['credential', words(`verifiable academic teaching professional`)],
  ['cred', words(`street`)],
  ['tan', words(`sun color colour light dark`)],
  ['bearer', words(`ring flag cup standard pall child`)],
  ['mnemonic', words(`instruction opcode assembly memory`)],
])

/** Plural words that alone count things, not secrets. */
export const countedAlone: ReadonlySet<string> = new Set(['tokens', 'pins', 'cards', 'bearers', 'mnemonics'])

/** Terms that name a colour or a common word unless they are written in capitals or stand alone as a name. */
export const capitalTerms: ReadonlySet<string> = new Set(['tan', 'nip'])
