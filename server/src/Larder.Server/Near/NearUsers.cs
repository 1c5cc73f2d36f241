namespace Larder.Server.Near;

/// <summary>The open near streams by users, and the rule by which users share them (NEAR-1). Not thread-safe.</summary>
internal sealed class NearUsers
{
    private readonly Dictionary<string, User> _users = new(StringComparer.Ordinal);

    // The users, ordered by their numbers of streams.
    private readonly SortedSet<User> _bySize = new(Comparer<User>.Create(static (left, right) =>
        left.Streams.Count != right.Streams.Count ? left.Streams.Count.CompareTo(right.Streams.Count) : string.CompareOrdinal(left.Name, right.Name)));

    /// <summary>Gets the number of streams.</summary>
    public int Count { get; private set; }

    /// <summary>Adds the newest stream.</summary>
    public void Add(NearStream stream)
    {
        if (_users.TryGetValue(stream.User, out User? user))
        {
            _bySize.Remove(user);
        }
        else
        {
            user = new User(stream.User);
            _users.Add(stream.User, user);
        }

        stream.Place = user.Streams.AddLast(stream);
        _bySize.Add(user);
        Count++;
    }

    /// <summary>Removes a stream.</summary>
    public void Remove(NearStream stream)
    {
        User user = _users[stream.User];
        _bySize.Remove(user);
        user.Streams.Remove(stream.Place!);
        stream.Place = null;
        Count--;
        if (user.Streams.Count > 0)
        {
            _bySize.Add(user);
        }
        else
        {
            _users.Remove(stream.User);
        }
    }

    /// <summary>
    /// Returns the newest stream of the user with the most streams, if this user has at least two streams more than the given user; otherwise null. After the
    /// replacement, the former user still has at least as many streams as the other, so two users never displace each other in turn.
    /// </summary>
    public NearStream? NewestOfLargest(string requesting)
    {
        int own = _users.TryGetValue(requesting, out User? user) ? user.Streams.Count : 0;
        return _bySize.Max is { } largest && largest.Streams.Count - 1 >= own + 1 ? largest.Streams.Last!.Value : null;
    }

    private sealed class User(string name)
    {
        public string Name => name;

        public LinkedList<NearStream> Streams { get; } = [];
    }
}
