namespace Larder.Wire;

/// <summary>
/// Streams that are signalled together, by their connections: what they all get of one connection leaves in one send. Safe from any thread.
/// </summary>
public sealed class PushSet
{
    private readonly Lock _lock = new();

    // Replaced when it changes: a signal takes no lock but each connection's own.
    private PushGroup[] _groups = [];
    private int _count;

    /// <summary>The streams in it.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The connections that these are on.</summary>
    public int Connections => Volatile.Read(ref _groups).Length;

    /// <summary>Says that the sources of all of them have something. It sends on this thread, and waits for nobody.</summary>
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
