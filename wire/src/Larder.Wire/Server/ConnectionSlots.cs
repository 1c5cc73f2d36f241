using System.Net;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>
/// Bounds the connections of a server. When all slots are taken, a new connection takes the slot of an unauthenticated one, so that callers without a token
/// cannot keep others out. Thread-safe.
/// <para>
/// The evicted connection comes from the network with the most unauthenticated connections: a caller that shares no network with an attacker is safe from it.
/// Within that network idle connections go before busy ones, and older ones before newer ones: a new connection has the longest time to authenticate.
/// Authenticated connections are never evicted. If there are no others, the new connection is refused.
/// </para>
/// </summary>
internal sealed class ConnectionSlots
{
    /// <summary>
    /// The connections of one network that are searched for an idle one before the oldest is evicted. A search costs some 10 ns per connection, so 64 cost
    /// less than the accept itself (some 10 µs).
    /// </summary>
    public const int MaxSearched = 64;

    private readonly Lock _lock = new();
    private readonly Dictionary<IPAddress, NetworkGroup> _groups = [];

    // The groups by their number of connections: finding the largest group takes constant time.
    private readonly List<LinkedList<NetworkGroup>> _bySize = [new()];
    private readonly int _capacity;
    private readonly int _maxAuthenticated;
    private int _largest;
    private int _taken;
    private int _authenticated;

    /// <summary>Creates the slots of one server.</summary>
    /// <param name="capacity">The number of slots, 1 or more.</param>
    /// <param name="reserved">Slots that authenticated connections cannot keep: those past <paramref name="capacity"/> minus this may be evicted too.</param>
    public ConnectionSlots(int capacity, int reserved = 0)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(reserved);
        _capacity = capacity;
        _maxAuthenticated = Math.Max(0, capacity - reserved);
    }

    /// <summary>Slots that are taken now.</summary>
    public int Taken
    {
        get
        {
            lock (_lock)
            {
                return _taken;
            }
        }
    }

    /// <summary>Takes a slot for a connection from an address, evicting an unauthenticated connection if all are taken.</summary>
    /// <param name="address">Where the connection comes from; null if that is unknown.</param>
    /// <param name="isEvicting">Whether another connection was closed for it.</param>
    /// <returns>The slot, to be released when the connection has ended; null if the connection is refused.</returns>
    public ConnectionSlot? TryTake(IPAddress? address, out bool isEvicting)
    {
        ConnectionSlot slot = new(ClientNetwork.Of(address));
        Action? abort = null;
        lock (_lock)
        {
            isEvicting = _taken == _capacity;
            if (!isEvicting)
            {
                _taken++;
            }
            else if (FindVictim() is { } evicted)
            {
                Unlist(evicted);
                abort = evicted.Evict();
            }
            else
            {
                isEvicting = false;
                return null;
            }

            List(slot);
        }

        abort?.Invoke();
        return slot;
    }

    /// <summary>Marks a connection as authenticated: it keeps its slot until it ends. Repeatable.</summary>
    public void Authenticate(ConnectionSlot slot)
    {
        ArgumentNullException.ThrowIfNull(slot);
        lock (_lock)
        {
            if (slot.Place is not null && _authenticated < _maxAuthenticated)
            {
                Unlist(slot);
                _authenticated++;
            }
        }
    }

    /// <summary>Frees a slot whose connection has ended. Repeatable.</summary>
    public void Release(ConnectionSlot slot)
    {
        ArgumentNullException.ThrowIfNull(slot);
        lock (_lock)
        {
            if (!slot.TryRelease())
            {
                return;
            }

            _taken--;
            if (slot.Place is null)
            {
                _authenticated--;
            }
            else
            {
                Unlist(slot);
            }
        }
    }

    // Under the lock.
    private ConnectionSlot? FindVictim()
    {
        if (_largest == 0)
        {
            return null;
        }

        LinkedListNode<ConnectionSlot> oldest = _bySize[_largest].First!.Value.Members.First!;
        LinkedListNode<ConnectionSlot>? each = oldest;
        for (int searched = 0; each is not null && searched < MaxSearched; searched++)
        {
            if (each.Value.IsBusy?.Invoke() is not true)
            {
                return each.Value;
            }

            each = each.Next;
        }

        return oldest.Value;
    }

    // Under the lock.
    private void List(ConnectionSlot slot)
    {
        if (!_groups.TryGetValue(slot.Network, out NetworkGroup? group))
        {
            group = new NetworkGroup();
            _groups.Add(slot.Network, group);
        }

        slot.Place = group.Members.AddLast(slot);
        Resized(group, before: group.Members.Count - 1);
    }

    // Under the lock.
    private void Unlist(ConnectionSlot slot)
    {
        NetworkGroup group = _groups[slot.Network];
        group.Members.Remove(slot.Place!);
        slot.Place = null;
        Resized(group, before: group.Members.Count + 1);
        if (group.Members.Count == 0)
        {
            _groups.Remove(slot.Network);
        }
    }

    // Under the lock. Sizes change by one: the largest group's size is found by at most one step.
    private void Resized(NetworkGroup group, int before)
    {
        int size = group.Members.Count;
        if (before > 0)
        {
            _bySize[before].Remove(group.Place);
        }

        if (size == _bySize.Count)
        {
            _bySize.Add(new LinkedList<NetworkGroup>());
        }

        if (size > 0)
        {
            _bySize[size].AddLast(group.Place);
        }

        _largest = Math.Max(_largest, size);
        while (_largest > 0 && _bySize[_largest].Count == 0)
        {
            _largest--;
        }
    }

    private sealed class NetworkGroup
    {
        public NetworkGroup() => Place = new LinkedListNode<NetworkGroup>(this);

        public LinkedListNode<NetworkGroup> Place { get; }

        // The oldest first.
        public LinkedList<ConnectionSlot> Members { get; } = new();
    }
}
