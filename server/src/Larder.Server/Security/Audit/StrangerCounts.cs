namespace Larder.Server.Security;

/// <summary>
/// How often callers without a known token did something, by their address: they choose what they call, so that is no line of its own. Past the bound the
/// address that was seen longest ago loses its line, and is counted with all others. Not safe from several threads.
/// </summary>
/// <param name="kind">What they did.</param>
/// <param name="maxAddresses">Addresses that have a line.</param>
internal sealed class StrangerCounts(AuditKind kind, int maxAddresses)
{
    private readonly Dictionary<Place, LinkedListNode<Counted>> _counted = [];

    // The first was seen longest ago.
    private readonly LinkedList<Counted> _latest = new();
    private Audit.Line? _others;

    /// <summary>The lines, in any order.</summary>
    public IEnumerable<Audit.Line> Lines
    {
        get
        {
            IEnumerable<Audit.Line> lines = _latest.Select(static each => each.Line);
            return _others is null ? lines : lines.Append(_others);
        }
    }

    /// <summary>Counts one more.</summary>
    /// <param name="address">Where it came from.</param>
    /// <param name="isConsole">Whether it was a request to the console: an address has a line of its own for those.</param>
    /// <param name="what">What was called; the line tells the latest.</param>
    /// <param name="now">When.</param>
    /// <param name="order">Larger than that of any note before.</param>
    public void Note(string address, bool isConsole, string what, DateTimeOffset now, long order)
    {
        Place place = new(address, isConsole);
        AuditEntry entry = new(kind, "", address, what, "");
        if (_counted.TryGetValue(place, out LinkedListNode<Counted>? node))
        {
            _latest.Remove(node);
            node.Value = new Counted(place, node.Value.Line.Again(now, order) with { Entry = entry });
        }
        else
        {
            if (_counted.Count == maxAddresses)
            {
                DropOldest();
            }

            node = new LinkedListNode<Counted>(new Counted(place, new Audit.Line(entry, now, now, 1, order)));
            _counted.Add(place, node);
        }

        _latest.AddLast(node);
    }

    private void DropOldest()
    {
        (Place place, Audit.Line oldest) = _latest.First!.Value;
        _latest.RemoveFirst();
        _counted.Remove(place);
        _others = oldest with
        {
            Entry = oldest.Entry with { Address = Audit.Others },
            First = _others is { } before && before.First < oldest.First ? before.First : oldest.First,
            Count = oldest.Count + (_others?.Count ?? 0),
        };
    }

    private readonly record struct Place(string Address, bool IsConsole);

    private readonly record struct Counted(Place Place, Audit.Line Line);
}
