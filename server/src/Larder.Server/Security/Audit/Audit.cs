using System.Net;

namespace Larder.Server.Security;

/// <summary>
/// The latest refusals and changes. What repeats is counted in one line. Callers without a known token, callers with one, and what is done to the server have
/// lines of their own, so that none of them pushes the others out:
/// <list type="bullet">
/// <item>Calls without a known token are counted by address, whatever they name: <see cref="MaxStrangers"/> lines of each kind, and one for all others.</item>
/// <item>Denied calls: <see cref="MaxDenied"/> lines. Past that, who has the most lines loses its oldest.</item>
/// <item>Reloads, tokens given and what the console did: <see cref="MaxChanges"/> lines. Past that the oldest goes.</item>
/// </list>
/// From any thread.
/// </summary>
internal sealed class Audit(TimeProvider time)
{
    /// <summary>Addresses that are counted one by one, for each kind. A page shows so many; a line is some 700 bytes at most, so all lines are 2 MB.</summary>
    public const int MaxStrangers = 256;

    /// <summary>Lines of denied calls.</summary>
    public const int MaxDenied = 1_000;

    /// <summary>Lines of changes.</summary>
    public const int MaxChanges = 1_000;

    /// <summary>The address of the line that counts strangers whose own line was dropped.</summary>
    public const string Others = "others";

    // Callers choose paths and names of caches.
    private const int MaxCharacters = 128;

    private readonly Lock _lock = new();
    private readonly StrangerCounts _unauthenticated = new(AuditKind.Unauthenticated, MaxStrangers);
    private readonly StrangerCounts _doorShut = new(AuditKind.DoorShut, MaxStrangers);
    private readonly AuditRing _denied = new(MaxDenied);
    private readonly AuditRing _changes = new(MaxChanges);

    // Lines of one moment stay in the order in which they were noted.
    private long _order;

    /// <summary>Notes what a known caller was refused, or what was changed.</summary>
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

    /// <summary>Counts what somebody without a known token did.</summary>
    /// <param name="kind"><see cref="AuditKind.Unauthenticated"/> or <see cref="AuditKind.DoorShut"/>.</param>
    /// <param name="address">Where it came from; of IPv6 its network is counted, as by <see cref="Door"/>.</param>
    /// <param name="isConsole">Whether it was a request to the console.</param>
    /// <param name="what">The call. The line tells the latest.</param>
    public void NoteStranger(AuditKind kind, IPAddress? address, bool isConsole, string what)
    {
        string from = Door.TextOf(address);
        string called = Cut(what);
        DateTimeOffset now = time.GetUtcNow();
        lock (_lock)
        {
            (kind == AuditKind.DoorShut ? _doorShut : _unauthenticated).Note(from, isConsole, called, now, ++_order);
        }
    }

    /// <summary>What was noted, the latest first.</summary>
    public IReadOnlyList<Line> Read()
    {
        lock (_lock)
        {
            IEnumerable<Line> all = [.. _unauthenticated.Lines, .. _doorShut.Lines, .. _denied.Lines, .. _changes.Lines];
            return [.. all.OrderByDescending(static line => line.Order)];
        }
    }

    // Disposable tokens are their issuer's: "issuer (id)". No id of a file has a space.
    private static string OwnerOf(string who) => who.IndexOf(' ', StringComparison.Ordinal) is >= 0 and var end ? who[..end] : who;

    private static string Cut(string text) => text.Length <= MaxCharacters ? text : text[..MaxCharacters];

    /// <summary>What happened, when first, when last, and how often.</summary>
    /// <param name="Entry">What happened.</param>
    /// <param name="First">When it happened first.</param>
    /// <param name="Last">When it happened last.</param>
    /// <param name="Count">How often.</param>
    /// <param name="Order">Grows with every note of the audit.</param>
    internal sealed record Line(AuditEntry Entry, DateTimeOffset First, DateTimeOffset Last, long Count, long Order)
    {
        /// <summary>The line after it happened again.</summary>
        public Line Again(DateTimeOffset now, long order) => this with { Last = now, Count = Count + 1, Order = order };
    }
}
