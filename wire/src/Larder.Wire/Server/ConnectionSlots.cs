using System.Net;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>
/// Limits the connections of a server. When all slots are taken, a new connection takes the slot of an unauthenticated one, so that clients without a token
/// cannot exclude others. Thread-safe.
/// <para>
/// The evicted connection belongs to the network with the most unauthenticated connections, so a client that shares no network with an attacker is not
/// affected. Within that network, idle connections are evicted before busy connections, and older connections before newer ones. So the newest connection
/// has the longest time to authenticate. Authenticated connections are not evicted unless they use reserved slots. If no connection can be evicted, the new one
/// is refused.
/// </para>
/// </summary>
internal sealed class ConnectionSlots
{
    /// <summary>
    /// The maximum number of connections of one network that are searched for an idle connection before the oldest connection is evicted. The search takes
    /// about 10 ns per connection. So searching 64 connections costs less than accepting a connection (about 10 µs).
    /// </summary>
    public const int MaxSearched = 64;

    private readonly Lock _lock = new();
    private readonly Dictionary<IPAddress, NetworkGroup> _groups = [];

    // The networks, indexed by their number of connections that can be evicted. So the network with the most such connections is found in constant time.
    private readonly List<LinkedList<NetworkGroup>> _bySize = [new()];
    private readonly int _capacity;
    private readonly int _maxAuthenticated;
    private int _largest;
    private int _taken;
    private int _authenticated;

    /// <summary>Creates the slots of one server.</summary>
    /// <param name="capacity">The number of slots, at least 1.</param>
    /// <param name="reserved">
    /// The number of slots that authenticated connections cannot keep. If authenticated connections have more than <paramref name="capacity"/> minus this
    /// number of slots, further authenticated connections can also be evicted.
    /// </param>
    public ConnectionSlots(int capacity, int reserved = 0)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(reserved);
        _capacity = capacity;
        _maxAuthenticated = Math.Max(0, capacity - reserved);
    }

    /// <summary>Gets the number of slots that are taken.</summary>
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

    /// <summary>Takes a slot for a connection. If all slots are taken, an unauthenticated connection is evicted.</summary>
    /// <param name="address">The client's address; null if unknown.</param>
    /// <param name="isEvicting">Whether another connection was closed to free the slot.</param>
    /// <returns>The slot, which must be released when the connection ends, or null if the connection is refused.</returns>
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

    /// <summary>
    /// Marks a connection as authenticated, so that it is not evicted. Has no effect if authenticated connections already occupy all slots that are not
    /// reserved. This method can be called several times.
    /// </summary>
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

    /// <summary>Releases the slot of a connection that has ended. This method can be called several times.</summary>
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

    // Returns the slot of the connection to evict, or null if no connection can be evicted. The caller must hold the lock.
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

    // Adds a slot that can be evicted to the lists of its network. The caller must hold the lock.
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

    // Removes a slot from the lists of its network. The caller must hold the lock.
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

    // Moves a group to the list for its new size. The size of a group changes by one, so the new size of the largest group is found in at most one step. The
    // caller must hold the lock.
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

        // The connections of the group, ordered from oldest to newest.
        public LinkedList<ConnectionSlot> Members { get; } = new();
    }
}
