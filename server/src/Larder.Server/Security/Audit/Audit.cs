using System.Net;

namespace Larder.Server.Security;

/// <summary>
/// Keeps the latest rejected calls and administrative changes in memory. Repeated events share one line with a counter. There are three separate groups, so
/// that the events of one group do not evict the lines of another group:
/// <list type="bullet">
/// <item>Calls without a known token: they are counted per address. There are <see cref="MaxStrangers"/> lines for each kind of event, and one line for all
/// other addresses.</item>
/// <item>Denied calls: <see cref="MaxDenied"/> lines. When the group is full, the oldest line of the token with the most lines is dropped.</item>
/// <item>Reloads, issued tokens and console actions: <see cref="MaxChanges"/> lines. When the group is full, the oldest line is dropped.</item>
/// </list>
/// Thread-safe.
/// </summary>
internal sealed class Audit(TimeProvider time)
{
    /// <summary>
    /// The maximum number of addresses that have a separate line, for each kind of event. A line takes at most about 700 bytes, so all lines together take at
    /// most 2 MB.
    /// </summary>
    public const int MaxStrangers = 256;

    /// <summary>The maximum number of lines for denied calls.</summary>
    public const int MaxDenied = 1_000;

    /// <summary>The maximum number of lines for changes.</summary>
    public const int MaxChanges = 1_000;

    /// <summary>The text that replaces the address on the line that combines all addresses without a separate line.</summary>
    public const string Others = "others";

    // The maximum length of paths and cache names, which callers choose.
    private const int MaxCharacters = 128;

    private readonly Lock _lock = new();
    private readonly UnauthenticatedEventCounts _unauthenticated = new(AuditKind.Unauthenticated, MaxStrangers);
    private readonly UnauthenticatedEventCounts _rateLimitedAddresses = new(AuditKind.DoorShut, MaxStrangers);
    private readonly AuditRing _denied = new(MaxDenied);
    private readonly AuditRing _changes = new(MaxChanges);

    // The sequence number of the last recorded event. Sequence numbers order the lines that have the same timestamp.
    private long _order;

    /// <summary>Records a rejected call of a known caller, or a change.</summary>
    public void Note(AuditKind kind, string who = "", string address = "", string what = "", string cache = "")
    {
        bool isDenied = kind == AuditKind.Denied;
        AuditEntry entry = new(kind, who, address, Cut(what), Cut(cache));
        DateTimeOffset now = time.GetUtcNow();
        lock (_lock)
        {
            (isDenied ? _denied : _changes).Note(entry, isDenied ? OwnerOf(who) : "", now, ++_order);
        }
    }

    /// <summary>Counts an event of a caller without a known token.</summary>
    /// <param name="kind"><see cref="AuditKind.Unauthenticated"/> or <see cref="AuditKind.DoorShut"/>.</param>
    /// <param name="address">The remote address. IPv6 addresses are counted by network, as in <see cref="AuthenticationRateLimiter"/>.</param>
    /// <param name="isConsole">Whether the request was sent to the console.</param>
    /// <param name="what">The call. The line shows the latest call.</param>
    public void RecordUnauthenticated(AuditKind kind, IPAddress? address, bool isConsole, string what)
    {
        string from = AuthenticationRateLimiter.TextOf(address);
        string called = Cut(what);
        DateTimeOffset now = time.GetUtcNow();
        lock (_lock)
        {
            (kind == AuditKind.DoorShut ? _rateLimitedAddresses : _unauthenticated).Note(from, isConsole, called, now, ++_order);
        }
    }

    /// <summary>Returns all lines, latest first.</summary>
    public IReadOnlyList<Line> Read()
    {
        lock (_lock)
        {
            IEnumerable<Line> all = [.. _unauthenticated.Lines, .. _rateLimitedAddresses.Lines, .. _denied.Lines, .. _changes.Lines];
            return [.. all.OrderByDescending(static line => line.Order)];
        }
    }

    // A disposable token counts for its issuer. The name of such a token is "issuer (id)". IDs in the token file contain no spaces.
    private static string OwnerOf(string who) => who.IndexOf(' ', StringComparison.Ordinal) is >= 0 and var end ? who[..end] : who;

    private static string Cut(string text) => text.Length <= MaxCharacters ? text : text[..MaxCharacters];

    /// <summary>One line of the audit: an event, the times of its first and last occurrence, and the number of occurrences.</summary>
    /// <param name="Entry">The event.</param>
    /// <param name="First">The time of the first occurrence.</param>
    /// <param name="Last">The time of the latest occurrence.</param>
    /// <param name="Count">The number of occurrences.</param>
    /// <param name="Order">A sequence number that increases with every recorded event.</param>
    internal sealed record Line(AuditEntry Entry, DateTimeOffset First, DateTimeOffset Last, long Count, long Order)
    {
        /// <summary>Returns a copy of the line that counts one more occurrence.</summary>
        public Line Again(DateTimeOffset now, long order) => this with { Last = now, Count = Count + 1, Order = order };
    }
}
