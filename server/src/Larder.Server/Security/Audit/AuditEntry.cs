namespace Larder.Server.Security;

/// <summary>One line of the audit. No token is in it, and no key.</summary>
/// <param name="Kind">What happened.</param>
/// <param name="Who">The token's id; empty: nobody who is known.</param>
/// <param name="Address">Where the call came from; <see cref="Audit.Others"/>: many addresses; empty: it is not known, or nowhere.</param>
/// <param name="What">The call, the option or the action; of callers without a known token their latest.</param>
/// <param name="Cache">The cache that was named; empty: none.</param>
internal sealed record AuditEntry(AuditKind Kind, string Who, string Address, string What, string Cache);
