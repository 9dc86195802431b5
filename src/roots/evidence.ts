/** What a folder holds that makes it a project: kinds of version control, of workspaces, and of packages. */
export type EvidenceKind = CheckoutKind | WorkspaceKind | PackageKind | 'git-dir'

export type CheckoutKind = 'git' | 'git-worktree' | 'git-submodule' | 'git-separate' | 'hg' | 'jj' | 'svn'

export type WorkspaceKind =
  | 'npm-workspaces'
  | 'pnpm-workspace'
  | 'uv-workspace'
  | 'cargo-workspace'
  | 'go-work'
  | 'nx'
  | 'turbo'
  | 'lerna'
  | 'rush'
  | 'maven-modules'
  | 'gradle-settings'
  | 'bazel'
  | 'code-workspace'

export type PackageKind = 'npm' | 'python' | 'cargo' | 'go' | 'maven' | 'gradle' | 'ruby' | 'php' | 'cmake' | 'deno' | 'elixir' | 'dart' | 'swift'

export interface Evidence<Kind extends EvidenceKind = EvidenceKind> {
  readonly kind: Kind
  /** The name of what was found. */
  readonly file: string
}
