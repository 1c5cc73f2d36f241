namespace Larder.Server.Fleet;

/// <summary>
/// A queue of waiting commands. The owners are served in turn. The commands of an owner stay in order, except that a later step of a call comes first. Not
/// thread-safe.
/// </summary>
/// <param name="limits">The limits of the queue.</param>
internal sealed class TurnQueue(TurnLimits limits)
{
    private readonly Dictionary<object, OwnerQueue> _owners = new(ReferenceEqualityComparer.Instance);
    private readonly LinkedList<OwnerQueue> _rounds = new();

    /// <summary>Gets the number of waiting commands.</summary>
    public int Count { get; private set; }

    /// <summary>Gets the total number of bytes of the waiting commands.</summary>
    public long Bytes { get; private set; }

    /// <summary>Adds a command.</summary>
    /// <returns>
    /// Null if there is space. Otherwise returns the command that must fail. If the owner has reached a limit, it is the added command. If all owners together
    /// exceed a limit, it is the newest command of the owner with the most commands or bytes.
    /// </returns>
    public IQueuedCommand? Add(IQueuedCommand taker)
    {
        OwnerQueue? owner = _owners.GetValueOrDefault(taker.Owner);
        if (owner is not null && !taker.IsContinued && !HasRoom(owner, taker))
        {
            return taker;
        }

        if (owner is null)
        {
            owner = new OwnerQueue(taker.Owner);
            _owners.Add(taker.Owner, owner);
            owner.Place = _rounds.AddLast(owner);
        }

        if (taker.IsContinued)
        {
            owner.Commands.AddFirst(taker);
        }
        else
        {
            owner.Commands.AddLast(taker);
        }

        Note(owner, taker, 1);
        return Count > limits.MaxCalls || (Bytes > limits.MaxBytes && Count > 1) ? DropOfLargest() : null;
    }

    /// <summary>Dequeues the first command of the owner whose turn it is. Returns null if the queue is empty.</summary>
    public IQueuedCommand? Take()
    {
        if (_rounds.First is not { Value: { } owner } place)
        {
            return null;
        }

        IQueuedCommand taker = owner.Commands.First!.Value;
        owner.Commands.RemoveFirst();
        _rounds.Remove(place);
        _rounds.AddLast(place);
        Note(owner, taker, -1);
        return taker;
    }

    /// <summary>Removes the commands whose client has disconnected or whose deadline has passed, and adds them to <paramref name="over"/>.</summary>
    public void TakeOver(long now, List<IQueuedCommand> over)
    {
        if (Count == 0)
        {
            return;
        }

        foreach (OwnerQueue owner in _owners.Values.ToArray())
        {
            LinkedListNode<IQueuedCommand>? next = owner.Commands.First;
            while (next is { } node)
            {
                next = node.Next;
                if (node.Value.EndsAt <= now || node.Value.IsGone)
                {
                    owner.Commands.Remove(node);
                    Note(owner, node.Value, -1);
                    over.Add(node.Value);
                }
            }
        }
    }

    private bool HasRoom(OwnerQueue owner, IQueuedCommand taker) =>
        owner.Commands.Count < limits.MaxCallsOfOwner && owner.Bytes + taker.EncodedBytes <= limits.MaxBytesOfOwner;

    private IQueuedCommand DropOfLargest()
    {
        OwnerQueue largest = Bytes > limits.MaxBytes
            ? _owners.Values.MaxBy(static owner => owner.Bytes)!
            : _owners.Values.MaxBy(static owner => owner.Commands.Count)!;
        IQueuedCommand newest = largest.Commands.Last!.Value;
        largest.Commands.RemoveLast();
        Note(largest, newest, -1);
        return newest;
    }

    private void Note(OwnerQueue owner, IQueuedCommand taker, int count)
    {
        Count += count;
        Bytes += count * (long)taker.EncodedBytes;
        owner.Bytes += count * (long)taker.EncodedBytes;
        if (owner.Commands.Count == 0)
        {
            _rounds.Remove(owner.Place!);
            _owners.Remove(owner.Owner);
        }
    }

    private sealed class OwnerQueue(object owner)
    {
        public object Owner => owner;

        public LinkedList<IQueuedCommand> Commands { get; } = new();

        public LinkedListNode<OwnerQueue>? Place { get; set; }

        public long Bytes { get; set; }
    }
}
