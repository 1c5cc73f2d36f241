namespace Larder.Wire;

/// <summary>
/// A set of streams that are signalled together. The streams are grouped by connection, so that all data for one connection is sent together. Thread-safe.
/// </summary>
public sealed class PushSet
{
    private readonly Lock _lock = new();

    // The array is replaced when a group is added or removed. So a signal takes no lock except those of the connections.
    private PushGroup[] _groups = [];
    private int _count;

    /// <summary>Gets the number of streams in the set.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Gets the number of connections to which the streams belong.</summary>
    public int Connections => Volatile.Read(ref _groups).Length;

    /// <summary>Signals that the sources of all streams have data. The data is sent on this thread. The method does not block.</summary>
    public void Signal()
    {
        foreach (PushGroup group in Volatile.Read(ref _groups))
        {
            group.Connection.Push(group);
        }
    }

    internal void Add(PushStream stream)
    {
        lock (_lock)
        {
            RpcConnection connection = stream.Stream.Connection;
            PushGroup? group = Array.Find(_groups, each => each.Connection == connection);
            if (group is null)
            {
                group = new PushGroup(connection);
                Volatile.Write(ref _groups, [.. _groups, group]);
            }

            connection.Join(group, stream);
            Volatile.Write(ref _count, _count + 1);
        }
    }

    internal void Remove(PushStream stream)
    {
        lock (_lock)
        {
            RpcConnection connection = stream.Stream.Connection;
            if (Array.Find(_groups, each => each.Connection == connection) is not { } group)
            {
                return;
            }

            Volatile.Write(ref _count, _count - 1);
            if (connection.Leave(group, stream))
            {
                Volatile.Write(ref _groups, [.. _groups.Where(each => each != group)]);
            }
        }
    }
}
