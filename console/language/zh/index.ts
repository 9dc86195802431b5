import type { Catalogue } from '../catalogue.ts'
import { budget } from './budget.ts'
import { common } from './common.ts'
import { folders } from './folders.ts'
import { form } from './form.ts'
import { inbox } from './inbox.ts'
import { phrases } from './phrases.ts'
import { sampling } from './sampling.ts'
import { shell } from './shell.ts'
import { url } from './url.ts'

/** Simplified Chinese. */
export const zh: Catalogue = { budget, common, folders, form, inbox, phrases, sampling, shell, url }
