namespace Larder.Server.Security;

/// <summary>
/// The latest refusals and changes: at most <see cref="MaxEntries"/>. What repeats is counted in one entry, so that a flood does not push the others out; past
/// the bound the entry that was told of longest ago goes. From any thread.
/// </summary>
internal sealed class Audit(TimeProvider time)
{
    /// <summary>Some 300 bytes each.</summary>
    public const int MaxEntries = 1_000;

    // Callers choose paths and names of caches.
    private const int MaxCharacters = 128;

    private readonly Lock _lock = new();
    private readonly Dictionary<AuditEntry, LinkedListNode<Line>> _lines = [];

    // The first is the one told of longest ago.
    private readonly LinkedList<Line> _latest = new();

    /// <summary>Notes what happened.</summary>
    public void Note(AuditKind kind, string who = "", string address = "", string what = "", string cache = "")
    {
        AuditEntry entry = new(kind, who, address, Cut(what), Cut(cache));
        DateTimeOffset now = time.GetUtcNow();
        lock (_lock)
        {
            if (_lines.Remove(entry, out LinkedListNode<Line>? node))
            {
                _latest.Remove(node);
                node.Value = node.Value with { Last = now, Count = node.Value.Count + 1 };
            }
            else
            {
                node = new LinkedListNode<Line>(new Line(entry, now, now, 1));
                if (_lines.Count == MaxEntries)
                {
                    _lines.Remove(_latest.First!.Value.Entry);
                    _latest.RemoveFirst();
                }
            }

            _latest.AddLast(node);
            _lines.Add(entry, node);
        }
    }

    /// <summary>What was noted, the latest first.</summary>
    public IReadOnlyList<Line> Read()
    {
        lock (_lock)
        {
            return [.. _latest.Reverse()];
        }
    }

    private static string Cut(string text) => text.Length <= MaxCharacters ? text : text[..MaxCharacters];

    /// <summary>What happened, when first, when last, and how often.</summary>
    internal sealed record Line(AuditEntry Entry, DateTimeOffset First, DateTimeOffset Last, long Count);
}
