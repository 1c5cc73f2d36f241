namespace Larder.Server.Security;

/// <summary>
/// Counts events of callers without a known token, per address. Different calls share a line, because the caller chooses the call. If all lines are taken, the
/// line whose latest event is oldest is removed, and its count is added to the line for all other addresses. Not thread-safe.
/// </summary>
/// <param name="kind">The kind of event that is counted.</param>
/// <param name="maxAddresses">The maximum number of addresses that have a separate line.</param>
internal sealed class UnauthenticatedEventCounts(AuditKind kind, int maxAddresses)
{
    private readonly Dictionary<Place, LinkedListNode<Counted>> _counted = [];

    // The lines, ordered by the time of their latest event, oldest first.
    private readonly LinkedList<Counted> _latest = new();
    private Audit.Line? _others;

    /// <summary>Gets the lines in no particular order.</summary>
    public IEnumerable<Audit.Line> Lines
    {
        get
        {
            IEnumerable<Audit.Line> lines = _latest.Select(static each => each.Line);
            return _others is null ? lines : lines.Append(_others);
        }
    }

    /// <summary>Counts one event.</summary>
    /// <param name="address">The remote address.</param>
    /// <param name="isConsole">Whether the request was sent to the console. Console requests have a separate line for each address.</param>
    /// <param name="what">The call. The line shows the latest call.</param>
    /// <param name="now">The time of the event.</param>
    /// <param name="order">The sequence number. It is larger than the number of any earlier event.</param>
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
