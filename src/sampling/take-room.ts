import { ConsentryError } from '../errors.ts'
import type { Reservation, ReservationRequest } from '../policy/index.ts'
import type { Decision, LimitState, Origin, Reviewer } from '../protocol/index.ts'
import type { BudgetQuestions } from './budget-questions.ts'
import type { SamplingConsents } from './consents.ts'
import type { Approved } from './review-prompt.ts'

export interface RoomNeeds {
  readonly policy: {
    reserve(request: ReservationRequest): Promise<Reservation>
    raise(request: ReservationRequest, limits: readonly LimitState[], options: Omit<Raise, 'action'>): Promise<void>
  }
  readonly reviewer: Reviewer
  readonly budgets: BudgetQuestions
  readonly consents: SamplingConsents
}

type Raise = Extract<Decision<'budget'>, { readonly action: 'raise' }>

/** Limits of an amount: a person may raise them. A rate, or too many at once, is refused at once. */
const amounts: ReadonlySet<unknown> = new Set(['tokensPerDay', 'costPerDay', 'tokensPerRun', 'costPerRun'])
/** Questions for one request: whoever raises again and again by too little is not asked for ever. */
const MOST_QUESTIONS = 5

/**
 * Takes room for a request in every budget that holds for it. A budget that is used up is one question for each server: raise, wait or stop?
 *
 * @throws ConsentryError `LIMIT_REACHED`, with `data.said` where that was a question to somebody: what they decided, or `nothing`
 */
export async function takeRoom(
  request: ReservationRequest,
  { proposal: { choice, estimate }, by }: Pick<Approved, 'proposal' | 'by'>,
  origin: Origin,
  { policy, reviewer, budgets, consents }: RoomNeeds,
  signal: AbortSignal,
): Promise<Reservation> {
  for (let questions = 0; ; questions += 1) {
    try {
      return await policy.reserve(request)
    } catch (error) {
      const limits = usedUp(error)
      if (limits === undefined || questions === MOST_QUESTIONS || !reviewer.canReview('budget')) throw error
      const { server } = origin
      const subject = { limits, wanted: estimate, choice }
      const decision = await budgets.ask(
        {
          server,
          isApproved: by === 'person',
          limits,
          open: (stop) => reviewer.review({ kind: 'budget', origin, subject, draft: undefined }, stop),
          act: async (made) => {
            if (made.action === 'raise') await policy.raise(request, limits, readRaise(made))
            if (made.action === 'stop') await consents.remember(server, 'deny', made.remember ?? { for: 'run' })
          },
        },
        signal,
      )
      if (decision?.action === 'raise') continue
      throw saidTo(error as ConsentryError, decision)
    }
  }
}

/** What nobody would mean gives as little as can be given. */
function readRaise({ by, lasts }: Raise): Omit<Raise, 'action'> {
  const isNumber = typeof by === 'number' && Number.isFinite(by) && by > 0
  return { by: isNumber ? by : 1, lasts: lasts === 'day' ? 'day' : 'run' }
}

function usedUp(error: unknown): readonly LimitState[] | undefined {
  if (!(error instanceof ConsentryError) || error.code !== 'LIMIT_REACHED') return undefined
  const limits = error.data?.['limits'] as readonly LimitState[] | undefined
  return limits?.every(({ limit }) => amounts.has(limit)) === true ? limits : undefined
}

function saidTo(error: ConsentryError, decision: Decision<'budget'> | undefined): ConsentryError {
  return new ConsentryError(error.code, error.message, { cause: error, data: { ...error.data, said: decision?.action ?? 'nothing' } })
}
