namespace Larder.Server.Security;

/// <summary>
/// A bounded set of <see cref="Audit"/> lines with counters. If the set is full, the owner with the most lines loses its oldest line. An owner that causes many
/// events therefore evicts only its own lines. Not thread-safe.
/// </summary>
/// <param name="maxLines">The maximum number of lines.</param>
internal sealed class AuditRing(int maxLines)
{
    private readonly Dictionary<AuditEntry, LinkedListNode<Audit.Line>> _lines = [];

    // The lines of each owner, oldest first.
    private readonly Dictionary<string, LinkedList<Audit.Line>> _byOwner = new(StringComparer.Ordinal);

    /// <summary>Gets the lines in no particular order.</summary>
    public IEnumerable<Audit.Line> Lines => _lines.Values.Select(static node => node.Value);

    /// <summary>Records an event.</summary>
    /// <param name="entry">The event. Equal events share one line.</param>
    /// <param name="owner">The owner of the line. It is the same for equal entries.</param>
    /// <param name="now">The time of the event.</param>
    /// <param name="order">The sequence number. It is larger than the number of any earlier event.</param>
    public void Note(AuditEntry entry, string owner, DateTimeOffset now, long order)
    {
        if (_lines.TryGetValue(entry, out LinkedListNode<Audit.Line>? node))
        {
            LinkedList<Audit.Line> own = _byOwner[owner];
            own.Remove(node);
            node.Value = node.Value.Again(now, order);
            own.AddLast(node);
            return;
        }

        if (_lines.Count == maxLines)
        {
            DropOne();
        }

        if (!_byOwner.TryGetValue(owner, out LinkedList<Audit.Line>? lines))
        {
            lines = new LinkedList<Audit.Line>();
            _byOwner.Add(owner, lines);
        }

        _lines.Add(entry, lines.AddLast(new Audit.Line(entry, now, now, 1, order)));
    }

    private void DropOne()
    {
        (string owner, LinkedList<Audit.Line> lines) = Largest();
        _lines.Remove(lines.First!.Value.Entry);
        lines.RemoveFirst();
        if (lines.Count == 0)
        {
            _byOwner.Remove(owner);
        }
    }

    // The running time is O(owners). If two owners have the same number of lines, picks the owner whose oldest line is older.
    private (string Owner, LinkedList<Audit.Line> Lines) Largest()
    {
        KeyValuePair<string, LinkedList<Audit.Line>> largest = default;
        foreach (KeyValuePair<string, LinkedList<Audit.Line>> each in _byOwner)
        {
            int more = each.Value.Count - (largest.Value?.Count ?? 0);
            if (more > 0 || (more == 0 && each.Value.First!.Value.Order < largest.Value!.First!.Value.Order))
            {
                largest = each;
            }
        }

        return (largest.Key, largest.Value!);
    }
}
