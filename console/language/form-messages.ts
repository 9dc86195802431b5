import type { i18n as I18n, TFunction } from 'i18next'
import type { FieldFault, FormMessages } from '../../src/console-api/contract.ts'
import { sayKey } from './say-key.ts'

/** What a field asks for, in the language of the screen: the words of `describeConstraint`. */
export function constraintMessages(t: TFunction, language: string): Pick<FormMessages, 'constraints' | 'formats'> {
  const number = (value: number): string => new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(value)
  const range = ({ minimum = 0, maximum }: { readonly minimum?: number | undefined; readonly maximum?: number | undefined }): string => {
    const [least, most] = [number(minimum), maximum === undefined ? '' : number(maximum)]
    if (maximum === undefined) return t('form.range.atLeast', { minimum: least })
    if (minimum === 0) return t('form.range.atMost', { maximum: most })
    return minimum === maximum ? t('form.range.exactly', { minimum: least }) : t('form.range.between', { minimum: least, maximum: most })
  }
  return {
    formats: { email: t('form.formats.email'), uri: t('form.formats.uri'), date: t('form.formats.date'), 'date-time': t('form.formats.date-time') },
    constraints: {
      characters: (bounds) => t('form.constraints.characters', { count: bounds.maximum ?? bounds.minimum ?? 0, range: range(bounds) }),
      entries: (bounds) => t('form.constraints.entries', { count: bounds.maximum ?? bounds.minimum ?? 0, range: range(bounds) }),
      choices: (bounds) => t('form.constraints.choices', { range: range(bounds) }),
      number: ({ minimum, maximum, above, below, isWhole }) => {
        const least =
          above === undefined
            ? minimum === undefined
              ? undefined
              : t('form.range.atLeast', { minimum: number(minimum) })
            : t('form.bound.above', { minimum: number(above) })
        const most =
          below === undefined
            ? maximum === undefined
              ? undefined
              : t('form.range.atMost', { maximum: number(maximum) })
            : t('form.bound.below', { maximum: number(below) })
        const isClosed = above === undefined && below === undefined && minimum !== undefined && maximum !== undefined
        const words = isClosed
          ? minimum === maximum
            ? t('form.range.exactly', { minimum: number(minimum) })
            : t('form.range.between', { minimum: number(minimum), maximum: number(maximum) })
          : least !== undefined && most !== undefined
            ? t('form.bound.both', { least, most })
            : (least ?? most)
        if (words === undefined) return t(isWhole ? 'form.constraints.wholeNumber' : 'form.constraints.number')
        return t(isWhole ? 'form.constraints.wholeNumberRange' : 'form.constraints.numberRange', { range: words })
      },
      multipleOf: (of) => t('form.constraints.multipleOf', { of: number(of) }),
      pattern: (source) => t('form.constraints.pattern', { source }),
      exactly: (value) => t('form.constraints.exactly', { value }),
      oneOf: (labels, more) =>
        more > 0
          ? t('form.constraints.oneOfMore', { labels: labels.join(', '), more: number(more) })
          : t('form.constraints.oneOf', { labels: labels.join(', ') }),
      different: t('form.constraints.different'),
      each: (constraint) => t('form.constraints.each', { constraint }),
      noValueFits: t('form.constraints.noValueFits'),
    },
  }
}

/** What is wrong with a field; the desk's English stays out of it. */
export function sayFault({ problem, facts = {} }: FieldFault, i18n: I18n): string {
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 20 })
  const known = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'number' ? number.format(fact) : fact]))
  const format = typeof facts['format'] === 'string' ? sayKey(i18n, `form.formats.${facts['format']}`) : undefined
  const sentence = sayKey(i18n, `form.faults.${problem}`, { ...known, format }) ?? i18n.t('form.unknownFault', { problem })
  return typeof facts['entry'] === 'number' ? i18n.t('form.inEntry', { entry: number.format(facts['entry']), fault: sentence }) : sentence
}
