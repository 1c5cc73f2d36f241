namespace Larder.Server.Security;

/// <summary>An event in the audit. It contains no tokens and no keys.</summary>
/// <param name="Kind">The kind of event.</param>
/// <param name="Who">The ID of the token; empty if the caller is unknown.</param>
/// <param name="Address">
/// The remote address; <see cref="Audit.Others"/> if the line combines many addresses; empty if the address is unknown or not applicable.
/// </param>
/// <param name="What">The call, option or action. For callers without a known token, the latest call.</param>
/// <param name="Cache">The cache that the call names; empty if it names none.</param>
internal sealed record AuditEntry(AuditKind Kind, string Who, string Address, string What, string Cache);
