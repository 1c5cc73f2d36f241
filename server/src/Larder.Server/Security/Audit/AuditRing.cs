namespace Larder.Server.Security;

/// <summary>
/// A bounded number of lines of an <see cref="Audit"/>, each with its repetitions counted. Past the bound the owner with the most lines loses its oldest: an
/// owner that fills the ring displaces itself. Not safe from several threads.
/// </summary>
/// <param name="maxLines">Lines at most.</param>
internal sealed class AuditRing(int maxLines)
{
    private readonly Dictionary<AuditEntry, LinkedListNode<Audit.Line>> _lines = [];

    // Of each owner the oldest line is the first.
    private readonly Dictionary<string, LinkedList<Audit.Line>> _byOwner = new(StringComparer.Ordinal);

    /// <summary>The lines, in any order.</summary>
    public IEnumerable<Audit.Line> Lines => _lines.Values.Select(static node => node.Value);

    /// <summary>Notes what happened.</summary>
    /// <param name="entry">The line that counts it.</param>
    /// <param name="owner">Whose line it is; always the same for one entry.</param>
    /// <param name="now">When it happened.</param>
    /// <param name="order">Larger than that of any note before.</param>
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

    // As many steps as there are owners; of two with equally many, the one whose oldest line is older.
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
