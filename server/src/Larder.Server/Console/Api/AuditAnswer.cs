using Larder.Server.Security;

namespace Larder.Server.Console.Api;

/// <summary><c>GET /api/audit</c>: the latest rejections and changes, latest first. <see cref="Audit"/> limits their number.</summary>
internal sealed record AuditAnswer(IReadOnlyList<AuditLineAnswer> Entries);

/// <summary>A kind of event, the times of its first and last occurrence, and the number of occurrences.</summary>
/// <param name="Kind">The name of the <see cref="AuditKind"/>.</param>
/// <param name="Who">The ID of the token; empty if the caller is unknown.</param>
/// <param name="Address">
/// The remote address; <see cref="Audit.Others"/> if the entry combines many addresses; empty if the address is unknown or not applicable.
/// </param>
/// <param name="What">The call, option or action. For callers without a known token, the latest call.</param>
/// <param name="Cache">The cache named by the call; empty if none.</param>
/// <param name="First">The time of the first occurrence.</param>
/// <param name="Last">The time of the latest occurrence.</param>
/// <param name="Count">The number of occurrences.</param>
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
