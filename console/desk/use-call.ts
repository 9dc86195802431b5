import { useMutation, useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query'
import type { CallName, Calls } from '../../src/console-api/contract.ts'
import { call } from './call.ts'

/** What the desk says to a question: asked when a screen is opened, and again where `useAct` or an event makes the answer old. */
export function useCall<Name extends CallName>(name: Name, request: Calls[Name]['request'], isWanted: boolean = true): UseQueryResult<Calls[Name]['answer']> {
  return useQuery({ queryKey: [name, request], queryFn: ({ signal }) => call(name, request, { signal }), enabled: isWanted, staleTime: 0 })
}

/** Does something at the desk; afterwards everything that was read of these calls is read anew. */
export function useAct<Name extends CallName>(
  name: Name,
  touches: readonly CallName[] = [],
): UseMutationResult<Calls[Name]['answer'], Error, Calls[Name]['request']> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: Calls[Name]['request']) => call(name, request),
    onSettled: () => Promise.all(touches.map((touched) => queries.invalidateQueries({ queryKey: [touched] }))),
  })
}
