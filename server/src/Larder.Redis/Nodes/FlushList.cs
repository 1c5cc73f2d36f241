namespace Larder.Redis;

/// <summary>The connections to which the current thread has added commands that have not been sent yet.</summary>
internal sealed class FlushList
{
    // The maximum number of connections in the list. In most clusters, a thread sends to fewer nodes than this at the same time. If the list is full, its
    // connections are flushed before another one is added.
    private const int Most = 64;

    [ThreadStatic]
    private static FlushList? _current;

    private readonly NodeConnection?[] _connections = new NodeConnection?[Most];
    private int _count;

    /// <summary>Gets the list of the current thread.</summary>
    public static FlushList Current => _current ??= new FlushList();

    /// <summary>Adds a connection, unless it is already in the list.</summary>
    public void Add(NodeConnection connection)
    {
        for (int index = _count - 1; index >= 0; index--)
        {
            if (_connections[index] == connection)
            {
                return;
            }
        }

        if (_count == Most)
        {
            Flush();
        }

        _connections[_count++] = connection;
    }

    /// <summary>Sends the commands of all connections in the list.</summary>
    public void Flush()
    {
        // A flush may add connections to the list.
        while (_count > 0)
        {
            NodeConnection connection = _connections[--_count]!;
            _connections[_count] = null;
            connection.Flush();
        }
    }
}
