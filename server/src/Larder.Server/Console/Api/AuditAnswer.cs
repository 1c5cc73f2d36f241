using Larder.Server.Security;

namespace Larder.Server.Console.Api;

/// <summary><c>GET /api/audit</c>: the latest refusals and changes, the latest first; how many is said by <see cref="Audit"/>.</summary>
internal sealed record AuditAnswer(IReadOnlyList<AuditLineAnswer> Entries);

/// <summary>What happened, to whom, and how often.</summary>
/// <param name="Kind">As <see cref="AuditKind"/> names it.</param>
/// <param name="Who">The token's id; empty: nobody who is known.</param>
/// <param name="Address">Where it came from; <see cref="Audit.Others"/>: many addresses; empty: not known, or nowhere.</param>
/// <param name="What">The call, the option or the action; of callers without a known token their latest.</param>
/// <param name="Cache">The cache that was named; empty: none.</param>
/// <param name="First">When it happened first.</param>
/// <param name="Last">When it happened last.</param>
/// <param name="Count">How often.</param>
internal sealed record AuditLineAnswer(
    string Kind,
    string Who,
    string Address,
    string What,
    string Cache,
    DateTimeOffset First,
    DateTimeOffset Last,
    long Count)
{
    public static AuditLineAnswer Of(Audit.Line line) => new(
        line.Entry.Kind.ToString(),
        line.Entry.Who,
        line.Entry.Address,
        line.Entry.What,
        line.Entry.Cache,
        line.First,
        line.Last,
        line.Count);
}
